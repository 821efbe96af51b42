//! The parameters of a search in the OpenAPI description, compared with the ones that are accepted, for any values.

use std::sync::LazyLock;

use api::params::{parse_search, token_in_query};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::resolved;

/// The query parameters of a search: names and schemas.
static DESCRIBED: LazyLock<Vec<(String, Value)>> = LazyLock::new(|| {
    let document = api::openapi::document("");
    let parameters = document["paths"]["/v1/offers"]["get"]["parameters"]
        .as_array()
        .unwrap();
    let in_query = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query");
    let named = in_query.map(|parameter| {
        (
            parameter["name"].as_str().unwrap().to_owned(),
            resolved(&document, &parameter["schema"]).clone(),
        )
    });
    named.filter(|(name, _)| name != "cursor").collect()
});

/// Whether a schema accepts a value that is sent as this text.
fn accepts(shape: &Value, text: &str) -> bool {
    let bounded = |number: f64| {
        shape["minimum"]
            .as_f64()
            .is_none_or(|least| number >= least)
            && shape["maximum"].as_f64().is_none_or(|most| number <= most)
    };
    let is_json = !text.contains(char::is_whitespace);
    match shape["type"].as_str().unwrap() {
        "number" => is_json && serde_json::from_str(text).is_ok_and(bounded),
        "integer" => {
            is_json && serde_json::from_str::<i64>(text).is_ok_and(|number| bounded(number as f64))
        }
        "boolean" => is_json && serde_json::from_str::<bool>(text).is_ok(),
        _ => {
            let length = text.chars().count() as u64;
            let is_listed = |listed: &Vec<Value>| listed.iter().any(|value| value == text);
            shape["enum"].as_array().is_none_or(is_listed)
                && length >= shape["minLength"].as_u64().unwrap_or(0)
                && length <= shape["maxLength"].as_u64().unwrap_or(u64::MAX)
        }
    }
}

/// The errors of a parameter sent with one value, except for those of rules between parameters.
fn fault(name: &str, value: &str) -> Option<String> {
    let encoded: Vec<String> = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let beside = match name {
        "lat" => "&lng=0",
        "lng" => "&lat=0",
        "radiusMeters" => "&lat=0&lng=0",
        _ => "",
    };
    let (_, faults) = parse_search(&format!("{name}={}{beside}", encoded.concat()), |_| true);
    let mut entries = faults.into_entries();
    assert!(
        entries.iter().all(|fault| fault.path == name),
        "{entries:?}"
    );
    entries.pop().map(|fault| fault.message)
}

/// Texts near what the schemas accept: their values and bounds, numbers in every notation, and any text.
fn texts() -> impl Strategy<Value = String> {
    let listed: Vec<String> = DESCRIBED
        .iter()
        .flat_map(|(_, shape)| shape["enum"].as_array().cloned().unwrap_or_default())
        .map(|value| value.as_str().unwrap().to_owned())
        .collect();
    let near_bounds =
        prop::sample::select(vec![0.0, 1.0, 50.0, 90.0, -90.0, 180.0, -180.0, 100_000.0]);
    prop_oneof![
        prop::sample::select(listed),
        (near_bounds, -2_i32..3, 0_i32..20).prop_map(|(bound, steps, power)| {
            (bound + f64::from(steps) * 10_f64.powi(-power)).to_string()
        }),
        any::<f64>().prop_filter_map("finite", |number| serde_json::Number::from_f64(number)
            .map(|n| n.to_string())),
        any::<i64>().prop_map(|number| number.to_string()),
        "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{0,3})?([eE][-+]?[0-9]{0,3})?",
        "[-+.,eE_ a-z]{0,6}",
        Just("true".to_owned()),
        Just("false".to_owned()),
        "\\PC{0,40}",
        (195_usize..305).prop_map(|length| "ř".repeat(length)),
    ]
}

proptest! {
    #[test]
    fn exactly_the_described_values_are_accepted((name, shape) in prop::sample::select(DESCRIBED.clone()), text in texts()) {
        let fault = fault(&name, &text);
        prop_assert_eq!(fault.is_none(), accepts(&shape, &text), "{}={:?}: {:?}", name, text, fault);
    }

    #[test]
    fn the_suggested_value_is_accepted((name, shape) in prop::sample::select(DESCRIBED.clone()), text in texts()) {
        let fault = fault(&name, &text);
        if let Some((_, nearest)) = fault.as_deref().and_then(|message| message.rsplit_once("; the nearest is ")) {
            prop_assert!(accepts(&shape, nearest), "{}={:?}: {}", name, text, nearest);
        }
    }

    #[test]
    fn any_bytes_of_a_query_are_parsed_or_get_an_error(query in "([ -~]|%[0-9A-Fa-f]{2}|[&=+]|token=|lat=|type=|[ěšč]){0,120}") {
        let (_, faults) = parse_search(&query, |text| text.len() % 2 == 0);
        let entries = faults.into_entries();
        for (place, fault) in entries.iter().enumerate() {
            prop_assert!(!fault.message.is_empty());
            prop_assert!(entries.iter().skip(place + 1).all(|other| other.path != fault.path));
        }
        let _ = token_in_query(&query);
    }
}

/// The longest accepted query, with as many names as fit: each gets an entry.
#[test]
fn the_longest_query_of_names_gets_an_entry_for_each() {
    let names: Vec<String> = (0..2_000).map(|n| format!("{n:x}")).collect();
    let (_, faults) = parse_search(&names.join("&"), |_| true);
    assert_eq!(faults.into_entries().len(), names.len());
}
