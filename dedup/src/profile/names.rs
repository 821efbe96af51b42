//! The names of an address, hashed for comparison: either as the listing wrote them or as the registry has them.

use czech::house_number::HouseNumber;
use gazetteer::Address;

use super::municipality::is_town;
use super::{Hash, hash};

/// A street for comparison: with its kind (`náměstí Míru`), and without it (`Míru`), because portals leave it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreetKeys {
    /// The whole name.
    pub full: Hash,
    /// The name without the kind of street; for most streets equal to `full`.
    pub bare: Hash,
    /// The letters of the name without the kind of street, folded.
    pub letters: Box<str>,
    /// The code in the registry, if the registry knows the street.
    pub code: Option<u32>,
    /// The municipality.
    within: Option<Hash>,
}

/// The shortest name whose typing errors are forgiven, in bytes: `Zbořeenci`. Two shorter names that differ by one letter
/// may be two streets.
const SHORTEST_WITH_TYPO: usize = 7;

impl StreetKeys {
    fn from_address(address: &Address) -> Option<Self> {
        let key = address.street_key()?;
        let bare = address.bare_street_key().unwrap_or(key);
        let municipality = address.municipality_key();
        let within = municipality.unwrap_or_default();
        Some(Self {
            full: hash(&["street", within, key]),
            bare: hash(&["street", within, bare]),
            letters: bare.into(),
            code: address.resolved.and_then(|resolved| resolved.codes.street),
            within: municipality.map(|key| hash(&["municipality", key])),
        })
    }

    /// Whether both are one street: by code if the registry knows both, else by name.
    pub fn agree(&self, other: &Self) -> bool {
        if let (Some(one), Some(other)) = (self.code, other.code) {
            return one == other;
        }
        self.full == other.full
            || (self.bare == other.bare && (self.full == self.bare || other.full == other.bare))
            || (self.within == other.within && self.is_typo_of(other))
    }

    /// Whether the names differ by one letter or by two letters that changed places, and agree at one end.
    fn is_typo_of(&self, other: &Self) -> bool {
        let (one, there) = (&self.letters, &other.letters);
        one.len().abs_diff(there.len()) <= 1
            && one.len().min(there.len()) >= SHORTEST_WITH_TYPO
            && (one.as_bytes().first() == there.as_bytes().first()
                || one.as_bytes().last() == there.as_bytes().last())
            && !one
                .bytes()
                .chain(there.bytes())
                .any(|letter| letter.is_ascii_digit())
            && strsim::osa_distance(one, there) == 1
    }
}

/// The parts of an address, hashed.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    /// The municipality.
    pub municipality: Option<Hash>,
    /// Whether the municipality is not one of the larger towns.
    pub small: bool,
    /// The quarter, within its municipality.
    pub quarter: Option<Hash>,
    /// The street, within its municipality.
    pub street: Option<StreetKeys>,
    /// The numbers of the house.
    pub number: HouseNumber,
}

impl Names {
    /// The names of an address.
    pub fn from_address(address: &Address) -> Self {
        let municipality = address.municipality_key();
        let within = municipality.unwrap_or_default();
        Self {
            municipality: municipality.map(|key| hash(&["municipality", key])),
            small: municipality.is_some_and(|key| !is_town(key)),
            quarter: address
                .quarter_key()
                .map(|key| hash(&["quarter", within, key])),
            street: StreetKeys::from_address(address),
            number: address.number,
        }
    }

    /// What the house number is counted in: the street, else the quarter, else the municipality.
    pub fn road(&self) -> Option<Hash> {
        self.street
            .as_ref()
            .map(|street| street.bare)
            .or(self.quarter)
            .or(self.municipality)
    }

    /// The hashes of all numbers by which another listing may name the house.
    pub fn numbers(&self) -> impl Iterator<Item = Hash> {
        let building = self
            .number
            .building
            .map(|number| hash(&["number", &number.to_string()]));
        let along = self.number.orientation.or(self.number.lone);
        let along = along.map(|number| hash(&["number", &number.number.to_string()]));
        let registration = self
            .number
            .registration
            .map(|number| hash(&["registration", &number.to_string()]));
        building.into_iter().chain(along).chain(registration)
    }
}
