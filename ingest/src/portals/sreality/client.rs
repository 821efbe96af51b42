//! How sreality is crawled: API v1.
//!
//! | trap | what is done |
//! |---|---|
//! | a list ends at 10,000 adverts, further offsets are answered 422 | longer ones are walked by district, those of a district by subcategory |
//! | a district that does not exist is not refused: the whole country is shown | a page whose adverts lie elsewhere for the most part is unexpected |
//! | a page may be cut shorter than was asked for | unexpected, for pages that are counted by the longer length would leave adverts out |
//! | adverts of property abroad are in no district | the lists are of Czechia alone |
//! | a removed advert is answered 404, 410, or 200 with a page that says so | gone |
//! | visits, dates of edits, marks of promotion and addresses of images change by themselves | they do not count |

use std::time::Duration;

use czech::fold;
use schema::{CrawlScope, PropertyType};
use serde_json::Value;

use super::payload::Estate;
use super::{codes, place};
use crate::crawl::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected,
    Volatile,
};
use crate::portals::answered::{gone, json, number, one_detail, told, unexpected, without};
use crate::portals::lenient::Unread;

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Forbidden {
        by: "robots.txt disallows everything but to named search engines, and the terms forbid scraping by name",
    },
    manners: Manners {
        headers: &[("accept", "application/json")],
        ..Manners::one_by_one(Duration::from_secs(1))
    },
    sections,
    split,
    page,
    read_page,
    details_at_once: 1,
    details,
    read_details,
    volatile: Volatile::Members(&[
        "stats",
        "edited",
        "labels",
        "labels_extended",
        "is_topped",
        "is_topped_today",
        "review_count",
        "review_score",
        "broker_rating",
        "broker_review_count",
        "url",
        "image",
    ]),
};

/// The interface.
const ESTATES: &str = "https://www.sreality.cz/api/v1/estates";

/// Adverts on a page.
const LENGTH: u64 = 500;

/// The most adverts that a list shows.
const WINDOW: u64 = 10_000;

/// The portal's numbers of districts; the last part of the country's, Praha, is one of them.
const DISTRICTS: std::ops::RangeInclusive<u16> = 1..=77;

/// Praha among the districts, whose adverts carry the numbers of postal districts, and among the regions.
const PRAGUE: (u64, u64) = (47, 10);

/// What a page of a list is.
const LIST: &str = "a page of a list: pagination and results";

/// One list for each kind of offer and of property; shares are sales of a kind of their own.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, _, (offer_type, offer_word)) in codes::OFFERS {
        for (kind, _, (property_type, kind_word)) in codes::TYPES {
            sections.push(Section {
                name: format!("{offer_word}-{kind_word}"),
                scope: CrawlScope {
                    offer_type: Some(*offer_type),
                    property_type: Some(*property_type),
                },
                query: format!("category_main_cb={kind}&category_type_cb={offer}"),
            });
        }
    }
    sections
}

fn split(section: &Section, total: u64) -> Vec<Section> {
    let narrowed = |name: String, filter: String| Section {
        name: format!("{}/{name}", section.name),
        scope: section.scope,
        query: format!("{}&{filter}", section.query),
    };
    if total <= WINDOW || asked(section, "category_sub_cb").is_some() {
        Vec::new()
    } else if asked(section, "locality_district_id").is_none() {
        let district = |id| narrowed(format!("okres-{id}"), format!("locality_district_id={id}"));
        DISTRICTS.map(district).collect()
    } else {
        subcategories(section.scope.property_type)
            .map(|(id, word)| narrowed(word.to_owned(), format!("category_sub_cb={id}")))
            .collect()
    }
}

/// The subcategories of a kind of property: number and word.
fn subcategories(kind: Option<PropertyType>) -> impl Iterator<Item = (i64, &'static str)> {
    let rows = codes::SUBCATEGORIES
        .iter()
        .filter(move |(_, _, (of, ..))| Some(*of) == kind);
    rows.map(|(id, _, (_, _, word))| (*id, *word))
}

fn page(section: &Section, page: u32) -> Request {
    let offset = u64::from(page) * LENGTH;
    let url = format!(
        "{ESTATES}/search?{}&locality_country_id=112&limit={LENGTH}&offset={offset}",
        section.query
    );
    Request { url, body: None }
}

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let list = json(answer, LIST)?;
    let paging = |name: &str| {
        list.pointer(&format!("/pagination/{name}"))
            .and_then(Value::as_u64)
    };
    let total = paging("total").ok_or_else(|| without(answer, "pagination.total", LIST))?;
    if paging("limit") != Some(LENGTH) {
        return Err(without(
            answer,
            "the length of page that was asked for",
            LIST,
        ));
    }
    let results = list.get("results").and_then(Value::as_array);
    let results = results.ok_or_else(|| without(answer, "results", LIST))?;
    let entries: Vec<IndexEntry> = results.iter().filter_map(entry).collect();
    if entries.is_empty() && !results.is_empty() {
        return Err(without(answer, "any hash_id", LIST));
    }
    let elsewhere = results
        .iter()
        .filter(|item| !lies_in(section, item))
        .count();
    if 2 * elsewhere > results.len() {
        return Err(without(
            answer,
            "adverts of the list that was asked for",
            LIST,
        ));
    }
    let shown = u64::from(page) * LENGTH + results.len() as u64;
    Ok(IndexPage {
        more: shown < total && !results.is_empty(),
        entries,
        total: Some(total),
    })
}

fn entry(item: &Value) -> Option<IndexEntry> {
    let offer_id = number(item, "hash_id")?;
    // The portal looks at the last two parts only, and leads on to the whole address.
    let mut unread = Unread::default();
    let url = place::url(&Estate::of(item, &mut unread), &mut unread);
    let url = url.unwrap_or_else(|| format!("https://www.sreality.cz/detail/x/x/x/x/{offer_id}"));
    Some(IndexEntry {
        offer_id,
        url,
        teaser: told(item, TELLING),
        payload: None,
    })
}

/// What of a list's item changes only with the advert.
const TELLING: &[&str] = &[
    "/advert_name",
    "/price_czk",
    "/price_unit_cb/value",
    "/price_summary_czk",
    "/price_summary_unit_cb/value",
    "/category_sub_cb/value",
    "/locality/city",
    "/locality/citypart",
    "/locality/street",
    "/locality/housenumber",
    "/locality/gps_lat",
    "/locality/gps_lon",
];

/// What a section's query asks for by this name.
fn asked(section: &Section, name: &str) -> Option<u64> {
    let mut pairs = section
        .query
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    pairs
        .find(|(given, _)| *given == name)
        .and_then(|(_, value)| value.parse().ok())
}

/// Whether an item is one that the section asks for.
fn lies_in(section: &Section, item: &Value) -> bool {
    let told = |place: &str| item.pointer(place).and_then(Value::as_u64);
    let is_of = |name: &str| {
        asked(section, name).is_none_or(|code| told(&format!("/{name}/value")) == Some(code))
    };
    let (prague, its_region) = PRAGUE;
    let in_district = match asked(section, "locality_district_id") {
        None => true,
        Some(district) if district == prague => told("/locality/region_id") == Some(its_region),
        district => told("/locality/district_id") == district,
    };
    in_district
        && is_of("category_main_cb")
        && is_of("category_type_cb")
        && is_of("category_sub_cb")
}

fn details(asked: &[IndexEntry]) -> Option<Request> {
    let [entry] = asked else { return None };
    Some(Request {
        url: format!("{ESTATES}/{}", entry.offer_id),
        body: None,
    })
}

/// What a page says that stands in the place of an advert, folded.
const REMOVED: [&str; 2] = ["tato stranka neexistuje", "stranka nebyla nalezena"];

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, Unexpected> {
    const EXPECTED: &str = "the detail of the advert that was asked for";
    let [entry] = asked else {
        return Err(unexpected(answer, EXPECTED));
    };
    if let Some(gone) = gone(answer) {
        return Ok(vec![gone]);
    }
    if answer.status == 200 && answer.body.trim_start().starts_with('<') {
        let body = fold(&answer.body);
        return match REMOVED.iter().find(|words| body.contains(*words)) {
            Some(words) => Ok(vec![Detail::Gone {
                reason: format!("a page that says \"{words}\""),
            }]),
            None => Err(unexpected(answer, EXPECTED)),
        };
    }
    let payload = json(answer, EXPECTED)?;
    let estate = payload
        .get("result")
        .filter(|result| result.is_object())
        .unwrap_or(&payload);
    if number(estate, "hash_id").is_some_and(|id| id != entry.offer_id) {
        return Err(without(answer, "the hash_id that was asked for", EXPECTED));
    }
    one_detail(super::read, payload, answer)
}
