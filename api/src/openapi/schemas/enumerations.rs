//! The enumerations (spec, Enumerated values): one shape each, for the field and for the parameter of that name, so that
//! generated clients have one type for both.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype,
};
use serde_json::{Value, json};

use super::reference;

/// An enumeration as clients see it.
struct Enumeration {
    /// The name of the field, and of the parameter.
    field: &'static str,
    /// The name of the shape.
    name: &'static str,
    values: &'static [&'static str],
    meaning: &'static str,
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

const fn enumeration<E: SpecEnum>(name: &'static str, meaning: &'static str) -> Enumeration {
    Enumeration {
        field: E::FIELD,
        name,
        values: E::TEXTS,
        meaning,
    }
}

/// The shapes, by name.
pub fn all() -> impl Iterator<Item = (&'static str, Value)> {
    ALL.iter().map(|listed| {
        (
            listed.name,
            json!({ "type": "string", "enum": listed.values, "description": listed.meaning }),
        )
    })
}

/// The shape of the parameter that filters by the enumerated field of its name, as a reference.
pub fn of_parameter(name: &str) -> Option<Value> {
    ALL.iter()
        .find(|listed| listed.field == name)
        .map(|listed| reference(listed.name))
}
