//! What the registry lists (municipalities, quarters, streets, …), and the indexes of its lists.
//!
//! An index counts from 0 in the order of its list and is valid for one edition only; the registry's code is permanent.

use std::ops::Range;

use schema::Location;
use serde::{Deserialize, Serialize};

use crate::districts::District;

/// Index of a municipality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MunicipalityIndex(pub u32);

/// Index of a part of a municipality (část obce).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QuarterIndex(pub u32);

/// Index of a city part (městská část, městský obvod).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CityPartIndex(pub u32);

/// Index of a street.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetIndex(pub u32);

/// Index of an address place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceIndex(pub u32);

/// Index of a name: equal names share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameIndex(pub u32);

/// Index of the declined forms of a name, or [`NameForms::UNKNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameForms(pub u32);

impl NameForms {
    /// No VFR file gave the declined forms.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// A municipality (obec).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Municipality {
    /// Kód obce.
    pub code: u32,
    /// Its official name.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// Okres; Prague counts as one. `None` if no imported file gave it.
    pub district: Option<District>,
    /// Its definition point, or else the address place nearest to the middle of its places.
    pub position: Option<Location>,
    /// Date of its address table, `YYYYMMDD`; 0 if there was none.
    pub edition: u32,
    /// Its parts.
    pub quarters: Range<u32>,
    /// Its city parts; only divided cities have them.
    pub city_parts: Range<u32>,
    /// Its streets; most villages have none.
    pub streets: Range<u32>,
    /// Its address places.
    pub places: Range<u32>,
}

/// A part of a municipality (část obce). Building and registration numbers are unique within it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quarter {
    /// Kód části obce.
    pub code: u32,
    /// Its official name.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// The municipality it is a part of.
    pub municipality: MunicipalityIndex,
    /// Its definition point, or else the address place nearest to the middle of its places.
    pub position: Option<Location>,
    /// Its address places without a street, ordered by number.
    pub streetless: Range<u32>,
    /// How many address places it has, with and without a street.
    pub place_count: u32,
}

/// A self-governing part of a divided city (městská část, městský obvod).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CityPart {
    /// Kód MOMC.
    pub code: u32,
    /// Its official name: `Praha 5`, `Brno-Bystrc`.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// Its city.
    pub municipality: MunicipalityIndex,
    /// Its definition point, or else the address place nearest to the middle of its places.
    pub position: Option<Location>,
    /// How many address places it has.
    pub place_count: u32,
}

/// A street; its name is unique in its municipality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Street {
    /// Kód ulice.
    pub code: u32,
    /// Its official name, abbreviated as in the registry: `nám. Míru`.
    pub name: NameIndex,
    /// The municipality it lies in.
    pub municipality: MunicipalityIndex,
    /// The address place nearest to the middle of its places.
    pub position: Option<Location>,
    /// Its address places, ordered by orientation number, letter, building number.
    pub places: Range<u32>,
}

/// The area of a postal code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PostalArea {
    /// The postal code as a number.
    pub code: u32,
    /// The address place nearest to the middle of its places.
    pub position: Option<Location>,
    /// The municipality that has most of its places.
    pub municipality: MunicipalityIndex,
    /// How many address places it has.
    pub place_count: u32,
}

/// The parts of its municipality that an address place lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Area {
    /// Část obce.
    pub quarter: QuarterIndex,
    /// Městská část or obvod, in divided cities.
    pub city_part: Option<CityPartIndex>,
    /// Obvod Prahy, 1 to 10: the districts of 1960, which postal addresses still use.
    pub old_prague_district: Option<u8>,
}
