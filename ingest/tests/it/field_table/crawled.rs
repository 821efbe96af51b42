//! The table of how the portals are crawled.

use ingest::crawl_definition::{Access, CrawlDefinition};
use ingest::portals::PORTALS;

use super::assert_documented;

#[test]
fn the_document_describes_how_each_portal_is_crawled() {
    let head = "| portal | lists | an advert is missing once crawls have read | one request every | details per request | \
                automatic reading |\n| --- | --- | --- | ---: | ---: | --- |\n";
    let rows = PORTALS
        .iter()
        .map(|portal| row(portal.site_id, portal.crawl));
    let table: String = std::iter::once(head.to_owned()).chain(rows).collect();
    assert_documented("crawls", &table);
}

fn row(site_id: &str, definition: &CrawlDefinition) -> String {
    let pace = definition.policy.pace.as_secs_f64();
    let allowed = match definition.access {
        Access::Open => "allowed".to_owned(),
        Access::Forbidden { by } => format!("with permission only: {by}"),
    };
    let (lists, together, at_once) = (
        lists(definition),
        together(definition),
        definition.details_per_request,
    );
    format!("| `{site_id}` | {lists} | {together} | {pace} s | {at_once} | {allowed} |\n")
}

/// How many lists there are, and whether long ones are split.
fn lists(definition: &CrawlDefinition) -> String {
    let sections = (definition.sections)();
    let is_split = sections
        .iter()
        .any(|section| !(definition.split)(section, u64::MAX).is_empty());
    format!(
        "{}{}",
        sections.len(),
        if is_split { ", long ones split" } else { "" }
    )
}

/// The lists that a crawl must have read completely before an advert that is in none of them counts as missing.
fn together(definition: &CrawlDefinition) -> &'static str {
    let scopes: Vec<_> = (definition.sections)()
        .into_iter()
        .map(|section| section.scope)
        .collect();
    if scopes
        .iter()
        .all(|scope| scope.offer_type.is_some() && scope.property_type.is_some())
    {
        "all lists of its offer and property type"
    } else if scopes.iter().all(|scope| scope.offer_type.is_some()) {
        "all lists of its offer type"
    } else {
        "all lists"
    }
}
