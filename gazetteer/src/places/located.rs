//! The answer to a text.

use crate::level::{Codes, Level};
use czech::house_number::HouseNumber;
use std::fmt;

use schema::Location;
use thiserror::Error;

use super::place::Registered;
use crate::address::PostalCode;
use crate::districts::District;
use crate::regions::Region;
use crate::registry::{AddressPlace, Registry};

/// A text found on the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The middle of the place.
    pub location: Location,
    /// The level of the place.
    pub level: Level,
    /// The names of the place and of the places it lies in.
    pub names: Names,
    /// Their codes in the address registry.
    pub codes: Codes,
    /// The house number: that of the registry at the level of an address, otherwise that of the text.
    pub house_number: HouseNumber,
    /// The postal code: that of the registry at the level of an address, otherwise that of the text.
    pub postal_code: Option<PostalCode>,
    /// The share of the text that the place explains: 1 is all of it. A matching postal code and a large population add
    /// a little.
    pub score: f64,
    /// The share of the words that the place explains, 0 to 1, without the evidence that is not in its names. A misspelt
    /// name explains less than one that is spelt right.
    pub fit: f64,
    /// The difference to the score of the best place elsewhere. Below [`Located::AMBIGUOUS`] that place fits as well.
    pub margin: f64,
    /// Up to three places elsewhere, best first.
    pub alternatives: Vec<String>,
    /// What was understood, finest level first.
    pub matched: Vec<Match>,
    /// Words that the answer does not explain.
    pub not_understood: Vec<String>,
}

impl Located {
    /// With a smaller margin the text fits several places.
    pub const AMBIGUOUS: f64 = 0.02;

    /// The place with the places around it: `Nádražní 60/114, Smíchov, Praha, okres Praha, Hlavní město Praha`. The
    /// house number is there only if the house was found.
    pub fn name(&self) -> String {
        let house = (self.level == Level::Address).then_some(self.house_number);
        match (house, &self.names.street) {
            (Some(number), Some(street)) => {
                let rest = Names {
                    street: None,
                    ..self.names.clone()
                };
                format!("{street} {number}, {rest}")
            }
            (Some(number), None) => format!("{number}, {}", self.names),
            (None, _) => self.names.to_string(),
        }
    }

    /// Whether the text fits several places.
    pub fn is_ambiguous(&self) -> bool {
        self.margin < Self::AMBIGUOUS
    }
}

/// The name with the level: `… Hlavní město Praha (address)`.
impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.level.name())
    }
}

/// The official names of a place and of the places it lies in.
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
    /// Sets the street and the quarter to those of a house.
    pub(super) fn add_place(&mut self, registry: &Registry, house: &AddressPlace) {
        let street = house.street.and_then(|street| registry.street(street));
        let quarter = registry.quarter(house.quarter);
        self.street = street.map(|street| registry.name(street.name).to_owned());
        self.quarter = quarter.map(|quarter| registry.name(quarter.name).to_owned());
    }
}

impl Codes {
    /// The codes of places that lie in each other, finest first. Of two places of one kind the first counts.
    pub(super) fn from_places(
        registry: &Registry,
        places: impl Iterator<Item = Registered>,
    ) -> Self {
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

    /// Sets the codes to those of a house.
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

/// Words of the text that name a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The words as written.
    pub text: String,
    /// The level of the place.
    pub level: Level,
    /// The name of the place.
    pub name: String,
    /// How they name it.
    pub how: How,
}

/// How words name a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// By its name.
    Exact,
    /// By a shorter or different name.
    Alias,
    /// By its name in another grammatical case: `v Praze`.
    Declined,
    /// By an abbreviation: `Ústí n. L.`.
    Abbreviated,
    /// By its name with typing errors.
    Misspelt,
}

/// The error for a text that names no known place.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}", self.message())]
pub struct NotLocated {
    /// The reason.
    pub reason: Reason,
    /// What was understood.
    pub understood: Vec<Match>,
    /// Words that were not understood, as written.
    pub not_understood: Vec<String>,
    /// The places that the text may mean, the likeliest first.
    pub candidates: Vec<String>,
}

/// Why a text cannot be located.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It has no words.
    Empty,
    /// It names another country.
    Abroad,
    /// No known place explains enough of the text.
    Unknown,
    /// It is a number.
    Number,
    /// It resembles names of places, and nothing confirms one of them.
    Misspelt,
    /// It names places that do not lie in each other.
    Contradictory,
    /// Several places have the name, and nothing decides between them.
    Ambiguous,
}

impl NotLocated {
    fn message(&self) -> String {
        let unknown: Vec<String> = self
            .not_understood
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect();
        let unknown = unknown.join(", ");
        let cause = match self.reason {
            Reason::Empty => "the address holds no name of a place".to_owned(),
            Reason::Abroad => "the address lies outside the Czech Republic".to_owned(),
            Reason::Number => "a number alone names no place".to_owned(),
            Reason::Ambiguous => "several places have this name".to_owned(),
            Reason::Contradictory => format!("{unknown} is elsewhere than the rest"),
            Reason::Unknown | Reason::Misspelt if unknown.is_empty() => {
                "the address names no known place".to_owned()
            }
            Reason::Unknown | Reason::Misspelt => format!("no known place is named {unknown}"),
        };
        let understood = self.understood_parts();
        let candidates = self.candidates.join("; ");
        let advice =
            "write a municipality, perhaps with street, quarter, district (okres) or postal code";
        let mut parts = vec![cause];
        if !understood.is_empty() {
            parts.push(format!("understood: {understood}"));
        }
        if !candidates.is_empty() {
            parts.push(format!("candidates: {candidates}"));
        }
        parts.push(advice.to_owned());
        parts.join("; ")
    }

    /// What was understood, in words. Names that only resemble the text were not understood.
    fn understood_parts(&self) -> String {
        let parts = self
            .understood
            .iter()
            .filter(|part| self.reason != Reason::Misspelt || part.how != How::Misspelt);
        let parts: Vec<String> = parts
            .map(|part| {
                format!(
                    "\"{}\" as the {} {}",
                    part.text,
                    part.level.name(),
                    part.name
                )
            })
            .collect();
        parts.join(", ")
    }
}
