//! The place, the building and the features.

use schema::{BuildingType, PinPrecision};
use serde_json::{Value, json};

use super::{code, reading, with};
use crate::payloads::{CASES, fixture};

#[test]
fn storeys_count_from_the_ground() {
    let floor = |number: Value| {
        with("flat-sale", &json!({"floor_number": number}))
            .listing
            .attributes
            .floor
    };
    assert_eq!(floor(json!(1)), Some(0));
    assert_eq!(floor(json!(4)), Some(3));
    assert_eq!(floor(json!(0)), Some(0));
    assert_eq!(floor(json!(-1)), Some(-1));
    assert_eq!(floor(Value::Null), None);
}

#[test]
fn an_impossible_storey_is_rejected() {
    for number in [json!(900), json!(-40), json!(1e9), json!(1.5)] {
        let reading = with("flat-sale", &json!({"floor_number": number}));
        assert_eq!(reading.listing.attributes.floor, None);
        assert_eq!(reading.unread.len(), 1, "{number}");
        assert_eq!(reading.unread[0].field, "floor");
    }
}

#[test]
fn the_declared_precision_is_kept_with_the_position() {
    for (declared, precision) in [
        ("gps", Some(PinPrecision::Exact)),
        ("address", Some(PinPrecision::Exact)),
        ("street", Some(PinPrecision::Street)),
        ("ward", Some(PinPrecision::Quarter)),
        ("quarter", Some(PinPrecision::Quarter)),
        ("municipality", Some(PinPrecision::Municipality)),
        ("galaxy", None),
    ] {
        let mut locality = fixture("sreality", "flat-sale")["result"]["locality"].clone();
        locality["inaccuracy_type"] = json!(declared);
        let reading = with("flat-sale", &json!({"locality": locality}));
        assert_eq!(reading.listing.evidence.pin, precision, "{declared}");
        assert!(reading.listing.attributes.location.is_some());
    }
}

#[test]
fn the_agency_office_is_never_the_place() {
    for case in CASES {
        let text = serde_json::to_string(&reading(case)).unwrap();
        assert!(
            !text.contains("Masarykovo") && !text.contains("49.3961") && !text.contains("Javor"),
            "{case}"
        );
    }
    let nowhere = with("flat-sale", &json!({"locality": null}));
    assert_eq!(nowhere.listing.attributes.city, None);
    assert_eq!(nowhere.listing.attributes.location, None);
}

#[test]
fn sentinel_values_of_the_place_mean_not_given() {
    let place = reading("blurred-pin").listing;
    assert_eq!(place.attributes.postal_code, None);
    assert_eq!(place.attributes.street, None);
    assert_eq!(place.evidence.house_number, None);
    assert_eq!(
        place.attributes.address.as_deref(),
        Some("Milín, okres Příbram")
    );
}

#[test]
fn a_postal_district_of_prague_is_not_its_okres() {
    let place = reading("flat-rent").listing.attributes;
    assert_eq!(place.district.as_deref(), Some("Praha"));
    assert_eq!(place.city.as_deref(), Some("Praha"));
    assert_eq!(place.neighborhood.as_deref(), Some("Libeň"));
    assert_eq!(
        place.address.as_deref(),
        Some("Sokolovská 1230/180, Praha 8 - Libeň")
    );
}

#[test]
fn a_name_that_says_not_chosen_means_not_given() {
    let unset = json!({"building_condition": code(0, "- vyber stav"), "ownership": code(0, "- nezadáno"),
        "elevator": code(0, "- nezadáno"), "furnished": code(0, "- vyber vybavení")});
    let reading = with("flat-sale", &unset);
    let attributes = &reading.listing.attributes;
    assert_eq!(
        (
            attributes.property_state,
            attributes.ownership,
            attributes.elevator
        ),
        (None, None, None)
    );
    assert_eq!(attributes.equipment, None);
    assert!(reading.unread.is_empty());
}

#[test]
fn a_no_counts_only_if_the_advertiser_had_to_answer() {
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!(
        (flat.loggia, flat.terrace, flat.garage),
        (Some(false), Some(false), Some(false))
    );
    assert_eq!(flat.swimming_pool, None);
    let land = reading("land-sale").listing.attributes;
    assert_eq!(
        (land.balcony, land.storage, land.garage, land.parking),
        (None, None, None, None)
    );
    let garden = with("land-sale", &json!({"garage": true}));
    assert_eq!(garden.listing.attributes.garage, Some(true));
}

#[test]
fn an_area_proves_what_the_flag_denies() {
    let flat = with(
        "flat-sale",
        &json!({"terrace": false, "terrace_area": 12, "cellar": false}),
    );
    assert_eq!(flat.listing.attributes.terrace, Some(true));
    assert_eq!(flat.listing.attributes.terrace_area, Some(12.0));
    assert_eq!(flat.listing.attributes.storage, Some(true));
}

#[test]
fn heating_is_read_as_source_and_type() {
    let heated = |sources: Value, ways: Value| {
        let fields = json!({"heating_source_set": sources, "heating_set": ways});
        let attributes = with("flat-sale", &fields).listing.attributes;
        (attributes.heating_source, attributes.heating_type)
    };
    let expected = |source: Option<&str>, kind: Option<&str>| {
        (source.map(str::to_owned), kind.map(str::to_owned))
    };
    assert_eq!(
        heated(json!([{"value": 3}]), json!([])),
        expected(Some("gas"), None)
    );
    assert_eq!(
        heated(json!([{"value": 5}]), json!([{"value": 4}])),
        expected(Some("heat-pump"), None)
    );
    assert_eq!(
        heated(json!([]), json!([{"value": 4}])),
        expected(Some("gas"), Some("communal"))
    );
    assert_eq!(
        heated(json!([]), json!([{"value": 2}, {"value": 5}])),
        expected(Some("solid-fuel"), None)
    );
    assert_eq!(
        heated(json!([{"value": 6}, {"value": 9}]), json!(null)),
        expected(Some("combined"), Some("local"))
    );
    assert_eq!(
        heated(json!([]), json!([{"value": 9}])),
        expected(None, None)
    );
}

#[test]
fn the_public_sewer_comes_before_a_tank() {
    let drained = |set: Value| {
        with("flat-sale", &json!({"gully_set": set}))
            .listing
            .attributes
            .sewerage
    };
    assert_eq!(
        drained(json!([{"value": 4}, {"value": 1}])).as_deref(),
        Some("communal")
    );
    assert_eq!(
        drained(json!([{"value": 3}])).as_deref(),
        Some("septic-tank")
    );
    assert_eq!(drained(json!([{"value": 2}])), None);
}

#[test]
fn low_energy_is_the_construction_only_if_none_is_given() {
    let built = |building: Value| {
        let fields = json!({"low_energy": true, "building_type": building});
        with("flat-sale", &fields).listing.attributes.building_type
    };
    assert_eq!(built(code(2, "Cihlová")), Some(BuildingType::Brick));
    assert_eq!(built(code(0, "- vyber stavbu")), Some(BuildingType::Eco));
}
