//! Where the property is: the address line, the browser's title and the map.

use czech::countries::is_abroad;
use czech::numbered_parts::municipality;
use schema::Listing;

use crate::json::{FieldReader, position};
use crate::pages::place_names::PlaceNames;

use super::payload::Page;

/// Fills place and position. The page does not tell how exact its pin is.
pub(crate) fn fill_place(page: &Page, listing: &mut Listing, reader: &mut FieldReader) {
    let (city, okres) = page.town.as_deref().map(parse_town).unwrap_or_default();
    let place = page.content.place.as_deref();
    let line = Line::parse(place.unwrap_or_default(), city);
    let named = PlaceNames {
        region: None,
        district: okres
            .or_else(|| in_title(page, "okres "))
            .map(str::to_owned),
        city: line.city.map(str::to_owned),
        quarter: line.quarter.map(str::to_owned),
        street: line
            .street
            .or_else(|| in_title(page, "ulice "))
            .map(str::to_owned),
    };
    let pin = page
        .pin
        .as_ref()
        .and_then(|(lat, lng)| position(lat.parse().ok(), lng.parse().ok()));
    named.fill(
        pin,
        page.is_abroad || place.is_some_and(is_abroad),
        listing,
        reader,
    );
}

/// Separates the municipality and the okres of `Ostrov (okres Karlovy Vary)`. Each may be missing.
fn parse_town(text: &str) -> (Option<&str>, Option<&str>) {
    let (city, rest) = text.split_once('(').unwrap_or((text, ""));
    let okres = rest
        .trim_end()
        .trim_end_matches(')')
        .strip_prefix("okres ")
        .map(str::trim);
    (Some(city.trim()).filter(|city| !city.is_empty()), okres)
}

/// Returns the text behind a word in the browser's title, up to a comma or the portal's name.
fn in_title<'a>(page: &'a Page, word: &str) -> Option<&'a str> {
    let title = page.browser_title.as_deref()?;
    let title = title.rsplit_once(" - ").map_or(title, |(title, _)| title);
    title
        .split(',')
        .find_map(|part| part.trim().strip_prefix(word))
        .map(str::trim)
}

/// The parts of the address line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line<'a> {
    city: Option<&'a str>,
    quarter: Option<&'a str>,
    street: Option<&'a str>,
}

impl<'a> Line<'a> {
    /// Parses `City[ Quarter][, Street]` or `Street Number, City[ Quarter]`. If the municipality's name is not known, the
    /// first part is the town, and has no quarter.
    fn parse(line: &'a str, city: Option<&'a str>) -> Self {
        let mut parts: Vec<&str> = line
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        let quarter_in = |part: &'a str| quarter(part, city?);
        let Some(at) = parts
            .iter()
            .position(|part| city.is_none() || quarter_in(part).is_some())
        else {
            return Self {
                city,
                ..Self::default()
            };
        };
        let town = parts.remove(at);
        let quarter = quarter_in(town).filter(|quarter| !quarter.is_empty());
        let city = city.unwrap_or_else(|| municipality(town));
        let street = parts
            .first()
            .copied()
            .filter(|street| *street != city && Some(*street) != quarter);
        Self {
            city: Some(city),
            quarter,
            street,
        }
    }
}

/// The text after the municipality's name in the town's part of the line; empty if there is none. `None` if the part
/// begins with another name. A part with a Roman number has the municipality in its name (`Příbram VII`), and a part
/// with an Arabic number is not a quarter (`Praha 5`).
fn quarter<'a>(part: &'a str, city: &str) -> Option<&'a str> {
    let rest = part.strip_prefix(city)?;
    if rest.is_empty() {
        return Some(rest);
    }
    let name = rest.strip_prefix(' ')?.trim();
    let number = name.split('-').next().unwrap_or_default();
    if number.bytes().all(|byte| b"IVX".contains(&byte)) {
        return Some(part);
    }
    Some(if municipality(part) == part { name } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(line: &str, city: Option<&str>, [town, quarter, street]: [Option<&str>; 3]) {
        assert_eq!(
            Line::parse(line, city),
            Line {
                city: town,
                quarter,
                street
            },
            "{line}"
        );
    }

    #[test]
    fn address_lines_are_read_in_every_order() {
        let [ostrov, praha] = [Some("Ostrov"), Some("Praha")];
        reads(
            "Májová 843, Ostrov",
            ostrov,
            [ostrov, None, Some("Májová 843")],
        );
        reads("Ostrov, Májová", ostrov, [ostrov, None, Some("Májová")]);
        reads(
            "Praha Nusle, 5. května",
            praha,
            [praha, Some("Nusle"), Some("5. května")],
        );
        reads(
            "Pražská 5, Praha Nusle",
            praha,
            [praha, Some("Nusle"), Some("Pražská 5")],
        );
        reads(
            "Vrchlabí Hořejší Vrchlabí, Horská",
            Some("Vrchlabí"),
            [Some("Vrchlabí"), Some("Hořejší Vrchlabí"), Some("Horská")],
        );
        reads(
            "Praha 5, Na Hřebenkách",
            praha,
            [praha, None, Some("Na Hřebenkách")],
        );
        reads(
            "Příbram VII, Politických vězňů",
            Some("Příbram"),
            [
                Some("Příbram"),
                Some("Příbram VII"),
                Some("Politických vězňů"),
            ],
        );
        let boletice = "Děčín XXXII-Boletice nad Labem";
        reads(
            boletice,
            Some("Děčín"),
            [Some("Děčín"), Some(boletice), None],
        );
    }

    #[test]
    fn a_place_instead_of_a_street_is_not_a_street() {
        reads(
            "Úsilné, Úsilné",
            Some("Úsilné"),
            [Some("Úsilné"), None, None],
        );
        let vary = Some("Karlovy Vary");
        reads(
            "Karlovy Vary Tašovice, Tašovice",
            vary,
            [vary, Some("Tašovice"), None],
        );
    }

    #[test]
    fn a_line_without_the_municipality_is_not_split() {
        reads("Stará Paka", None, [Some("Stará Paka"), None, None]);
        reads("Makarska", Some("Split"), [Some("Split"), None, None]);
        reads("", None, [None; 3]);
        reads(" , ", Some("Ostrov"), [Some("Ostrov"), None, None]);
    }

    #[test]
    fn the_town_of_the_map_names_its_okres() {
        assert_eq!(
            parse_town("Ostrov (okres Karlovy Vary)"),
            (Some("Ostrov"), Some("Karlovy Vary"))
        );
        assert_eq!(parse_town("Praha"), (Some("Praha"), None));
        assert_eq!(parse_town(" (okres Most)"), (None, Some("Most")));
    }
}
