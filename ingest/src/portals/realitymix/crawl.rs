//! How realitymix.cz is crawled: index pages, then the page of each advert.
//!
//! | trap | what we do |
//! |---|---|
//! | a page past the end is answered 404; no section is cut short | the section's count says how many pages it has |
//! | an advert's URL has no section, and some breadcrumbs are cut short | the sections of one offer type share a scope: an advert is missing if none of them shows it |
//! | a removed advert's page may stay and show other adverts | the page says that the advert has ended, or has a list |

use std::time::Duration;

use schema::{CrawlScope, OfferType};

use crate::answers::index_page::{
    Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, number_after, read_detail,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::{selectors, value_of};

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
        read_detail(("realitymix", super::read_payload), is_index, asked, answer)
    },
    volatile: Volatile::Elements(&[
        // What surrounds the advert and its map on the page.
        ".app-wrapper > :not(.advert-layout):not(.advert-map)",
        "footer",
        ".modal",
        ".advert-detail-control",
        ".advert-description__control",
        ".advert-description > .bg-white",
        ".price-chart",
        ".offer-detail-ads",
        ".offer-detail-sidebar",
        "[data-advert-detail-contact-form]",
        // The cost of a mortgage changes with the day's interest rates.
        "a[href*='realitymixhypoteka.cz']",
        "input",
    ]),
};

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "realitymix",
    expected: "a list of realitymix.cz: a container of cards and their count",
    host: "https://realitymix.cz",
    numbering: Numbering::from_two("?stranka="),
    required: &[(&CONTAINER, "a container of cards")],
    cards: Cards::Selected {
        card: &CARD,
        link: &LINK,
        parts: &[&TITLE, &PLACE, &PRICE],
    },
    count: |html| number_after(&value_of(html.select(&BODY).next()?), "z celkem"),
    counted: Counted::WithCards,
    past_end: |_| false,
    is_empty: |_, _| true,
    next: NextPage::ByCount { length: 20 },
};

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const PROPERTIES: [&str; 6] = ["byty", "domy", "chaty", "pozemky", "komerce", "ostatni"];

selectors! {
    CONTAINER = ".app-wrapper [data-list-container]";
    CARD = ".advert-item";
    LINK = "a[href*='/detail/']";
    TITLE = "h2";
    PLACE = "p.text-body-light";
    PRICE = ".text-xl";
    BODY = "body";
}

fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, offer_type) in OFFERS {
        for property in PROPERTIES {
            sections.push(Section {
                name: format!("{offer}-{property}"),
                scope: CrawlScope {
                    offer_type: Some(offer_type),
                    property_type: None,
                },
                query: format!("/reality/{property}/{offer}"),
            });
        }
    }
    sections
}

/// A removed advert redirects to a section.
fn is_index(path: &str) -> bool {
    path.starts_with("/reality/")
}
