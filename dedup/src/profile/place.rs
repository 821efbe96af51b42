//! Where a property is, according to its listing.

use gazetteer::{Address, Codes, NumberAgreement};
use schema::{Attributes, Evidence, Location, PinPrecision};

use super::marks::name_hash;
use super::municipality::MunicipalitySize;
use super::names::Names;
use crate::addresses::{Addresses, address_parts};
use crate::hash::{Hash, hash};

/// What a pin marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The building.
    Exact,
    /// The street.
    Street,
    /// Unknown.
    Unknown,
    /// The middle of a quarter, municipality or postal code area. It says nothing about the property.
    Area,
}

impl Precision {
    /// Whether two such pins close together are evidence.
    pub fn marks_property(self) -> bool {
        matches!(self, Self::Exact | Self::Street)
    }

    /// Whether such a pin makes blocking keys.
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
    /// RÚIAN code of the address point: from the portal, or else of the house in the registry.
    pub address_point: Option<i64>,
    /// How large the municipality is.
    pub municipality_size: MunicipalitySize,
    /// Postal code.
    pub postal_code: Option<Hash>,
    /// District (okres): as stated, or else that of the municipality.
    pub district: Option<u8>,
    /// The most distinctive word of the street name, as texts use it.
    pub street_name: Option<Hash>,
    /// The most distinctive word of the quarter name, as texts use it.
    pub quarter_name: Option<Hash>,
    /// The names of the place, official if the registry is certain about it.
    pub names: Names,
    /// The names as the listing wrote them, if they differ. They match an address that is not in the
    /// registry.
    pub as_written: Option<Box<Names>>,
    /// The registry codes of what the registry is certain about; if it is not, of the municipality that the portal states.
    pub codes: Codes,
    /// The normalised address, for explanations.
    pub words: String,
}

impl Place {
    /// Reads the place of a listing.
    pub fn from_listing(
        attributes: &Attributes,
        evidence: &Evidence,
        addresses: &Addresses,
    ) -> Self {
        let read =
            addresses.read_address(&address_parts(attributes, evidence.house_number.as_deref()));
        let written = Names::from_address(&read.written);
        let address = read.official.map_or(read.written, |official| {
            without_namesake(official, &written)
        });
        let municipality = address.municipality_key();
        let names = Names::from_address(&address);
        let registered = address.resolved.map(|resolved| resolved.codes);
        let codes = registered.unwrap_or_else(|| stated_codes(evidence));
        Self {
            pin: attributes.location,
            precision: precision(evidence.pin, &address),
            address_point: evidence
                .address_point
                .or(codes.address_place.map(i64::from)),
            municipality_size: municipality
                .map_or(MunicipalitySize::Other, MunicipalitySize::from_key),
            postal_code: address
                .postal_code
                .as_ref()
                .map(|code| hash(&["postal code", &code.to_string()])),
            district: district(&address, attributes.location, addresses),
            street_name: address.bare_street_key().and_then(distinctive_word),
            quarter_name: address.quarter_key().and_then(distinctive_word),
            as_written: (written != names && address.resolved.is_some()).then(|| Box::new(written)),
            names,
            codes,
            words: in_words(&address),
        }
    }

    /// Every reading of the address, the official one first.
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

    /// The municipality under each of its names, unless it is a larger town.
    pub fn villages(&self) -> impl Iterator<Item = Hash> {
        distinct(
            self.readings()
                .map(|names| names.municipality.filter(|_| names.small)),
        )
    }

    /// The street under each of its names, without the word for the kind of street.
    pub fn bare_streets(&self) -> impl Iterator<Item = Hash> {
        distinct(
            self.readings()
                .map(|names| names.street.as_ref().map(|street| street.bare)),
        )
    }

    /// Whether both are in one municipality, compared by registry code or else by name; `None` if one
    /// of them names no municipality.
    pub fn same_municipality(&self, other: &Self) -> Option<bool> {
        self.names.municipality.and(other.names.municipality)?;
        let by_code = self.codes.municipality.zip(other.codes.municipality);
        let by_name = || {
            self.municipalities()
                .any(|one| other.municipalities().any(|there| one == there))
        };
        Some(by_code.map_or_else(by_name, |(one, other)| one == other))
    }

    /// Whether both are on one street, compared as in [`Place::same_municipality`].
    pub fn same_street(&self, other: &Self) -> Option<bool> {
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

    /// Whether both are in one quarter, compared as in [`Place::same_municipality`]. A quarter that only
    /// the registry gives does not contradict the quarter that the other listing wrote.
    pub fn same_quarter(&self, other: &Self) -> Option<bool> {
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

    /// Whether the address names only a larger town, as portals do that know only the post office.
    pub fn names_only_a_town(&self) -> bool {
        !self.names.small && self.names.street.is_none() && self.names.quarter.is_none()
    }

    /// Whether both state the number of one house, on one street or in one place without streets.
    pub fn same_house(&self, other: &Self) -> bool {
        self.numbers_agree(other)
            .any(|agreement| agreement == NumberAgreement::Same)
    }

    /// Whether both state house numbers that differ in every reading.
    pub fn is_different_house(&self, other: &Self) -> bool {
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

/// Removes a quarter that has the name of its municipality, unless the listing named it: most of the
/// town is that quarter, and in a text the name means the town.
fn without_namesake(mut address: Address, written: &Names) -> Address {
    if written.quarter.is_none() && address.quarter_key() == address.municipality_key() {
        address.quarter = None;
        if let Some(resolved) = &mut address.resolved {
            resolved.codes.quarter = None;
        }
    }
    address
}

/// The code of the municipality that the portal states. The registry was not certain about the address.
fn stated_codes(evidence: &Evidence) -> Codes {
    let municipality = evidence.municipality_code;
    Codes {
        municipality: municipality.and_then(|code| u32::try_from(code).ok()),
        ..Codes::default()
    }
}

fn district(address: &Address, pin: Option<Location>, addresses: &Addresses) -> Option<u8> {
    let of_town =
        || addresses.district_of_municipality(&address.municipality.as_ref()?.written, pin);
    address
        .district
        .or_else(of_town)
        .map(|district| district as u8)
}

/// The longest word of a name, if it is long enough not to be a common word.
fn distinctive_word(key: &str) -> Option<Hash> {
    let longest = key.split(' ').max_by_key(|word| word.len())?;
    (longest.len() >= 5).then(|| name_hash(longest))
}

/// The declared precision. If none is declared, a listing that names the house or the street is
/// assumed to pin it.
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
