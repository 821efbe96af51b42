//! The enumerations (spec, Enumerated values). The field and the parameter of the same name share one schema, so that
//! generated clients have one type for both.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype,
};
use serde_json::{Value, json};

use crate::openapi::json_type::reference;

/// An enumeration as clients see it.
struct Enumeration {
    /// The name of the field and of the parameter.
    field: &'static str,
    /// The name of the schema.
    name: &'static str,
    values: &'static [&'static str],
    description: &'static str,
}

const ALL: [Enumeration; 8] = [
    enumeration::<OfferType>("OfferType", "Kind of offer."),
    enumeration::<PropertyType>("PropertyType", "Property type."),
    enumeration::<Subtype>("Subtype", "Finer property type."),
    enumeration::<Arrangement>(
        "Arrangement",
        "Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen.",
    ),
    enumeration::<Equipment>("Equipment", "How furnished the property is."),
    enumeration::<Ownership>(
        "Ownership",
        "Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`.",
    ),
    enumeration::<PropertyState>("PropertyState", "Condition of the property."),
    enumeration::<BuildingType>("BuildingType", "Construction type."),
];

const fn enumeration<E: SpecEnum>(name: &'static str, description: &'static str) -> Enumeration {
    Enumeration {
        field: E::FIELD,
        name,
        values: E::TEXTS,
        description,
    }
}

/// The schemas, by name.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Value)> {
    ALL.iter().map(|listed| {
        (
            listed.name,
            json!({ "type": "string", "enum": listed.values, "description": listed.description }),
        )
    })
}

/// A reference to the schema of the enumerated field or parameter of this name.
pub(crate) fn field_reference(field: &str) -> Option<Value> {
    ALL.iter()
        .find(|listed| listed.field == field)
        .map(|listed| reference(listed.name))
}
