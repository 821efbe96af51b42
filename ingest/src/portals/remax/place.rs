//! Where the property is: the place line, the breadcrumb and the map.

use czech::countries::is_abroad;
use czech::numbered_parts::municipality;
use schema::Listing;

use crate::json::FieldReader;
use crate::pages::place_names::PlaceNames;

use super::payload::Page;
use super::pin;

/// Fills place and position. The portal does not tell how exact its pins are.
pub(crate) fn fill_place(page: &Page, listing: &mut Listing, reader: &mut FieldReader) {
    let place = &page.content.place;
    let mut named = place.as_deref().map(parse_place_line).unwrap_or_default();
    named.region = page
        .places
        .first()
        .filter(|place| place.contains("kraj"))
        .cloned();
    named.district = named.district.or_else(|| page.places.get(1).cloned());
    named.street = named
        .street
        .or_else(|| street_of_map(page.map_place.as_deref()?));
    let location = page.pin.as_deref().and_then(|written| {
        let position = pin::parse_position(written);
        if position.is_none() {
            reader.reject("location", written, "not a position");
        }
        position
    });
    let is_abroad = page
        .places
        .iter()
        .chain(place)
        .any(|place| is_abroad(place));
    named.fill(location, is_abroad, listing, reader);
}

/// Returns the street of the map's address `Street, [Quarter, ]City, okres District`: the first part, unless it is the
/// city.
fn street_of_map(line: &str) -> Option<String> {
    let parts: Vec<&str> = line
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let places = parts.iter().filter(|part| okres(part).is_none()).count();
    parts
        .first()
        .filter(|_| places >= 2)
        .map(|street| (*street).to_owned())
}

/// Returns the name behind "okres" or "okr.".
fn okres(part: &str) -> Option<&str> {
    part.strip_prefix("okres ")
        .or_else(|| part.strip_prefix("okr. "))
        .map(str::trim)
}

/// Parses a place line `[ulice Street, ]City[ - Quarter][, okres District]`.
fn parse_place_line(line: &str) -> PlaceNames {
    let mut named = PlaceNames::default();
    for part in line
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty() && !is_abroad(part))
    {
        if let Some(okres) = okres(part) {
            named.district = Some(okres.to_owned());
        } else if let Some(street) = part.strip_prefix("ulice ") {
            named.street = Some(street.trim().to_owned());
        } else {
            fill_town(part, &mut named);
        }
    }
    named
}

/// Fills city and quarter from a part such as `Praha 3 - Žižkov` or
/// `Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav`.
fn fill_town(town: &str, named: &mut PlaceNames) {
    let (city, quarter) = match town.split_once(" - ").or_else(|| town.split_once(" – ")) {
        Some((city, quarter)) => (city, Some(quarter)),
        None => (town, None),
    };
    named.city = Some(municipality(city.trim()).to_owned());
    let prefixes = ["část obce ", "městská část "];
    named.quarter = quarter.map(str::trim).map(|quarter| {
        let bare = prefixes
            .iter()
            .find_map(|prefix| quarter.strip_prefix(prefix));
        bare.unwrap_or(quarter).to_owned()
    });
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
            "Horní Tošanovice, okres Frýdek-Místek",
            [None, Some("Horní Tošanovice"), None, Some("Frýdek-Místek")],
        );
        reads(
            "ulice Pod Slovany, Úvaly",
            [Some("Pod Slovany"), Some("Úvaly"), None, None],
        );
        reads(
            "Praha 3 - Žižkov",
            [None, Some("Praha"), Some("Žižkov"), None],
        );
        reads(
            "Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav, okr. Praha-východ",
            [
                None,
                Some("Brandýs nad Labem-Stará Boleslav"),
                Some("Stará Boleslav"),
                Some("Praha-východ"),
            ],
        );
        reads("Makarska, Chorvatsko", [None, Some("Makarska"), None, None]);
        reads(" , ", [None; 4]);
    }

    #[test]
    fn the_map_names_a_street_before_a_town() {
        assert_eq!(
            street_of_map("Na vrcholu, Praha 3 - Žižkov, Praha").as_deref(),
            Some("Na vrcholu")
        );
        assert_eq!(street_of_map("Brušperk, okres Frýdek-Místek"), None);
        assert_eq!(street_of_map(",Benešov"), None);
    }
}
