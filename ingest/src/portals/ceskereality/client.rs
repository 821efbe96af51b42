//! How ceskereality.cz is crawled, by whoever may: lists of the whole country on the main host, then the page of each
//! advert.
//!
//! | trap | what is done |
//! |---|---|
//! | a list of the whole country ends after 12 pages, one of a place after 99; a page past that is answered 404 | longer ones are walked by kraj, those of a kraj by okres, that of Prague by its districts |
//! | the same adverts are on seven regional hosts as well, by other regions | only the main host is walked |
//! | the links to narrower lists on a page are the most popular ones | the places are written down in `places.rs` |
//! | a list without adverts says nothing but its heading | it has to name the kind of offer and the place, in the frame of all pages |
//! | the arrow to the next page is there, disabled, on the last | a full page without any is unexpected |

use std::time::Duration;

use czech::fold;
use schema::{OfferType, PropertyType};
use scraper::Html;

use super::places::{PRAGUE, REGIONS};
use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::{selectors, value_of};
use crate::portals::answered::without;
use crate::portals::list_page::{
    cards, count_after, detail, entries, get, get_detail, more_of, page_of_list, sections_of,
};
use crate::portals::page::attribute;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Forbidden {
        by: "robots.txt disallows everything but to named search engines, and sets a trap",
    },
    manners: Manners::one_by_one(Duration::from_secs(2)),
    sections,
    split,
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details: |asked, answer| detail(("ceskereality", super::read), is_list, asked, answer),
    volatile: Volatile::Elements(&[
        // Of the page, only the advert.
        "body > :not(main)",
        ".s-estate-bar",
        ".s-usps",
        ".s-offerer",
        ".s-offerer-mobile",
        ".s-estates-slide",
        ".s-estate-pagination",
        ".i-rek-sys",
        ".i-navigation",
        ".cta-button",
        ".copy-link-form",
        "form",
        "input",
        // What a mortgage would cost changes with the rates of the day.
        "a[href*='hypote']",
    ]),
};

const HOST: &str = "https://www.ceskereality.cz";

/// What a page of a list is.
const LIST: &str = "a list of ceskereality.cz: cards with their count, or a heading alone";

/// Cards on a page.
const LENGTH: u64 = 20;

/// The most adverts that a list of the whole country shows, and one of a place.
const WINDOWS: [u64; 2] = [12 * LENGTH, 99 * LENGTH];

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const KINDS: [(&str, PropertyType); 6] = [
    ("byty", PropertyType::Apartment),
    ("rodinne-domy", PropertyType::House),
    ("chaty-chalupy", PropertyType::House),
    ("pozemky", PropertyType::Land),
    ("komercni-prostory", PropertyType::Commercial),
    ("ostatni", PropertyType::Other),
];

selectors! {
    FRAME = ".main-header";
    SUMMARY = "meta[name=description]";
    HEADING = "h1";
    CARD = "article.i-estate";
    LINK = "a.i-estate__image-link, a.i-estate__title-link";
    TITLE = ".i-estate__header-title, .i-estate__title-link";
    PRICE = ".i-estate__footer-price-value";
    NEXT = "a.pagination-arrow[class~='--next']";
}

/// Cottages are houses with a section of their own.
fn sections() -> Vec<Section> {
    sections_of(&OFFERS, &KINDS, |offer, kind| format!("/{offer}/{kind}/"))
}

/// The places that a section's list is narrowed to, the coarser first.
fn places(section: &Section) -> Vec<&str> {
    section.name.split('/').skip(1).collect()
}

fn split(section: &Section, total: u64) -> Vec<Section> {
    let narrowed = |place: &str| {
        let country = section
            .query
            .splitn(4, '/')
            .take(3)
            .collect::<Vec<_>>()
            .join("/");
        Section {
            name: format!("{}/{place}", section.name),
            scope: section.scope,
            query: format!("{country}/{place}/"),
        }
    };
    let [country, place] = WINDOWS;
    match places(section).as_slice() {
        [] if total > country => REGIONS.iter().map(|(region, _)| narrowed(region)).collect(),
        [PRAGUE] if total > place => (1..=22)
            .map(|number| narrowed(&format!("mc-praha-{number}")))
            .collect(),
        [region] if total > place => {
            let districts = REGIONS
                .iter()
                .find(|(name, _)| name == region)
                .map(|(_, districts)| *districts);
            districts
                .unwrap_or_default()
                .iter()
                .map(|district| narrowed(district))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn page(section: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("?strana={}", u64::from(page) + 1)
    };
    get(format!("{HOST}{}{number}", section.query))
}

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    let total = attribute(&html, &SUMMARY, "content")
        .and_then(|summary| count_after(&summary, "Máme tady"));
    let cards = cards(&html, &CARD, &LINK, &[&*TITLE, &*PRICE]);
    let entries = entries("ceskereality", cards, answer, LIST)?;
    if entries.is_empty() {
        let is_list = html.select(&FRAME).next().is_some() && heading_names(&html, section);
        if total.is_none_or(|total| total == 0) && is_list {
            return Ok(IndexPage {
                entries,
                total: Some(0),
                more: false,
            });
        }
        return Err(without(answer, "cards", LIST));
    }
    let total = total.ok_or_else(|| without(answer, "the count of the list", LIST))?;
    let arrow = html.select(&NEXT).next();
    let more =
        arrow.is_some_and(|arrow| !arrow.value().classes().any(|class| class == "--disabled"));
    if arrow.is_none() && more_of(total, page, LENGTH) {
        return Err(without(answer, "an arrow to the next page", LIST));
    }
    Ok(IndexPage {
        entries,
        total: Some(total),
        more,
    })
}

/// Whether the heading is that of the section: `Prodej bytů Středočeský kraj`, `Ostatní domy na prodej Kraj Vysočina`.
fn heading_names(html: &Html, section: &Section) -> bool {
    let heading = html
        .select(&HEADING)
        .next()
        .map(|heading| fold(&value_of(heading)))
        .unwrap_or_default();
    let offer = if section.scope.offer_type == Some(OfferType::Rent) {
        "pronaj"
    } else {
        "prodej"
    };
    let place = places(section).last().copied().unwrap_or_default();
    let words = place
        .split('-')
        .filter(|word| !matches!(*word, "" | "kraj" | "hlavni" | "mesto" | "mc"));
    heading.contains(offer) && words.into_iter().all(|word| heading.contains(word))
}

/// A removed advert leads to a list.
fn is_list(path: &str) -> bool {
    path == "/"
        || (path.starts_with("/prodej/") || path.starts_with("/pronajem/")) && path.ends_with('/')
}
