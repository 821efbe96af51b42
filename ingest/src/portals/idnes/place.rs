//! Where the property is: the place line `Street, City - Quarter, okres District` and the page's record.

use czech::countries;
use czech::numbered_parts::{PRAGUE, town_of_numbered_part};
use czech::text::present;
use schema::{Listing, PinPrecision};

use crate::json::{FieldReader, position};
use crate::pages::place_names::PlaceNames;
use crate::value_bounds;

use super::map::{Pin, Shape};
use super::payload::Page;

/// Fills place, position and precision.
pub(crate) fn fill_place(page: &Page, listing: &mut Listing, reader: &mut FieldReader) {
    let line = page.content.place.as_deref();
    let entry = |name: &str| page.record.text(name).and_then(present);
    let named = line.map(parse_place_line).unwrap_or_default();
    let named = PlaceNames {
        region: entry("localityRegion"),
        district: entry("localityDistrict").or(named.district),
        city: entry("localityCity").or(named.city),
        quarter: entry("localityCityArea").or(named.quarter),
        street: named.street,
    };
    let pin = page.map.as_ref().and_then(|map| map.pin(page.id()));
    let location = match &pin {
        Some(pin) => position(Some(pin.at.lat), Some(pin.at.lng)),
        None => position(page.record.number("lat"), page.record.number("lon")),
    };
    named.fill(location, is_abroad(page), listing, reader);
    if listing
        .attributes
        .location
        .is_some_and(value_bounds::is_in_czechia)
    {
        listing.evidence.pin = pin_precision(pin.as_ref(), page.says_inexact, listing);
    }
}

fn is_abroad(page: &Page) -> bool {
    match page.record.text("localityState") {
        Some(state) => state != "CZ",
        None => page
            .content
            .place
            .as_deref()
            .and_then(|line| line.rsplit(',').next())
            .is_some_and(countries::is_abroad),
    }
}

/// Tells how exact a pin is, by what the map draws there and by the page's own words.
fn pin_precision(pin: Option<&Pin>, says_inexact: bool, listing: &Listing) -> Option<PinPrecision> {
    match pin.and_then(|pin| pin.shape) {
        Some(Shape::Point) if !says_inexact => Some(PinPrecision::Exact),
        Some(Shape::Street | Shape::Point) => Some(PinPrecision::Street),
        Some(Shape::Area) => Some(precision_of_area(listing)),
        None => says_inexact.then(|| precision_of_area(listing)),
    }
}

/// Returns the precision of a highlighted area. It is the most exact place that the place line names: the street, the
/// quarter or the municipality.
fn precision_of_area(listing: &Listing) -> PinPrecision {
    let attributes = &listing.attributes;
    let quarter = attributes
        .neighborhood
        .as_ref()
        .filter(|quarter| Some(*quarter) != attributes.city.as_ref());
    match (&attributes.street, quarter) {
        (Some(_), _) => PinPrecision::Street,
        (None, Some(_)) => PinPrecision::Quarter,
        (None, None) => PinPrecision::Municipality,
    }
}

/// Parses a place line `[Street, ]City[ - Quarter][, okres District]`. Of a line with more parts only the district is
/// read.
fn parse_place_line(line: &str) -> PlaceNames {
    let mut parts: Vec<&str> = line.split(", ").map(str::trim).collect();
    let district = parts
        .last()
        .and_then(|part| part.strip_prefix("okres "))
        .and_then(present);
    if district.is_some() {
        parts.pop();
    }
    let (street, town) = match parts.as_slice() {
        [street, town] => (present(street), *town),
        [town] => (None, *town),
        _ => {
            return PlaceNames {
                district,
                ..PlaceNames::default()
            };
        }
    };
    let (city, quarter) = match town.split_once(" - ") {
        Some((city, quarter)) => (city, present(quarter)),
        None => (town, None),
    };
    let district = district.or_else(|| is_part_of_prague(city).then(|| city.to_owned()));
    let city = if is_part_of_prague(city) {
        Some(PRAGUE.to_owned())
    } else {
        present(city)
    };
    PlaceNames {
        region: None,
        district,
        city,
        quarter,
        street,
    }
}

/// Tells whether a name is that of a part of Prague, such as `Praha 5`, which is not an okres.
fn is_part_of_prague(name: &str) -> bool {
    town_of_numbered_part(name) == Some(PRAGUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(line: &str, [street, city, quarter, district]: [Option<&str>; 4]) {
        assert_eq!(
            parse_place_line(line),
            PlaceNames::from_parts([None, district, city, quarter, street]),
            "{line}"
        );
    }

    #[test]
    fn place_lines_are_read_in_every_form() {
        reads(
            "Na Balkáně, Tanvald - Šumburk nad Desnou, okres Jablonec nad Nisou",
            [
                Some("Na Balkáně"),
                Some("Tanvald"),
                Some("Šumburk nad Desnou"),
                Some("Jablonec nad Nisou"),
            ],
        );
        reads(
            "Nusle, Praha 4 - Nusle",
            [Some("Nusle"), Some("Praha"), Some("Nusle"), Some("Praha 4")],
        );
        reads(
            "Jirny - Nové Jirny, okres Praha-východ",
            [
                None,
                Some("Jirny"),
                Some("Nové Jirny"),
                Some("Praha-východ"),
            ],
        );
        reads("Kladno", [None, Some("Kladno"), None, None]);
        reads(
            "Praha 8, okres Praha",
            [None, Some("Praha"), None, Some("Praha")],
        );
        reads("a, b, c, okres D", [None, None, None, Some("D")]);
        reads("", [None, None, None, None]);
    }
}
