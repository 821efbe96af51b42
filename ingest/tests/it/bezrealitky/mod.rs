//! The bezrealitky adapter.

mod facts;
mod real;

use ingest::portals::bezrealitky::read;
use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::PropertyType;
use serde_json::{Value, json};

use crate::payloads::{CASES, any_json, dumped, fixture, mutated};

fn reading(case: &str) -> Reading {
    read(&fixture("bezrealitky", case)).unwrap()
}

/// The bare advert of a fixture, with some fields set anew.
fn with(case: &str, fields: &Value) -> Reading {
    let payload = fixture("bezrealitky", case);
    let mut advert = payload.pointer("/data/advert").unwrap_or(&payload).clone();
    for (name, value) in fields.as_object().unwrap() {
        advert[name] = value.clone();
    }
    read(&advert).unwrap()
}

fn reasons(reading: &Reading) -> Vec<(&str, &str)> {
    reading.unread.iter().map(|reject| (reject.field.as_str(), reject.reason.as_str())).collect()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/bezrealitky");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

#[test]
fn an_answer_its_advert_and_a_page_read_alike() {
    let answer = fixture("bezrealitky", "flat-sale");
    let advert = &answer["data"]["advert"];
    let expected = read(&answer).unwrap();
    assert_eq!(read(advert).unwrap(), expected);
    assert_eq!(read(&json!({"advert": advert})).unwrap(), expected);
    let data = json!({"props": {"pageProps": {"advert": advert}}});
    assert_eq!(read(&data).unwrap(), expected);
    let page = format!(
        "<html><body><p>x</p><script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></body></html>"
    );
    assert_eq!(read(&json!(page)).unwrap(), expected);
}

#[test]
fn the_fullest_advert_of_a_page_is_its_own_and_read_in_czech() {
    let page = reading("flat-rent");
    assert_eq!(
        page.url.as_deref(),
        Some("https://www.bezrealitky.cz/nemovitosti-byty-domy/990002-nabidka-vzorova")
    );
    assert_eq!(page.listing.attributes.title.as_deref(), Some("Pronájem bytu 2+kk 54 m²"));
    assert_eq!(page.listing.attributes.address.as_deref(), Some("Klapkova, Praha - Kobylisy"));
}

#[test]
fn values_not_understood_are_counted_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    let fields: Vec<&str> = reading.unread.iter().map(|reject| reject.field.as_str()).collect();
    for field in [
        "subtype",
        "arrangement",
        "priceTotal",
        "livingArea",
        "elevator",
        "equipment",
        "floor",
        "buildingType",
        "propertyState",
        "ownership",
        "energyClass",
        "heatingSource",
        "sewerage",
        "housePosition",
        "addressPoint",
    ] {
        assert_eq!(fields.iter().filter(|name| **name == field).count(), 1, "{field}: {fields:?}");
    }
    assert_eq!(reading.listing.attributes.property_type, Some(PropertyType::Apartment));
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
}

#[test]
fn a_removed_advert_is_gone() {
    let mut paused = fixture("bezrealitky", "garage");
    for answer in [json!({"data": {"advert": null}}), json!({"advert": null})] {
        assert!(matches!(read(&answer), Err(PayloadError::Gone { said: "advert is null" })), "{answer}");
    }
    paused["active"] = json!(false);
    assert!(matches!(read(&paused), Err(PayloadError::Gone { said: "active is false" })));
    paused["active"] = json!(true);
    paused["archived"] = json!(true);
    assert!(matches!(read(&paused), Err(PayloadError::Gone { said: "archived is true" })));
}

#[test]
fn a_payload_that_is_no_advert_is_refused_by_name() {
    assert!(matches!(read(&json!(7)), Err(PayloadError::Shape { found: "a number", .. })));
    assert!(matches!(read(&json!({"id": "1"})), Err(PayloadError::Shape { .. })));
    let page = read(&json!("<html></html>")).unwrap_err();
    assert_eq!(
        page.to_string(),
        "the payload has no script element __NEXT_DATA__, which every bezrealitky page carries"
    );
}

#[test]
fn the_demo_dumps_name_the_pages_that_are_built() {
    for (url, payload) in dumped("bezrealitky") {
        let reading = read(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert!(reading.listing.attributes.offer_type.is_some());
    }
}

proptest! {
    #[test]
    fn any_json_reads_without_panic(payload in any_json()) {
        let _ = read(&payload);
    }

    #[test]
    fn a_mutated_advert_reads_without_panic_and_stays_in_sense(
        payload in mutated(CASES.into_iter().map(|case| fixture("bezrealitky", case)).collect())
    ) {
        if let Ok(mut reading) = read(&payload) {
            prop_assert!(ingest::sense::keep_sense(&mut reading.listing).is_empty());
            let page = "https://www.bezrealitky.cz/nemovitosti-byty-domy/";
            prop_assert!(reading.url.is_none_or(|url| url.starts_with(page)));
        }
    }
}
