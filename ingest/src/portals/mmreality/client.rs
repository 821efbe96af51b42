//! How mmreality.cz is crawled: one index of everything, then the page of each advert.
//!
//! | trap | what is done |
//! |---|---|
//! | the index of sales and that of rents leave out auctions | the index of everything is walked |
//! | no list says how many adverts it has | the walk goes on while the head of the page names a next one |
//! | programs are refused by what stands before the portal (403) | it is off until its operator allows it |
//! | a page of twelve cards has carousels of others | each advert counts once |

use std::time::Duration;

use czech::fold;
use czech::text::clean;
use schema::CrawlScope;
use scraper::{ElementRef, Html};

use crate::crawl::{
    Access, Answer, Client, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
use crate::notation::markup::{selectors, value_of};
use crate::portals::answered::without;
use crate::portals::list_page::{Card, detail, entries, get, get_detail, page_of_list};
use crate::portals::page_address::listing_at;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Forbidden {
        by: "it refuses programs (Cloudflare answers them 403)",
    },
    manners: Manners::one_by_one(Duration::from_secs(3)),
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details: |asked, answer| detail(("mmreality", super::read), is_list, asked, answer),
    volatile: Volatile::Elements(&[
        // Of the page, only the advert.
        ".rds-page-header",
        "offers-context",
        "nav:not(.rds-breadcrumbs)",
        "footer",
        ".rds-agent-contact-form",
        ".rds-broker",
        ".rds-sticky-contact-buttons",
        // What a mortgage would cost changes with the rates of the day.
        ".rds-mortgage-overview",
        "vue-property-preview-card",
        "[data-card-id]",
        // E-mail addresses are scrambled anew for every visit.
        ".__cf_email__",
        "a[href^='/cdn-cgi/l/email-protection']",
        "input",
    ]),
};

const INDEX: &str = "https://www.mmreality.cz/nemovitosti/";

/// What a page of a list is.
const LIST: &str = "a list of mmreality.cz: cards, or words that there are none";

selectors! {
    CARD = "a[data-card-id]";
    SAID = "[data-realty-name]";
    NEXT = "link[rel=next]";
    BODY = "body";
}

/// The words of a list without adverts, folded.
const EMPTY: [&str; 3] = ["zadne nemovitosti", "nebyly nalezeny", "nenalezli jsme"];

fn sections() -> Vec<Section> {
    vec![Section {
        name: "nemovitosti".to_owned(),
        scope: CrawlScope::default(),
        query: String::new(),
    }]
}

fn page(_: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("?page={}", u64::from(page) + 1)
    };
    get(format!("{INDEX}{number}"))
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let Some(html) = page_of_list(answer, page, LIST)? else {
        return Ok(IndexPage::END);
    };
    let entries = entries(
        "mmreality",
        html.select(&CARD).map(card).collect(),
        answer,
        LIST,
    )?;
    if entries.is_empty() && !says_empty(&html) {
        return Err(without(answer, "cards", LIST));
    }
    let more = !entries.is_empty() && html.select(&NEXT).next().is_some();
    Ok(IndexPage {
        entries,
        total: None,
        more,
    })
}

fn says_empty(html: &Html) -> bool {
    let shown = html
        .select(&BODY)
        .next()
        .map(|body| fold(&value_of(body)))
        .unwrap_or_default();
    EMPTY.iter().any(|words| shown.contains(words))
}

/// What a card says stands in attributes of its button. A card of one advert that leads to another is none.
fn card(element: ElementRef) -> Card {
    let button = element.select(&SAID).next();
    let said = |name: &str| {
        button
            .and_then(|button| button.value().attr(name))
            .map(clean)
            .unwrap_or_default()
    };
    let address = element.value().attr("href").filter(|address| {
        listing_at(address)
            .is_some_and(|listing| element.value().attr("data-card-id") == Some(&listing.offer_id))
    });
    Card {
        address: address.unwrap_or_default().to_owned(),
        said: vec![said("data-realty-name"), said("data-realty-price")],
    }
}

/// A removed advert leads to a list.
fn is_list(path: &str) -> bool {
    matches!(
        path,
        "/" | "/nemovitosti/" | "/nemovitosti/prodej/" | "/nemovitosti/pronajem/"
    )
}
