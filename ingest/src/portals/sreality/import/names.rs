//! The interface's names of an advert's fields, and API v1's names of the same fields.

use serde_json::{Map, Value, json};

/// A name that every advert has: the kind of offer.
pub(crate) const FUNCTION: &str = "advert_function";
/// A name that every advert has: the property type.
const TYPE: &str = "advert_type";

/// The agency's number of an advert, unique within one branch.
pub(crate) const AGENCY_NUMBER: &str = "advert_rkid";
/// The portal's internal number of an advert.
pub(crate) const INTERNAL_NUMBER: &str = "advert_id";

/// Fields that have another name in API v1: (here, there).
const RENAMED: [(&str, &str); 13] = [
    (FUNCTION, "category_type_cb"),
    (TYPE, "category_main_cb"),
    ("advert_subtype", "category_sub_cb"),
    ("advert_price", "price_czk"),
    ("advert_price_unit", "price_unit_cb"),
    ("advert_price_currency", "price_currency_cb"),
    ("description", "advert_description"),
    ("advert_low_energy", "low_energy"),
    ("energy_efficiency_rating", "energy_efficiency_rating_cb"),
    ("extra_info", "state_cb"),
    ("heating", "heating_set"),
    ("heating_source", "heating_source_set"),
    ("gully", "gully_set"),
];

/// Fields that have one name in both.
const SHARED: [&str; 31] = [
    "advert_code",
    "balcony",
    "balcony_area",
    "basin",
    "basin_area",
    "building_condition",
    "building_type",
    "cellar",
    "cellar_area",
    "easy_access",
    "elevator",
    "estate_area",
    "floor_area",
    "floor_number",
    "floors",
    "furnished",
    "garage",
    "garage_count",
    "garden_area",
    "hash_id",
    "loggia",
    "loggia_area",
    "object_kind",
    "ownership",
    "parking",
    "parking_lots",
    "share_denominator",
    "share_numerator",
    "terrace",
    "terrace_area",
    "usable_area",
];

/// Fields of API v1 that are sets of codes.
const MULTISELECTS: [&str; 3] = ["heating_set", "heating_source_set", "gully_set"];

/// Fields of API v1 that are codes and that the interface may send as booleans.
const BOOLEANS: [&str; 3] = ["elevator", "easy_access", "furnished"];

/// API v1's name of the price.
pub(crate) const PRICE: &str = "price_czk";
/// API v1's name of the price's currency.
pub(crate) const CURRENCY: &str = "price_currency_cb";

/// A storey of 0 is "not given": the ground floor is 1.
const STOREY: &str = "floor_number";

/// Tells whether a value is the struct of an advert.
pub(crate) fn is_advert(value: &Value) -> bool {
    value.get(FUNCTION).is_some() && value.get(TYPE).is_some()
}

/// Tells whether the agency has made the advert inactive.
pub(crate) fn is_inactive(fields: &Map<String, Value>) -> bool {
    fields
        .get("user_status")
        .is_some_and(|status| *status == json!(false) || *status == json!(0))
}

/// Converts an advert to an object of API v1, without its place.
pub(crate) fn as_api_v1(fields: &Map<String, Value>) -> Map<String, Value> {
    let shared = SHARED.iter().map(|name| (*name, *name));
    let mut object = Map::new();
    for (here, there) in RENAMED.into_iter().chain(shared) {
        let no_storey = |value: &&Value| here == STOREY && **value == json!(0);
        if let Some(value) = fields
            .get(here)
            .filter(|value| !is_empty(value) && !no_storey(value))
        {
            object.insert(there.to_owned(), to_api_v1_type(there, value));
        }
    }
    object
}

/// Converts a value to the type that API v1 sends.
fn to_api_v1_type(name: &str, value: &Value) -> Value {
    match value {
        Value::Bool(flag) if BOOLEANS.contains(&name) => json!(i64::from(*flag)),
        Value::Array(_) => value.clone(),
        one if MULTISELECTS.contains(&name) => json!([one]),
        _ => value.clone(),
    }
}

/// Tells whether a value is empty, which deletes the field. 0 is not empty, because API v1 reads it as "not given" too.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}
