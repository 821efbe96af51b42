//! How ceskereality.cz is crawled, with permission: sections of the whole country on the main host, then the page of each
//! advert.
//!
//! | trap | what we do |
//! |---|---|
//! | a section of the whole country ends after 12 pages, one of a place after 99; later pages are answered 404 | longer ones are split by kraj, those of a kraj by okres, Prague by its districts |
//! | seven regional hosts show the same adverts, divided into other regions | we walk the main host only |
//! | a page links only the most popular narrower sections | `places.rs` lists the places |
//! | an index page without adverts has nothing but a heading | a page without cards is empty only if it has the header of every page and a heading that names the offer type and the place |
//! | the arrow to the next page is disabled on the last page | a full page without an arrow is unexpected |

use std::time::Duration;

use schema::{OfferType, PropertyType};
use scraper::Html;

use super::places::{PRAGUE, REGIONS};
use crate::answers::index_page::{
    Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, number_after, read_detail,
    sections_by_kind,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::{selectors, value_of};
use crate::pages::detail_page::attribute;
use czech::fold;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Forbidden {
        by: "its robots.txt allows only some search engines, and it sets a trap for others",
    },
    policy: CrawlPolicy::sequential(Duration::from_secs(2)),
    sections,
    split,
    page: |section, page| INDEX.request(section, page),
    read_page: |section, page, answer| INDEX.read_page(section, page, answer),
    details_per_request: 1,
    details: get_detail,
    read_details: |asked, answer| {
        read_detail(
            ("ceskereality", super::read_payload),
            is_index,
            asked,
            answer,
        )
    },
    volatile: Volatile::Elements(&[
        // What surrounds the advert on its page.
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
        // The cost of a mortgage changes with the day's interest rates.
        "a[href*='hypote']",
    ]),
};

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "ceskereality",
    expected: "a list of ceskereality.cz: cards with their count, or a heading alone",
    host: "https://www.ceskereality.cz",
    numbering: Numbering::from_two("?strana="),
    required: &[],
    cards: Cards::Selected {
        card: &CARD,
        link: &LINK,
        parts: &[&TITLE, &PRICE],
    },
    count: |html| number_after(&attribute(html, &SUMMARY, "content")?, "Máme tady"),
    counted: Counted::WithCards,
    past_end: |_| false,
    is_empty: |html, section| html.select(&FRAME).next().is_some() && heading_names(html, section),
    next: NextPage::Arrow {
        arrow: &NEXT,
        disabled: "--disabled",
        length: LENGTH,
    },
};

/// Cards on a page.
const LENGTH: u64 = 20;

/// The most adverts that a section of the whole country shows.
const MOST_IN_COUNTRY: u64 = 12 * LENGTH;

/// The most adverts that a section of a place shows.
const MOST_IN_PLACE: u64 = 99 * LENGTH;

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const PROPERTIES: [(&str, PropertyType); 6] = [
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

/// Cottages count as houses and have a section of their own.
fn sections() -> Vec<Section> {
    sections_by_kind(&OFFERS, &PROPERTIES, |offer, property| {
        format!("/{offer}/{property}/")
    })
}

/// The places that a section is narrowed to, the largest first.
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
    match places(section).as_slice() {
        [] if total > MOST_IN_COUNTRY => {
            REGIONS.iter().map(|(region, _)| narrowed(region)).collect()
        }
        [PRAGUE] if total > MOST_IN_PLACE => (1..=22)
            .map(|number| narrowed(&format!("mc-praha-{number}")))
            .collect(),
        [region] if total > MOST_IN_PLACE => {
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

/// Whether the heading names the section's offer type and place: `Prodej bytů Středočeský kraj`,
/// `Ostatní domy na prodej Kraj Vysočina`.
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

/// A removed advert redirects to a section.
fn is_index(path: &str) -> bool {
    (path.starts_with("/prodej/") || path.starts_with("/pronajem/")) && path.ends_with('/')
}
