//! A census of the values of real offers, on machines that have it.

use ingest::pages::listing_at;
use ingest::reading::Reading;
use serde_json::{Value, json};

use crate::payloads::{Census, fixture};

use super::read_advert;

const CENSUS: &str = "realingo/graphql_field_census_3960_2026-02-27.json";

/// The smallest offer with one field set, `price.total` inside its object.
fn with(field: &str, value: &Value) -> Reading {
    let mut offer = fixture("realingo", "minimal");
    match field.split_once('.') {
        Some((outer, inner)) => {
            offer[outer] = json!({"total": 5_000_000, "latitude": 50.0, "longitude": 15.0});
            offer[outer][inner] = value.clone();
        }
        None => offer[field] = value.clone(),
    }
    read_advert(&offer).unwrap()
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_value_of_a_census_of_3960_is_understood_but_prices_in_euro() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    let mut understood = [0, 0];
    for field in [
        "purpose",
        "property",
        "category",
        "price.currency",
        "price.vat",
    ] {
        for (value, count) in census.counts(field) {
            let is_read = with(field, &json!(value)).unread.is_empty();
            understood[usize::from(is_read)] += count;
            assert_eq!(is_read, value != "EUR", "{field} {value}");
        }
    }
    eprintln!(
        "understood {} of {} values",
        understood[1],
        understood.iter().sum::<u64>()
    );
    assert_eq!(understood, [3, 15_864]);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_category_of_a_census_of_3960_has_a_type_and_a_subtype() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    for (category, _) in census.counts("category") {
        let attributes = with("category", &json!(category)).listing.attributes;
        assert!(attributes.property_type.is_some(), "{category}");
        assert!(
            attributes.arrangement.is_some() || attributes.subtype.is_some(),
            "{category}"
        );
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_area_of_a_census_of_3960_is_read() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    for field in [
        "area.balcony",
        "area.cellar",
        "area.garden",
        "area.loggia",
        "area.terrace",
    ] {
        for (area, _) in census.counts(field) {
            let reading = with(field, &json!(area.parse::<f64>().unwrap()));
            assert_eq!(reading.unread, [], "{field} {area}");
        }
    }
    for field in [
        "area.floor",
        "area.plot",
        "price.total",
        "adId",
        "location.latitude",
    ] {
        for value in census.samples(field) {
            assert_eq!(with(field, &value).unread, [], "{field} {value}");
        }
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn real_addresses_name_their_municipality_and_real_pages_their_offer() {
    let Some(census) = Census::real(CENSUS) else {
        return;
    };
    let mut coded = 0;
    for line in census.samples("location.address") {
        let attributes = with("location.address", &line).listing.attributes;
        let city = attributes.city.unwrap();
        assert!(
            city.chars()
                .all(|letter| letter.is_alphabetic() || letter == ' '),
            "{line}: {city}"
        );
        assert_eq!(
            attributes.street.is_some(),
            attributes.postal_code.is_none(),
            "{line}"
        );
        coded += usize::from(attributes.postal_code.is_some());
    }
    assert_eq!(coded, 9, "of ten, one names a street instead");
    for (path, id) in census.samples("url").iter().zip(census.samples("id")) {
        let url = with("url", path).url.unwrap();
        assert_eq!(listing_at(&url).unwrap().offer_id, id.as_str().unwrap());
    }
}
