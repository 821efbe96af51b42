//! The OpenAPI description of the service.
//!
//! # Layout
//!
//! `template.json` and `description.md` hold what is text: paths, answers, headers. This module adds what must not drift
//! from the code. `parameters` come from the table by which queries are parsed. `schemas` come from the types that are
//! served: `json_type` derives the names, types and required properties of a struct; `offer_fields` and `enumerations`
//! follow the table [`FIELDS`](schema::offer_fields::FIELDS). Tests compare every answer with the description.

mod enumerations;
mod json_type;
mod offer_fields;
mod parameters;
mod schemas;

use gazetteer::registry::ATTRIBUTION;
use serde_json::{Value, json};

pub use parameters::changes as changes_parameters;

/// The parts of the description that are plain text, as an OpenAPI document.
const TEMPLATE: &str = include_str!("template.json");
/// The introduction, in Markdown.
const INTRODUCTION: &str = include_str!("description.md");

/// The description of the service at `base_url`.
///
/// # Panics
/// If the template is not JSON, which the tests exclude.
pub fn document(base_url: &str) -> Value {
    let mut document: Value =
        serde_json::from_str(TEMPLATE).expect("template.json is compiled in, and tests parse it");
    document["info"]["description"] = json!(format!(
        "{INTRODUCTION}\n**Sources.** Addresses, districts and regions are found with data of the state registry of \
         addresses ({ATTRIBUTION}, adapted), if the operator has imported it."
    ));
    document["servers"][0]["url"] = json!(base_url);
    if let Some(sent) = document["paths"]["/v1/offers"]["get"]["parameters"].as_array_mut() {
        sent.splice(0..0, parameters::search());
    }
    document["components"]["schemas"] = schemas::all();
    document
}

/// The description as it is served, and as it is kept in `api/openapi.json` for readers and generators. `contact` is the
/// address of a page of the operator, or for mail.
pub fn rendered(base_url: &str, contact: Option<&str>) -> Vec<u8> {
    let mut document = document(base_url);
    if let Some(contact) = contact {
        let kind = if contact.contains("://") {
            "url"
        } else {
            "email"
        };
        document["info"]["contact"][kind] = json!(contact);
    }
    let mut text = serde_json::to_vec_pretty(&document).unwrap_or_default();
    text.push(b'\n');
    text
}
