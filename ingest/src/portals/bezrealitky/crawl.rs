//! How bezrealitky is crawled: by its HTML pages, which robots.txt allows. The host of its API disallows everything.
//!
//! | trap | what we do |
//! |---|---|
//! | an index page contains a cache of objects: the list holds references, and a field's name may include its arguments | we follow references and ignore arguments in names |
//! | the same cache has other lists: similar adverts, discounted ones | we take the list of the requested kinds that is not the discounted one |
//! | an ended advert keeps its page for some time, with `active: false` | it is gone |
//! | an advert's page is mostly design and translations | the payload is its advert object, as the API would send it |
//! | counters of visits and days change by themselves | they are volatile |

use std::time::Duration;

use schema::{CrawlScope, OfferType, PropertyType};
use serde_json::{Map, Value};

use super::find;
use crate::answers::index_page::{get, get_detail, read_detail};
use crate::answers::{self, advert_number, payload_detail, teaser, unexpected, without};
use crate::crawl_definition::{
    Access, Answer, CrawlDefinition, CrawlPolicy, Detail, IndexEntry, IndexPage, Request, Section,
    UnexpectedAnswer, Volatile,
};
use crate::pages::next_data;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: CrawlPolicy {
        headers: &[("accept", "text/html"), ("accept-language", "cs")],
        ..CrawlPolicy::sequential(Duration::from_secs(2))
    },
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_per_request: 1,
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

/// Adverts on an index page.
const LENGTH: u64 = 15;

/// What an index page is, for errors.
const LIST: &str = "a page of a list: listAdverts in __NEXT_DATA__";

/// The word for an offer type in addresses, its code in the data, and its meaning.
const OFFERS: [(&str, &str, OfferType); 2] = [
    ("prodej", "PRODEJ", OfferType::Sale),
    ("pronajem", "PRONAJEM", OfferType::Rent),
];

/// The word for a property type in addresses, its code in the data, and its meaning.
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

/// One section for each offer type and property type.
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

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, UnexpectedAnswer> {
    if page > 0 && answer.status == 404 {
        return Ok(IndexPage::END);
    }
    let data = page_data(answer, LIST)?;
    let props = data.pointer("/props/pageProps").unwrap_or(&Value::Null);
    let cache = props.get("apolloCache").unwrap_or(props);
    let list = find_list(section, cache)
        .ok_or_else(|| without(answer, "the list that was asked for", LIST))?;
    let refs = list.get("list").and_then(Value::as_array);
    let refs = refs.ok_or_else(|| without(answer, "listAdverts.list", LIST))?;
    let total = list.get("totalCount").and_then(Value::as_u64);
    let total = total.ok_or_else(|| without(answer, "listAdverts.totalCount", LIST))?;
    let entries: Vec<IndexEntry> = refs
        .iter()
        .filter_map(|advert| index_entry(cache, advert))
        .collect();
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

/// The data that the page is rendered from.
fn page_data(answer: &Answer, expected: &'static str) -> Result<Value, UnexpectedAnswer> {
    let html = answers::html(answer, expected)?;
    next_data::page_data(html, "bezrealitky page").map_err(|_missing| unexpected(answer, expected))
}

/// The list of the section's kinds, somewhere in the cache: `listAdverts({"offerType":["PRODEJ"],…})`.
fn find_list<'a>(section: &Section, cache: &'a Value) -> Option<&'a Value> {
    let (offer, estate) = section.name.split_once('-')?;
    let (_, offer, _) = OFFERS.iter().find(|(word, ..)| *word == offer)?;
    let (_, estate, _) = ESTATES.iter().find(|(word, ..)| *word == estate)?;
    let is_requested = |name: &str| {
        let argument = |value: &str| name.contains(&format!("\"{value}\""));
        name.starts_with("listAdverts(")
            && argument(offer)
            && argument(estate)
            && !name.contains("\"discountedOnly\":true")
    };
    let within = |fields: &'a Map<String, Value>| {
        fields
            .iter()
            .find(|(name, _)| is_requested(name))
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

fn index_entry(cache: &Value, advert: &Value) -> Option<IndexEntry> {
    let advert = match advert.get("__ref").and_then(Value::as_str) {
        Some(reference) => cache.get(reference)?,
        None => advert,
    };
    let advert = Value::Object(find::with_bare_names(advert.as_object()?));
    let uri = advert.get("uri").and_then(Value::as_str)?;
    Some(IndexEntry {
        offer_id: advert_number(&advert, "id")?,
        url: format!("{HOST}/nemovitosti-byty-domy/{uri}"),
        teaser: teaser(&advert, TEASER),
        payload: None,
    })
}

/// The values of an advert on an index page that change only if the advert does.
const TEASER: &[&str] = &[
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

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, UnexpectedAnswer> {
    const EXPECTED: &str = "the page of the advert that was asked for";
    let is_index = |path: &str| path.starts_with("/vypis/");
    let read = read_detail(
        ("bezrealitky", super::read_payload),
        is_index,
        asked,
        answer,
    )?;
    let ([entry], [Detail::Payload(_)]) = (asked, read.as_slice()) else {
        return Ok(read);
    };
    let data = page_data(answer, EXPECTED)?;
    let advert =
        find::advert_as_sent(&data).ok_or_else(|| without(answer, "an advert", EXPECTED))?;
    let advert = Value::Object(advert.clone());
    if advert_number(&advert, "id").as_ref() != Some(&entry.offer_id) {
        return Err(without(answer, "the advert that was asked for", EXPECTED));
    }
    payload_detail(super::read_payload, advert, answer)
}
