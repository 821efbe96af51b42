//! Construction, ownership and energy class of a listing.

use std::fmt;

use schema::{Attributes, BuildingType, Ownership};

/// Facts that say little each and something together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traits {
    /// The construction.
    pub building: Option<BuildingType>,
    /// The form of ownership.
    pub ownership: Option<Ownership>,
    /// The energy class.
    pub energy: Option<EnergyClass>,
}

impl Traits {
    /// Of what a listing published.
    pub fn of(attributes: &Attributes) -> Self {
        Self {
            building: attributes.building_type,
            ownership: attributes.ownership,
            energy: attributes
                .energy_class
                .as_deref()
                .and_then(EnergyClass::read),
        }
    }
}

/// The letter of an energy certificate, from `A`, the thriftiest, to `G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnergyClass(char);

impl EnergyClass {
    /// What the law has a seller state who has no certificate yet.
    pub const WORST: Self = Self('G');

    /// Reads a class as portals publish it: `B`, `b`, `C - Úsporná`. What begins otherwise is none: `není`,
    /// `Nespecifikováno`.
    pub fn read(text: &str) -> Option<Self> {
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
    fn an_energy_class_is_a_letter_however_it_is_explained() {
        for text in [
            "B",
            "b",
            " B ",
            "B - Velmi úsporná",
            "B – velmi úsporná",
            "B (85 kWh)",
        ] {
            assert_eq!(EnergyClass::read(text), Some(EnergyClass('B')), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_class_says_nothing() {
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
            assert_eq!(EnergyClass::read(text), None, "{text}");
        }
    }
}
