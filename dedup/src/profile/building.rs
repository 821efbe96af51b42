//! Construction, ownership, energy class and year of a listing.

use std::fmt;

use schema::{Attributes, BuildingType, Evidence, Ownership};

/// Facts about the building and its ownership. Each alone says little.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BuildingFacts {
    /// The construction.
    pub construction: Option<BuildingType>,
    /// The form of ownership.
    pub ownership: Option<Ownership>,
    /// The energy class.
    pub energy_class: Option<EnergyClass>,
    /// The year in which the building was finished.
    pub year_built: Option<i16>,
}

impl BuildingFacts {
    /// Reads the fields of a listing.
    pub fn from_listing(attributes: &Attributes, evidence: &Evidence) -> Self {
        Self {
            construction: attributes.building_type,
            ownership: attributes.ownership,
            energy_class: attributes
                .energy_class
                .as_deref()
                .and_then(EnergyClass::parse),
            year_built: evidence.year_built,
        }
    }
}

/// The letter of an energy certificate, from `A` (best) to `G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnergyClass(char);

impl EnergyClass {
    /// The class that the law requires a seller without a certificate to state.
    pub const WORST: Self = Self('G');

    /// Parses a class as portals publish it: `B`, `b`, `C - Úsporná`. Other texts, such as `není` or
    /// `Nespecifikováno`, give `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut characters = text.trim().chars();
        let letter = characters.next()?.to_ascii_uppercase();
        let is_word = characters.next().is_some_and(char::is_alphanumeric);
        (matches!(letter, 'A'..='G') && !is_word).then_some(Self(letter))
    }
}

impl fmt::Display for EnergyClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_energy_class_is_read_with_and_without_a_description() {
        for text in [
            "B",
            "b",
            " B ",
            "B - Velmi úsporná",
            "B – velmi úsporná",
            "B (85 kWh)",
        ] {
            assert_eq!(EnergyClass::parse(text), Some(EnergyClass('B')), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_not_a_class_gives_none() {
        for text in [
            "",
            " ",
            "není",
            "Nespecifikováno",
            "H",
            "bez průkazu",
            "-",
            "č",
        ] {
            assert_eq!(EnergyClass::parse(text), None, "{text}");
        }
    }
}
