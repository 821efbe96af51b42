//! The ulovdomov adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{Arrangement, Equipment, OfferType, PropertyType, Taken};
use serde_json::{Value, json};

use crate::payloads::{
    CASES, assert_reviewed, assert_unread_once, assert_within_bounds, dumped, fixture, mutated,
    read_payload, reasons,
};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("ulovdomov", payload)
}

fn reading(case: &str) -> Reading {
    read_advert(&fixture("ulovdomov", case)).unwrap()
}

/// The smallest advert, with some fields set.
fn with(fields: &Value) -> Reading {
    let mut advert = fixture("ulovdomov", "minimal");
    for (name, value) in fields.as_object().unwrap() {
        advert[name] = value.clone();
    }
    read_advert(&advert).unwrap()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    assert_reviewed("ulovdomov", read_advert);
}

#[test]
fn an_answer_its_advert_and_a_page_read_alike() {
    let answer = fixture("ulovdomov", "flat-sale");
    let advert = &answer["data"]["offers"][0];
    let expected = read_advert(&answer).unwrap();
    assert_eq!(read_advert(advert).unwrap(), expected);
    let data = json!({"props": {"pageProps": {"offer": {"data": advert}}}});
    assert_eq!(read_advert(&data).unwrap(), expected);
    let page = format!(
        "<html><script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></html>"
    );
    assert_eq!(read_advert(&json!(page)).unwrap(), expected);
    assert_eq!(
        read_advert(&json!({"url": "https://example.cz/1", "html": page})).unwrap(),
        expected
    );
}

#[test]
fn the_text_decides_from_where_a_floor_is_counted() {
    let floor = |level: Value, text: &str| {
        with(&json!({"floorLevel": level, "description": text}))
            .listing
            .attributes
            .floor
    };
    assert_eq!(floor(json!(3), ""), Some(2));
    assert_eq!(floor(json!(3), "Byt se nachází ve 3. NP."), Some(2));
    assert_eq!(floor(json!(3), "Byt se nachází ve 3. patře."), Some(3));
    assert_eq!(floor(json!(3), "Byt se nachází v 8. patře."), Some(2));
    assert_eq!(floor(json!(null), "Byt se nachází v 8. patře."), Some(8));
    assert_eq!(floor(json!(0), ""), Some(0));
    assert_eq!(floor(json!(-1), ""), Some(-1));
    assert_eq!(floor(json!(127), ""), None);
}

#[test]
fn text_that_the_form_adds_is_cut_off() {
    let description = reading("house-sale")
        .listing
        .attributes
        .description
        .unwrap();
    assert!(description.ends_with("tepelné čerpadlo."), "{description}");
    let only_form = with(&json!({"description": "\n - - - - - - - - - - - -\n\nProvize: Ano\n"}));
    assert_eq!(only_form.listing.attributes.description, None);
}

#[test]
fn a_price_of_one_or_in_another_unit_is_left_out() {
    let priced = |fields: Value| with(&fields).listing.attributes.price_total;
    let crowns = |value: i64| json!({"value": value, "currency": "CZK"});
    assert_eq!(
        priced(json!({"rentalPrice": crowns(1), "priceUnit": "perMonth"})),
        None
    );
    assert_eq!(
        priced(json!({"rentalPrice": crowns(15_000), "priceUnit": "perMonth"})),
        Some(15_000.0)
    );
    assert_eq!(
        priced(json!({"sellingPrice": crowns(15_000)})),
        Some(15_000.0)
    );
    let odd =
        with(&json!({"rentalPrice": {"value": 900, "currency": "EUR"}, "priceUnit": "perMonth"}));
    assert_eq!(reasons(&odd), [("priceTotal", "a currency other than CZK")]);
    let sold = json!({"offerType": "sale", "rentalPrice": crowns(15_000), "priceUnit": "perMonth"});
    assert_eq!(
        reasons(&with(&sold)),
        [("priceTotal", "a rent for something that is not let")]
    );
}

#[test]
fn a_ticked_garden_is_ignored_and_a_feature_not_ticked_stays_unknown() {
    let attributes = reading("flat-sale").listing.attributes;
    assert_eq!((attributes.garden, attributes.balcony), (None, None));
    assert_eq!(
        (attributes.elevator, attributes.storage, attributes.parking),
        (Some(true), Some(true), Some(true))
    );
}

#[test]
fn a_room_with_an_interested_person_is_a_reserved_flat() {
    let room = reading("reserved");
    assert_eq!(room.listing.evidence.taken, Some(Taken::Reserved));
    let attributes = room.listing.attributes;
    assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
    assert_eq!(attributes.arrangement, Some(Arrangement::Other));
    assert_eq!(attributes.offer_type, Some(OfferType::Rent));
    assert_eq!(attributes.equipment, Some(Equipment::Full));
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_unread_once(
        &reading,
        &[
            "offerType",
            "type",
            "arrangement",
            "subtype",
            "priceTotal",
            "livingArea",
            "neighborhood",
            "propertyState",
            "buildingType",
            "ownership",
            "heatingSource",
            "energyClass",
            "floor",
            "floorCount",
            "landArea",
            "parking",
            "Kouzla",
        ],
    );
    assert_eq!(
        reasons(&reading)
            .iter()
            .filter(|(field, _)| *field == "convenience")
            .count(),
        4
    );
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
}

#[test]
fn a_missing_advert_is_gone() {
    let page = json!({"props": {"pageProps": {"offer": {"success": false, "data": null}}}});
    let answer = json!({"success": true, "data": {"offers": []}, "extraData": {"total": 0}});
    for payload in [page, answer] {
        assert!(
            matches!(read_advert(&payload), Err(PayloadError::Gone { .. })),
            "{payload}"
        );
    }
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
        read_advert(&json!({"id": 1})),
        Err(PayloadError::Shape { .. })
    ));
    let advert = fixture("ulovdomov", "minimal");
    let two = json!({"data": {"offers": [advert, advert]}});
    assert!(matches!(read_advert(&two), Err(PayloadError::Shape { .. })));
    let page = read_advert(&json!("<html></html>")).unwrap_err();
    assert_eq!(
        page.to_string(),
        "the payload has no script element __NEXT_DATA__, which every ulovdomov page carries"
    );
}

#[test]
fn the_demo_dumps_name_the_pages_that_are_built() {
    for (url, payload) in dumped("ulovdomov") {
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert_eq!(reading.unread, []);
        assert!(reading.listing.attributes.offer_type.is_some());
    }
}

proptest! {
    #[test]
    fn a_mutated_advert_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().map(|case| fixture("ulovdomov", case)).collect())
    ) {
        assert_within_bounds(read_advert, &payload, "https://www.ulovdomov.cz/inzerat/");
    }
}
