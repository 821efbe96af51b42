//! Bounds of sense: a published value outside them is a slip of the keyboard or a placeholder, and is left out.
//!
//! One place for every way in, portal payloads and listings already in the spec's vocabulary alike.

use schema::{Attributes, Listing, Location};

use crate::reading::ValueReject;

/// Takes every value outside sense out of the listing and returns what was taken out.
pub fn keep_sense(listing: &mut Listing) -> Vec<ValueReject> {
    let mut rejects = Vec::new();
    let attributes = &mut listing.attributes;
    if location(&mut attributes.location, &mut rejects) {
        // Precise or not, there is no pin any more.
        listing.evidence.pin = None;
    }
    price(&mut attributes.price_total, &mut rejects);
    floors(attributes, &mut rejects);
    areas(attributes, &mut rejects);
    area("totalArea", &mut listing.evidence.total_area, &mut rejects);
    rejects
}

/// Latitudes and longitudes that hold the whole of the Czech Republic.
const LAT: std::ops::RangeInclusive<f64> = 48.4..=51.2;
const LNG: std::ops::RangeInclusive<f64> = 11.9..=19.1;

/// Whether a position can lie in the Czech Republic.
pub fn in_the_country(location: Location) -> bool {
    LAT.contains(&location.lat) && LNG.contains(&location.lng)
}

/// Whether the position was taken out.
fn location(field: &mut Option<Location>, rejects: &mut Vec<ValueReject>) -> bool {
    let abroad = field.filter(|place| !in_the_country(*place));
    if let Some(place) = abroad {
        rejects.push(ValueReject::new(
            "location",
            format!("{}, {}", place.lat, place.lng),
            "outside the Czech Republic",
        ));
        *field = None;
    }
    abroad.is_some()
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

/// From here on a plot is no longer believed, m² (10 km²): forests and fields may reach far beyond any building.
const TOO_MUCH_LAND: f64 = 10_000_000.0;

fn areas(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    let land = |area: f64| (1.0..TOO_MUCH_LAND).contains(&area);
    keep(
        "landArea",
        &mut attributes.land_area,
        land,
        "a plot outside 1 to 10 000 000 m²",
        rejects,
    );
    for (name, field) in [
        ("livingArea", &mut attributes.living_area),
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
