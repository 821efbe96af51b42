//! Where a listing says that the property is.

use std::collections::HashMap;
use std::sync::LazyLock;

use gazetteer::{Address, AddressParts, HouseNumber, NumberAgreement};
use schema::{Attributes, Evidence, Location, PinPrecision};

use super::marks::name_hash;
use super::{Hash, hash};

/// What a pin marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The building.
    Exact,
    /// The street.
    Street,
    /// The portal does not say, and nothing tells.
    Unknown,
    /// The middle of a quarter, municipality or postal code area: no evidence of a place.
    Area,
}

impl Precision {
    /// Whether two such pins lying together is evidence.
    pub fn marks_property(self) -> bool {
        matches!(self, Self::Exact | Self::Street)
    }

    /// Whether such a pin is worth a block.
    pub fn may_mark_property(self) -> bool {
        self != Self::Area
    }
}

/// A street as it is compared: `náměstí Míru`, and `Míru` without the word for its kind, which portals drop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreetKeys {
    /// The whole name.
    pub full: Hash,
    /// Without the word for the kind of street; equal to `full` for most.
    pub bare: Hash,
    /// The name without the word for its kind, folded.
    pub letters: Box<str>,
    /// The municipality that it is in.
    within: Option<Hash>,
}

/// From this length on, a name with one letter wrong is taken for a slip: `Zbořeenci`. Shorter ones may be two streets.
const LETTERS_FOR_A_SLIP: usize = 7;

impl StreetKeys {
    /// Whether both name one street.
    pub fn agree(&self, other: &Self) -> bool {
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
            && !one.bytes().chain(there.bytes()).any(|letter| letter.is_ascii_digit())
            && strsim::osa_distance(one, there) == 1
    }
}

/// The place of a listing, normalised for comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The pin.
    pub pin: Option<Location>,
    /// What the pin marks.
    pub precision: Precision,
    /// RÚIAN address point.
    pub address_point: Option<i64>,
    /// Municipality.
    pub municipality: Option<Hash>,
    /// Whether the municipality is none of the larger towns: in a village, being in it is evidence.
    pub small: bool,
    /// How crowded the municipality is.
    pub crowd: Crowd,
    /// Postal code.
    pub postal_code: Option<Hash>,
    /// District (okres), stated or that of the town.
    pub district: Option<u8>,
    /// Quarter, within its municipality.
    pub quarter: Option<Hash>,
    /// Street, within its municipality.
    pub street: Option<StreetKeys>,
    /// The telling word of the street, as texts name it.
    pub street_name: Option<Hash>,
    /// The telling word of the quarter, as texts name it.
    pub quarter_name: Option<Hash>,
    /// The house's numbers.
    pub number: HouseNumber,
    /// The normalised address in words, for explanations.
    pub words: String,
}

/// Inhabitants of the larger towns, by match key.
static TOWNS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    gazetteer::towns::towns().iter().map(|town| (gazetteer::place_key(town.name), town.population)).collect()
});

/// How many other properties a random one of the municipality must be told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Crowd {
    /// A village or town.
    Other,
    /// A city of 80,000 inhabitants and more.
    LargeCity,
    /// Praha.
    Capital,
}

impl Crowd {
    fn of(municipality: &str) -> Self {
        match TOWNS.get(municipality) {
            Some(1_000_000..) => Self::Capital,
            Some(80_000..) => Self::LargeCity,
            _ => Self::Other,
        }
    }
}

/// The match key of the municipality that a portal's `city` names: `praha` for `Praha 8`.
pub fn municipality_key(city: &str) -> Option<String> {
    let parts = AddressParts { city: Some(city), ..AddressParts::default() };
    Address::read(&parts).municipality.map(|municipality| municipality.key)
}

impl Place {
    /// Reads where a listing says it is.
    pub fn of(attributes: &Attributes, evidence: &Evidence) -> Self {
        let address = Address::read(&AddressParts {
            street: attributes.street.as_deref(),
            house_number: evidence.house_number.as_deref(),
            neighborhood: attributes.neighborhood.as_deref(),
            city: attributes.city.as_deref(),
            district: attributes.district.as_deref(),
            region: attributes.region.as_deref(),
            postal_code: attributes.postal_code.as_deref(),
            line: attributes.address.as_deref(),
        });
        let municipality = address.municipality_key();
        let within = municipality.unwrap_or_default();
        let street = address.street_key().map(|key| StreetKeys {
            full: hash(&["street", within, key]),
            bare: hash(&["street", within, address.bare_street_key().unwrap_or(key)]),
            letters: address.bare_street_key().unwrap_or(key).into(),
            within: municipality.map(|key| hash(&["municipality", key])),
        });
        Self {
            pin: attributes.location,
            precision: precision(evidence.pin, &address),
            address_point: evidence.address_point,
            municipality: municipality.map(|key| hash(&["municipality", key])),
            small: municipality.is_some_and(|key| !TOWNS.contains_key(key)),
            crowd: municipality.map_or(Crowd::Other, Crowd::of),
            postal_code: address.postal_code.as_ref().map(|code| hash(&["postal code", &code.to_string()])),
            district: district(&address, attributes.location),
            quarter: address.quarter_key().map(|key| hash(&["quarter", within, key])),
            street,
            street_name: address.bare_street_key().and_then(telling_word),
            quarter_name: address.quarter_key().and_then(telling_word),
            number: address.number,
            words: in_words(&address),
        }
    }

    /// Whether the address goes no further than a larger town: portals that know only the post office write so.
    pub fn names_only_a_town(&self) -> bool {
        !self.small && self.street.is_none() && self.quarter.is_none()
    }

    /// Whether both give a house number of one street, or of one place without streets, and it is one house.
    pub fn same_house(&self, other: &Self) -> bool {
        self.number.compare(&other.number) == NumberAgreement::Same
    }

    /// Whether both give house numbers of one street, and they are two houses.
    pub fn other_house(&self, other: &Self) -> bool {
        self.number.compare(&other.number) == NumberAgreement::Different
    }

    /// Hashes of the numbers under which the house may be listed elsewhere.
    pub fn numbers(&self) -> impl Iterator<Item = Hash> {
        let building = self.number.building.map(|number| hash(&["number", &number.to_string()]));
        let along = self.number.orientation.or(self.number.lone);
        let along = along.map(|number| hash(&["number", &number.number.to_string()]));
        let registration =
            self.number.registration.map(|number| hash(&["registration", &number.to_string()]));
        building.into_iter().chain(along).chain(registration)
    }
}

fn district(address: &Address, pin: Option<Location>) -> Option<u8> {
    let municipality = address.municipality.as_ref().map(|municipality| municipality.written.as_str());
    let of_town = || {
        let name = municipality?;
        let there = pin.and_then(|pin| gazetteer::district_of_municipality_at(name, pin));
        there.or_else(|| gazetteer::district_of_municipality(name))
    };
    address.district.or_else(of_town).map(|district| district as u8)
}

/// The longest word of a name, if it is long enough to be told from common words.
fn telling_word(key: &str) -> Option<Hash> {
    let longest = key.split(' ').max_by_key(|word| word.len())?;
    (longest.len() >= 5).then(|| name_hash(longest))
}

/// The declared precision; else what the address lets hope for: who names the house or the street, pins it.
fn precision(declared: Option<PinPrecision>, address: &Address) -> Precision {
    match declared {
        Some(PinPrecision::Exact) => Precision::Exact,
        Some(PinPrecision::Street) => Precision::Street,
        Some(PinPrecision::Quarter | PinPrecision::Municipality) => Precision::Area,
        None if !address.number.is_empty() => Precision::Exact,
        None if address.street.is_some() => Precision::Street,
        None => Precision::Unknown,
    }
}

fn in_words(address: &Address) -> String {
    let number = address.number;
    let along = number.orientation.or(number.lone).map(|number| number.number.to_string());
    let numbers: Vec<String> =
        number.building.map(|number| number.to_string()).into_iter().chain(along).collect();
    let street = address
        .street
        .as_ref()
        .map(|street| format!("{} {}", street.written, numbers.join("/")).trim().to_owned());
    let quarter = address.quarter.as_ref().map(|quarter| quarter.written.clone());
    let municipality = address.municipality.as_ref().map(|municipality| municipality.written.clone());
    [street, quarter, municipality].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
