//! How ulovdomov is crawled: by the search of its API, whose pages carry the whole advert.
//!
//! | trap | what we do |
//! |---|---|
//! | the search needs bounds and shows what lies within them | we send the bounds of the country |
//! | a page past the end, or one longer than allowed, may be answered with another page | the answer has to state the requested page number and length |
//! | promotion, visits and the publication time change by themselves | they are volatile |
//! | an advert's HTML page says more than the search: labels, and whether the advert has ended | we read the page to learn whether an advert is gone |

use std::time::Duration;

use schema::{CrawlScope, OfferType};
use serde_json::{Value, json};

use super::codes;
use crate::answers::index_page::{get_detail, read_detail};
use crate::answers::{advert_number, json, payload_detail, teaser, without};
use crate::crawl_definition::{
    Access, Answer, CrawlDefinition, CrawlPolicy, Detail, IndexEntry, IndexPage, Request, Section,
    UnexpectedAnswer, Volatile,
};
use crate::pages::next_data::page_data;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: CrawlPolicy {
        headers: &[
            ("origin", "https://www.ulovdomov.cz"),
            ("referer", "https://www.ulovdomov.cz/"),
        ],
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
        "isTop",
        "isContacted",
        "showScamWarn",
        "published",
        "adminUrl",
        "photos",
    ]),
};

/// The API's search.
const FIND: &str = "https://ud.api.ulovdomov.cz/v1/offer/find";

/// Adverts on an index page: the most that the portal allows.
const LENGTH: u64 = 100;

/// What an index page is, for errors.
const LIST: &str = "a page of a list: data.offers and extraData";

/// One section for each offer type. The property type is not restricted, so that types that the portal adds are found
/// too.
fn sections() -> Vec<Section> {
    let section = |(name, offer_type): &(&str, OfferType)| Section {
        name: (*name).to_owned(),
        scope: CrawlScope {
            offer_type: Some(*offer_type),
            property_type: None,
        },
        query: (*name).to_owned(),
    };
    codes::OFFERS.iter().map(section).collect()
}

fn page(section: &Section, page: u32) -> Request {
    let number = u64::from(page) + 1;
    let body = json!({
        "offerType": section.query,
        "bounds": {
            "northEast": {"lat": 51.06, "lng": 18.87},
            "southWest": {"lat": 48.55, "lng": 12.09},
        },
    });
    Request {
        url: format!("{FIND}?page={number}&perPage={LENGTH}&sorting=latest"),
        body: Some(body),
    }
}

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, UnexpectedAnswer> {
    let list = json(answer, LIST)?;
    let offers = list.pointer("/data/offers").and_then(Value::as_array);
    let offers = offers.ok_or_else(|| without(answer, "data.offers", LIST))?;
    let paging = |name: &str| {
        list.pointer(&format!("/extraData/{name}"))
            .and_then(Value::as_u64)
    };
    let total = paging("total").ok_or_else(|| without(answer, "extraData.total", LIST))?;
    if paging("perPage") != Some(LENGTH) || paging("currentPage") != Some(u64::from(page) + 1) {
        return Err(without(
            answer,
            "the number and length of page that were asked for",
            LIST,
        ));
    }
    let entries: Vec<IndexEntry> = offers.iter().filter_map(index_entry).collect();
    if entries.is_empty() && !offers.is_empty() {
        return Err(without(answer, "any id", LIST));
    }
    let shown = u64::from(page) * LENGTH + offers.len() as u64;
    Ok(IndexPage {
        more: shown < total && !offers.is_empty(),
        entries,
        total: Some(total),
    })
}

fn index_entry(offer: &Value) -> Option<IndexEntry> {
    let offer_id = advert_number(offer, "id")?;
    let reading = super::read_payload(offer).ok()?;
    let url = reading
        .url
        .unwrap_or_else(|| format!("https://www.ulovdomov.cz/inzerat/x/{offer_id}"));
    Some(IndexEntry {
        offer_id,
        url,
        teaser: teaser(offer, TEASER),
        payload: Some(offer.clone()),
    })
}

/// The values of an advert on an index page that change only if the advert does.
const TEASER: &[&str] = &[
    "/title",
    "/description",
    "/rentalPrice",
    "/depositPrice",
    "/monthlyFeesPrice",
    "/priceNote",
    "/area",
    "/disposition",
    "/floorLevel",
    "/geoCoordinates",
    "/village/title",
    "/villagePart/title",
    "/street/title",
    "/availableFrom",
    "/convenience",
    "/houseConvenience",
];

/// The payload is the advert object of the page, in the form of the search. If only the page says that somebody is
/// interested in the advert, the payload is the whole page.
fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, UnexpectedAnswer> {
    const EXPECTED: &str = "the page of the advert that was asked for";
    let read = read_detail(("ulovdomov", super::read_payload), is_index, asked, answer)?;
    let ([entry], [Detail::Payload(_)]) = (asked, read.as_slice()) else {
        return Ok(read);
    };
    let data = page_data(&answer.body, "ulovdomov page").ok();
    let offer = data.as_ref().and_then(super::find::advert).cloned();
    let offer = offer.filter(|offer| advert_number(offer, "id").as_ref() == Some(&entry.offer_id));
    let offer = offer.ok_or_else(|| without(answer, "the advert that was asked for", EXPECTED))?;
    if answer.body.contains(super::SOMEBODY_INTERESTED) {
        return Ok(read);
    }
    payload_detail(super::read_payload, offer, answer)
}

/// A removed advert may redirect to a search.
fn is_index(path: &str) -> bool {
    ["/prodej", "/pronajem", "/spolubydleni"]
        .iter()
        .any(|beginning| path.starts_with(beginning))
}
