//! How reality.bazos.cz is crawled: lists of its categories, which robots.txt allows, then the page of each advert.
//!
//! | trap | what is done |
//! |---|---|
//! | the mobile interface is on another host and sends lists that are shorter than was asked for | the pages of the site itself are read |
//! | the offset of a list is a part of its path | as it is; search parameters are disallowed |
//! | promoted adverts come first, and the date of every advert is set anew when it is moved up | the date does not count |
//! | a detail page has the header of a list too, and lists similar adverts | a list is known by its count |
//! | visits, similar adverts, menus and the site's own count change by themselves | they do not count |
//! | a page past the end is not found | the walk ends there |

use std::time::Duration;

use czech::fold;
use schema::CrawlScope;
use scraper::Html;

use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::{selectors, value_of};
use crate::portals::answered::without;
use crate::portals::list_page::{
    cards, count_after, detail, entries, get, get_detail, more_of, page_of_list,
};

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Open,
    manners: Manners::one_by_one(Duration::from_secs(2)),
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details: |asked, answer| detail(("bazos", super::read), is_list, asked, answer),
    volatile: Volatile::Elements(&[
        "script",
        "style",
        "form",
        ".listalogor",
        ".listah",
        ".menuleft",
        ".velikost10",
        ".inzeratydetdel",
        ".flinavigace",
        // The row above the price says how often the advert was looked at.
        ".listadvlevo tr:nth-last-child(2)",
        ".teldetail",
        ".listadvpravo",
        ".kontaktniformular",
        ".podobne",
        // The site's own counts stand below everything.
        ".sirka > b",
    ]),
};

const HOST: &str = "https://reality.bazos.cz";

/// Adverts on a page.
const LENGTH: u64 = 20;

/// What a page of a list is.
const LIST: &str = "a list of reality.bazos.cz: a count and cards";

/// Sale and rent, each with the category that it does not have: places in shared flats are only let, new projects are
/// only sold.
const OFFERS: [(&str, &str); 2] = [("prodam", "podnajem"), ("pronajmu", "projekty")];

/// The site's categories.
const CATEGORIES: [&str; 13] = [
    "byt",
    "podnajem",
    "dum",
    "chata",
    "pozemek",
    "zahrada",
    "garaz",
    "kancelar",
    "prostory",
    "sklad",
    "restaurace",
    "projekty",
    "ostatni",
];

selectors! {
    HEADER = ".listainzerat .inzeratynadpis";
    CARD = ".maincontent .inzeraty";
    LINK = ".nadpis a[href]";
    TITLE = ".nadpis";
    TEXT = ".popis";
    PRICE = ".inzeratycena";
    PLACE = ".inzeratylok";
    BODY = "body";
}

/// One list for each category. Titles tell exchanges, auctions and adverts that seek from offers in the same category,
/// so that only all lists together show that an advert is missing.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, other) in OFFERS {
        for name in CATEGORIES.into_iter().filter(|name| *name != other) {
            sections.push(Section {
                name: format!("{offer}-{name}"),
                scope: CrawlScope::default(),
                query: format!("/{offer}/{name}/"),
            });
        }
    }
    sections
}

fn page(section: &Section, page: u32) -> Request {
    let offset = u64::from(page) * LENGTH;
    let offset = if page == 0 {
        String::new()
    } else {
        format!("{offset}/")
    };
    get(format!("{HOST}{}{offset}", section.query))
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    let Some(header) = html.select(&HEADER).next().map(value_of) else {
        return if page > 0 && is_not_found(&html) {
            Ok(IndexPage::END)
        } else {
            Err(without(answer, "a header", LIST))
        };
    };
    let cards = cards(&html, &CARD, &LINK, &[&*TITLE, &*PLACE, &*PRICE, &*TEXT]);
    let entries = entries("bazos", cards, answer, LIST)?;
    // `Zobrazeno 1-20 inzerátů z 6 990`.
    let total = header
        .strip_prefix("Zobrazeno")
        .and_then(|rest| count_after(rest, " z "));
    let is_empty = NONE.iter().any(|words| fold(&header).contains(words));
    match (total, entries.is_empty()) {
        (Some(total), false) => Ok(IndexPage {
            entries,
            total: Some(total),
            more: more_of(total, page, LENGTH),
        }),
        (Some(0), true) => Ok(IndexPage {
            total,
            ..IndexPage::END
        }),
        (None, true) if is_empty => Ok(IndexPage {
            total: Some(0),
            ..IndexPage::END
        }),
        (Some(total), true) if total <= u64::from(page) * LENGTH => Ok(IndexPage::END),
        _ => Err(without(answer, "a count, and the cards it counts", LIST)),
    }
}

/// What the header of an empty list says, folded.
const NONE: [&str; 3] = ["zadny inzerat", "zadne inzeraty", "nebyl nalezen"];

fn is_not_found(html: &Html) -> bool {
    html.select(&BODY)
        .next()
        .is_some_and(|body| fold(&value_of(body)).contains("stranka nenalezena"))
}

/// A removed advert may lead to a list.
fn is_list(path: &str) -> bool {
    path == "/"
        || OFFERS
            .iter()
            .any(|(offer, _)| path.trim_start_matches('/').starts_with(offer))
}
