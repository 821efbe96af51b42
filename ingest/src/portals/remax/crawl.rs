//! How remax-czech.cz is crawled: one section of all sales and one of all rents, then the page of each advert.
//!
//! | trap | what we do |
//! |---|---|
//! | a page past the end is answered 200, without cards | it is the end if the count agrees, and unexpected otherwise |
//! | pages that should have cards and have none state the count too | the count alone does not make an index page |
//! | prices on cards contain markup | we take the text before it |

use std::time::Duration;

use schema::{CrawlScope, OfferType};
use scraper::ElementRef;

use crate::answers::index_page::{
    Card, Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, number_after, read_detail,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::{selectors, value_of};
use czech::text::clean;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: CrawlPolicy::sequential(Duration::from_millis(1500)),
    sections,
    split: |_, _| Vec::new(),
    page: |section, page| INDEX.request(section, page),
    read_page: |section, page, answer| INDEX.read_page(section, page, answer),
    details_per_request: 1,
    details: get_detail,
    read_details: |asked, answer| {
        read_detail(("remax", super::read_payload), is_index, asked, answer)
    },
    volatile: Volatile::Elements(&[
        // What surrounds the advert and its breadcrumbs on the page.
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

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "remax",
    expected: "a list of remax-czech.cz: a container of cards and their count",
    host: "https://www.remax-czech.cz",
    numbering: Numbering::from_two("&stranka="),
    required: &[(&CONTAINER, "a container of cards")],
    cards: Cards::Read {
        card: &CARD,
        read: read_card,
    },
    count: |html| number_after(&value_of(html.select(&BODY).next()?), "z celkem"),
    counted: Counted::Always,
    past_end: |_| false,
    is_empty: |_, _| true,
    next: NextPage::ByCount { length: 21 },
};

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
        query: format!("/reality/vyhledavani/?sale={number}"),
    };
    [
        ("prodej", OfferType::Sale, 1),
        ("pronajem", OfferType::Rent, 2),
    ]
    .map(section)
    .into()
}

/// A card states everything in its attributes.
fn read_card(element: ElementRef) -> Card {
    let attribute = |name: &str| element.value().attr(name).unwrap_or_default();
    let price = attribute("data-price")
        .split('<')
        .next()
        .unwrap_or_default();
    Card {
        address: attribute("data-url").to_owned(),
        parts: vec![
            clean(attribute("data-title")),
            clean(attribute("data-display-address")),
            clean(price),
        ],
    }
}

/// A removed advert redirects to the search.
fn is_index(path: &str) -> bool {
    path.starts_with("/reality/") && !path.starts_with("/reality/detail/")
}
