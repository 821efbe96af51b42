//! Facts of offers in words.

use schema::offer_fields::FIELDS;
use schema::{Attributes, SpecEnum};
use serde_json::Value;

use crate::format;

/// The longest value that is shown in a table.
const LONGEST: usize = 400;

/// The stated fields of a listing or record as texts, in the order of the specification.
pub(super) fn stated(attributes: &Attributes) -> Vec<(&'static str, String)> {
    let Ok(Value::Object(values)) = serde_json::to_value(attributes) else {
        return Vec::new();
    };
    let fields = FIELDS.iter().filter_map(|field| {
        let value = values.get(field.name).filter(|value| !value.is_null())?;
        Some((field.name, shown(field.name, value)))
    });
    fields.collect()
}

/// A value in one line, cut to a readable length.
pub(super) fn shown(field: &str, value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "✓".to_owned(),
        Value::Bool(false) => "✗".to_owned(),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            match field {
                "priceTotal" => format::price(number),
                _ if field.ends_with("Area") => format!("{}\u{a0}m²", format::number(number, 2)),
                _ => format::number(number, 2),
            }
        }
        Value::Object(place) if place.contains_key("lat") => {
            let part = |name: &str| place.get(name).and_then(Value::as_f64).unwrap_or_default();
            format!("{:.5} {:.5}", part("lat"), part("lng"))
        }
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The most important facts in one line.
pub(super) fn summary(facts: &Attributes) -> String {
    let parts = [
        facts.offer_type.map(|kind| kind.as_str().to_owned()),
        facts.property_type.map(|kind| kind.as_str().to_owned()),
        facts.arrangement.map(|layout| layout.as_str().to_owned()),
        facts
            .living_area
            .map(|area| format!("{}\u{a0}m²", format::number(area, 1))),
        facts
            .land_area
            .map(|area| format!("{}\u{a0}m²", format::number(area, 0))),
        facts.price_total.map(format::price),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The place in one line.
pub(super) fn place(facts: &Attributes) -> String {
    let parts = [
        &facts.street,
        &facts.neighborhood,
        &facts.city,
        &facts.district,
    ];
    let mut parts: Vec<&str> = parts
        .into_iter()
        .filter_map(|part| part.as_deref())
        .collect();
    parts.dedup();
    parts.join(", ")
}
