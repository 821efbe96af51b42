//! Where the property is: the place line, the breadcrumb and the map.

use schema::Listing;

use crate::notation::abroad::abroad;
use crate::notation::city_district::{self, CAPITAL, PRAGUE, municipality};
use crate::notation::house_number::split_house_number;
use crate::portals::lenient::Unread;

use super::payload::Page;
use super::pin;

/// Fills place and position. The portal does not say how exact its pins are.
pub fn fill(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    let line = page.place.as_deref().map(Line::read).unwrap_or_default();
    let location = page.pin.as_deref().and_then(|written| {
        let position = pin::position(written);
        if position.is_none() {
            unread.note("location", written, "not a position");
        }
        position
    });
    let attributes = &mut listing.attributes;
    attributes.address.clone_from(&page.place);
    attributes.city = line.city;
    if page.places.iter().chain(&page.place).any(|place| abroad(place)) {
        if let Some(place) = location {
            unread.note("location", format!("{}, {}", place.lat, place.lng), "the property is abroad");
        }
        return;
    }
    attributes.location = location;
    attributes.neighborhood = line.quarter;
    let in_prague = attributes.city.as_deref() == Some(PRAGUE);
    attributes.region = page.places.first().cloned().filter(|place| place.contains("kraj"));
    let okres = line.district.as_deref().or(page.places.get(1).map(String::as_str));
    attributes.district = okres.map(|okres| city_district::district(okres).to_owned());
    if in_prague {
        attributes.region = Some(CAPITAL.to_owned());
        attributes.district = Some(PRAGUE.to_owned());
    }
    let street = line.street.or_else(|| street_of_map(page.map_place.as_deref()?));
    if let Some((street, number)) = street.as_deref().map(split_house_number) {
        attributes.street = Some(street.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
}

/// `Street, [Quarter, ]City, okres District`: the first part, if it is not the city.
fn street_of_map(line: &str) -> Option<String> {
    let parts: Vec<&str> = line.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let places = parts.iter().filter(|part| okres(part).is_none()).count();
    parts.first().filter(|_| places >= 2).map(|street| (*street).to_owned())
}

/// The name behind "okres" or "okr.".
fn okres(part: &str) -> Option<&str> {
    part.strip_prefix("okres ").or_else(|| part.strip_prefix("okr. ")).map(str::trim)
}

/// The parts of the place line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    street: Option<String>,
    city: Option<String>,
    quarter: Option<String>,
    district: Option<String>,
}

impl Line {
    /// `[ulice Street, ]City[ - Quarter][, okres District]`.
    fn read(line: &str) -> Self {
        let mut read = Self::default();
        for part in line.split(',').map(str::trim).filter(|part| !part.is_empty() && !abroad(part)) {
            if let Some(okres) = okres(part) {
                read.district = Some(okres.to_owned());
            } else if let Some(street) = part.strip_prefix("ulice ") {
                read.street = Some(street.trim().to_owned());
            } else {
                read.take_town(part);
            }
        }
        read
    }

    /// `Praha 3 - Žižkov`, `Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav`.
    fn take_town(&mut self, town: &str) {
        let (city, quarter) = match town.split_once(" - ").or_else(|| town.split_once(" – ")) {
            Some((city, quarter)) => (city, Some(quarter)),
            None => (town, None),
        };
        self.city = Some(municipality(city.trim()).to_owned());
        let prefixes = ["část obce ", "městská část "];
        self.quarter = quarter.map(str::trim).map(|quarter| {
            let bare = prefixes.iter().find_map(|prefix| quarter.strip_prefix(prefix));
            bare.unwrap_or(quarter).to_owned()
        });
    }
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
            "Horní Tošanovice, okres Frýdek-Místek",
            [None, Some("Horní Tošanovice"), None, Some("Frýdek-Místek")],
        );
        reads("ulice Pod Slovany, Úvaly", [Some("Pod Slovany"), Some("Úvaly"), None, None]);
        reads("Praha 3 - Žižkov", [None, Some("Praha"), Some("Žižkov"), None]);
        reads(
            "Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav, okr. Praha-východ",
            [None, Some("Brandýs nad Labem-Stará Boleslav"), Some("Stará Boleslav"), Some("Praha-východ")],
        );
        reads("Makarska, Chorvatsko", [None, Some("Makarska"), None, None]);
        reads(" , ", [None; 4]);
    }

    #[test]
    fn the_map_names_a_street_before_a_town() {
        assert_eq!(street_of_map("Na vrcholu, Praha 3 - Žižkov, Praha").as_deref(), Some("Na vrcholu"));
        assert_eq!(street_of_map("Brušperk, okres Frýdek-Místek"), None);
        assert_eq!(street_of_map(",Benešov"), None);
    }
}
