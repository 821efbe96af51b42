//! Where the property is: the breadcrumb, the address line and the map.

use czech::countries::is_abroad;
use czech::numbered_parts::{PRAGUE, municipality, town_of_numbered_part};
use schema::Listing;

use crate::json::{FieldReader, position};
use crate::pages::place_names::PlaceNames;

use super::payload::Page;

/// Fills place and position. The portal does not tell how exact its pins are.
pub(crate) fn fill_place(page: &Page, listing: &mut Listing, reader: &mut FieldReader) {
    let Page {
        content,
        trail,
        pin,
        form_place,
        ..
    } = page;
    let mut named = from_breadcrumb(&trail.places);
    if let Some(line) = &content.place {
        fill_from_line(line, form_place.as_deref(), &mut named);
    }
    let pin = pin
        .as_ref()
        .and_then(|(lat, lng)| position(lat.parse().ok(), lng.parse().ok()));
    let is_abroad = trail
        .places
        .iter()
        .chain(&content.place)
        .any(|place| is_abroad(place));
    named.fill(pin, is_abroad, listing, reader);
}

/// Returns kraj, okres, municipality and quarter of the breadcrumb. Prague has its parts instead of okresy.
fn from_breadcrumb(places: &[String]) -> PlaceNames {
    let [first, rest @ ..] = places else {
        return PlaceNames::default();
    };
    if first == PRAGUE {
        let quarter = rest
            .iter()
            .find(|part| town_of_numbered_part(part).is_none())
            .cloned();
        return PlaceNames {
            city: Some(first.clone()),
            quarter,
            ..PlaceNames::default()
        };
    }
    let mut rest = rest.iter().cloned();
    let (district, city, quarter) = (rest.next(), rest.next(), rest.next());
    PlaceNames {
        region: Some(first.clone()),
        district,
        city,
        quarter,
        street: None,
    }
}

/// Fills the names that the breadcrumb lacks from an address line `Street, Quarter, City, okr. District`. The first part
/// is the street, unless it is known to be a place.
fn fill_from_line(line: &str, form_place: Option<&str>, named: &mut PlaceNames) {
    let parts = line.split(',').map(str::trim);
    let mut parts: Vec<&str> = parts
        .filter(|part| !part.is_empty() && !is_abroad(part))
        .collect();
    let okres = parts
        .last()
        .and_then(|part| {
            part.strip_prefix("okr. ")
                .or_else(|| part.strip_prefix("okres "))
        })
        .map(|okres| okres.trim().to_owned());
    if okres.is_some() {
        parts.pop();
        named.district = named.district.take().or(okres);
    }
    let Some(town) = named.city.take().or_else(|| town_in(&parts)) else {
        return;
    };
    parts.retain(|part| municipality(part) != town);
    let quarter = named.quarter.as_deref().or(form_place);
    match parts.as_slice() {
        [part, ..] if Some(*part) == quarter => named.quarter = Some((*part).to_owned()),
        [street] => named.street = Some((*street).to_owned()),
        [street, part, ..] => {
            named.street = Some((*street).to_owned());
            named.quarter.get_or_insert_with(|| (*part).to_owned());
        }
        [] => {}
    }
    named.city = Some(town);
}

/// Finds the municipality: that of a numbered part, or else the last part.
fn town_in(parts: &[&str]) -> Option<String> {
    let numbered = parts.iter().find_map(|part| town_of_numbered_part(part));
    numbered
        .or_else(|| parts.last().copied())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn names(trail: &[&str], line: &str, form_place: Option<&str>, expected: [Option<&str>; 5]) {
        let trail: Vec<String> = trail.iter().map(|name| (*name).to_owned()).collect();
        let mut named = from_breadcrumb(&trail);
        fill_from_line(line, form_place, &mut named);
        assert_eq!(named, PlaceNames::from_parts(expected), "{line}");
    }

    #[test]
    fn a_part_that_is_not_a_known_place_is_the_street() {
        names(
            &["Praha", "Praha 5"],
            "Plzeňská, Praha 5",
            Some("Praha"),
            [None, None, Some("Praha"), None, Some("Plzeňská")],
        );
        names(
            &["Karlovarský kraj", "Karlovy Vary", "Potůčky", "Stráň"],
            "Stráň, Potůčky, okr. Karlovy Vary",
            Some("Stráň"),
            [
                Some("Karlovarský kraj"),
                Some("Karlovy Vary"),
                Some("Potůčky"),
                Some("Stráň"),
                None,
            ],
        );
        names(
            &[
                "Ústecký kraj",
                "Děčín",
                "Děčín",
                "Děčín XXXII-Boletice nad Labem",
            ],
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
    fn without_a_breadcrumb_only_the_line_is_read() {
        names(
            &[],
            "Křimická, Plzeň 3, Plzeň, okres Plzeň-město",
            None,
            [
                None,
                Some("Plzeň-město"),
                Some("Plzeň"),
                None,
                Some("Křimická"),
            ],
        );
        names(
            &[],
            "Lidická, Praha 5, Smíchov",
            None,
            [None, None, Some("Praha"), Some("Smíchov"), Some("Lidická")],
        );
        names(
            &[],
            "Jindřichov, Hlinsko, okr. Chrudim",
            Some("Jindřichov"),
            [
                None,
                Some("Chrudim"),
                Some("Hlinsko"),
                Some("Jindřichov"),
                None,
            ],
        );
        names(
            &[],
            "Bílovec",
            None,
            [None, None, Some("Bílovec"), None, None],
        );
        names(
            &[],
            "Makarska, Chorvatsko",
            None,
            [None, None, Some("Makarska"), None, None],
        );
        names(&[], " , ", None, [None; 5]);
    }
}
