//! How reality.idnes.cz is crawled: index pages, then the page of each advert.
//!
//! | trap | what we do |
//! |---|---|
//! | the first page has no number, `?page=N` is the page after the Nth | the numbers start at 1 for the second page |
//! | a page past the end is answered 404; no section is cut short | we walk on while the pager has a next page |
//! | advertisements are among the cards, with a class of their own | we leave them out |
//! | the description starts with the section's count, and other counts follow | we read the first one only |
//! | filters, sorting and price paths are disallowed | we walk whole sections, including property abroad |

use std::time::Duration;

use schema::{OfferType, PropertyType};

use crate::answers::index_page::{
    Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, number_after, read_detail,
    sections_by_kind,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::selectors;
use crate::pages::detail_page::attribute;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: CrawlPolicy {
        // The portal does not refuse too many requests, it delays them.
        timeout: Duration::from_mins(1),
        ..CrawlPolicy::sequential(Duration::from_millis(1500))
    },
    sections,
    split: |_, _| Vec::new(),
    page: |section, page| INDEX.request(section, page),
    read_page: |section, page, answer| INDEX.read_page(section, page, answer),
    details_per_request: 1,
    details: get_detail,
    read_details: |asked, answer| {
        read_detail(("idnes", super::read_payload), is_index, asked, answer)
    },
    volatile: Volatile::Elements(&[
        "nav",
        ".header",
        ".footer",
        ".m-accessibility",
        ".b-detail-contact",
        ".b-detail__mortgage",
        ".b-bnr",
        ".advertisement",
        "dt:has(+ .advertisement)",
        ".c-grid-products__item",
        "section.no-print",
        "input",
    ]),
};

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "idnes",
    expected: "a list of reality.idnes.cz: cards and a pager",
    host: "https://reality.idnes.cz",
    numbering: Numbering {
        before: "?page=",
        second: 1,
        step: 1,
        after: "",
    },
    required: &[
        (&PAGE_CLASS, "the class of a search page"),
        (&PAGER, "a pager"),
    ],
    cards: Cards::Selected {
        card: &CARD,
        link: &LINK,
        parts: &[&TITLE, &PLACE, &PRICE],
    },
    count: |html| number_after(&attribute(html, &SUMMARY, "content")?, ""),
    counted: Counted::Sometimes,
    past_end: |_| false,
    is_empty: |html, _| html.select(&NEXT).next().is_none(),
    next: NextPage::Link(&NEXT),
};

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const PROPERTIES: [(&str, PropertyType); 5] = [
    ("byty", PropertyType::Apartment),
    ("domy", PropertyType::House),
    ("pozemky", PropertyType::Land),
    ("komercni-nemovitosti", PropertyType::Commercial),
    ("male-objekty-garaze", PropertyType::Other),
];

selectors! {
    PAGE_CLASS = "meta[name='cXenseParse:pageclass'][content='hledanireality']";
    SUMMARY = "meta[name=description]";
    CARD = ".c-products__item:not(.c-products__item-advertisment):not(.advertisment)";
    LINK = "a.c-products__link";
    TITLE = ".c-products__title";
    PLACE = ".c-products__info";
    PRICE = ".c-products__price";
    PAGER = "#snippet-s-result-paginator-";
    NEXT = "#snippet-s-result-paginator- a.next";
}

fn sections() -> Vec<Section> {
    sections_by_kind(&OFFERS, &PROPERTIES, |offer, property| {
        format!("/s/{offer}/{property}/")
    })
}

/// A removed advert redirects to the search.
fn is_index(path: &str) -> bool {
    path.starts_with("/s/")
}
