//! How ulovdomov is crawled: by its search, whose list carries the whole advert.
//!
//! | trap | what is done |
//! |---|---|
//! | the search wants bounds, and shows what lies within them | those of the country |
//! | a page past the end, or one that is longer than the portal allows, may be answered with another page | the answer has to say the number and the length that were asked for |
//! | promotion, visits and the time of publication change by themselves | they do not count |
//! | the page of an advert says more than the list, in labels, and what it says of one that has ended | pages are read to learn whether an advert is gone |

use std::time::Duration;

use schema::{CrawlScope, OfferType};
use serde_json::{Value, json};

use super::codes;
use crate::answers::list_page::{detail, get_detail};
use crate::answers::{json, number, one_detail, told, without};
use crate::crawl::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected,
    Volatile,
};
use crate::pages::next_data::page_data;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Open,
    manners: Manners {
        headers: &[
            ("origin", "https://www.ulovdomov.cz"),
            ("referer", "https://www.ulovdomov.cz/"),
        ],
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
        "isTop",
        "isContacted",
        "showScamWarn",
        "published",
        "adminUrl",
        "photos",
    ]),
};

/// The interface's search.
const FIND: &str = "https://ud.api.ulovdomov.cz/v1/offer/find";

/// Adverts on a page, the most that the portal allows.
const LENGTH: u64 = 100;

/// What a page of a list is.
const LIST: &str = "a page of a list: data.offers and extraData";

/// One list for each kind of offer; property types are not asked for, so that those the portal adds are in it too.
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

fn read_page(_: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
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
    let entries: Vec<IndexEntry> = offers.iter().filter_map(entry).collect();
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

fn entry(offer: &Value) -> Option<IndexEntry> {
    let offer_id = number(offer, "id")?;
    let reading = super::read_payload(offer).ok()?;
    let url = reading
        .url
        .unwrap_or_else(|| format!("https://www.ulovdomov.cz/inzerat/x/{offer_id}"));
    Some(IndexEntry {
        offer_id,
        url,
        teaser: told(offer, TELLING),
        payload: Some(offer.clone()),
    })
}

/// What of a list's advert changes only with the advert.
const TELLING: &[&str] = &[
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

/// The advert object of a page, as a list would have sent it; the whole page where only that says that the advert is as
/// good as taken.
fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, Unexpected> {
    const EXPECTED: &str = "the page of the advert that was asked for";
    let read = detail(("ulovdomov", super::read_payload), is_list, asked, answer)?;
    let ([entry], [Detail::Payload(_)]) = (asked, read.as_slice()) else {
        return Ok(read);
    };
    let data = page_data(&answer.body, "ulovdomov page").ok();
    let offer = data.as_ref().and_then(super::find::advert).cloned();
    let offer = offer.filter(|offer| number(offer, "id").as_ref() == Some(&entry.offer_id));
    let offer = offer.ok_or_else(|| without(answer, "the advert that was asked for", EXPECTED))?;
    if answer.body.contains(super::SOMEBODY_INTERESTED) {
        return Ok(read);
    }
    one_detail(super::read_payload, offer, answer)
}

/// A removed advert may lead to a list.
fn is_list(path: &str) -> bool {
    ["/prodej", "/pronajem", "/spolubydleni"]
        .iter()
        .any(|beginning| path.starts_with(beginning))
        || path == "/"
}
