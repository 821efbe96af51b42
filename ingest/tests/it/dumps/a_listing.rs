//! A listing in the terms of the specification.

use ingest::dumps::parse_listing;
use schema::offer_fields::FIELDS;
use schema::{Arrangement, Attributes, Listing, Location, Subtype};

use super::listing_reason;

fn attributes(body: &str) -> Attributes {
    let reading = parse_listing(body).unwrap_or_else(|error| panic!("{body}: {error}"));
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
    reading.listing.attributes
}

#[test]
fn holds_every_optional_field_of_an_offer() {
    let body = r#"{"location":{"lat":50.1,"lng":14.5},"title":"Byt","description":"Text","city":"Praha",
        "street":"Na Kopci","region":"Praha","neighborhood":"Libeň","district":"Praha","postalCode":"180 00",
        "address":"Na Kopci, Praha","unitNumber":"12","type":"apartment","subtype":"other","offerType":"sale",
        "arrangement":"2+kk","propertyState":"good","ownership":"private","buildingType":"brick",
        "priceTotal":5000000,"livingArea":50.5,"landArea":20,"floor":-1,"floorCount":5,"equipment":"full",
        "garden":true,"storage":false,"balcony":true,"loggia":true,"terrace":true,"garage":true,"elevator":true,
        "parking":true,"barrierFree":true,"swimmingPool":true,"gardenArea":1,"storageArea":2,"balconyArea":3,
        "loggiaArea":4,"terraceArea":5,"garageArea":6,"energyClass":"G","heatingSource":"gas",
        "heatingType":"local","sewerage":"communal","housePosition":"terraced"}"#;
    let read = attributes(body);
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(
        written,
        serde_json::from_str::<serde_json::Value>(body).unwrap()
    );
    let fields: Vec<_> = written
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let table: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(fields, table);
}

#[test]
fn may_hold_nothing() {
    assert_eq!(attributes("{}"), Attributes::default());
}

#[test]
fn may_be_without_a_location() {
    assert_eq!(attributes(r#"{"location":null}"#).location, None);
    assert_eq!(
        attributes(r#"{"location":{"lat":50,"lng":14.5}}"#).location,
        Some(Location {
            lat: 50.0,
            lng: 14.5
        })
    );
}

#[test]
fn takes_null_and_empty_texts_for_unknown() {
    let read = attributes(
        r#"{"title":"","city":"  ","priceTotal":null,"floor":null,"type":null,"garden":null}"#,
    );
    assert_eq!(read, Attributes::default());
}

#[test]
fn takes_texts_as_the_portal_wrote_them() {
    let read =
        attributes(r#"{"title":" Byt\u00a02+kk\n","energyClass":"G - mimořádně nehospodárná"}"#);
    assert_eq!(read.title.as_deref(), Some(" Byt\u{a0}2+kk\n"));
    assert_eq!(
        read.energy_class.as_deref(),
        Some("G - mimořádně nehospodárná")
    );
}

#[test]
fn takes_whole_numbers_however_they_are_written() {
    let read = attributes(r#"{"floor":2.0,"floorCount":1e1}"#);
    assert_eq!((read.floor, read.floor_count), (Some(2), Some(10)));
}

#[test]
fn drops_a_floor_that_is_not_a_whole_number_and_keeps_the_rest() {
    let reading = parse_listing(r#"{"floor":1.5,"floorCount":70000,"arrangement":"3+1"}"#).unwrap();
    let unread: Vec<_> = reading
        .unread
        .iter()
        .map(|unread| (&*unread.field, &*unread.value))
        .collect();
    assert_eq!(unread, [("floor", "1.5"), ("floorCount", "70000")]);
    let attributes = Attributes {
        arrangement: Some(Arrangement::R3P1),
        ..Attributes::default()
    };
    assert_eq!(
        reading.listing,
        Listing {
            attributes,
            ..Listing::default()
        }
    );
}

#[test]
fn is_rejected_for_a_value_outside_an_enumeration() {
    assert_eq!(
        listing_reason(r#"{"offerType":"lease"}"#),
        "listing.offerType is \"lease\"; accepted: one of sale, rent, exchange, auction"
    );
    assert_eq!(
        attributes(r#"{"subtype":"wine_cellar"}"#).subtype,
        Some(Subtype::WineCellar)
    );
    for field in [
        "type",
        "subtype",
        "arrangement",
        "propertyState",
        "ownership",
        "buildingType",
        "equipment",
    ] {
        for value in [r#""Byt""#, r#""""#, "1", "{}"] {
            let reason = listing_reason(&format!(r#"{{"{field}":{value}}}"#));
            assert!(
                reason.starts_with(&format!("listing.{field} is {value}; accepted: one of ")),
                "{reason}"
            );
        }
    }
}

#[test]
fn is_rejected_for_a_value_of_another_type() {
    for (body, expected) in [
        (r#"{"title":5}"#, "listing.title is 5; accepted: a text"),
        (
            r#"{"priceTotal":"5 000 000 Kč"}"#,
            "listing.priceTotal is \"5 000 000 Kč\"; accepted: a number",
        ),
        (
            r#"{"floor":"2"}"#,
            "listing.floor is \"2\"; accepted: a number",
        ),
        (
            r#"{"livingArea":1e999}"#,
            "listing.livingArea is 1e999; accepted: a number",
        ),
        (
            r#"{"garage":"ano"}"#,
            "listing.garage is \"ano\"; accepted: true or false",
        ),
        (
            r#"{"location":[50,14]}"#,
            "listing.location is [50,14]; accepted: an object",
        ),
        (r#"{"location":{"lat":50}}"#, "listing.location has no lng"),
        (
            r#"{"location":{"lat":50,"lng":null}}"#,
            "listing.location.lng is null; accepted: a number",
        ),
        ("[]", "listing is []; accepted: an object"),
    ] {
        assert_eq!(listing_reason(body), expected);
    }
}

#[test]
fn is_rejected_for_an_unpaired_surrogate() {
    assert!(
        listing_reason(r#"{"title":"\ud800"}"#)
            .starts_with(r#"listing.title is "\ud800"; accepted: a text"#)
    );
}

#[test]
fn is_rejected_for_an_unknown_field() {
    for (field, nearest) in [
        ("living_area", "livingArea"),
        ("price", "priceTotal"),
        ("postcode", "postalCode"),
        ("offertype", "offerType"),
        ("neighbourhood", "neighborhood"),
    ] {
        let reason = listing_reason(&format!(r#"{{"{field}":1}}"#));
        let expected = format!(
            "listing has the unknown key {field:?}; the nearest known one is {nearest:?}; accepted: location, "
        );
        assert!(reason.starts_with(&expected), "{reason}");
    }
    for field in [
        "evidence",
        "id",
        "firstSeenAt",
        "isLive",
        "portalLinks",
        "priceHistory",
    ] {
        let reason = listing_reason(&format!(r#"{{"{field}":{{}}}}"#));
        assert!(
            reason.starts_with("listing has the unknown key"),
            "{reason}"
        );
    }
}

#[test]
fn is_shown_shortened_in_the_reason() {
    let reason = listing_reason(&format!(r#"{{"location":"{}"}}"#, "ž".repeat(500)));
    assert!(reason.chars().count() < 200, "{reason}");
}
