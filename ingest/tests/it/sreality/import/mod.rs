//! Adverts and feeds in the format of the portal's import interface.

mod session;
mod specification;

use ingest::portals::{is_feed_advert, read_feed_advert};
use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{ListingKey, OfferType, PinPrecision, Taken};
use serde_json::{Value, json};

use crate::payloads::{
    CASES, any_json, assert_cases_reviewed, assert_unread_once, assert_within_bounds, mutated,
    reasons, xml_fixture,
};

const FORMAT: &str = "sreality_import";

fn reading(case: &str) -> Reading {
    read_feed_advert(&json!(xml_fixture(FORMAT, case))).unwrap()
}

/// Returns the advert of a fixture as JSON.
fn advert(case: &str) -> Value {
    let text = xml_fixture(FORMAT, case);
    let message = ingest::xml_rpc::messages(text.as_bytes())
        .next()
        .unwrap()
        .unwrap();
    let ingest::xml_rpc::Message::Call { mut params, .. } = message else {
        panic!("{message:?}")
    };
    params.pop().unwrap()
}

/// Reads the advert of a fixture with some fields changed.
fn with(case: &str, fields: &Value) -> Reading {
    let mut advert = advert(case);
    for (name, value) in fields.as_object().unwrap() {
        advert[name] = value.clone();
    }
    read_feed_advert(&advert).unwrap()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    assert_cases_reviewed(FORMAT, reading);
}

#[test]
fn a_call_its_bare_struct_and_json_read_alike() {
    let call = xml_fixture(FORMAT, "flat-sale");
    let expected = reading("flat-sale");
    let start = call.find("<struct>").unwrap();
    let end = call.find("</struct>").unwrap() + "</struct>".len();
    assert_eq!(
        read_feed_advert(&json!(call.get(start..end).unwrap())).unwrap(),
        expected
    );
    assert_eq!(read_feed_advert(&advert("flat-sale")).unwrap(), expected);
}

#[test]
fn the_place_is_shown_only_as_exactly_as_the_agency_allows() {
    let shown = |level: i64| {
        let listing = with("flat-sale", &json!({"locality_inaccuracy_level": level})).listing;
        assert_eq!(listing.evidence.house_number.as_deref(), Some("812/34"));
        let attributes = listing.attributes;
        (
            attributes.location.is_some(),
            attributes.street,
            attributes.address.unwrap(),
            listing.evidence.pin,
        )
    };
    let street = || Some("Wolkerova".to_owned());
    let line = |text: &str| text.to_owned();
    assert_eq!(
        shown(1),
        (
            true,
            street(),
            line("Wolkerova 812/34, Olomouc - Nová Ulice"),
            Some(PinPrecision::Exact)
        )
    );
    assert_eq!(
        shown(2),
        (
            false,
            street(),
            line("Wolkerova, Olomouc - Nová Ulice"),
            None
        )
    );
    assert_eq!(shown(3), (false, None, line("Olomouc - Nová Ulice"), None));
}

#[test]
fn only_a_code_of_an_address_point_is_kept() {
    assert_eq!(
        reading("flat-sale").listing.evidence.address_point,
        Some(24_000_001)
    );
    assert_eq!(reading("blurred-pin").listing.evidence.address_point, None);
}

#[test]
fn fields_that_only_the_interface_has_are_read() {
    assert_eq!(
        reading("flat-sale")
            .listing
            .attributes
            .unit_number
            .as_deref(),
        Some("12")
    );
    assert_eq!(
        reading("share").listing.evidence.share.as_deref(),
        Some("1/6")
    );
    assert_eq!(
        reading("share").listing.attributes.offer_type,
        Some(OfferType::Sale)
    );
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    let published =
        json!({"advert_url": "https://www.sreality.cz/detail/prodej/byt/3+1/olomouc--/990000001"});
    let published = with("flat-sale", &published);
    assert_eq!(
        published.listing.evidence.same_as,
        Some(ListingKey::new("sreality", "990000001"))
    );
    assert!(published.url.unwrap().ends_with("/990000001"));
    assert_eq!(
        with("flat-sale", &json!({"advert_url": "javascript:1"})).url,
        None
    );
}

#[test]
fn booleans_and_codes_may_be_sent_as_each_other() {
    let lift = |value: Value| {
        with("flat-sale", &json!({"elevator": value}))
            .listing
            .attributes
            .elevator
    };
    assert_eq!(
        [lift(json!(1)), lift(json!(2)), lift(json!(0))],
        [Some(true), Some(false), None]
    );
    assert_eq!(lift(json!(true)), Some(true));
    let flag = |value: Value| {
        with("flat-sale", &json!({"terrace": value}))
            .listing
            .attributes
            .terrace
    };
    assert_eq!(
        [flag(json!(1)), flag(json!(true)), flag(json!(0))],
        [Some(true), Some(true), Some(false)]
    );
    let heated = with("flat-sale", &json!({"heating_source": 3}))
        .listing
        .attributes;
    assert_eq!(heated.heating_source.as_deref(), Some("gas"));
}

#[test]
fn empty_values_mean_not_given() {
    let blank = json!({"advert_code": "", "description": " ", "locality_street": "", "locality_cp": "",
        "heating_source": [], "gully": 0, "usable_area": 0, "ownership": 0, "apartment_number": 0});
    let reading = with("flat-sale", &blank);
    assert_eq!(reasons(&reading), []);
    let attributes = &reading.listing.attributes;
    assert_eq!(
        (
            &attributes.description,
            &attributes.street,
            &attributes.unit_number
        ),
        (&None, &None, &None)
    );
    assert_eq!(
        (
            attributes.living_area,
            attributes.ownership,
            &attributes.sewerage
        ),
        (None, None, &None)
    );
    assert_eq!(
        (
            &reading.listing.evidence.order_code,
            &attributes.heating_source
        ),
        (&None, &None)
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_unread_once(
        &reading,
        &[
            "offerType",
            "subtype",
            "priceTotal",
            "livingArea",
            "houseNumber",
            "addressPoint",
            "pin",
            "balcony",
            "elevator",
            "equipment",
            "propertyState",
            "buildingType",
            "ownership",
            "energyClass",
            "housePosition",
            "heatingSource",
            "sewerage",
            "floor",
            "floorCount",
            "taken",
        ],
    );
    assert_eq!(reading.listing.attributes.barrier_free, Some(true));
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
}

#[test]
fn an_inactive_advert_is_gone() {
    for status in [json!(false), json!(0)] {
        let mut advert = advert("minimal");
        advert["user_status"] = status;
        assert!(matches!(
            read_feed_advert(&advert),
            Err(PayloadError::Gone {
                said: "user_status is false"
            })
        ));
    }
}

#[test]
fn a_payload_without_exactly_one_advert_is_refused() {
    let refused = |payload: &Value| {
        let error = read_feed_advert(payload).unwrap_err();
        assert!(
            matches!(error, PayloadError::Shape { .. }),
            "{payload}: {error}"
        );
    };
    for payload in [
        json!(7),
        json!({"id": 1}),
        json!("<html></html>"),
        json!("text"),
        json!("<struct>"),
    ] {
        assert!(!is_feed_advert(&payload), "{payload}");
        refused(&payload);
    }
    refused(&json!(format!("{0}{0}", xml_fixture(FORMAT, "minimal"))));
}

proptest! {
    #[test]
    fn any_json_reads_without_panic(payload in any_json()) {
        let _ = read_feed_advert(&payload);
    }

    #[test]
    fn a_mutated_advert_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().map(advert).collect())
    ) {
        assert_within_bounds(read_feed_advert, &payload, "https://");
    }

    #[test]
    fn a_damaged_call_reads_without_panic(at in any::<prop::sample::Index>(), piece in "\\PC{0,8}|<[a-z]{0,6}>?") {
        let mut call = xml_fixture(FORMAT, "flat-sale");
        let places: Vec<usize> = call.char_indices().map(|(place, _)| place).collect();
        call.insert_str(*at.get(&places), &piece);
        let _ = read_feed_advert(&json!(call));
    }
}
