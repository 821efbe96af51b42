//! Finding a house in the address registry by its number.

use czech::house_number::HouseNumber;
use czech::house_number::StreetNumber;

use super::place::Registered;
use crate::address::PostalCode;
use crate::registry::{
    AddressPlace, BuildingNumber, MunicipalityIndex, PlaceIndex, QuarterIndex, Registry,
};

/// The agreement of equal numbers.
const SAME: f64 = 1.0;

/// The house to find.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub number: HouseNumber,
    /// The quarters that the text names.
    pub quarters: [Option<Registered>; 2],
    pub postal_code: Option<PostalCode>,
}

/// A house that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct House {
    pub place: PlaceIndex,
    /// The agreement of the numbers, 0 to 1.
    pub agreement: f64,
}

/// The address place of `wanted` in a street, quarter or municipality.
pub(super) fn find(registry: &Registry, within: Registered, wanted: &Wanted) -> Option<House> {
    match within {
        Registered::Street(street) => {
            let places = registry.places_in(registry.street(street)?.places.clone());
            best(places, wanted, in_street)
        }
        Registered::Quarter(quarter) => in_quarter(registry, quarter, wanted),
        Registered::Municipality(municipality) => in_municipality(registry, municipality, wanted),
        Registered::CityPart(_) => None,
    }
}

/// The place whose number agrees best; of equal ones that with the same quarter and postal code.
fn best(
    places: impl Iterator<Item = (PlaceIndex, AddressPlace)>,
    wanted: &Wanted,
    agreement: impl Fn(&HouseNumber, &AddressPlace) -> f64,
) -> Option<House> {
    let mut best: Option<(f64, House)> = None;
    for (index, place) in places {
        let agreement = agreement(&wanted.number, &place);
        if agreement == 0.0 {
            continue;
        }
        let score = agreement + around(wanted, &place);
        if best.is_none_or(|(other, _)| score > other) {
            best = Some((
                score,
                House {
                    place: index,
                    agreement,
                },
            ));
        }
    }
    best.map(|(_, house)| house)
}

/// A small bonus if the quarter agrees, and another if the postal code does.
fn around(wanted: &Wanted, place: &AddressPlace) -> f64 {
    let quarter = wanted
        .quarters
        .iter()
        .flatten()
        .any(|quarter| match quarter {
            Registered::Quarter(quarter) => place.quarter == *quarter,
            Registered::CityPart(part) => place.city_part == Some(*part),
            Registered::Municipality(_) | Registered::Street(_) => false,
        });
    let code = wanted.postal_code.is_some() && wanted.postal_code == place.postal_code;
    f64::from(u8::from(quarter)) * 0.04 + f64::from(u8::from(code)) * 0.02
}

/// The agreement of a number with a house on the street that the text names. A number without a slash or marker is
/// compared with the orientation number first, then with the building number.
fn in_street(number: &HouseNumber, place: &AddressPlace) -> f64 {
    if let Some(registration) = number.registration {
        return if place.number == BuildingNumber::Registration(registration) {
            1.0
        } else {
            0.0
        };
    }
    let building = number
        .building
        .map(|building| place.number == BuildingNumber::Building(building));
    let orientation = number.orientation.map(|along| along_street(along, place));
    match (building, orientation) {
        (Some(true), Some(along)) => 0.8 + 0.2 * along,
        (Some(true), None) => 1.0,
        (Some(false), Some(along)) => 0.5 * along,
        (None, Some(along)) => along,
        (Some(false), None) => 0.0,
        (None, None) => number.lone.map_or(0.0, |lone| lone_number(lone, place)),
    }
}

/// The agreement of a number without a slash or marker. The building number is the full official number of a house that
/// has no orientation number, and half of it otherwise.
fn lone_number(lone: StreetNumber, place: &AddressPlace) -> f64 {
    let along = along_street(lone, place);
    let building = lone.letter.is_none() && place.number == BuildingNumber::Building(lone.number);
    let registration = place.number == BuildingNumber::Registration(lone.number);
    if building && place.orientation.is_none() {
        SAME
    } else if along >= SAME {
        0.97
    } else if building {
        0.9
    } else if along > 0.0 {
        along
    } else if registration {
        0.4
    } else {
        0.0
    }
}

/// The agreement of an orientation number. Its letter may be missing on either side.
fn along_street(wanted: StreetNumber, place: &AddressPlace) -> f64 {
    let Some(own) = place.orientation else {
        return 0.0;
    };
    let last = wanted.through.unwrap_or(wanted.number);
    if !(wanted.number..=last).contains(&own.number) {
        0.0
    } else if wanted.number == own.number && wanted.letter == own.letter {
        SAME
    } else if wanted.letter.is_none() || own.letter.is_none() {
        0.6
    } else {
        0.3
    }
}

/// The numbers to look for within a part of a municipality, each with its agreement.
fn counted(number: &HouseNumber) -> [Option<(BuildingNumber, f64)>; 2] {
    if let Some(registration) = number.registration {
        return [
            Some((BuildingNumber::Registration(registration), 1.0)),
            None,
        ];
    }
    let lone = number
        .lone
        .filter(|lone| lone.letter.is_none())
        .map(|lone| lone.number);
    match number.building {
        Some(building) => [Some((BuildingNumber::Building(building), 1.0)), None],
        // People also leave out the marker of registration numbers.
        None => [
            lone.map(|lone| (BuildingNumber::Building(lone), 1.0)),
            lone.map(|lone| (BuildingNumber::Registration(lone), 0.5)),
        ],
    }
}

fn in_quarter(registry: &Registry, quarter: QuarterIndex, wanted: &Wanted) -> Option<House> {
    counted(&wanted.number)
        .into_iter()
        .flatten()
        .find_map(|(number, agreement)| {
            let found = registry.find_in_quarter(quarter, number);
            let places = found.filter_map(|index| Some((index, registry.place(index)?)));
            // Without a street in the text, a house without a street is more likely.
            let streetless = |place: &AddressPlace| {
                if place.street.is_none() {
                    agreement
                } else {
                    agreement * 0.95
                }
            };
            best(places, wanted, |_, place| streetless(place))
        })
}

/// Looks in the part that has the name of the municipality, then in the other parts if only one has the number.
fn in_municipality(
    registry: &Registry,
    index: MunicipalityIndex,
    wanted: &Wanted,
) -> Option<House> {
    let municipality = registry.municipality(index)?;
    let parts = || registry.quarters_of(municipality);
    let namesake = parts().find(|(_, part)| part.name == municipality.name);
    if let Some(house) = namesake.and_then(|(part, _)| in_quarter(registry, part, wanted)) {
        return Some(house);
    }
    let mut others = parts().filter_map(|(part, _)| in_quarter(registry, part, wanted));
    let house = others.next()?;
    others.next().is_none().then_some(House {
        agreement: house.agreement * 0.8,
        ..house
    })
}

impl AddressPlace {
    /// Its numbers as the house number of an address.
    pub(crate) fn house_number(&self) -> HouseNumber {
        let orientation = self.orientation.map(|own| StreetNumber {
            number: own.number,
            letter: own.letter,
            through: None,
        });
        match self.number {
            BuildingNumber::Building(building) => HouseNumber {
                building: Some(building),
                orientation,
                ..HouseNumber::default()
            },
            BuildingNumber::Registration(registration) => HouseNumber {
                registration: Some(registration),
                orientation,
                ..HouseNumber::default()
            },
        }
    }
}
