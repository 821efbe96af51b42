//! The optional fields of an offer, in the order of the spec (spec, Resources and their fields).

use serde_json::{Value, json};

use crate::openapi::enumerations;
use crate::openapi::json_type::{JsonType, describe};

/// The type of a field.
enum FieldType {
    Text,
    /// A text with known values, which are not a closed list.
    KnownTexts(&'static [&'static str]),
    /// One of the values of the enumeration that is named like the field.
    Enumerated,
    Number,
    Boolean,
}

/// A field that is left out of the JSON if no portal published it.
struct OfferField {
    name: &'static str,
    field_type: FieldType,
    /// Empty for an enumeration, which has a description of its own.
    description: &'static str,
}

const fn field(name: &'static str, field_type: FieldType, description: &'static str) -> OfferField {
    OfferField {
        name,
        field_type,
        description,
    }
}

/// Every optional field.
const FIELDS: [OfferField; 44] = [
    field(
        "title",
        FieldType::Text,
        "Listing title as written by the portal, in Czech.",
    ),
    field(
        "description",
        FieldType::Text,
        "Full listing text as written by the portal, in Czech.",
    ),
    field("city", FieldType::Text, "Municipality."),
    field(
        "street",
        FieldType::Text,
        "Street name without the house number.",
    ),
    field("region", FieldType::Text, "Region (kraj)."),
    field("neighborhood", FieldType::Text, "City part or quarter."),
    field("district", FieldType::Text, "District (okres)."),
    field(
        "postalCode",
        FieldType::Text,
        "Czech postal code, usually with a space between the groups.",
    ),
    field(
        "address",
        FieldType::Text,
        "Address line as published; precision differs between portals.",
    ),
    field(
        "unitNumber",
        FieldType::Text,
        "Apartment or unit number; rarely present.",
    ),
    field("type", FieldType::Enumerated, ""),
    field("subtype", FieldType::Enumerated, ""),
    field("offerType", FieldType::Enumerated, ""),
    field("arrangement", FieldType::Enumerated, ""),
    field("propertyState", FieldType::Enumerated, ""),
    field("ownership", FieldType::Enumerated, ""),
    field("buildingType", FieldType::Enumerated, ""),
    field(
        "priceTotal",
        FieldType::Number,
        "Asking price in CZK: the total for a sale, the monthly amount for a rent.",
    ),
    field(
        "livingArea",
        FieldType::Number,
        "Living (usable) floor area in m².",
    ),
    field("landArea", FieldType::Number, "Plot area in m²."),
    field(
        "floor",
        FieldType::Number,
        "Floor of the unit; 0 is the ground floor, negative is below ground.",
    ),
    field(
        "floorCount",
        FieldType::Number,
        "Number of floors in the building.",
    ),
    field("equipment", FieldType::Enumerated, ""),
    field("garden", FieldType::Boolean, "Garden."),
    field("storage", FieldType::Boolean, "Storage room or cellar."),
    field("balcony", FieldType::Boolean, "Balcony."),
    field("loggia", FieldType::Boolean, "Loggia."),
    field("terrace", FieldType::Boolean, "Terrace."),
    field("garage", FieldType::Boolean, "Garage."),
    field("elevator", FieldType::Boolean, "Elevator."),
    field("parking", FieldType::Boolean, "Parking."),
    field("barrierFree", FieldType::Boolean, "Wheelchair access."),
    field("swimmingPool", FieldType::Boolean, "Swimming pool."),
    field("gardenArea", FieldType::Number, "Area of the garden in m²."),
    field(
        "storageArea",
        FieldType::Number,
        "Area of the storage room or cellar in m².",
    ),
    field(
        "balconyArea",
        FieldType::Number,
        "Area of the balcony in m².",
    ),
    field("loggiaArea", FieldType::Number, "Area of the loggia in m²."),
    field(
        "terraceArea",
        FieldType::Number,
        "Area of the terrace in m².",
    ),
    field("garageArea", FieldType::Number, "Area of the garage in m²."),
    field(
        "energyClass",
        FieldType::Text,
        "Energy class as published: usually a letter A to G. Not an enumeration.",
    ),
    field(
        "heatingSource",
        FieldType::KnownTexts(&[
            "gas",
            "electric",
            "solid",
            "solid-fuel",
            "combined",
            "heat-pump",
            "other",
        ]),
        "Heating source.",
    ),
    field(
        "heatingType",
        FieldType::KnownTexts(&["communal", "local"]),
        "Heating type: `communal` is central.",
    ),
    field(
        "sewerage",
        FieldType::KnownTexts(&["communal", "septic-tank"]),
        "Sewerage: `communal` is the public sewer.",
    ),
    field(
        "housePosition",
        FieldType::KnownTexts(&["free_standing", "terraced", "semi_detached"]),
        "Position of the house.",
    ),
];

/// The names of the fields and their schemas.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Value)> {
    FIELDS.iter().map(|field| (field.name, schema(field)))
}

fn schema(field: &OfferField) -> Value {
    let mut schema = match field.field_type {
        FieldType::Text | FieldType::KnownTexts(_) => String::schema(),
        FieldType::Enumerated => enumerations::field_reference(field.name).unwrap_or_default(),
        FieldType::Number => f64::schema(),
        FieldType::Boolean => bool::schema(),
    };
    describe(&mut schema, field.description);
    if let FieldType::KnownTexts(values) = field.field_type {
        schema["examples"] = json!(values);
    }
    schema
}
