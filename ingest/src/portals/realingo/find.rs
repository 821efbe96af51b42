//! Finding the offer in a payload, with the objects inside or next to it.

use serde_json::{Map, Value};

/// An offer has at least two of these names, besides `id`.
const TELLING: [&str; 5] = ["purpose", "property", "category", "price", "area"];

/// An offer, with its detail and the units that it lies in, if the payload has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The offer.
    pub offer: &'a Value,
    /// The detail, which is inside the offer in answers, and next to it on pages.
    pub detail: Option<&'a Value>,
    /// What a page says of the place.
    pub surroundings: Option<&'a Value>,
}

impl Found<'_> {
    /// Tells how the portal says that the offer was taken down, if it does.
    pub(crate) fn deleted(&self) -> Option<&'static str> {
        let field = |name: &str| self.offer.get(name);
        if field("deleted") == Some(&Value::Bool(true)) {
            return Some("deleted is true");
        }
        field("deletedAt")
            .is_some_and(Value::is_string)
            .then_some("it has a deletedAt")
    }
}

/// Finds the offer of a payload: the only one, or the only one with a detail, because a page also lists similar offers.
pub(crate) fn offer(payload: &Value) -> Option<Found<'_>> {
    let mut found = Vec::new();
    walk(payload, None, &mut found);
    let detailed: Vec<&Found> = found
        .iter()
        .filter(|found| found.detail.is_some())
        .collect();
    match (detailed.as_slice(), found.as_slice()) {
        ([one], _) => Some(**one),
        ([], [one]) => Some(*one),
        _ => None,
    }
}

/// Tells whether the requested offer is null, which means that there is no such offer.
pub(crate) fn gone(payload: &Value) -> Option<&'static str> {
    let asked = payload.get("data")?.as_object()?;
    let is_null = !asked.is_empty() && asked.values().all(Value::is_null);
    is_null.then_some("the offer is null")
}

fn walk<'a>(value: &'a Value, outer: Option<&'a Map<String, Value>>, found: &mut Vec<Found<'a>>) {
    match value {
        Value::Object(fields) if is_offer(fields) => {
            let object = |holder: Option<&'a Map<String, Value>>, name: &str| {
                holder?.get(name).filter(|inner| inner.is_object())
            };
            let detail = object(Some(fields), "detail").or_else(|| object(outer, "detail"));
            found.push(Found {
                offer: value,
                detail,
                surroundings: object(outer, "location"),
            });
        }
        Value::Object(fields) => fields
            .values()
            .for_each(|inner| walk(inner, Some(fields), found)),
        Value::Array(entries) => entries.iter().for_each(|inner| walk(inner, None, found)),
        _ => {}
    }
}

fn is_offer(fields: &Map<String, Value>) -> bool {
    fields.contains_key("id")
        && TELLING
            .iter()
            .filter(|name| fields.contains_key(**name))
            .count()
            >= 2
}
