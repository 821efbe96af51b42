//! Real adverts and a census of their values, on machines that have them.

use schema::{OfferType, PropertyType};
use serde_json::{Value, json};

use crate::payloads::real;

use super::read_advert;

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_value_of_a_census_of_1599_is_understood() {
    let Some(text) = real("bezrealitky/graphql_field_census_1599_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&text).unwrap();
    let mut understood = [0, 0];
    for field in [
        "offerType",
        "estateType",
        "disposition",
        "landType",
        "condition",
        "construction",
        "ownership",
        "equipped",
        "penb",
        "currency",
        "position",
    ] {
        let counts = census["listing_fields"][field]["value_counts"]
            .as_object()
            .unwrap();
        for (value, count) in counts {
            let mut advert =
                json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT", "price": 5_000_000});
            advert[field] = json!(value);
            let is_read = read_advert(&advert).unwrap().unread.is_empty();
            understood[usize::from(is_read)] += count.as_u64().unwrap();
            assert_eq!(is_read, value != "EUR", "{field} {value}");
        }
    }
    eprintln!(
        "understood {} of {} values",
        understood[1],
        understood[0] + understood[1]
    );
    assert_eq!(understood[0], 5, "the five prices in euro");
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn real_sample_values_of_the_place_are_understood() {
    let Some(text) = real("bezrealitky/graphql_field_census_1599_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&text).unwrap();
    let samples = |field: &str| {
        census["listing_fields"][field]["sample_values"]
            .as_array()
            .unwrap()
            .clone()
    };
    let lines = samples("addressInput");
    let placed = |line: &Value| {
        let advert =
            json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT", "addressInput": line});
        let attributes = read_advert(&advert).unwrap().listing.attributes;
        (attributes.region, attributes.district)
    };
    let regions = lines.iter().filter(|line| placed(line).0.is_some()).count();
    let districts = lines.iter().filter(|line| placed(line).1.is_some()).count();
    assert_eq!(
        (lines.len(), regions, districts),
        (10, 9, 9),
        "one address line in Prague names neither"
    );
    for field in ["ruianId", "houseNumber", "zip", "uri", "code", "externalId"] {
        for value in samples(field) {
            let mut advert = json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT"});
            advert[field] = value.clone();
            assert_eq!(read_advert(&advert).unwrap().unread, [], "{field} {value}");
        }
    }
}

/// Parses the rows of a CSV file, whose quoted fields may contain doubled quotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let row = rows.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                row.last_mut().unwrap().push(letters.next().unwrap());
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            '\r' if !quoted => {}
            letter => row.last_mut().unwrap().push(letter),
        }
    }
    rows.retain(|row| row.len() > 1);
    rows
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn all_914_real_rents_of_2023_are_understood() {
    let Some(text) = real("bezrealitky/graphql_rent_prague_914_2023-07.csv.gz") else {
        return;
    };
    let table = rows(&text);
    let (head, rents) = table.split_first().unwrap();
    let mut taken = 0;
    for rent in rents {
        let cell =
            |name: &str| rent[head.iter().position(|column| column == name).unwrap()].as_str();
        let figure = |name: &str| cell(name).parse::<f64>().ok();
        let payload = json!({"id": cell("id"), "uri": cell("uri"), "offerType": cell("offerType"),
            "estateType": cell("estateType"), "disposition": cell("disposition"), "address": cell("address"),
            "imageAltText": cell("imageAltText"), "surface": figure("surface"), "surfaceLand": figure("surfaceLand"),
            "price": figure("price"), "currency": cell("currency"), "reserved": cell("reserved") == "True",
            "gps": {"lat": figure("gps.lat"), "lng": figure("gps.lng")}});
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.unread, [], "{}", cell("id"));
        let attributes = &reading.listing.attributes;
        assert_eq!(attributes.offer_type, Some(OfferType::Rent));
        assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
        assert!(attributes.arrangement.is_some() && attributes.price_total == figure("price"));
        assert!(
            attributes.living_area.is_some()
                && attributes.land_area.is_none()
                && attributes.location.is_some()
        );
        assert!(reading.url.unwrap().ends_with(cell("uri")));
        taken += usize::from(reading.listing.evidence.taken.is_some());
    }
    assert_eq!((rents.len(), taken), (914, 84));
}
