//! How bezrealitky is crawled: by its pages, which robots.txt allows; the host of its interface disallows everything.
//!
//! | trap | what is done |
//! |---|---|
//! | a page of a list is drawn from a cache of objects: the list holds references, a field may have its arguments in its name | references are followed, names read without arguments |
//! | other lists stand in the same cache (similar adverts, discounted ones) | the list of the kinds that were asked for counts, and not the discounted one |
//! | an ended advert keeps its page for a time, `active: false` | gone |
//! | the page of one advert is mostly design and translations | its advert object is the payload, as the interface would have sent it |
//! | counters of visits and days change by themselves | they do not count |

use std::time::Duration;

use schema::{CrawlScope, OfferType, PropertyType};
use serde_json::{Map, Value};

use super::find;
use crate::answers::list_page::{get, get_detail};
use crate::answers::{self, list_page};
use crate::answers::{number, one_detail, told, unexpected, without};
use crate::crawl::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected,
    Volatile,
};
use crate::pages::next_data;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Open,
    manners: Manners {
        headers: &[("accept", "text/html"), ("accept-language", "cs")],
        ..Manners::one_by_one(Duration::from_secs(2))
    },
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 1,
    details: get_detail,
    read_details,
    volatile: Volatile::Members(&[
        "visitCount",
        "conversationCount",
        "daysActive",
        "timeExpiration",
        "highlighted",
        "isNew",
        "publicImages",
        "mainImage",
        "similarAdverts",
    ]),
};

const HOST: &str = "https://www.bezrealitky.cz";

/// Adverts on a page.
const LENGTH: u64 = 15;

/// What a page of a list is.
const LIST: &str = "a page of a list: listAdverts in __NEXT_DATA__";

/// The word of an offer in an address, its value, and what it is.
const OFFERS: [(&str, &str, OfferType); 2] = [
    ("prodej", "PRODEJ", OfferType::Sale),
    ("pronajem", "PRONAJEM", OfferType::Rent),
];

/// The word of a kind of property in an address, its value, and what it is.
const ESTATES: [(&str, &str, PropertyType); 7] = [
    ("byt", "BYT", PropertyType::Apartment),
    ("dum", "DUM", PropertyType::House),
    ("pozemek", "POZEMEK", PropertyType::Land),
    ("garaz", "GARAZ", PropertyType::Other),
    ("kancelar", "KANCELAR", PropertyType::Commercial),
    (
        "nebytovy-prostor",
        "NEBYTOVY_PROSTOR",
        PropertyType::Commercial,
    ),
    ("rekreacni-objekt", "REKREACNI_OBJEKT", PropertyType::House),
];

/// One list for each kind of offer and of property.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, _, offer_type) in OFFERS {
        for (estate, _, property_type) in ESTATES {
            sections.push(Section {
                name: format!("{offer}-{estate}"),
                scope: CrawlScope {
                    offer_type: Some(offer_type),
                    property_type: Some(property_type),
                },
                query: format!("/vypis/nabidka-{offer}/{estate}"),
            });
        }
    }
    sections
}

fn page(section: &Section, page: u32) -> Request {
    let number = if page == 0 {
        String::new()
    } else {
        format!("?page={}", u64::from(page) + 1)
    };
    get(format!("{HOST}{}{number}", section.query))
}

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    if page > 0 && answer.status == 404 {
        return Ok(IndexPage::END);
    }
    let data = data_of(answer, LIST)?;
    let props = data.pointer("/props/pageProps").unwrap_or(&Value::Null);
    let cache = props.get("apolloCache").unwrap_or(props);
    let list = list_of(section, cache)
        .ok_or_else(|| without(answer, "the list that was asked for", LIST))?;
    let refs = list.get("list").and_then(Value::as_array);
    let refs = refs.ok_or_else(|| without(answer, "listAdverts.list", LIST))?;
    let total = list.get("totalCount").and_then(Value::as_u64);
    let total = total.ok_or_else(|| without(answer, "listAdverts.totalCount", LIST))?;
    let entries: Vec<IndexEntry> = refs.iter().filter_map(|one| entry(cache, one)).collect();
    let shown = u64::from(page) * LENGTH + refs.len() as u64;
    let more = !refs.is_empty() && shown < total;
    if entries.len() < refs.len() || (more && page == 0 && refs.len() as u64 != LENGTH) {
        return Err(without(answer, "the fifteen adverts of a page", LIST));
    }
    Ok(IndexPage {
        entries,
        total: Some(total),
        more,
    })
}

/// The data that the page is drawn from.
fn data_of(answer: &Answer, expected: &'static str) -> Result<Value, Unexpected> {
    let html = answers::html(answer, expected)?;
    next_data::page_data(html, "bezrealitky page").map_err(|_missing| unexpected(answer, expected))
}

/// The list of the section's kinds, wherever it stands in the cache: `listAdverts({"offerType":["PRODEJ"],…})`.
fn list_of<'a>(section: &Section, cache: &'a Value) -> Option<&'a Value> {
    let (offer, estate) = section.name.split_once('-')?;
    let (_, offer, _) = OFFERS.iter().find(|(word, ..)| *word == offer)?;
    let (_, estate, _) = ESTATES.iter().find(|(word, ..)| *word == estate)?;
    let is_asked_for = |name: &str| {
        let argument = |value: &str| name.contains(&format!("\"{value}\""));
        name.starts_with("listAdverts(")
            && argument(offer)
            && argument(estate)
            && !name.contains("\"discountedOnly\":true")
    };
    let within = |fields: &'a Map<String, Value>| {
        fields
            .iter()
            .find(|(name, _)| is_asked_for(name))
            .map(|(_, list)| list)
    };
    let fields = cache.as_object()?;
    within(fields).or_else(|| {
        fields
            .get("ROOT_QUERY")
            .and_then(Value::as_object)
            .and_then(within)
    })
}

fn entry(cache: &Value, one: &Value) -> Option<IndexEntry> {
    let advert = match one.get("__ref").and_then(Value::as_str) {
        Some(reference) => cache.get(reference)?,
        None => one,
    };
    let advert = Value::Object(find::plain(advert.as_object()?));
    let uri = advert.get("uri").and_then(Value::as_str)?;
    Some(IndexEntry {
        offer_id: number(&advert, "id")?,
        url: format!("{HOST}/nemovitosti-byty-domy/{uri}"),
        teaser: told(&advert, TELLING),
        payload: None,
    })
}

/// What of a list's advert changes only with the advert.
const TELLING: &[&str] = &[
    "/uri",
    "/price",
    "/charges",
    "/currency",
    "/originalPrice",
    "/surface",
    "/surfaceLand",
    "/disposition",
    "/address",
    "/reserved",
    "/imageAltText",
];

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, Unexpected> {
    const EXPECTED: &str = "the page of the advert that was asked for";
    let is_list = |path: &str| path == "/" || path.starts_with("/vypis/");
    let read = list_page::detail(("bezrealitky", super::read_payload), is_list, asked, answer)?;
    let ([entry], [Detail::Payload(_)]) = (asked, read.as_slice()) else {
        return Ok(read);
    };
    let data = data_of(answer, EXPECTED)?;
    let advert = find::fullest(&data).ok_or_else(|| without(answer, "an advert", EXPECTED))?;
    let advert = Value::Object(advert.clone());
    if number(&advert, "id").as_ref() != Some(&entry.offer_id) {
        return Err(without(answer, "the advert that was asked for", EXPECTED));
    }
    one_detail(super::read_payload, advert, answer)
}
