//! How realingo is crawled: by its GraphQL interface, up to fifty offers in one request.
//!
//! | trap | what is done |
//! |---|---|
//! | the lists by `property` disagree with what a category is (huts and odd flats are "others", tenement houses houses) | only all lists together show that an offer is missing |
//! | a page may be cut shorter than was asked for | unexpected, for pages that are counted by the longer length would leave offers out |
//! | a removed offer is null, or comes with `deleted` or a `deletedAt` | gone |
//! | a request that failed in part has null in the place of what failed, and says so in `errors` | unexpected, nothing is gone by it |
//! | persons and telephone numbers stand among the fields of the detail | they are not asked for |
//! | times of updates follow the exports of the portals that were copied | they do not count |

use std::fmt::Write;
use std::time::Duration;

use schema::CrawlScope;
use serde_json::{Value, json};

use super::codes;
use crate::answers::{json, number, one_detail, told, without};
use crate::crawl::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected,
    Volatile,
};

/// How the portal is crawled.
pub static CLIENT: Client = Client {
    access: Access::Forbidden {
        by: "robots.txt disallows /graphql",
    },
    manners: Manners {
        timeout: Duration::from_mins(1),
        headers: &[("accept", "application/json")],
        ..Manners::one_by_one(Duration::from_secs(2))
    },
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_at_once: 50,
    details,
    read_details,
    volatile: Volatile::Members(&["createdAt", "updatedAt", "visited", "liked", "photos"]),
};

const HOST: &str = "https://www.realingo.cz";

/// The query of a list.
const SEARCH: &str = include_str!("search.graphql");

/// What is asked of each offer.
const OFFER: &str = include_str!("offer.graphql");

/// Offers on a page.
const LENGTH: u64 = 100;

/// What a page of a list is.
const LIST: &str = "a page of a list: data.searchOffer with items and total";

/// What an answer with details is.
const DETAILS: &str = "the offers that were asked for, each under its name";

/// One list for each purpose and property; they show everything together only, whatever an offer's category makes of it.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (purpose, _) in codes::PURPOSES {
        for (property, _) in codes::PROPERTIES {
            sections.push(Section {
                name: format!("{purpose}-{property}"),
                scope: CrawlScope::default(),
                query: format!("{purpose} {property}"),
            });
        }
    }
    sections
}

fn graphql(query: &str, variables: &Value) -> Request {
    let body = json!({"query": query, "variables": variables});
    Request {
        url: format!("{HOST}/graphql"),
        body: Some(body),
    }
}

fn page(section: &Section, page: u32) -> Request {
    let (purpose, property) = section.query.split_once(' ').unwrap_or_default();
    let skip = u64::from(page) * LENGTH;
    graphql(
        SEARCH,
        &json!({"purpose": purpose, "property": property, "first": LENGTH, "skip": skip}),
    )
}

/// The data of an answer without errors.
fn data_of(answer: &Answer, expected: &'static str) -> Result<Value, Unexpected> {
    let mut json = json(answer, expected)?;
    if let Some(error) = json.pointer("/errors/0/message").and_then(Value::as_str) {
        let message: String = error.chars().take(120).collect();
        return Err(Unexpected {
            url: answer.url.clone(),
            found: format!("the error {message:?}"),
            expected,
        });
    }
    let data = json
        .get_mut("data")
        .filter(|data| data.is_object())
        .map(Value::take);
    data.ok_or_else(|| without(answer, "data", expected))
}

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, Unexpected> {
    let data = data_of(answer, LIST)?;
    let items = data.pointer("/searchOffer/items").and_then(Value::as_array);
    let items = items.ok_or_else(|| without(answer, "searchOffer.items", LIST))?;
    let total = data.pointer("/searchOffer/total").and_then(Value::as_u64);
    let total = total.ok_or_else(|| without(answer, "searchOffer.total", LIST))?;
    let (_, property) = section.query.split_once(' ').unwrap_or_default();
    let elsewhere = items
        .iter()
        .filter(|item| item.get("property").is_some_and(|is| is != property))
        .count();
    if 2 * elsewhere > items.len() {
        return Err(without(
            answer,
            "offers of the list that was asked for",
            LIST,
        ));
    }
    let entries: Vec<IndexEntry> = items.iter().filter_map(entry).collect();
    let shown = u64::from(page) * LENGTH + items.len() as u64;
    let more = shown < total && !items.is_empty();
    if (entries.is_empty() && !items.is_empty())
        || (more && page == 0 && items.len() as u64 != LENGTH)
    {
        return Err(without(answer, "the hundred offers of a page", LIST));
    }
    Ok(IndexPage {
        entries,
        total: Some(total),
        more,
    })
}

fn entry(item: &Value) -> Option<IndexEntry> {
    let path = item
        .get("url")
        .and_then(Value::as_str)
        .filter(|path| path.starts_with('/'))?;
    Some(IndexEntry {
        offer_id: number(item, "id")?,
        url: format!("{HOST}{path}"),
        teaser: told(item, TELLING),
        payload: None,
    })
}

/// What of a list's item changes only with the offer.
const TELLING: &[&str] = &[
    "/category",
    "/price/total",
    "/price/currency",
    "/price/type",
    "/area/main",
    "/area/floor",
    "/area/plot",
    "/location/address",
    "/location/latitude",
    "/location/longitude",
    "/reserved",
];

/// The name of an offer among the others in one request.
fn alias(entry: &IndexEntry) -> String {
    format!("offer{}", entry.offer_id)
}

fn details(asked: &[IndexEntry]) -> Option<Request> {
    let mut query = String::from("query Offers {\n");
    for entry in asked {
        // Writing to a text cannot fail.
        let _ = writeln!(
            query,
            "  {}: offer(id: \"{}\") {{ ...OfferAttributes }}",
            alias(entry),
            entry.offer_id
        );
    }
    (!asked.is_empty()).then(|| graphql(&format!("{query}}}\n{OFFER}"), &json!({})))
}

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, Unexpected> {
    let mut data = data_of(answer, DETAILS)?;
    let mut details = Vec::new();
    for entry in asked {
        let offer = data.get_mut(alias(entry)).map(Value::take);
        let offer = offer.ok_or_else(|| without(answer, &alias(entry), DETAILS))?;
        if !offer.is_null() && number(&offer, "id").as_ref() != Some(&entry.offer_id) {
            return Err(without(
                answer,
                &format!("the id of {}", alias(entry)),
                DETAILS,
            ));
        }
        details.extend(one_detail(
            super::read_payload,
            json!({"data": {"offer": offer}}),
            answer,
        )?);
    }
    Ok(details)
}
