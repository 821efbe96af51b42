//! The OpenAPI description of the feed.
//!
//! `template.json` and `description.md` hold what is text. The rest is that of the API: parameters, the fields of an offer,
//! the form of errors, tokens and headers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

const TEMPLATE: &str = include_str!("template.json");
const INTRODUCTION: &str = include_str!("description.md");

/// The beginning of a reference to a component.
const COMPONENTS: &str = "#/components/";

/// The description of the feed at `base_url`.
///
/// # Panics
/// If the template is not JSON, which the tests exclude.
pub fn document(base_url: &str) -> Value {
    let mut document: Value =
        serde_json::from_str(TEMPLATE).expect("template.json is compiled in, and tests parse it");
    let mut of_api = api::openapi::document(base_url);
    document["info"]["description"] = json!(INTRODUCTION);
    document["servers"][0]["url"] = json!(base_url);
    for path in ["/health", "/openapi.json"] {
        document["paths"][path] = of_api["paths"][path].take();
    }
    let mut parameters = api::openapi::changes_parameters();
    if let Some(more) = document["paths"]["/changes"]["get"]["parameters"].as_array_mut() {
        parameters.append(more);
        *more = parameters;
    }
    add_missing(&mut document["components"], of_api["components"].take());
    extend_codes(&mut document["components"]["schemas"]["Error"]);
    keep_referenced(&mut document);
    document
}

/// The description as it is served, and as it is kept in `feed/openapi.json` for readers and generators.
pub fn rendered(base_url: &str) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(&document(base_url)).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Adds the components that are not defined yet.
fn add_missing(components: &mut Value, more: Value) {
    let (Value::Object(components), Value::Object(more)) = (components, more) else {
        return;
    };
    for (kind, definitions) in more {
        let known = components.entry(kind).or_insert_with(|| Map::new().into());
        let (Value::Object(known), Value::Object(definitions)) = (known, definitions) else {
            continue;
        };
        for (name, definition) in definitions {
            known.entry(name).or_insert(definition);
        }
    }
}

/// Adds the code of the feed to the codes of errors, wherever in the schema they are.
fn extend_codes(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Array(codes)) = object.get_mut("enum")
                && codes.iter().any(|code| code == "not-found")
            {
                codes.push(json!("changes-expired"));
            }
            object.values_mut().for_each(extend_codes);
        }
        Value::Array(all) => all.iter_mut().for_each(extend_codes),
        _ => {}
    }
}

/// Leaves out the components that nothing refers to.
fn keep_referenced(document: &mut Value) {
    let mut referenced = BTreeSet::new();
    collect_references(&document["paths"], document, &mut referenced);
    let Some(kinds) = document["components"].as_object_mut() else {
        return;
    };
    for (kind, definitions) in kinds
        .iter_mut()
        .filter(|(kind, _)| *kind != "securitySchemes")
    {
        if let Some(definitions) = definitions.as_object_mut() {
            definitions.retain(|name, _| referenced.contains(&format!("{kind}/{name}")));
        }
    }
    kinds.retain(|_, definitions| definitions.as_object().is_some_and(|all| !all.is_empty()));
}

/// Collects the components that a part of the document refers to, and those that they refer to.
fn collect_references(part: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(object) => {
            let reference = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|text| text.strip_prefix(COMPONENTS))
                && found.insert(name.to_owned())
            {
                let pointer = format!("/components/{name}");
                if let Some(component) = document.pointer(&pointer) {
                    collect_references(component, document, found);
                }
            }
            for value in object.values() {
                collect_references(value, document, found);
            }
        }
        Value::Array(all) => {
            for value in all {
                collect_references(value, document, found);
            }
        }
        _ => {}
    }
}
