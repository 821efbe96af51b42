//! Compares the specification itself, if it is available, with the description: headings, rules, fields, parameters.

use std::io::Write;

use serde_json::Value;

use super::document::{document, root, rows};
use crate::support::resolved;

/// The text of the specification; `None`, with a notice, if it is not available.
fn specification() -> Option<String> {
    let path = root().join("../shared/spec.md");
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        // If stderr is closed, the notice is lost, which is harmless.
        let notice = "the specification is not available at ../shared/spec.md: comparing the document with it is skipped";
        let _ = writeln!(std::io::stderr(), "{notice}");
    }
    text
}

fn headings(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("## ") || line.starts_with("### "))
        .collect()
}

/// The text under a heading, up to the next one.
fn under<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, after) = text
        .split_once(&format!("{heading}\n"))
        .unwrap_or_else(|| panic!("no {heading}"));
    after.split("\n#").next().unwrap_or_default()
}

/// The cells of the table rows under a heading, without the header.
fn table(text: &str, heading: &str, columns: usize) -> Vec<Vec<String>> {
    let lines = under(text, heading)
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let rows = lines.map(|line| {
        line.split('|')
            .map(|cell| cell.trim().to_owned())
            .collect::<Vec<_>>()
    });
    rows.filter(|cells| cells.len() == columns && !cells[0].starts_with("---"))
        .skip(1)
        .collect()
}

/// The names in a cell such as `priceMin, priceMax`.
fn names(cell: &str) -> impl Iterator<Item = String> {
    cell.split(", ").map(str::to_owned)
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_documents_headings_are_the_specifications() {
    let Some(specification) = specification() else {
        return;
    };
    let document = document();
    let own = [
        "## Where the specification is silent",
        "## The tests, and what each holds",
    ];
    // The paths are code here, because the documentation site drops braces at the end of other headings.
    let document = document.replace('`', "");
    let ours: Vec<&str> = headings(&document)
        .into_iter()
        .filter(|heading| !own.contains(heading))
        .collect();
    assert_eq!(ours, headings(&specification));
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_numbered_rule_has_its_row() {
    let Some(specification) = specification() else {
        return;
    };
    for (heading, place) in [
        ("## What the service does", "Purpose"),
        ("## Authentication", "Authentication"),
        ("## Limits", "Limits"),
        ("## Versioning", "Versioning"),
    ] {
        let rules = under(&specification, heading)
            .lines()
            .filter_map(|line| line.split_once(". "));
        for (number, _) in rules.filter(|(number, _)| number.parse::<u8>().is_ok()) {
            let place = format!("{place} {number}");
            assert!(rows().iter().any(|row| row.place == place), "{place}");
        }
    }
}

/// The type in the description for a type in the specification.
fn has_type(schema: &Value, name: &str) -> bool {
    match name {
        "enum" => schema["enum"].is_array(),
        "array of object" => schema["type"] == "array",
        name if name.starts_with("object") => schema["oneOf"].is_array(),
        name if name.starts_with("string") => {
            schema["type"] == "string" && schema["enum"].is_null()
        }
        name => schema["type"] == name,
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_described_fields_of_an_offer_are_those_of_the_specification() {
    let Some(specification) = specification() else {
        return;
    };
    let description = api::openapi::document("");
    let detail = &description["components"]["schemas"]["OfferDetail"];
    let required = detail["required"].as_array().unwrap();
    let mut count = 0;
    for row in table(&specification, "### Offer (deduplicated listing)", 4) {
        for name in names(&row[0]) {
            count += 1;
            let schema = resolved(&description, &detail["properties"][&name]);
            assert!(has_type(schema, &row[1]), "{name} is {}: {schema}", row[1]);
            assert_eq!(
                required.contains(&name.as_str().into()),
                row[2] != "optional",
                "{name}: {}",
                row[2]
            );
        }
    }
    assert_eq!(count, detail["properties"].as_object().unwrap().len());
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_described_enumerations_are_those_of_the_specification() {
    let Some(specification) = specification() else {
        return;
    };
    let description = api::openapi::document("");
    let properties = &description["components"]["schemas"]["OfferSummary"]["properties"];
    let rows = table(&specification, "### Offer (deduplicated listing)", 2);
    assert_eq!(rows.len(), 8);
    for row in rows {
        let listed: Vec<String> = names(&row[1])
            .map(|value| value.trim_matches('`').to_owned())
            .collect();
        let described = resolved(&description, &properties[&row[0]]);
        assert_eq!(described["enum"], Value::from(listed), "{}", row[0]);
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_described_search_parameters_are_those_of_the_specification() {
    let Some(specification) = specification() else {
        return;
    };
    let description = api::openapi::document("");
    let parameters = description["paths"]["/v1/offers"]["get"]["parameters"]
        .as_array()
        .unwrap();
    let described: Vec<&Value> = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query")
        .collect();
    let mut count = 0;
    for row in table(&specification, "### GET {base_url}/v1/offers", 3) {
        for name in names(&row[0]) {
            count += 1;
            let parameter = described
                .iter()
                .find(|parameter| parameter["name"] == name.as_str());
            let parameter = parameter.unwrap_or_else(|| panic!("{name} is not described"));
            let schema = resolved(&description, &parameter["schema"]);
            assert!(
                has_type(schema, &row[1]),
                "{name} is {}: {parameter}",
                row[1]
            );
            assert_eq!(parameter["required"], false, "{name}");
        }
    }
    assert_eq!(count, described.len());
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_described_error_codes_are_those_of_the_specification() {
    let Some(specification) = specification() else {
        return;
    };
    let description = api::openapi::document("");
    let codes =
        &description["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"];
    let listed: Vec<String> = table(&specification, "## Errors", 3)
        .into_iter()
        .map(|mut row| row.remove(0))
        .collect();
    assert_eq!(codes["enum"], Value::from(listed));
}
