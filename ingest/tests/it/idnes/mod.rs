//! The idnes adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use schema::{
    Equipment, Location, OfferType, PinPrecision, PropertyState, PropertyType, Subtype, Taken,
};
use serde_json::Value;

use crate::payloads::{page_with, read_payload, unread_fields};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("idnes", payload)
}

/// The fixture's HTML.
fn page(case: &str) -> String {
    crate::payloads::page("idnes", case)
}

fn read_page(html: &str) -> Reading {
    crate::payloads::read_page("idnes", html)
}

fn reading(case: &str) -> Reading {
    read_page(&page(case))
}

/// Reads the fixture with a piece of its HTML replaced.
#[track_caller]
fn with(case: &str, piece: &str, replacement: &str) -> Reading {
    page_with("idnes", case, piece, replacement)
}

#[test]
fn the_struck_out_price_is_not_the_price() {
    assert_eq!(
        reading("flat-sale").listing.attributes.price_total,
        Some(5_490_000.0)
    );
}

#[test]
fn a_price_on_request_is_left_out_without_a_reject() {
    let reading = reading("price-on-request");
    assert_eq!(reading.listing.attributes.price_total, None);
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
    for words in ["Info o ceně u RK", "Dohodou", "1 Kč"] {
        let reading = with("price-on-request", "Cena na vyžádání", words);
        assert_eq!(reading.listing.attributes.price_total, None, "{words}");
    }
}

#[test]
fn a_price_in_euro_is_left_out_with_its_reason() {
    let reading = with("price-on-request", "Cena na vyžádání", "249 000 €");
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(reading.unread[0].reason, "in another currency");
}

#[test]
fn floors_count_from_the_ground() {
    for (words, floor) in [
        ("přízemí (1. NP = nadzemní podlaží)", 0),
        ("snížené přízemí (1. PP = podzemní podlaží)", 0),
        ("17. patro (18. NP)", 17),
        ("1. PP", -1),
    ] {
        let reading = with("ground-floor", "zvýšené přízemí (1. NP)", words);
        assert_eq!(reading.listing.attributes.floor, Some(floor), "{words}");
    }
}

#[test]
fn the_storeys_of_a_flat_are_not_those_of_its_house() {
    let attributes = reading("flat-sale").listing.attributes;
    assert_eq!(
        (attributes.floor, attributes.floor_count),
        (Some(3), Some(10))
    );
}

#[test]
fn the_condition_of_the_flat_comes_before_that_of_its_house() {
    assert_eq!(
        reading("flat-sale").listing.attributes.property_state,
        Some(PropertyState::AfterRenovation)
    );
}

#[test]
fn the_pin_is_the_listings_own_and_has_a_precision() {
    let exact = reading("flat-sale").listing;
    assert_eq!(
        exact.attributes.location,
        Some(Location {
            lat: 50.027_184_6,
            lng: 15.215_439_1
        })
    );
    assert_eq!(exact.evidence.pin, Some(PinPrecision::Exact));
    assert_eq!(
        reading("blurred-pin").listing.evidence.pin,
        Some(PinPrecision::Street)
    );
    assert_eq!(
        reading("land-sale").listing.evidence.pin,
        Some(PinPrecision::Municipality)
    );
}

#[test]
fn a_listing_without_a_place_does_not_get_a_neighbours_place() {
    let hidden = with("flat-sale", "\"isSimilar\": false", "\"isSimilar\": true").listing;
    assert_eq!(
        hidden.attributes.location,
        Some(Location {
            lat: 50.027_184_6,
            lng: 15.215_439_1
        })
    );
    assert_eq!(hidden.evidence.pin, None);
}

#[test]
fn a_pin_that_the_page_calls_inexact_is_not_exact() {
    let note = r#"<span id="overlayText">Nemovitost nemá přesnou adresu</span><div id="app-maps""#;
    let reading = with("flat-sale", r#"<div id="app-maps""#, note);
    assert_eq!(reading.listing.evidence.pin, Some(PinPrecision::Street));
}

#[test]
fn zero_zero_is_not_a_position() {
    let html = page("flat-sale")
        .replace("15.2154391", "0")
        .replace("50.0271846", "0");
    let reading = read_page(&html);
    assert_eq!(
        (
            reading.listing.attributes.location,
            reading.listing.evidence.pin
        ),
        (None, None)
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

#[test]
fn parts_of_prague_are_not_districts() {
    let attributes = reading("price-on-request").listing.attributes;
    assert_eq!(attributes.city.as_deref(), Some("Praha"));
    assert_eq!(attributes.district.as_deref(), Some("Praha"));
    assert_eq!(attributes.neighborhood.as_deref(), Some("Střešovice"));
    assert_eq!(
        attributes.address.as_deref(),
        Some("Na Ořechovce, Praha 6 - Střešovice")
    );
}

#[test]
fn the_portals_prefix_of_order_numbers_is_removed() {
    assert_eq!(
        reading("flat-sale").listing.evidence.order_code.as_deref(),
        Some("N112536")
    );
    assert_eq!(
        reading("house-sale").listing.evidence.order_code.as_deref(),
        Some("RNJ4 - P-2")
    );
}

#[test]
fn a_label_marks_a_property_as_reserved() {
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    assert_eq!(
        with("reserved", "\"Rezervováno\"", "\"Prodáno\"")
            .listing
            .evidence
            .taken,
        Some(Taken::Sold)
    );
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_eq!(
        unread_fields(&reading),
        [
            "Fotovoltaika",
            "buildingType",
            "energyClass",
            "equipment",
            "floor",
            "floorCount",
            "heatingSource",
            "housePosition",
            "livingArea",
            "ownership",
            "parking",
            "propertyState",
            "sewerage",
            "subtype",
        ]
    );
    let attributes = reading.listing.attributes;
    assert_eq!(attributes.price_total, Some(1_890_000.0));
    assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
}

#[test]
fn kinds_are_read_from_the_address_if_the_record_is_missing() {
    let html = page("garage")
        .replace("\"viewDetail\"", "\"other\"")
        .replace("cXenseParse:qiw-reaCategory", "x");
    let attributes = read_page(&html).listing.attributes;
    assert_eq!(attributes.offer_type, Some(OfferType::Sale));
    assert_eq!(
        (attributes.property_type, attributes.subtype),
        (Some(PropertyType::Other), Some(Subtype::GarageFull))
    );
    assert_eq!(attributes.city.as_deref(), Some("Ostrava"));
}

#[test]
fn a_row_with_a_cross_is_a_no() {
    let ticked = "<dd><span class=\"icon icon--check\"></span></dd>";
    let html =
        page("flat-rent").replace(ticked, "<dd><span class=\"icon icon--cross\"></span></dd>");
    let attributes = read_page(&html).listing.attributes;
    assert_eq!(
        (attributes.elevator, attributes.storage),
        (Some(false), Some(false))
    );
    assert_eq!(attributes.equipment, Some(Equipment::Full));
}

#[test]
fn a_payload_that_is_a_search_ends_the_listing() {
    let searched = r#"<link rel="canonical" href="https://reality.idnes.cz/s/prodej/byty/"><div class="c-products__item"></div>"#;
    assert!(matches!(
        read_advert(&Value::from(searched)),
        Err(PayloadError::Gone { .. })
    ));
}

#[test]
fn the_demo_dumps_name_their_pages_and_kinds() {
    let mut read_pages = 0;
    for month in ["09", "10", "11"] {
        let path = format!(
            "{}/../fixtures/dumps/idnes-2026-{month}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if !line["payload"].is_string() {
                continue;
            }
            let reading = read_advert(&line["payload"]).unwrap();
            assert_eq!(reading.url.as_deref(), line["url"].as_str());
            let attributes = reading.listing.attributes;
            assert!(
                attributes.offer_type.is_some() && attributes.city.is_some(),
                "{:?}",
                reading.url
            );
            let unforeseen = reading.unread.iter().find(|reject| {
                !["the property is abroad"].contains(&reject.reason.as_str())
                    && !reject.reason.starts_with("a plot outside")
            });
            assert_eq!(unforeseen, None, "{:?}", reading.url);
            read_pages += 1;
        }
    }
    assert!(read_pages > 100, "{read_pages}");
}
