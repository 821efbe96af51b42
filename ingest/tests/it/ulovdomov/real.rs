//! A census of the values of real adverts, on machines that have it.

use std::collections::BTreeMap;

use ingest::pages::listing_at;
use ingest::reading::Reading;
use serde_json::{Value, json};

use crate::payloads::{Census, fixture};

use super::read_advert;

const CENSUS: &str = "ulovdomov/api_field_census_800_2026-02-27.json";

/// The smallest advert of a sale with one field set.
fn with(field: &str, value: &Value) -> Reading {
    let mut advert = fixture("ulovdomov", "minimal");
    advert["offerType"] = json!("sale");
    match field.split_once('.') {
        Some((outer, inner)) => advert[outer] = json!({ inner: value }),
        None => advert[field] = value.clone(),
    }
    read_advert(&advert).unwrap()
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_value_of_a_census_of_800_is_understood() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    let mut unread: BTreeMap<String, u64> = BTreeMap::new();
    let mut values = 0;
    for field in [
        "offerType",
        "propertyType",
        "disposition",
        "houseType",
        "priceUnit",
        "rentalPrice.currency",
    ] {
        for (value, count) in census.counts(field) {
            let advert = with(field, &json!(value));
            values += count;
            if !advert.unread.is_empty() {
                *unread.entry(format!("{field} {value}")).or_default() += count;
            }
        }
    }
    for field in ["convenience[]", "houseConvenience[]"] {
        for (value, count) in census.counts(field) {
            let advert = with(field.trim_end_matches("[]"), &json!([value]));
            values += count;
            assert_eq!(advert.unread, [], "{field} {value}");
        }
    }
    eprintln!("{values} values, not taken over: {unread:?}");
    assert_eq!((values, unread.len()), (6335, 0), "{unread:?}");
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_floor_of_a_census_of_800_but_one_is_read() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    let mut floors = [0, 0];
    for (level, count) in census.counts("floorLevel") {
        let reading = with("floorLevel", &json!(level.parse::<i64>().unwrap()));
        floors[usize::from(reading.listing.attributes.floor.is_some())] += count;
    }
    assert_eq!(floors, [1, 708], "127 is not a floor");
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn real_texts_places_and_pages_are_read() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    for text in census.samples("description") {
        let description = with("description", &text)
            .listing
            .attributes
            .description
            .unwrap();
        let written = text.as_str().unwrap();
        assert!(written.starts_with(&description) && written.ends_with("Provize: Ano\n"));
        assert!(
            !description.contains("Provize: Ano") && !description.contains("- - - -"),
            "{description}"
        );
    }
    for url in census.samples("absoluteUrl") {
        let reading = with("absoluteUrl", &url);
        assert_eq!(reading.url.as_deref(), url.as_str());
        let number = url.as_str().unwrap().rsplit('/').next().unwrap();
        assert_eq!(listing_at(url.as_str().unwrap()).unwrap().offer_id, number);
    }
    for (field, value) in [
        ("village.title", "city"),
        ("villagePart.title", "neighborhood"),
        ("street.title", "street"),
    ] {
        for name in census.samples(field) {
            let attributes = serde_json::to_value(with(field, &name).listing.attributes).unwrap();
            assert_eq!(attributes[value], name);
        }
    }
    for area in census.samples("area") {
        assert_eq!(
            with("area", &area).listing.attributes.living_area,
            area.as_f64()
        );
    }
}
