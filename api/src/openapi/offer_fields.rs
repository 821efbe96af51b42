//! The schemas of the fields of [`FIELDS`], in the order of the spec (spec, Resources and their fields).

use schema::offer_fields::{FIELDS, FieldKind, OfferField};
use serde_json::{Value, json};

use crate::openapi::json_type::{JsonType, describe, reference};

/// The names of the fields that every offer has, and their schemas.
pub(crate) fn required() -> impl Iterator<Item = (&'static str, Value)> {
    named_schemas(OfferField::is_always_present)
}

/// The names of the fields that are left out of the JSON if no portal published them, and their schemas.
pub(crate) fn optional() -> impl Iterator<Item = (&'static str, Value)> {
    named_schemas(|field| !field.is_always_present())
}

fn named_schemas(
    is_wanted: fn(&OfferField) -> bool,
) -> impl Iterator<Item = (&'static str, Value)> {
    let wanted = FIELDS.iter().filter(move |field| is_wanted(field));
    wanted.map(|field| (field.name, field_schema(field)))
}

fn field_schema(field: &OfferField) -> Value {
    let mut schema = match &field.kind {
        // The schema of the enumeration has the description.
        FieldKind::Enumerated { type_name, .. } => return reference(type_name),
        FieldKind::Location(_) => json!({ "oneOf": [reference("Location"), { "type": "null" }] }),
        FieldKind::Text { .. } => String::schema(),
        FieldKind::Number(_) | FieldKind::WholeNumber(_) => f64::schema(),
        FieldKind::Flag(_) => bool::schema(),
    };
    describe(&mut schema, field.description);
    if let FieldKind::Text { known_values, .. } = &field.kind
        && !known_values.is_empty()
    {
        schema["examples"] = json!(known_values);
    }
    schema
}
