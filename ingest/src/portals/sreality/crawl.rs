//! How sreality is crawled: by version 1 of its API.
//!
//! | trap | what we do |
//! |---|---|
//! | a section ends at 10,000 adverts; further offsets are answered 422 | longer ones are split by district, those of a district by subcategory |
//! | an unknown district is not refused: the answer shows the whole country | a page whose adverts mostly lie elsewhere is unexpected |
//! | a page may be shorter than requested | it is unexpected, because counting pages by the requested length would skip adverts |
//! | property abroad is in no district | the sections show Czechia only |
//! | a removed advert is answered 404, 410, or 200 with a page that says so | it is gone |
//! | view counts, edit dates, promotion labels and image addresses change by themselves | they are volatile |

use std::time::Duration;

use czech::fold;
use schema::{CrawlScope, PropertyType};
use serde_json::Value;

use super::payload::Estate;
use super::{codes, place};
use crate::answers::index_page::get;
use crate::answers::{
    advert_number, gone_by_status, json, payload_detail, teaser, unexpected, without,
};
use crate::crawl_definition::{
    Access, Answer, CrawlDefinition, CrawlPolicy, Detail, IndexEntry, IndexPage, Request, Section,
    UnexpectedAnswer, Volatile,
};
use crate::json::FieldReader;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Forbidden {
        by: "its robots.txt allows only some search engines, and its terms forbid scraping",
    },
    policy: CrawlPolicy {
        headers: &[("accept", "application/json")],
        ..CrawlPolicy::sequential(Duration::from_secs(1))
    },
    sections,
    split,
    page,
    read_page,
    details_per_request: 1,
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

/// The API's collection of adverts.
const ESTATES: &str = "https://www.sreality.cz/api/v1/estates";

/// Adverts on an index page.
const LENGTH: u64 = 500;

/// The most adverts that a section shows.
const MOST_SHOWN: u64 = 10_000;

/// The portal's numbers of districts, including Praha.
const DISTRICTS: std::ops::RangeInclusive<u16> = 1..=77;

/// The numbers of Praha as a district and as a region. Its adverts state postal districts instead of the district.
const PRAGUE: (u64, u64) = (47, 10);

/// What an index page is, for errors.
const LIST: &str = "a page of a list: pagination and results";

/// One section for each offer type and property type. Shares of a property are an offer type of their own.
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
    if total <= MOST_SHOWN || parameter(section, "category_sub_cb").is_some() {
        Vec::new()
    } else if parameter(section, "locality_district_id").is_none() {
        let district = |id| narrowed(format!("okres-{id}"), format!("locality_district_id={id}"));
        DISTRICTS.map(district).collect()
    } else {
        subcategories(section.scope.property_type)
            .map(|(id, word)| narrowed(word.to_owned(), format!("category_sub_cb={id}")))
            .collect()
    }
}

/// The subcategories of a property type: number and word.
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
    get(url)
}

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, UnexpectedAnswer> {
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
    let entries: Vec<IndexEntry> = results.iter().filter_map(index_entry).collect();
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

fn index_entry(item: &Value) -> Option<IndexEntry> {
    let offer_id = advert_number(item, "hash_id")?;
    // The portal reads only the last two parts of an address, and redirects to the full one.
    let mut reader = FieldReader::default();
    let url = place::url(&Estate::from_json(item, &mut reader), &mut reader);
    let url = url.unwrap_or_else(|| format!("https://www.sreality.cz/detail/x/x/x/x/{offer_id}"));
    Some(IndexEntry {
        offer_id,
        url,
        teaser: teaser(item, TEASER),
        payload: None,
    })
}

/// The values of an index item that change only if the advert does.
const TEASER: &[&str] = &[
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

/// The value of a parameter in a section's query.
fn parameter(section: &Section, name: &str) -> Option<u64> {
    let mut pairs = section
        .query
        .split('&')
        .filter_map(|pair| pair.split_once('='));
    pairs
        .find(|(given, _)| *given == name)
        .and_then(|(_, value)| value.parse().ok())
}

/// Whether an item belongs to the section.
fn lies_in(section: &Section, item: &Value) -> bool {
    let code_at = |pointer: &str| item.pointer(pointer).and_then(Value::as_u64);
    let has_parameter = |name: &str| {
        parameter(section, name).is_none_or(|code| code_at(&format!("/{name}/value")) == Some(code))
    };
    let (prague, its_region) = PRAGUE;
    let in_district = match parameter(section, "locality_district_id") {
        None => true,
        Some(district) if district == prague => code_at("/locality/region_id") == Some(its_region),
        district => code_at("/locality/district_id") == district,
    };
    in_district
        && has_parameter("category_main_cb")
        && has_parameter("category_type_cb")
        && has_parameter("category_sub_cb")
}

fn details(asked: &[IndexEntry]) -> Option<Request> {
    let [entry] = asked else { return None };
    Some(get(format!("{ESTATES}/{}", entry.offer_id)))
}

/// What a page says that is shown instead of a removed advert, folded.
const REMOVED: [&str; 2] = ["tato stranka neexistuje", "stranka nebyla nalezena"];

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, UnexpectedAnswer> {
    const EXPECTED: &str = "the detail of the advert that was asked for";
    let [entry] = asked else {
        return Err(unexpected(answer, EXPECTED));
    };
    if let Some(gone) = gone_by_status(answer) {
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
    if advert_number(estate, "hash_id").is_some_and(|id| id != entry.offer_id) {
        return Err(without(answer, "the hash_id that was asked for", EXPECTED));
    }
    payload_detail(super::read_payload, payload, answer)
}
