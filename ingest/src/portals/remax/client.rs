//! How remax-czech.cz is crawled: one index of all sales and one of all rents, then the page of each advert.
//!
//! | trap | what is done |
//! |---|---|
//! | a page past the last is answered 200, without cards | it is the end where the count says so, and unexpected before |
//! | the count stands on pages without cards that should have some, too | so it alone is no list |
//! | prices on cards carry markup | what stands before it counts |

use std::time::Duration;

use czech::text::clean;
use schema::{CrawlScope, OfferType};
use scraper::{ElementRef, Html};

use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::{selectors, value_of};
use crate::portals::answered::without;
use crate::portals::list_page::{
    Card, count_after, detail, entries, get, get_detail, more_of, page_of_list,
};

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Open,
    manners: Manners::one_by_one(Duration::from_millis(1500)),
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details: |asked, answer| detail(("remax", super::read), is_list, asked, answer),
    volatile: Volatile::Elements(&[
        // Of the page, only the advert and where it is filed.
        "body > :not(.breadcrumbs):not(.site-content-wrapper)",
        ".pd-sidebar",
        ".pd-share",
        ".mortgage-big-form",
        ".pd-favourites",
        ".area-listings__item",
        ".similar-property",
        "form",
        "input",
    ]),
};

const SEARCH: &str = "https://www.remax-czech.cz/reality/vyhledavani/";

/// What a page of a list is.
const LIST: &str = "a list of remax-czech.cz: a container of cards and their count";

/// Cards on a page.
const LENGTH: u64 = 21;

selectors! {
    CONTAINER = ".pl-items";
    CARD = ".pl-items__item";
    BODY = "body";
}

fn sections() -> Vec<Section> {
    let section = |(name, offer_type, number): (&str, OfferType, u8)| Section {
        name: name.to_owned(),
        scope: CrawlScope {
            offer_type: Some(offer_type),
            property_type: None,
        },
        query: format!("sale={number}"),
    };
    [
        ("prodej", OfferType::Sale, 1),
        ("pronajem", OfferType::Rent, 2),
    ]
    .map(section)
    .into()
}

fn page(section: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("&stranka={}", u64::from(page) + 1)
    };
    get(format!("{SEARCH}?{}{number}", section.query))
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    if html.select(&CONTAINER).next().is_none() {
        return Err(without(answer, "a container of cards", LIST));
    }
    let shown = html.select(&BODY).next().map(value_of).unwrap_or_default();
    let total = count_after(&shown, "z celkem");
    let total = total.ok_or_else(|| without(answer, "the count of the list", LIST))?;
    let entries = entries("remax", cards(&html), answer, LIST)?;
    if entries.is_empty() && u64::from(page) * LENGTH < total {
        return Err(without(answer, "the cards it counts", LIST));
    }
    Ok(IndexPage {
        entries,
        total: Some(total),
        more: more_of(total, page, LENGTH),
    })
}

fn cards(html: &Html) -> Vec<Card> {
    html.select(&CARD).map(card).collect()
}

/// A card says everything in its attributes.
fn card(element: ElementRef) -> Card {
    let attribute = |name: &str| element.value().attr(name).unwrap_or_default();
    let price = attribute("data-price")
        .split('<')
        .next()
        .unwrap_or_default();
    Card {
        address: attribute("data-url").to_owned(),
        said: vec![
            clean(attribute("data-title")),
            clean(attribute("data-display-address")),
            clean(price),
        ],
    }
}

/// A removed advert leads to the search.
fn is_list(path: &str) -> bool {
    path == "/" || path.starts_with("/reality/") && !path.starts_with("/reality/detail/")
}
