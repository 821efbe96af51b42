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

/// The shortest name with one letter replaced by another that is still the same name, in bytes: `Zbořenci`. Two shorter
/// names may be two streets.
const SHORTEST_WITH_OTHER_LETTER: usize = 7;
/// The shortest name with a letter too many or too few, in bytes: `Klegova`, `Kleova`.
const SHORTEST_WITH_LETTER_MORE: usize = 6;
/// The shortest name with two letters that changed places or with one doubled, in bytes: `Mírová`, `Míírová`.
const SHORTEST_WITH_SLIP: usize = 5;

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

    /// Whether one name is the other with one typing error, and they agree at one end.
    fn is_typo_of(&self, other: &Self) -> bool {
        let (one, there) = (self.letters.as_bytes(), other.letters.as_bytes());
        let agree_at_one_end = one.first() == there.first() || one.last() == there.last();
        let numbered = one.iter().chain(there).any(u8::is_ascii_digit);
        agree_at_one_end
            && !numbered
            && one.len().min(there.len()) >= shortest_with_error(one, there)
            && strsim::osa_distance(&self.letters, &other.letters) == 1
    }
}

/// How long the shorter of two names that are one typing error apart must be to be one name, in bytes.
fn shortest_with_error(one: &[u8], other: &[u8]) -> usize {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let differs = |place: &usize| short.get(*place) != long.get(*place);
    let first = (0..long.len()).find(differs).unwrap_or_default();
    let changed_places = short.len() == long.len() && short.get(first) == long.get(first + 1);
    let doubled = short.len() < long.len() && first > 0 && long.get(first) == long.get(first - 1);
    if changed_places || doubled {
        SHORTEST_WITH_SLIP
    } else if short.len() < long.len() {
        SHORTEST_WITH_LETTER_MORE
    } else {
        SHORTEST_WITH_OTHER_LETTER
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
