//! What the registry knows, by dense numbers.
//!
//! A number counts from 0 in the order of its list and holds for one edition only; what lasts is the registry's code.

use std::ops::Range;

use schema::Location;

use crate::districts::District;
use crate::regions::Region;

/// Number of a municipality in its edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MunicipalityIndex(pub u32);

/// Number of a part of a municipality (část obce) in its edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuarterIndex(pub u32);

/// Number of a city part (městská část, městský obvod) in its edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CityPartIndex(pub u32);

/// Number of a street in its edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetIndex(pub u32);

/// Number of an address place in its edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceIndex(pub u32);

/// Number of a spelling: equal names share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameIndex(pub u32);

/// Number of a name's declined forms; [`NameForms::UNKNOWN`] where the registry's tables gave none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameForms(pub u32);

impl NameForms {
    /// No VFR file told how the name is declined.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// A municipality (obec).
#[derive(Debug, Clone, PartialEq)]
pub struct Municipality {
    /// Kód obce.
    pub code: u32,
    /// Its official name.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// Okres; Prague counts as one. `None` where no hierarchy was read.
    pub district: Option<District>,
    /// Kraj; `None` where no hierarchy was read.
    pub region: Option<Region>,
    /// Its definition point, else the place nearest the middle of its places.
    pub position: Option<Location>,
    /// Date of the address table it comes from, `YYYYMMDD`; 0 where none was read.
    pub edition: u32,
    /// Its parts.
    pub quarters: Range<u32>,
    /// Its city parts; empty in all but the divided cities.
    pub city_parts: Range<u32>,
    /// Its streets; empty in most villages.
    pub streets: Range<u32>,
    /// Its address places.
    pub places: Range<u32>,
}

/// A part of a municipality (část obce): what building and registration numbers are counted in.
#[derive(Debug, Clone, PartialEq)]
pub struct Quarter {
    /// Kód části obce.
    pub code: u32,
    /// Its official name.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// What it is a part of.
    pub municipality: MunicipalityIndex,
    /// Its definition point, else the place nearest the middle of its places.
    pub position: Option<Location>,
    /// Its places that lie on no street, ordered by number.
    pub streetless: Range<u32>,
    /// How many address places it has, on streets and off them.
    pub place_count: u32,
}

/// A self-governing part of a divided city (městská část, městský obvod).
#[derive(Debug, Clone, PartialEq)]
pub struct CityPart {
    /// Kód MOMC.
    pub code: u32,
    /// Its official name: `Praha 5`, `Brno-Bystrc`.
    pub name: NameIndex,
    /// How the name is declined.
    pub forms: NameForms,
    /// Its city.
    pub municipality: MunicipalityIndex,
    /// Its definition point, else the place nearest the middle of its places.
    pub position: Option<Location>,
    /// How many address places it has.
    pub place_count: u32,
}

/// A street; its name is the only one in its municipality.
#[derive(Debug, Clone, PartialEq)]
pub struct Street {
    /// Kód ulice.
    pub code: u32,
    /// Its official name, abbreviated as the registry has it: `nám. Míru`.
    pub name: NameIndex,
    /// Where it runs.
    pub municipality: MunicipalityIndex,
    /// The place nearest the middle of its places.
    pub position: Option<Location>,
    /// Its address places, ordered by orientation number, letter, building number.
    pub places: Range<u32>,
}

/// Where a postal code delivers.
#[derive(Debug, Clone, PartialEq)]
pub struct PostalArea {
    /// Its digits.
    pub code: u32,
    /// The place nearest the middle of its places.
    pub position: Option<Location>,
    /// The municipality with most of its places.
    pub municipality: MunicipalityIndex,
    /// How many address places it has.
    pub place_count: u32,
}

/// Which parts of its municipality a place lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area {
    /// Část obce.
    pub quarter: QuarterIndex,
    /// Městská část or obvod, in divided cities.
    pub city_part: Option<CityPartIndex>,
    /// Obvod Prahy: one of the ten of 1960, which postal addresses go by.
    pub old_prague_district: Option<u8>,
}
