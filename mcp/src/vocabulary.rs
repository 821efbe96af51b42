//! What the fields and values of records mean, as a resource, and the resource of one record.

use rmcp::model::{Resource, ResourceTemplate};
use schema::offer_fields::{FIELDS, FieldKind};
use serde_json::{Value, json};

/// The address of the vocabulary.
pub(crate) const VOCABULARY: &str = "jeden://vocabulary";
/// The address of a record before its id.
const RECORD: &str = "jeden://offers/";
const JSON: &str = "application/json";

/// The vocabulary as it is listed.
pub(crate) fn resource() -> Resource {
    Resource::new(VOCABULARY, "vocabulary")
        .with_title("Fields and values")
        .with_description("Every field of an offer with its meaning, unit and values. Free: it does not count as a request.")
        .with_mime_type(JSON)
}

/// The records as they are listed.
pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{RECORD}{{id}}"), "offer")
        .with_title("An offer")
        .with_description(
            "One property as get_offer answers it. Counts as one request of the quota.",
        )
        .with_mime_type(JSON)
}

/// The id in the address of a record.
pub(crate) fn id_of(uri: &str) -> Option<&str> {
    uri.strip_prefix(RECORD).filter(|id| !id.is_empty())
}

/// The vocabulary.
pub(crate) fn text() -> String {
    let fields: Vec<Value> = FIELDS
        .iter()
        .map(|field| {
            let (kind, values) = match &field.kind {
                FieldKind::Location(_) => ("object with lat and lng, or null", &[][..]),
                FieldKind::Text { known_values, .. } => ("text", *known_values),
                FieldKind::Number(_) => ("number", &[][..]),
                FieldKind::WholeNumber(_) => ("whole number", &[][..]),
                FieldKind::Flag(_) => ("true or false", &[][..]),
                FieldKind::Enumerated { values, .. } => ("one of the values", *values),
            };
            json!({"name": field.name, "meaning": field.description, "type": kind, "values": values})
        })
        .collect();
    let vocabulary = json!({
        "fields": fields,
        "notes": [
            "A field that no portal stated is absent. Absent is not false and not zero.",
            "title, description and address are an advert's own words. Tools leave them out unless includeTexts is true.",
            "Prices are asking prices in CZK; the price of a rent is for a month.",
            "A property that several portals advertise is one offer; portalLinks names them.",
            "isLive is true while at least one portal advertises the property."
        ]
    });
    vocabulary.to_string()
}
