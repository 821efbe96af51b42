//! The bezrealitky adapter.

mod facts;
mod real;

use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::PropertyType;
use serde_json::{Value, json};

use crate::payloads::{
    CASES, assert_reviewed, assert_unread_once, assert_within_bounds, dumped, fixture, mutated,
    read_payload, reasons,
};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("bezrealitky", payload)
}

fn reading(case: &str) -> Reading {
    read_advert(&fixture("bezrealitky", case)).unwrap()
}

/// Reads the bare advert of a fixture, with some fields changed.
fn with(case: &str, fields: &Value) -> Reading {
    let payload = fixture("bezrealitky", case);
    let mut advert = payload.pointer("/data/advert").unwrap_or(&payload).clone();
    for (name, value) in fields.as_object().unwrap() {
        advert[name] = value.clone();
    }
    read_advert(&advert).unwrap()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    assert_reviewed("bezrealitky", read_advert);
}

#[test]
fn an_answer_its_advert_and_a_page_read_alike() {
    let answer = fixture("bezrealitky", "flat-sale");
    let advert = &answer["data"]["advert"];
    let expected = read_advert(&answer).unwrap();
    assert_eq!(read_advert(advert).unwrap(), expected);
    assert_eq!(read_advert(&json!({"advert": advert})).unwrap(), expected);
    let data = json!({"props": {"pageProps": {"advert": advert}}});
    assert_eq!(read_advert(&data).unwrap(), expected);
    let page = format!(
        "<html><body><p>x</p><script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></body></html>"
    );
    assert_eq!(read_advert(&json!(page)).unwrap(), expected);
    assert_eq!(
        read_advert(&json!({"url": "https://example.cz/1", "html": page})).unwrap(),
        expected
    );
}

#[test]
fn the_advert_with_most_fields_is_the_pages_own_and_read_in_czech() {
    let page = reading("flat-rent");
    assert_eq!(
        page.url.as_deref(),
        Some("https://www.bezrealitky.cz/nemovitosti-byty-domy/990002-nabidka-vzorova")
    );
    assert_eq!(
        page.listing.attributes.title.as_deref(),
        Some("Pronájem bytu 2+kk 54 m²")
    );
    assert_eq!(
        page.listing.attributes.address.as_deref(),
        Some("Klapkova, Praha - Kobylisy")
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_unread_once(
        &reading,
        &[
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
        ],
    );
    assert_eq!(
        reading.listing.attributes.property_type,
        Some(PropertyType::Apartment)
    );
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
}

#[test]
fn a_removed_advert_is_gone() {
    let mut paused = fixture("bezrealitky", "garage");
    for answer in [json!({"data": {"advert": null}}), json!({"advert": null})] {
        assert!(
            matches!(
                read_advert(&answer),
                Err(PayloadError::Gone {
                    said: "advert is null"
                })
            ),
            "{answer}"
        );
    }
    paused["active"] = json!(false);
    assert!(matches!(
        read_advert(&paused),
        Err(PayloadError::Gone {
            said: "active is false"
        })
    ));
    paused["active"] = json!(true);
    paused["archived"] = json!(true);
    assert!(matches!(
        read_advert(&paused),
        Err(PayloadError::Gone {
            said: "archived is true"
        })
    ));
}

#[test]
fn a_payload_that_is_not_an_advert_is_refused() {
    assert!(matches!(
        read_advert(&json!(7)),
        Err(PayloadError::Shape {
            found: "a number",
            ..
        })
    ));
    assert!(matches!(
        read_advert(&json!({"id": "1"})),
        Err(PayloadError::Shape { .. })
    ));
    let page = read_advert(&json!("<html></html>")).unwrap_err();
    assert_eq!(
        page.to_string(),
        "the payload has no script element __NEXT_DATA__, which every bezrealitky page carries"
    );
}

#[test]
fn the_demo_dumps_name_the_pages_that_are_built() {
    for (url, payload) in dumped("bezrealitky") {
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert!(reading.listing.attributes.offer_type.is_some());
    }
}

proptest! {
    #[test]
    fn a_mutated_advert_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().map(|case| fixture("bezrealitky", case)).collect())
    ) {
        assert_within_bounds(read_advert, &payload, "https://www.bezrealitky.cz/nemovitosti-byty-domy/");
    }
}
