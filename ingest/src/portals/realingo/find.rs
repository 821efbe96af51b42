//! The offer in what came, with what stands inside or beside it.

use serde_json::{Map, Value};

/// Names of which an offer has at least two, beside its `id`.
const TELLING: [&str; 5] = ["purpose", "property", "category", "price", "area"];

/// An offer with its detail and the units that it lies in, where they came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The offer.
    pub offer: &'a Value,
    /// Its detail: inside the offer in answers, beside it on pages.
    pub detail: Option<&'a Value>,
    /// What a page says of its place.
    pub surroundings: Option<&'a Value>,
}

impl Found<'_> {
    /// How the portal says that the offer was taken down.
    pub(crate) fn deleted(&self) -> Option<&'static str> {
        let of = |name: &str| self.offer.get(name);
        if of("deleted") == Some(&Value::Bool(true)) {
            return Some("deleted is true");
        }
        of("deletedAt")
            .is_some_and(Value::is_string)
            .then_some("it has a deletedAt")
    }
}

/// The offer that the payload is about: the only one, or the only one that comes with its detail (a page lists similar
/// ones).
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

/// Whether an answer says that there is no such offer: the one it was asked for is null.
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
