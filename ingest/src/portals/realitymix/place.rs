//! Where the property is: the breadcrumb, the address line and the map.

use czech::countries::is_abroad;
use czech::numbered_parts::{PRAGUE, municipality, town_of_numbered_part};
use schema::Listing;

use crate::portals::lenient::{Unread, position};
use crate::portals::named_place::Named;

use super::payload::Page;

/// Fills place and position. The portal does not say how exact its pins are.
pub fn fill(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    let Page {
        shown,
        trail,
        pin,
        form_place,
        ..
    } = page;
    let mut named = of_trail(&trail.places);
    if let Some(line) = &shown.place {
        take_line(line, form_place.as_deref(), &mut named);
    }
    let pin = pin
        .as_ref()
        .and_then(|(lat, lng)| position(lat.parse().ok(), lng.parse().ok()));
    let is_abroad = trail
        .places
        .iter()
        .chain(&shown.place)
        .any(|place| is_abroad(place));
    named.fill(pin, is_abroad, listing, unread);
}

/// Kraj, okres, municipality, quarter; the capital has its parts in the place of okresy.
fn of_trail(places: &[String]) -> Named {
    let [first, rest @ ..] = places else {
        return Named::default();
    };
    if first == PRAGUE {
        let quarter = rest
            .iter()
            .find(|part| town_of_numbered_part(part).is_none())
            .cloned();
        return Named {
            city: Some(first.clone()),
            quarter,
            ..Named::default()
        };
    }
    let mut rest = rest.iter().cloned();
    let (district, city, quarter) = (rest.next(), rest.next(), rest.next());
    Named {
        region: Some(first.clone()),
        district,
        city,
        quarter,
        street: None,
    }
}

/// `Street, Quarter, City, okr. District`: fills what the breadcrumb leaves open. The first part is the street unless
/// it is known to be a place.
fn take_line(line: &str, form_place: Option<&str>, named: &mut Named) {
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

/// The municipality: the numbered part's, else the last part's.
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
        let mut named = of_trail(&trail);
        take_line(line, form_place, &mut named);
        assert_eq!(named, Named::of(expected), "{line}");
    }

    #[test]
    fn a_street_is_what_is_no_known_place() {
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
    fn the_line_alone_is_read_where_there_is_no_breadcrumb() {
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
