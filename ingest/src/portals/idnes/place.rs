//! Where the property is: the place line `Street, City - Quarter, okres District` and the page's record.

use schema::{Listing, PinPrecision};

use crate::notation::abroad::abroad;
use crate::notation::city_district::{self, PRAGUE, town_of_numbered_part};
use crate::notation::house_number::split_house_number;
use crate::notation::text::present;
use crate::portals::lenient::{Unread, position};
use crate::sense;

use super::map::Shape;
use super::payload::Page;

/// Fills place, position and precision.
pub fn fill(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let line = page.place.as_deref();
    let named = line.map(Line::read).unwrap_or_default();
    let entry = |name: &str| page.record.text(name).and_then(present);
    attributes.address = line.and_then(present);
    attributes.city = entry("localityCity").or(named.city);
    attributes.neighborhood = entry("localityCityArea").or(named.quarter);
    if is_abroad(page) {
        outside(page, listing, unread);
        return;
    }
    attributes.region = entry("localityRegion");
    attributes.district = entry("localityDistrict")
        .or(named.district)
        .map(|district| city_district::district(&district).to_owned());
    if let Some((street, number)) = named.street.as_deref().map(split_house_number) {
        attributes.street = Some(street.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
    locate(page, listing);
}

fn is_abroad(page: &Page) -> bool {
    match page.record.text("localityState") {
        Some(state) => state != "CZ",
        None => page.place.as_deref().and_then(|line| line.rsplit(',').next()).is_some_and(abroad),
    }
}

/// Abroad no position can be served, and what stands before the first comma need not be a street.
fn outside(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    locate(page, listing);
    listing.evidence.pin = None;
    if let Some(place) = listing.attributes.location.take() {
        unread.note("location", format!("{}, {}", place.lat, place.lng), "the property is abroad");
    }
}

fn locate(page: &Page, listing: &mut Listing) {
    let pin = page.map.as_ref().and_then(|map| map.pin(page.id()));
    if let Some(pin) = pin {
        listing.attributes.location = position(Some(pin.at.lat), Some(pin.at.lng));
        listing.evidence.pin = match pin.shape {
            Some(Shape::Point) if !page.says_inexact => Some(PinPrecision::Exact),
            Some(Shape::Street | Shape::Point) => Some(PinPrecision::Street),
            Some(Shape::Area) => Some(precision_of_area(listing)),
            None => page.says_inexact.then(|| precision_of_area(listing)),
        };
    } else {
        listing.attributes.location = position(page.record.number("lat"), page.record.number("lon"));
        listing.evidence.pin = page.says_inexact.then(|| precision_of_area(listing));
    }
    if !listing.attributes.location.is_some_and(sense::in_the_country) {
        listing.evidence.pin = None;
    }
}

/// A highlighted area is what the place line ends in: the street, else the quarter, else the municipality.
fn precision_of_area(listing: &Listing) -> PinPrecision {
    let attributes = &listing.attributes;
    let quarter =
        attributes.neighborhood.as_ref().filter(|quarter| Some(*quarter) != attributes.city.as_ref());
    match (&attributes.street, quarter) {
        (Some(_), _) => PinPrecision::Street,
        (None, Some(_)) => PinPrecision::Quarter,
        (None, None) => PinPrecision::Municipality,
    }
}

/// The parts of a place line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    street: Option<String>,
    city: Option<String>,
    quarter: Option<String>,
    district: Option<String>,
}

impl Line {
    /// `[Street, ]City[ - Quarter][, okres District]`. The last part that is no okres is the town; one before it is the
    /// street, more than one are beyond this form.
    fn read(line: &str) -> Self {
        let mut parts: Vec<&str> = line.split(", ").map(str::trim).collect();
        let district = parts.last().and_then(|part| part.strip_prefix("okres ")).and_then(present);
        if district.is_some() {
            parts.pop();
        }
        let (street, town) = match parts.as_slice() {
            [street, town] => (present(street), *town),
            [town] => (None, *town),
            _ => return Self { district, ..Self::default() },
        };
        let (city, quarter) = match town.split_once(" - ") {
            Some((city, quarter)) => (city, present(quarter)),
            None => (town, None),
        };
        let district = district.or_else(|| is_part_of_prague(city).then(|| city.to_owned()));
        let city = if is_part_of_prague(city) { Some(PRAGUE.to_owned()) } else { present(city) };
        Self { street, city, quarter, district }
    }
}

/// `Praha 5`, which is a part of the municipality and no okres.
fn is_part_of_prague(name: &str) -> bool {
    town_of_numbered_part(name) == Some(PRAGUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(line: &str, parts: [Option<&str>; 4]) {
        let [street, city, quarter, district] = parts.map(|part| part.map(str::to_owned));
        assert_eq!(Line::read(line), Line { street, city, quarter, district }, "{line}");
    }

    #[test]
    fn place_lines_are_read_in_every_form() {
        reads(
            "Na Balkáně, Tanvald - Šumburk nad Desnou, okres Jablonec nad Nisou",
            [Some("Na Balkáně"), Some("Tanvald"), Some("Šumburk nad Desnou"), Some("Jablonec nad Nisou")],
        );
        reads("Nusle, Praha 4 - Nusle", [Some("Nusle"), Some("Praha"), Some("Nusle"), Some("Praha 4")]);
        reads(
            "Jirny - Nové Jirny, okres Praha-východ",
            [None, Some("Jirny"), Some("Nové Jirny"), Some("Praha-východ")],
        );
        reads("Kladno", [None, Some("Kladno"), None, None]);
        reads("Praha 8, okres Praha", [None, Some("Praha"), None, Some("Praha")]);
        reads("a, b, c, okres D", [None, None, None, Some("D")]);
        reads("", [None, None, None, None]);
    }
}
