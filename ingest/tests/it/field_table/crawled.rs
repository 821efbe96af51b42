//! The table of how the portals are crawled.

use ingest::crawl_definition::{Access, CrawlDefinition};
use ingest::portals::PORTALS;

use super::assert_documented;

#[test]
fn the_document_says_how_every_portal_is_crawled() {
    let head = "| portal | lists | what is in none of them is missing | a request every | details a request | read by \
                programs |\n| --- | --- | --- | ---: | ---: | --- |\n";
    let rows = PORTALS
        .iter()
        .map(|portal| row(portal.site_id, portal.crawl));
    let table: String = std::iter::once(head.to_owned()).chain(rows).collect();
    assert_documented("crawls", &table);
}

fn row(site_id: &str, definition: &CrawlDefinition) -> String {
    let pace = definition.policy.pace.as_secs_f64();
    let allowed = match definition.access {
        Access::Open => "yes".to_owned(),
        Access::Forbidden { by } => format!("only with permission: {by}"),
    };
    let (lists, together, at_once) = (
        lists(definition),
        together(definition),
        definition.details_per_request,
    );
    format!("| `{site_id}` | {lists} | {together} | {pace} s | {at_once} | {allowed} |\n")
}

/// How many lists are walked, and whether long ones are walked in parts.
fn lists(definition: &CrawlDefinition) -> String {
    let sections = (definition.sections)();
    let is_split = sections
        .iter()
        .any(|section| !(definition.split)(section, u64::MAX).is_empty());
    format!(
        "{}{}",
        sections.len(),
        if is_split { ", long ones in parts" } else { "" }
    )
}

/// Which lists have to be walked to their ends before an advert that is in none of them is missing.
fn together(definition: &CrawlDefinition) -> &'static str {
    let scopes: Vec<_> = (definition.sections)()
        .into_iter()
        .map(|section| section.scope)
        .collect();
    if scopes
        .iter()
        .all(|scope| scope.offer_type.is_some() && scope.property_type.is_some())
    {
        "when those of its kind of offer and property were walked"
    } else if scopes.iter().all(|scope| scope.offer_type.is_some()) {
        "when those of its kind of offer were walked"
    } else {
        "when all were walked"
    }
}
