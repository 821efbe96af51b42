//! How realitymix.cz is crawled: lists, then the page of each advert.
//!
//! | trap | what is done |
//! |---|---|
//! | a page past the last is answered 404; no list is cut short | the count of the list says how many pages it has |
//! | the address of a page has no section, and the breadcrumb of some is cut short | the lists of one kind of offer belong together: an advert is missing when it is in none of them |
//! | the page of a removed advert may stay, with others in its place | it says so, or has a list |

use std::time::Duration;

use schema::{CrawlScope, OfferType};

use crate::answers::list_page::{
    cards, count_after, detail, entries, get, get_detail, more_of, page_of_list,
};
use crate::answers::without;
use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::{selectors, value_of};

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
    read_details: |asked, answer| {
        detail(("realitymix", super::read_payload), is_list, asked, answer)
    },
    volatile: Volatile::Elements(&[
        // Of the page, only the advert and its map.
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
        // What a mortgage would cost changes with the rates of the day.
        "a[href*='realitymixhypoteka.cz']",
        "input",
    ]),
};

const HOST: &str = "https://realitymix.cz";

/// What a page of a list is.
const LIST: &str = "a list of realitymix.cz: a container of cards and their count";

/// Cards on a page.
const LENGTH: u64 = 20;

const OFFERS: [(&str, OfferType); 2] = [("prodej", OfferType::Sale), ("pronajem", OfferType::Rent)];

const KINDS: [&str; 6] = ["byty", "domy", "chaty", "pozemky", "komerce", "ostatni"];

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
        for kind in KINDS {
            sections.push(Section {
                name: format!("{offer}-{kind}"),
                scope: CrawlScope {
                    offer_type: Some(offer_type),
                    property_type: None,
                },
                query: format!("/reality/{kind}/{offer}"),
            });
        }
    }
    sections
}

fn page(section: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("?stranka={}", u64::from(page) + 1)
    };
    get(format!("{HOST}{}{number}", section.query))
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    if html.select(&CONTAINER).next().is_none() {
        return Err(without(answer, "a container of cards", LIST));
    }
    let shown = html.select(&BODY).next().map(value_of).unwrap_or_default();
    let cards = cards(&html, &CARD, &LINK, &[&*TITLE, &*PLACE, &*PRICE]);
    let total = count_after(&shown, "z celkem").or_else(|| cards.is_empty().then_some(0));
    let total = total.ok_or_else(|| without(answer, "the count of the list", LIST))?;
    let entries = entries("realitymix", cards, answer, LIST)?;
    if entries.is_empty() && u64::from(page) * LENGTH < total {
        return Err(without(answer, "the cards it counts", LIST));
    }
    Ok(IndexPage {
        entries,
        total: Some(total),
        more: more_of(total, page, LENGTH),
    })
}

/// A removed advert leads to a list.
fn is_list(path: &str) -> bool {
    path == "/" || path.starts_with("/reality/")
}
