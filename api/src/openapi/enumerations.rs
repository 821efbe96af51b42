//! The enumerations (spec, Enumerated values). The field and the parameter of the same name share one schema, so that
//! generated clients have one type for both.

use schema::offer_fields::{FIELDS, FieldKind, OfferField};
use serde_json::{Value, json};

use crate::openapi::json_type::reference;
use crate::params::SEARCH_PARAMS;

/// The schemas by name, in the order of the parameters that use them.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Value)> {
    let parameter = |field: &&OfferField| {
        let mut params = SEARCH_PARAMS.iter();
        params
            .position(|param| param.name == field.name)
            .unwrap_or(SEARCH_PARAMS.len())
    };
    let mut fields: Vec<&OfferField> = FIELDS.iter().collect();
    fields.sort_by_key(parameter);
    fields.into_iter().filter_map(|field| match field.kind {
        FieldKind::Enumerated {
            type_name, values, ..
        } => Some((
            type_name,
            json!({ "type": "string", "enum": values, "description": field.description }),
        )),
        _ => None,
    })
}

/// A reference to the schema of the enumerated field or parameter of this name.
pub(crate) fn field_reference(field: &str) -> Option<Value> {
    match OfferField::by_name(field)?.kind {
        FieldKind::Enumerated { type_name, .. } => Some(reference(type_name)),
        _ => None,
    }
}
