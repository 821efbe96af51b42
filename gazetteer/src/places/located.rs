//! What a text was found to be.

use std::fmt;

use czech::house_number::HouseNumber;
use schema::Location;
use thiserror::Error;

use super::place::Registered;
use crate::address::{Codes, Level, PostalCode};
use crate::districts::District;
use crate::regions::Region;
use crate::registry::{AddressPlace, Registry};

/// A text found on the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The middle of the place.
    pub location: Location,
    /// How exactly the text was found.
    pub level: Level,
    /// The names of the place and of what it lies in.
    pub names: Names,
    /// What the address registry calls them.
    pub codes: Codes,
    /// The house number: the registry's at the level of an address, else the one in the text.
    pub house_number: HouseNumber,
    /// The postal code: the registry's at the level of an address, else the one in the text.
    pub postal_code: Option<PostalCode>,
    /// How much of the text the place explains, 1 being all of it; a little more with an agreeing postal code and for
    /// large places.
    pub score: f64,
    /// By how much it is better than the best place elsewhere. Below [`Located::AMBIGUOUS`] another place fits as well.
    pub margin: f64,
    /// The best places elsewhere, best first: at most three.
    pub alternatives: Vec<String>,
    /// What was understood, in the order of the levels, the finest first.
    pub matched: Vec<Match>,
    /// Words that no part of the answer explains.
    pub not_understood: Vec<String>,
}

impl Located {
    /// A smaller margin than this means that the text fits several places.
    pub const AMBIGUOUS: f64 = 0.02;

    /// Whether the text fits several places.
    pub fn is_ambiguous(&self) -> bool {
        self.margin < Self::AMBIGUOUS
    }
}

/// `Nádražní 60/114, Smíchov, Praha, okres Praha, Hlavní město Praha (address)`; the house number only where the house
/// was found.
impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let house = (self.level == Level::Address).then_some(self.house_number);
        match (house, &self.names.street) {
            (Some(number), Some(street)) => {
                let rest = Names {
                    street: None,
                    ..self.names.clone()
                };
                write!(f, "{street} {number}, {rest}")?;
            }
            (Some(number), None) => write!(f, "{number}, {}", self.names)?,
            (None, _) => self.names.fmt(f)?,
        }
        write!(f, " ({})", self.level.name())
    }
}

/// The official names of a place and of what it lies in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Ulice.
    pub street: Option<String>,
    /// Část obce.
    pub quarter: Option<String>,
    /// Obec.
    pub municipality: Option<String>,
    /// Okres.
    pub district: Option<District>,
    /// Kraj.
    pub region: Option<Region>,
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = [
            self.street.as_deref(),
            self.quarter.as_deref(),
            self.municipality.as_deref(),
        ];
        let mut parts: Vec<String> = texts.into_iter().flatten().map(str::to_owned).collect();
        parts.extend(
            self.district
                .map(|district| format!("okres {}", district.name())),
        );
        parts.extend(self.region.map(|region| region.name().to_owned()));
        f.write_str(&parts.join(", "))
    }
}

impl Names {
    /// Takes over the names of what a house lies in.
    pub(super) fn add_place(&mut self, registry: &Registry, house: &AddressPlace) {
        let street = house.street.and_then(|street| registry.street(street));
        let quarter = registry.quarter(house.quarter);
        self.street = street.map(|street| registry.name(street.name).to_owned());
        self.quarter = quarter.map(|quarter| registry.name(quarter.name).to_owned());
    }
}

impl Codes {
    /// The codes of some places that lie in each other; of two of one kind the first.
    pub(super) fn of(registry: &Registry, places: impl Iterator<Item = Registered>) -> Self {
        let mut codes = Self::default();
        for place in places {
            let (slot, code) = match place {
                Registered::Municipality(index) => (
                    &mut codes.municipality,
                    registry.municipality(index).map(|place| place.code),
                ),
                Registered::Quarter(index) => (
                    &mut codes.quarter,
                    registry.quarter(index).map(|place| place.code),
                ),
                Registered::CityPart(index) => (
                    &mut codes.city_part,
                    registry.city_part(index).map(|place| place.code),
                ),
                Registered::Street(index) => (
                    &mut codes.street,
                    registry.street(index).map(|place| place.code),
                ),
            };
            *slot = slot.or(code);
        }
        codes
    }

    /// Takes over the codes of a house.
    pub(super) fn add_place(&mut self, registry: &Registry, house: &AddressPlace) {
        self.address_place = Some(house.code);
        self.street = house
            .street
            .and_then(|street| registry.street(street))
            .map(|street| street.code);
        self.quarter = registry.quarter(house.quarter).map(|quarter| quarter.code);
        let part = house.city_part.and_then(|part| registry.city_part(part));
        self.city_part = part.map(|part| part.code);
    }
}

/// Words of the text and the place they name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The words as written.
    pub text: String,
    /// What they name.
    pub level: Level,
    /// Its name.
    pub name: String,
    /// How they name it.
    pub how: How,
}

/// How words name a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// By its name.
    Exact,
    /// By a shorter or other name of it.
    Alias,
    /// By its name in another case: `v Praze`.
    Declined,
    /// By an abbreviation: `Ústí n. L.`.
    Abbreviated,
    /// By its name with typing errors.
    Misspelt,
}

/// A text that leads nowhere.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}", self.message())]
pub struct NotLocated {
    /// Why.
    pub reason: Reason,
    /// What was understood.
    pub understood: Vec<Match>,
    /// What was not, as written.
    pub not_understood: Vec<String>,
}

/// Why a text leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It holds no word.
    Empty,
    /// It names another country.
    Abroad,
    /// No known place explains enough of it.
    Unknown,
}

impl NotLocated {
    fn message(&self) -> String {
        let cause = match self.reason {
            Reason::Empty => "the address holds no name of a place".to_owned(),
            Reason::Abroad => "the address lies outside the Czech Republic".to_owned(),
            Reason::Unknown if self.not_understood.is_empty() => {
                "the address names no known place".to_owned()
            }
            Reason::Unknown => {
                let unknown: Vec<String> = self
                    .not_understood
                    .iter()
                    .map(|word| format!("\"{word}\""))
                    .collect();
                format!("no known place is named {}", unknown.join(", "))
            }
        };
        let understood: Vec<String> = self
            .understood
            .iter()
            .map(|part| {
                format!(
                    "\"{}\" as the {} {}",
                    part.text,
                    part.level.name(),
                    part.name
                )
            })
            .collect();
        let way_out =
            "write a municipality, perhaps with street, quarter, district (okres) or postal code";
        if understood.is_empty() {
            format!("{cause}; {way_out}")
        } else {
            format!("{cause}; understood: {}; {way_out}", understood.join(", "))
        }
    }
}
