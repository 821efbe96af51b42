//! Where the property is: the breadcrumb, the address line and the map.

use schema::Listing;

use crate::notation::abroad::abroad;
use crate::notation::city_district::{self, CAPITAL, PRAGUE, municipality, town_of_numbered_part};
use crate::notation::house_number::split_house_number;
use crate::portals::lenient::{Unread, position};

use super::payload::Page;

/// Fills place and position. The portal does not say how exact its pins are.
pub fn fill(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    let named = Named::of(page);
    let attributes = &mut listing.attributes;
    attributes.address.clone_from(&page.place);
    attributes.city = named.city;
    let pin = page.pin.as_ref().and_then(|(lat, lng)| position(lat.parse().ok(), lng.parse().ok()));
    if is_abroad(page) {
        if let Some(place) = pin {
            unread.note("location", format!("{}, {}", place.lat, place.lng), "the property is abroad");
        }
        return;
    }
    attributes.location = pin;
    attributes.region = named.region;
    attributes.district = named.district;
    attributes.neighborhood = named.quarter;
    if let Some((street, number)) = named.street.as_deref().map(split_house_number) {
        attributes.street = Some(street.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
}

fn is_abroad(page: &Page) -> bool {
    page.trail.places.iter().chain(&page.place).any(|place| abroad(place))
}

/// The places that the page names.
#[derive(Debug, Default, PartialEq, Eq)]
struct Named {
    region: Option<String>,
    district: Option<String>,
    city: Option<String>,
    quarter: Option<String>,
    street: Option<String>,
}

impl Named {
    fn of(page: &Page) -> Self {
        let mut named = Self::of_trail(&page.trail.places);
        if let Some(line) = &page.place {
            named.take_line(line, page.form_place.as_deref());
        }
        named
    }

    /// Kraj, okres, municipality, quarter; the capital is its own kraj and okres.
    fn of_trail(places: &[String]) -> Self {
        let [first, rest @ ..] = places else { return Self::default() };
        if first == PRAGUE {
            let [region, district, city] = [CAPITAL, PRAGUE, PRAGUE].map(|name| Some(name.to_owned()));
            let quarter = rest.iter().find(|part| town_of_numbered_part(part).is_none()).cloned();
            return Self { region, district, city, quarter, street: None };
        }
        let mut rest = rest.iter().cloned();
        let (district, city, quarter) = (rest.next(), rest.next(), rest.next());
        Self { region: Some(first.clone()), district, city, quarter, street: None }
    }

    /// `Street, Quarter, City, okr. District`: fills what the breadcrumb leaves open. The first part is the street
    /// unless it is known to be a place.
    fn take_line(&mut self, line: &str, form_place: Option<&str>) {
        let parts = line.split(',').map(str::trim);
        let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty() && !abroad(part)).collect();
        let okres = parts
            .last()
            .and_then(|part| part.strip_prefix("okr. ").or_else(|| part.strip_prefix("okres ")))
            .map(|okres| city_district::district(okres.trim()).to_owned());
        if okres.is_some() {
            parts.pop();
            self.district = self.district.take().or(okres);
        }
        let Some(town) = self.town_in(&parts) else { return };
        parts.retain(|part| municipality(part) != town);
        let quarter = self.quarter.as_deref().or(form_place);
        match parts.as_slice() {
            [part, ..] if Some(*part) == quarter => self.quarter = Some((*part).to_owned()),
            [street] => self.street = Some((*street).to_owned()),
            [street, part, ..] => {
                self.street = Some((*street).to_owned());
                self.quarter.get_or_insert_with(|| (*part).to_owned());
            }
            [] => {}
        }
        if town == PRAGUE {
            self.region.get_or_insert_with(|| CAPITAL.to_owned());
            self.district.get_or_insert_with(|| PRAGUE.to_owned());
        }
        self.city = Some(town);
    }

    /// The municipality: the breadcrumb's, else the numbered part's, else the last part's.
    fn town_in(&self, parts: &[&str]) -> Option<String> {
        let numbered = || parts.iter().find_map(|part| town_of_numbered_part(part));
        let named = || numbered().or_else(|| parts.last().copied()).map(str::to_owned);
        self.city.clone().or_else(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn names(trail: &[&str], line: &str, form_place: Option<&str>, expected: [Option<&str>; 5]) {
        let trail: Vec<String> = trail.iter().map(|name| (*name).to_owned()).collect();
        let mut named = Named::of_trail(&trail);
        named.take_line(line, form_place);
        let [region, district, city, quarter, street] = expected.map(|name| name.map(str::to_owned));
        assert_eq!(named, Named { region, district, city, quarter, street }, "{line}");
    }

    #[test]
    fn a_street_is_what_is_no_known_place() {
        names(
            &["Praha", "Praha 5"],
            "Plzeňská, Praha 5",
            Some("Praha"),
            [Some(CAPITAL), Some("Praha"), Some("Praha"), None, Some("Plzeňská")],
        );
        names(
            &["Karlovarský kraj", "Karlovy Vary", "Potůčky", "Stráň"],
            "Stráň, Potůčky, okr. Karlovy Vary",
            Some("Stráň"),
            [Some("Karlovarský kraj"), Some("Karlovy Vary"), Some("Potůčky"), Some("Stráň"), None],
        );
        names(
            &["Ústecký kraj", "Děčín", "Děčín", "Děčín XXXII-Boletice nad Labem"],
            "Čsl. partyzánů, Děčín XXXII-Boletice nad Labem, Děčín",
            Some("Děčín"),
            [
                Some("Ústecký kraj"),
                Some("Děčín"),
                Some("Děčín"),
                Some("Děčín XXXII-Boletice nad Labem"),
                Some("Čsl. partyzánů"),
            ],
        );
    }

    #[test]
    fn the_line_alone_is_read_where_there_is_no_breadcrumb() {
        names(
            &[],
            "Křimická, Plzeň 3, Plzeň, okres Plzeň-město",
            None,
            [None, Some("Plzeň-město"), Some("Plzeň"), None, Some("Křimická")],
        );
        names(
            &[],
            "Lidická, Praha 5, Smíchov",
            None,
            [Some(CAPITAL), Some("Praha"), Some("Praha"), Some("Smíchov"), Some("Lidická")],
        );
        names(
            &[],
            "Jindřichov, Hlinsko, okr. Chrudim",
            Some("Jindřichov"),
            [None, Some("Chrudim"), Some("Hlinsko"), Some("Jindřichov"), None],
        );
        names(&[], "Bílovec", None, [None, None, Some("Bílovec"), None, None]);
        names(&[], "Makarska, Chorvatsko", None, [None, None, Some("Makarska"), None, None]);
        names(&[], " , ", None, [None; 5]);
    }
}
