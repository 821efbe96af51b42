//! What the interface calls the fields of an advert, against API v1's names for the same.

use serde_json::{Map, Value, json};

/// The names that every advert has.
pub(crate) const FUNCTION: &str = "advert_function";
const TYPE: &str = "advert_type";

/// The agency's number of an advert, unique within one branch; the portal's internal one.
pub(crate) const AGENCY_NUMBER: &str = "advert_rkid";
/// The portal's internal number of an advert.
pub(crate) const INTERNAL_NUMBER: &str = "advert_id";

/// Fields that API v1 has under another name: (here, there).
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

/// Fields that are codes, several of them at a time.
const MULTISELECTS: [&str; 3] = ["heating_set", "heating_source_set", "gully_set"];

/// Fields of API v1 that are codes and may come as a truth.
const TRUTHS: [&str; 3] = ["elevator", "easy_access", "furnished"];

/// The fields of API v1 that are the price and its currency.
pub(crate) const PRICE: &str = "price_czk";
pub(crate) const CURRENCY: &str = "price_currency_cb";

/// A storey of 0 is "not given": the ground floor is 1.
const STOREY: &str = "floor_number";

/// Whether a value is the struct of an advert.
pub(crate) fn is_advert(value: &Value) -> bool {
    value.get(FUNCTION).is_some() && value.get(TYPE).is_some()
}

/// Whether the agency has made the advert inactive.
pub(crate) fn is_inactive(fields: &Map<String, Value>) -> bool {
    fields
        .get("user_status")
        .is_some_and(|status| *status == json!(false) || *status == json!(0))
}

/// The facts of an advert as an object of API v1, without its place.
pub(crate) fn as_api_v1(fields: &Map<String, Value>) -> Map<String, Value> {
    let shared = SHARED.iter().map(|name| (*name, *name));
    let mut object = Map::new();
    for (here, there) in RENAMED.into_iter().chain(shared) {
        let no_storey = |value: &&Value| here == STOREY && **value == json!(0);
        if let Some(value) = fields
            .get(here)
            .filter(|value| !is_empty(value) && !no_storey(value))
        {
            object.insert(there.to_owned(), in_type(there, value));
        }
    }
    object
}

/// The value as API v1 would send it.
fn in_type(name: &str, value: &Value) -> Value {
    match value {
        Value::Bool(truth) if TRUTHS.contains(&name) => json!(i64::from(*truth)),
        Value::Array(_) => value.clone(),
        one if MULTISELECTS.contains(&name) => json!([one]),
        _ => value.clone(),
    }
}

/// Empty texts and lists, by which a field is deleted; 0 is what API v1 means by "not given" as well.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}
