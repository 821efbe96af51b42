//! How realingo is crawled: by its GraphQL API, up to fifty offers in one request.
//!
//! | trap | what we do |
//! |---|---|
//! | the sections by `property` disagree with the categories: huts and unusual flats are "others", tenement houses are houses | an offer is missing only if no section at all shows it |
//! | a page may be shorter than requested | it is unexpected, because counting pages by the requested length would skip offers |
//! | a removed offer is null, or has `deleted` or `deletedAt` | it is gone |
//! | a partly failed request has null for what failed, and says so in `errors` | it is unexpected; nothing ends because of it |
//! | the detail's fields include people and telephone numbers | we do not request them |
//! | update times follow the exports of the portals that realingo copies | they are volatile |

use std::fmt::Write;
use std::time::Duration;

use schema::CrawlScope;
use serde_json::{Value, json};

use super::codes;
use crate::answers::{advert_number, json, payload_detail, teaser, without};
use crate::crawl_definition::{
    Access, Answer, CrawlDefinition, CrawlPolicy, Detail, IndexEntry, IndexPage, Request, Section,
    UnexpectedAnswer, Volatile,
};

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Forbidden {
        by: "robots.txt disallows /graphql",
    },
    policy: CrawlPolicy {
        timeout: Duration::from_mins(1),
        headers: &[("accept", "application/json")],
        ..CrawlPolicy::sequential(Duration::from_secs(2))
    },
    sections,
    split: |_, _| Vec::new(),
    page,
    read_page,
    details_per_request: 50,
    details,
    read_details,
    volatile: Volatile::Members(&["createdAt", "updatedAt", "visited", "liked", "photos"]),
};

const HOST: &str = "https://www.realingo.cz";

/// The query for an index page.
const SEARCH: &str = include_str!("search.graphql");

/// The fields that are requested of each offer.
const OFFER: &str = include_str!("offer.graphql");

/// Offers on an index page.
const LENGTH: u64 = 100;

/// What an index page is, for errors.
const LIST: &str = "a page of a list: data.searchOffer with items and total";

/// What an answer with details is, for errors.
const DETAILS: &str = "the offers that were asked for, each under its name";

/// One section for each purpose and property. Only all of them together show every offer of a category.
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

/// The `data` of a GraphQL answer.
///
/// # Errors
/// The answer reports an error or has no data.
fn graphql_data(answer: &Answer, expected: &'static str) -> Result<Value, UnexpectedAnswer> {
    let mut json = json(answer, expected)?;
    if let Some(error) = json.pointer("/errors/0/message").and_then(Value::as_str) {
        let message: String = error.chars().take(120).collect();
        return Err(UnexpectedAnswer {
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

fn read_page(section: &Section, page: u32, answer: &Answer) -> Result<IndexPage, UnexpectedAnswer> {
    let data = graphql_data(answer, LIST)?;
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
    let entries: Vec<IndexEntry> = items.iter().filter_map(index_entry).collect();
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

fn index_entry(item: &Value) -> Option<IndexEntry> {
    let path = item
        .get("url")
        .and_then(Value::as_str)
        .filter(|path| path.starts_with('/'))?;
    Some(IndexEntry {
        offer_id: advert_number(item, "id")?,
        url: format!("{HOST}{path}"),
        teaser: teaser(item, TEASER),
        payload: None,
    })
}

/// The values of an index item that change only if the offer does.
const TEASER: &[&str] = &[
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

/// The alias of an offer in a request for several.
fn alias(entry: &IndexEntry) -> String {
    format!("offer{}", entry.offer_id)
}

fn details(asked: &[IndexEntry]) -> Option<Request> {
    let mut query = String::from("query Offers {\n");
    for entry in asked {
        // Writing to a string cannot fail.
        let _ = writeln!(
            query,
            "  {}: offer(id: \"{}\") {{ ...OfferAttributes }}",
            alias(entry),
            entry.offer_id
        );
    }
    (!asked.is_empty()).then(|| graphql(&format!("{query}}}\n{OFFER}"), &json!({})))
}

fn read_details(asked: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, UnexpectedAnswer> {
    let mut data = graphql_data(answer, DETAILS)?;
    let mut details = Vec::new();
    for entry in asked {
        let offer = data.get_mut(alias(entry)).map(Value::take);
        let offer = offer.ok_or_else(|| without(answer, &alias(entry), DETAILS))?;
        if !offer.is_null() && advert_number(&offer, "id").as_ref() != Some(&entry.offer_id) {
            return Err(without(
                answer,
                &format!("the id of {}", alias(entry)),
                DETAILS,
            ));
        }
        details.extend(payload_detail(
            super::read_payload,
            json!({"data": {"offer": offer}}),
            answer,
        )?);
    }
    Ok(details)
}
