//! The sreality adapter.

mod import;
mod offer;
mod property;
mod real;
mod v2;

use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::PropertyType;
use serde_json::{Value, json};

use crate::payloads::{
    CASES, assert_unread_once, assert_within_bounds, dumped, fixture, mutated, read_payload,
    reasons,
};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("sreality", payload)
}

fn reading(case: &str) -> Reading {
    read_advert(&fixture("sreality", case)).unwrap()
}

/// Reads the advert of a fixture, without its envelope, with some fields changed.
fn with(case: &str, fields: &Value) -> Reading {
    let mut payload = fixture("sreality", case);
    let estate = if payload.get("result").is_some() {
        &mut payload["result"]
    } else {
        &mut payload
    };
    for (name, value) in fields.as_object().unwrap() {
        estate[name] = value.clone();
    }
    read_advert(&payload).unwrap()
}

fn code(value: i64, name: &str) -> Value {
    json!({"name": name, "value": value})
}

#[test]
fn every_fixture_reads_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/sreality");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES.into_iter().chain(["v2-flat-sale"]) {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

#[test]
fn an_envelope_and_the_bare_advert_read_alike() {
    let enveloped = fixture("sreality", "flat-sale");
    assert_eq!(
        read_advert(&enveloped).unwrap(),
        read_advert(&enveloped["result"]).unwrap()
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_unread_once(
        &reading,
        &[
            "subtype",
            "livingArea",
            "balcony",
            "elevator",
            "equipment",
            "buildingType",
            "propertyState",
            "ownership",
            "energyClass",
            "heatingSource",
            "sewerage",
            "pin",
            "postalCode",
            "floor",
        ],
    );
    let attributes = &reading.listing.attributes;
    assert_eq!(attributes.price_total, Some(4_100_000.0));
    assert_eq!(attributes.heating_source.as_deref(), Some("gas"));
    assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
}

#[test]
fn a_payload_that_is_not_an_advert_is_refused() {
    assert!(matches!(
        read_advert(&json!([])),
        Err(PayloadError::Shape {
            found: "an array",
            ..
        })
    ));
    assert!(matches!(
        read_advert(&json!("<html>")),
        Err(PayloadError::Shape {
            found: "a text",
            ..
        })
    ));
    assert!(matches!(
        read_advert(&json!({"a": 1})),
        Err(PayloadError::Shape { .. })
    ));
    let nameless = read_advert(&json!({"advert_name": "Prodej bytu"})).unwrap_err();
    assert_eq!(
        nameless.to_string(),
        "the payload has no hash_id, which every advert of API v1 carries"
    );
}

#[test]
fn a_removed_advert_is_gone() {
    for answer in [
        json!({"logged_in": false}),
        json!({"result": null, "status_code": 404, "status_message": "Not found"}),
        json!({"status_code": 410}),
    ] {
        assert!(
            matches!(read_advert(&answer), Err(PayloadError::Gone { .. })),
            "{answer}"
        );
    }
}

#[test]
fn the_demo_dumps_name_the_pages_that_are_built() {
    for (url, payload) in dumped("sreality") {
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert!(reading.listing.attributes.offer_type.is_some());
    }
}

proptest! {
    #[test]
    fn a_mutated_advert_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().chain(["v2-flat-sale"]).map(|case| fixture("sreality", case)).collect())
    ) {
        assert_within_bounds(read_advert, &payload, "https://www.sreality.cz/detail/");
    }
}
