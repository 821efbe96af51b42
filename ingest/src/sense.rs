//! Bounds of sense: a published value outside them is a slip of the keyboard or a placeholder, and is left out.
//!
//! One place for every way in, portal payloads and listings already in the spec's vocabulary alike.

use schema::{Attributes, Listing, Location};

use crate::reading::ValueReject;

/// Takes every value outside sense out of the listing and returns what was taken out.
pub fn keep_sense(listing: &mut Listing) -> Vec<ValueReject> {
    let mut rejects = Vec::new();
    let attributes = &mut listing.attributes;
    location(&mut attributes.location, &mut rejects);
    price(&mut attributes.price_total, &mut rejects);
    floors(attributes, &mut rejects);
    areas(attributes, &mut rejects);
    let mut total = listing.evidence.total_area;
    area("totalArea", &mut total, &mut rejects);
    listing.evidence.total_area = total;
    rejects
}

/// Latitudes and longitudes that hold the whole of the Czech Republic.
const LAT: std::ops::RangeInclusive<f64> = 48.4..=51.2;
const LNG: std::ops::RangeInclusive<f64> = 11.9..=19.1;

/// Whether a position can lie in the Czech Republic.
pub fn in_the_country(location: Location) -> bool {
    LAT.contains(&location.lat) && LNG.contains(&location.lng)
}

fn location(field: &mut Option<Location>, rejects: &mut Vec<ValueReject>) {
    if let Some(place) = *field
        && !in_the_country(place)
    {
        rejects.push(ValueReject::new(
            "location",
            format!("{}, {}", place.lat, place.lng),
            "outside the Czech Republic",
        ));
        *field = None;
    }
}

/// The most that is believed as a price, CZK.
const HIGHEST_PRICE: f64 = 1e11;

fn price(field: &mut Option<f64>, rejects: &mut Vec<ValueReject>) {
    keep(
        "priceTotal",
        field,
        |price| price > 1.0 && price <= HIGHEST_PRICE,
        "not above 1 CZK or over 10^11 CZK",
        rejects,
    );
}

fn floors(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    keep(
        "floor",
        &mut attributes.floor,
        |floor| (-5..=60).contains(&floor),
        "a floor outside -5 to 60",
        rejects,
    );
    keep(
        "floorCount",
        &mut attributes.floor_count,
        |count| (1..=80).contains(&count),
        "a number of floors outside 1 to 80",
        rejects,
    );
}

fn areas(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    for (name, field) in [
        ("livingArea", &mut attributes.living_area),
        ("landArea", &mut attributes.land_area),
        ("gardenArea", &mut attributes.garden_area),
        ("storageArea", &mut attributes.storage_area),
        ("balconyArea", &mut attributes.balcony_area),
        ("loggiaArea", &mut attributes.loggia_area),
        ("terraceArea", &mut attributes.terrace_area),
        ("garageArea", &mut attributes.garage_area),
    ] {
        area(name, field, rejects);
    }
}

fn area(name: &str, field: &mut Option<f64>, rejects: &mut Vec<ValueReject>) {
    keep(
        name,
        field,
        |area| (1.0..=1_000_000.0).contains(&area),
        "an area outside 1 to 1 000 000 m²",
        rejects,
    );
}

fn keep<T: Copy + ToString>(
    name: &str,
    field: &mut Option<T>,
    sensible: impl Fn(T) -> bool,
    reason: &str,
    rejects: &mut Vec<ValueReject>,
) {
    if let Some(value) = *field
        && !sensible(value)
    {
        rejects.push(ValueReject::new(name, value, reason));
        *field = None;
    }
}
