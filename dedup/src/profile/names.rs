//! The names by which a place is met: the registry's where it knows the place, and those that the listing wrote.

use gazetteer::{Address, HouseNumber};

use super::municipality::is_town;
use super::{Hash, hash};

/// A street as it is compared: `náměstí Míru`, and `Míru` without the word for its kind, which portals drop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreetKeys {
    /// The whole name.
    pub full: Hash,
    /// Without the word for the kind of street; equal to `full` for most.
    pub bare: Hash,
    /// The name without the word for its kind, folded.
    pub letters: Box<str>,
    /// The registry's code, where it knows the street.
    pub code: Option<u32>,
    /// The municipality that it is in.
    within: Option<Hash>,
}

/// From this length on, a name with one letter wrong is taken for a slip: `Zbořeenci`. Shorter ones may be two streets.
const LETTERS_FOR_A_SLIP: usize = 7;

impl StreetKeys {
    fn of(address: &Address) -> Option<Self> {
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

    /// Whether both name one street: by code where the registry knows both, else by name.
    pub fn agree(&self, other: &Self) -> bool {
        if let (Some(one), Some(other)) = (self.code, other.code) {
            return one == other;
        }
        self.full == other.full
            || (self.bare == other.bare && (self.full == self.bare || other.full == other.bare))
            || (self.within == other.within && self.is_slip_of(other))
    }

    /// Whether the names differ by one letter, or two that changed places.
    fn is_slip_of(&self, other: &Self) -> bool {
        let (one, there) = (&self.letters, &other.letters);
        one.len().abs_diff(there.len()) <= 1
            && one.len().min(there.len()) >= LETTERS_FOR_A_SLIP
            && (one.as_bytes().first() == there.as_bytes().first()
                || one.as_bytes().last() == there.as_bytes().last())
            && !one
                .bytes()
                .chain(there.bytes())
                .any(|letter| letter.is_ascii_digit())
            && strsim::osa_distance(one, there) == 1
    }
}

/// The parts of one reading of an address, hashed.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    /// Municipality.
    pub municipality: Option<Hash>,
    /// Whether the municipality is none of the larger towns.
    pub small: bool,
    /// Quarter, within its municipality.
    pub quarter: Option<Hash>,
    /// Street, within its municipality.
    pub street: Option<StreetKeys>,
    /// The house's numbers.
    pub number: HouseNumber,
}

impl Names {
    /// The names of an address.
    pub fn of(address: &Address) -> Self {
        let municipality = address.municipality_key();
        let within = municipality.unwrap_or_default();
        Self {
            municipality: municipality.map(|key| hash(&["municipality", key])),
            small: municipality.is_some_and(|key| !is_town(key)),
            quarter: address
                .quarter_key()
                .map(|key| hash(&["quarter", within, key])),
            street: StreetKeys::of(address),
            number: address.number,
        }
    }

    /// The street, else the quarter, else the municipality, in which a house number counts.
    pub fn road(&self) -> Option<Hash> {
        self.street
            .as_ref()
            .map(|street| street.bare)
            .or(self.quarter)
            .or(self.municipality)
    }

    /// Hashes of the numbers under which the house may be listed elsewhere.
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
