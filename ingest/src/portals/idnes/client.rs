//! How reality.idnes.cz is crawled: lists, then the page of each advert.
//!
//! | trap | what is done |
//! |---|---|
//! | the bare address is the first page, `?page=N` the one after the Nth | so it is asked for |
//! | a page past the last is answered 404; no list is cut short | the walk goes on while the pager has a next page |
//! | advertisements stand among the cards, in their class | they are left out |
//! | the count of the list begins a description in which other counts follow | only the first is read |
//! | filters, sorting and price paths are disallowed | whole sections are walked, property abroad among them |

use std::time::Duration;

use schema::{OfferType, PropertyType};

use crate::answers::list_page::{
    cards, count_after, detail, entries, get, get_detail, page_of_list, sections_of,
};
use crate::answers::without;
use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::selectors;
use crate::pages::detail_page::attribute;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Open,
    manners: Manners {
        // It does not refuse who asks for much, it keeps them waiting.
        timeout: Duration::from_mins(1),
        ..Manners::one_by_one(Duration::from_millis(1500))
    },
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details: |asked, answer| detail(("idnes", super::read_payload), is_list, asked, answer),
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

const HOST: &str = "https://reality.idnes.cz";

/// What a page of a list is.
const LIST: &str = "a list of reality.idnes.cz: cards and a pager";

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const KINDS: [(&str, PropertyType); 5] = [
    ("byty", PropertyType::Apartment),
    ("domy", PropertyType::House),
    ("pozemky", PropertyType::Land),
    ("komercni-nemovitosti", PropertyType::Commercial),
    ("male-objekty-garaze", PropertyType::Other),
];

selectors! {
    PAGE_CLASS = "meta[name='cXenseParse:pageclass']";
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
    sections_of(&OFFERS, &KINDS, |offer, kind| format!("/s/{offer}/{kind}/"))
}

fn page(section: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("?page={page}")
    };
    get(format!("{HOST}{}{number}", section.query))
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    if attribute(&html, &PAGE_CLASS, "content").as_deref() != Some("hledanireality") {
        return Err(without(answer, "the class of a search page", LIST));
    }
    if html.select(&PAGER).next().is_none() {
        return Err(without(answer, "a pager", LIST));
    }
    let total = attribute(&html, &SUMMARY, "content").and_then(|summary| count_after(&summary, ""));
    let cards = cards(&html, &CARD, &LINK, &[&*TITLE, &*PLACE, &*PRICE]);
    let entries = entries("idnes", cards, answer, LIST)?;
    if entries.is_empty() && total.is_some_and(|total| total > 0) {
        return Err(without(answer, "the cards it counts", LIST));
    }
    Ok(IndexPage {
        entries,
        total,
        more: html.select(&NEXT).next().is_some(),
    })
}

/// A removed advert leads to the search.
fn is_list(path: &str) -> bool {
    path == "/" || path.starts_with("/s/")
}
