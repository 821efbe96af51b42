//! Completing the address of a listing from the registry.

use crate::level::{Codes, Level};
use czech::names::place_key;
use czech::names::quarter_key;
use czech::numbered_parts::CityDistrict;

use super::Gazetteer;
use super::located::{How, Located};
use crate::address::{Address, AddressParts, Certainty, Name, Resolved, Street};
use crate::registry::Registry;

impl Gazetteer {
    /// Reads a published address and completes it from the address registry. Misspelt and abbreviated names become the
    /// official ones, so that two spellings get one key, and missing parts are filled in as far as the other parts
    /// determine them. Without a registry this is [`Address::from_parts`].
    pub fn complete_address(&self, parts: &AddressParts<'_>) -> Address {
        let address = Address::from_parts(parts);
        let Some(registry) = self.registry() else {
            return address;
        };
        let text = text_of(&address, parts);
        let Ok(located) = self.locate(&text) else {
            return address;
        };
        // The word read as a country is the name of a town.
        let address = if address.foreign {
            Address::default()
        } else {
            address
        };
        if located.is_ambiguous() {
            let (level, certainty) = (located.level, Certainty::Ambiguous);
            let resolved = Resolved {
                level,
                codes: Codes::default(),
                certainty,
            };
            return Address {
                resolved: Some(resolved),
                ..address
            };
        }
        if contradicts(&address, &located) {
            address
        } else {
            completed(address, &located, registry)
        }
    }
}

/// The text to locate: the address line if there are no other parts, because matching does better with the original
/// words; otherwise the parts that were read, in the order of an address.
fn text_of(address: &Address, parts: &AddressParts<'_>) -> String {
    let fields = [parts.street, parts.neighborhood, parts.city];
    if let Some(line) = parts.line.filter(|_| fields.iter().all(Option::is_none)) {
        return line.to_owned();
    }
    if address.foreign {
        let street = [parts.street, parts.house_number]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        let around = [
            parts.neighborhood,
            parts.city,
            parts.district,
            parts.region,
            parts.postal_code,
        ];
        return around
            .into_iter()
            .flatten()
            .fold(street, |text, part| format!("{text}, {part}"));
    }
    let mut text = String::new();
    let street = address
        .street
        .as_ref()
        .map(|street| street.written.as_str());
    let quarter = address
        .quarter
        .as_ref()
        .map(|quarter| quarter.written.as_str());
    text.push_str(street.or(quarter).unwrap_or_default());
    text.push(' ');
    text.push_str(&address.number.to_string());
    let quarter = quarter.filter(|_| street.is_some()).map(str::to_owned);
    let municipality = address
        .municipality
        .as_ref()
        .map(|municipality| municipality.written.clone());
    let parts = [
        quarter,
        address.city_district.map(|district| district.to_string()),
        municipality,
        address
            .district
            .map(|district| format!("okres {}", district.name())),
        address.region.map(|region| region.name().to_owned()),
        address.postal_code.map(|code| code.to_string()),
    ];
    for part in parts.into_iter().flatten() {
        text.push_str(", ");
        text.push_str(&part);
    }
    text
}

/// Whether the place that was found is in another municipality than the address says and leaves some of its words
/// unexplained.
fn contradicts(address: &Address, located: &Located) -> bool {
    let found = located.names.municipality.as_deref().map(place_key);
    let read = address.municipality_key();
    let elsewhere = match (read, found.as_deref()) {
        (Some(read), Some(found)) => read != found && !found.starts_with(&format!("{read} ")),
        _ => false,
    };
    elsewhere && !located.not_understood.is_empty()
}

fn completed(mut address: Address, located: &Located, registry: &Registry) -> Address {
    let names = &located.names;
    if let Some(municipality) = &names.municipality {
        address.municipality = Name::place(municipality);
    }
    let town = address
        .municipality
        .as_ref()
        .map(|municipality| municipality.key.clone());
    if located.level >= Level::Street {
        address.street = names.street.as_deref().and_then(Street::named);
    } else if is_place(&address, located) {
        address.street = None;
    }
    if let Some(quarter) = names.quarter.as_deref()
        && CityDistrict::parse_prefix(&place_key(quarter)).is_none_or(|(_, rest)| !rest.is_empty())
    {
        let key = quarter_key(quarter, town.as_deref());
        address.quarter = Some(Name {
            written: quarter.to_owned(),
            key,
        });
    }
    let part = located.codes.city_part.and_then(|code| {
        registry
            .city_parts()
            .iter()
            .find(|part| part.code == code)
            .map(|part| registry.name(part.name))
    });
    let numbered = part.and_then(|name| {
        CityDistrict::parse_prefix(&place_key(name)).map(|(district, _)| district)
    });
    address.city_district = address.city_district.or(numbered);
    address.district = names.district.or(address.district);
    address.region = names.region.or(address.region);
    address.postal_code = address.postal_code.or(located.postal_code);
    if located.level == Level::Address {
        address.number = located.house_number;
    }
    let misspelt = located.matched.iter().any(|part| part.how == How::Misspelt);
    let exact = !misspelt && located.not_understood.is_empty();
    let certainty = if exact {
        Certainty::Exact
    } else {
        Certainty::Corrected
    };
    address.resolved = Some(Resolved {
        level: located.level,
        codes: located.codes,
        certainty,
    });
    address
}

/// Whether the word that was read as a street is the quarter or municipality that was found: in a village without
/// streets people write its name in place of a street.
fn is_place(address: &Address, located: &Located) -> bool {
    let key = address
        .street
        .as_ref()
        .map(|street| place_key(&street.written));
    let names = [
        located.names.quarter.as_deref(),
        located.names.municipality.as_deref(),
    ];
    key.is_some_and(|key| {
        names
            .into_iter()
            .flatten()
            .any(|name| place_key(name) == key)
    }) && located.not_understood.is_empty()
}
