//! Bounds of values, and the list of portals.

use ingest::portals::{PORTALS, portal};
use ingest::value_bounds::{is_in_czechia, remove_implausible_values};
use proptest::prelude::*;
use schema::{Attributes, Evidence, Listing, Location, PinPrecision};

fn kept(attributes: Attributes) -> (Attributes, Vec<String>) {
    let mut listing = Listing {
        attributes,
        ..Default::default()
    };
    let rejects = remove_implausible_values(&mut listing);
    (
        listing.attributes,
        rejects.into_iter().map(|reject| reject.field).collect(),
    )
}

#[test]
fn every_bound_holds_on_both_sides() {
    let area = |area: f64| {
        kept(Attributes {
            living_area: Some(area),
            ..Default::default()
        })
        .0
        .living_area
        .is_some()
    };
    assert_eq!(
        [0.9, 1.0, 1_000_000.0, 1_000_001.0].map(area),
        [false, true, true, false]
    );
    let plot = |area: f64| {
        kept(Attributes {
            land_area: Some(area),
            ..Default::default()
        })
        .0
        .land_area
        .is_some()
    };
    assert_eq!(
        [0.9, 1.0, 9_999_999.0, 10_000_000.0].map(plot),
        [false, true, true, false]
    );
    let floor = |floor: i16| {
        kept(Attributes {
            floor: Some(floor),
            ..Default::default()
        })
        .0
        .floor
        .is_some()
    };
    assert_eq!(
        [-6, -5, 60, 61, 900].map(floor),
        [false, true, true, false, false]
    );
    let count = |count: i16| {
        kept(Attributes {
            floor_count: Some(count),
            ..Default::default()
        })
        .0
        .floor_count
        .is_some()
    };
    assert_eq!([0, 1, 80, 81].map(count), [false, true, true, false]);
    let price = |price: f64| {
        kept(Attributes {
            price_total: Some(price),
            ..Default::default()
        })
        .0
        .price_total
        .is_some()
    };
    assert_eq!(
        [-5.0, 1.0, 2.0, 1e11, 1.1e11].map(price),
        [false, false, true, true, false]
    );
}

#[test]
fn nan_and_infinity_are_out_of_bounds() {
    let odd = Attributes {
        price_total: Some(f64::NAN),
        garage_area: Some(f64::INFINITY),
        ..Default::default()
    };
    let (kept, rejected) = kept(odd);
    assert_eq!((kept.price_total, kept.garage_area), (None, None));
    assert_eq!(rejected, ["priceTotal", "garageArea"]);
}

#[test]
fn a_position_outside_the_country_is_removed_with_its_precision() {
    let place = |lat: f64, lng: f64| {
        let attributes = Attributes {
            location: Some(Location { lat, lng }),
            ..Default::default()
        };
        let evidence = Evidence {
            pin: Some(PinPrecision::Exact),
            ..Default::default()
        };
        let mut listing = Listing {
            attributes,
            evidence,
        };
        let rejects = remove_implausible_values(&mut listing);
        (
            listing.attributes.location.is_some(),
            listing.evidence.pin.is_some(),
            rejects.len(),
        )
    };
    assert_eq!(place(50.087, 14.421), (true, true, 0), "Praha");
    assert_eq!(
        place(58.889, 9.04),
        (false, false, 1),
        "a portal's pin for property abroad"
    );
    assert_eq!(
        place(14.421, 50.087),
        (false, false, 1),
        "latitude and longitude swapped"
    );
    assert!(!is_in_czechia(Location {
        lat: f64::NAN,
        lng: 15.0
    }));
}

#[test]
fn a_plausible_listing_is_not_changed() {
    let attributes = Attributes {
        price_total: Some(5e6),
        living_area: Some(72.0),
        floor: Some(0),
        ..Default::default()
    };
    assert_eq!(kept(attributes.clone()), (attributes, vec![]));
}

#[test]
fn every_portal_is_found_by_its_id() {
    for listed in PORTALS {
        assert_eq!(
            portal(listed.site_id).map(|portal| portal.site_id),
            Some(listed.site_id)
        );
    }
    assert!(portal("nowhere").is_none());
    assert!(portal("sreality").is_some() && portal("bezrealitky").is_some());
}

proptest! {
    #[test]
    fn a_second_check_removes_nothing(area in any::<f64>(), price in any::<f64>(), floor in any::<i16>()) {
        let attributes =
            Attributes { living_area: Some(area), price_total: Some(price), floor: Some(floor), ..Default::default() };
        let mut listing = Listing { attributes, ..Default::default() };
        remove_implausible_values(&mut listing);
        prop_assert!(remove_implausible_values(&mut listing).is_empty());
    }
}

#[test]
fn a_text_longer_than_any_adverts_is_left_out() {
    let (attributes, fields) = kept(Attributes {
        title: Some("x".repeat(2_001)),
        city: Some("x".repeat(2_000)),
        description: Some("x".repeat(100_001)),
        ..Default::default()
    });
    assert_eq!((attributes.title, attributes.description), (None, None));
    assert!(attributes.city.is_some());
    assert_eq!(fields, ["title", "description"]);
}
