//! Where a listing says that the property is.

use std::collections::HashMap;
use std::sync::LazyLock;

use gazetteer::{Address, AddressParts, Codes, NumberAgreement};
use schema::{Attributes, Evidence, Location, PinPrecision};

use super::marks::name_hash;
use super::names::Names;
use super::{Hash, hash};
use crate::addresses::{Addresses, parts};

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

/// The place of a listing, normalised for comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The pin.
    pub pin: Option<Location>,
    /// What the pin marks.
    pub precision: Precision,
    /// RÚIAN address point: the portal's, else that of the house that the registry knows.
    pub address_point: Option<i64>,
    /// How crowded the municipality is.
    pub crowd: Crowd,
    /// Postal code.
    pub postal_code: Option<Hash>,
    /// District (okres), stated or that of the town.
    pub district: Option<u8>,
    /// The telling word of the street, as texts name it.
    pub street_name: Option<Hash>,
    /// The telling word of the quarter, as texts name it.
    pub quarter_name: Option<Hash>,
    /// Its names: the registry's own where it knows the place for certain.
    pub names: Names,
    /// As the listing wrote them, where that differs: by these an address meets one that the registry does not know.
    pub as_written: Option<Box<Names>>,
    /// The registry's codes of what it knows for certain.
    pub codes: Codes,
    /// The normalised address in words, for explanations.
    pub words: String,
}

/// Inhabitants of the larger towns, by match key.
static TOWNS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    gazetteer::towns::towns()
        .iter()
        .map(|town| (czech::names::place_key(town.name), town.population))
        .collect()
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

/// Whether the municipality of this match key is one of the larger towns.
pub fn is_town(municipality: &str) -> bool {
    TOWNS.contains_key(municipality)
}

/// The match key of the municipality that a portal's `city` names: `praha` for `Praha 8`.
pub fn municipality_key(city: &str) -> Option<String> {
    let parts = AddressParts {
        city: Some(city),
        ..AddressParts::default()
    };
    Address::from_parts(&parts)
        .municipality
        .map(|municipality| municipality.key)
}

impl Place {
    /// Reads where a listing says it is.
    pub fn of(attributes: &Attributes, evidence: &Evidence, addresses: &Addresses) -> Self {
        let read = addresses.read(&parts(attributes, evidence.house_number.as_deref()));
        let written = Names::from_address(&read.written);
        let address = read.official.map_or(read.written, |official| {
            without_namesake(official, &written)
        });
        let municipality = address.municipality_key();
        let names = Names::from_address(&address);
        let codes = address
            .resolved
            .map(|resolved| resolved.codes)
            .unwrap_or_default();
        Self {
            pin: attributes.location,
            precision: precision(evidence.pin, &address),
            address_point: evidence
                .address_point
                .or(codes.address_place.map(i64::from)),
            crowd: municipality.map_or(Crowd::Other, Crowd::of),
            postal_code: address
                .postal_code
                .as_ref()
                .map(|code| hash(&["postal code", &code.to_string()])),
            district: district(&address, attributes.location, addresses),
            street_name: address.bare_street_key().and_then(telling_word),
            quarter_name: address.quarter_key().and_then(telling_word),
            as_written: (written != names && address.resolved.is_some()).then(|| Box::new(written)),
            names,
            codes,
            words: in_words(&address),
        }
    }

    /// Every reading of the address: the registry's first.
    pub fn readings(&self) -> impl Iterator<Item = &Names> {
        std::iter::once(&self.names).chain(self.as_written.as_deref())
    }

    fn written(&self) -> &Names {
        self.as_written.as_deref().unwrap_or(&self.names)
    }

    /// The municipality under each of its names.
    pub fn municipalities(&self) -> impl Iterator<Item = Hash> {
        distinct(self.readings().map(|names| names.municipality))
    }

    /// The municipality under each of its names, where it is none of the larger towns.
    pub fn villages(&self) -> impl Iterator<Item = Hash> {
        distinct(
            self.readings()
                .map(|names| names.municipality.filter(|_| names.small)),
        )
    }

    /// The street under each of its names, without the word for its kind.
    pub fn bare_streets(&self) -> impl Iterator<Item = Hash> {
        distinct(
            self.readings()
                .map(|names| names.street.as_ref().map(|street| street.bare)),
        )
    }

    /// Whether both lie in one municipality: by code where the registry knows both, else by name; `None` where one
    /// names none.
    pub fn one_municipality(&self, other: &Self) -> Option<bool> {
        self.names.municipality.and(other.names.municipality)?;
        let by_code = self.codes.municipality.zip(other.codes.municipality);
        let by_name = || {
            self.municipalities()
                .any(|one| other.municipalities().any(|there| one == there))
        };
        Some(by_code.map_or_else(by_name, |(one, other)| one == other))
    }

    /// Whether both lie in one street, as [`Place::one_municipality`].
    pub fn one_street(&self, other: &Self) -> Option<bool> {
        if let (Some(one), Some(other)) = (&self.names.street, &other.names.street)
            && one.code.is_some()
            && other.code.is_some()
        {
            return Some(one.agree(other));
        }
        let mut there = other.readings().filter_map(|names| names.street.as_ref());
        let agrees = there.any(|there| {
            self.readings()
                .filter_map(|names| names.street.as_ref())
                .any(|one| one.agree(there))
        });
        let both = self.names.street.is_some() && other.names.street.is_some();
        (agrees || both).then_some(agrees)
    }

    /// Whether both lie in one quarter, as [`Place::one_municipality`]. A quarter that only the registry knows of a
    /// listing does not set it apart from one that writes another, unregistered name of it.
    pub fn one_quarter(&self, other: &Self) -> Option<bool> {
        if let Some((one, there)) = self.codes.quarter.zip(other.codes.quarter) {
            return Some(one == there);
        }
        if let Some((one, there)) = self.codes.city_part.zip(other.codes.city_part) {
            return Some(one == there);
        }
        let mut quarters = self.readings().filter_map(|names| names.quarter);
        let agrees = quarters.any(|one| {
            other
                .readings()
                .filter_map(|names| names.quarter)
                .any(|there| one == there)
        });
        let both = self.written().quarter.is_some() && other.written().quarter.is_some();
        (agrees || both).then_some(agrees)
    }

    /// Whether the listing leaves out the street or the quarter.
    pub fn is_vague(&self) -> bool {
        self.written().street.is_none() || self.written().quarter.is_none()
    }

    /// Whether the address goes no further than a larger town: portals that know only the post office write so.
    pub fn names_only_a_town(&self) -> bool {
        !self.names.small && self.names.street.is_none() && self.names.quarter.is_none()
    }

    /// Whether both give a house number of one street, or of one place without streets, and it is one house.
    pub fn same_house(&self, other: &Self) -> bool {
        self.numbers_agree(other)
            .any(|agreement| agreement == NumberAgreement::Same)
    }

    /// Whether both give house numbers of one street, and they are two houses, however they are read.
    pub fn other_house(&self, other: &Self) -> bool {
        self.numbers_agree(other)
            .all(|agreement| agreement == NumberAgreement::Different)
    }

    fn numbers_agree(&self, other: &Self) -> impl Iterator<Item = NumberAgreement> {
        self.readings().flat_map(|one| {
            other
                .readings()
                .map(|there| one.number.compare(&there.number))
        })
    }
}

fn distinct(mut names: impl Iterator<Item = Option<Hash>>) -> impl Iterator<Item = Hash> {
    let (first, second) = (names.next().flatten(), names.next().flatten());
    first
        .into_iter()
        .chain(second.filter(|second| first != Some(*second)))
}

/// Takes out a quarter that the listing did not name and that is called as its municipality is: most of a town is that
/// quarter, and its name in a text is the town's.
fn without_namesake(mut address: Address, written: &Names) -> Address {
    if written.quarter.is_none() && address.quarter_key() == address.municipality_key() {
        address.quarter = None;
        if let Some(resolved) = &mut address.resolved {
            resolved.codes.quarter = None;
        }
    }
    address
}

fn district(address: &Address, pin: Option<Location>, addresses: &Addresses) -> Option<u8> {
    let of_town =
        || addresses.district_of_municipality(&address.municipality.as_ref()?.written, pin);
    address
        .district
        .or_else(of_town)
        .map(|district| district as u8)
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
    let along = number
        .orientation
        .or(number.lone)
        .map(|number| number.number.to_string());
    let numbers: Vec<String> = number
        .building
        .map(|number| number.to_string())
        .into_iter()
        .chain(along)
        .collect();
    let street = address.street.as_ref().map(|street| {
        format!("{} {}", street.written, numbers.join("/"))
            .trim()
            .to_owned()
    });
    let quarter = address
        .quarter
        .as_ref()
        .map(|quarter| quarter.written.clone());
    let municipality = address
        .municipality
        .as_ref()
        .map(|municipality| municipality.written.clone());
    [street, quarter, municipality]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}
