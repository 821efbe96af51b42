//! An address place, and the packed form in which the registry keeps it.

use std::cmp::Ordering;

use schema::Location;
use serde::{Deserialize, Serialize};

use super::entity::{CityPartIndex, MunicipalityIndex, QuarterIndex, StreetIndex};
use crate::address::PostalCode;

/// The number of a building, unique in its part of the municipality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuildingNumber {
    /// Číslo popisné.
    Building(u16),
    /// Číslo evidenční, for cottages and the like.
    Registration(u16),
}

/// Číslo orientační, counted along the street.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrientationNumber {
    /// The number, 1 to 999 in the registry.
    pub number: u16,
    /// Its letter, in lower case.
    pub letter: Option<char>,
}

/// An address place (adresní místo): an entrance with its own code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AddressPlace {
    /// Kód ADM: unique and permanent.
    pub code: u32,
    /// Číslo popisné or evidenční.
    pub number: BuildingNumber,
    /// Číslo orientační.
    pub orientation: Option<OrientationNumber>,
    /// PSČ.
    pub postal_code: Option<PostalCode>,
    /// Its position, if the registry has one, to about a metre.
    pub location: Option<Location>,
    /// Obec.
    pub municipality: MunicipalityIndex,
    /// Část obce.
    pub quarter: QuarterIndex,
    /// Městská část or obvod.
    pub city_part: Option<CityPartIndex>,
    /// Obvod Prahy, 1 to 10.
    pub old_prague_district: Option<u8>,
    /// Ulice.
    pub street: Option<StreetIndex>,
}

/// The largest numbers that the packed forms hold; the registry's own limits are 9999 and 999.
const LARGEST_BUILDING: u16 = 0x7fff;
const LARGEST_ORIENTATION: u16 = 0x07ff;

/// A building number in 16 bits. The highest bit marks a registration number, so the order is that of
/// [`BuildingNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct PackedBuilding(pub u16);

impl PackedBuilding {
    pub fn pack(number: BuildingNumber) -> Option<Self> {
        match number {
            BuildingNumber::Building(number) if number <= LARGEST_BUILDING => Some(Self(number)),
            BuildingNumber::Registration(number) if number <= LARGEST_BUILDING => {
                Some(Self(number | !LARGEST_BUILDING))
            }
            _ => None,
        }
    }

    pub const fn unpack(self) -> BuildingNumber {
        let number = self.0 & LARGEST_BUILDING;
        if self.0 > LARGEST_BUILDING {
            BuildingNumber::Registration(number)
        } else {
            BuildingNumber::Building(number)
        }
    }
}

/// An orientation number in 16 bits: the letter (1 is `a`) in the lowest five, the number above them, so the order is
/// that of [`OrientationNumber`]. 0 means that there is none.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub(crate) struct PackedOrientation(pub u16);

impl PackedOrientation {
    pub fn pack(orientation: Option<OrientationNumber>) -> Option<Self> {
        let Some(OrientationNumber { number, letter }) = orientation else {
            return Some(Self::default());
        };
        let letter = match letter {
            None => 0,
            Some(letter @ 'a'..='z') => letter as u16 - 'a' as u16 + 1,
            Some(_) => return None,
        };
        (1..=LARGEST_ORIENTATION)
            .contains(&number)
            .then_some(Self(number << 5 | letter))
    }

    pub fn unpack(self) -> Option<OrientationNumber> {
        let letter = (self.0 & 0x1f) as u8;
        let letter = (1..=26)
            .contains(&letter)
            .then(|| char::from(b'a' + letter - 1));
        (self.0 != 0).then_some(OrientationNumber {
            number: self.0 >> 5,
            letter,
        })
    }
}

/// A position in ten-millionths of a degree, which is exact to half a centimetre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct PackedLocation {
    pub lat: i32,
    pub lng: i32,
}

impl PackedLocation {
    pub const UNKNOWN: Self = Self {
        lat: i32::MIN,
        lng: i32::MIN,
    };
    const UNITS: f64 = 1e7;

    pub fn pack(location: Option<Location>) -> Self {
        let units = |degrees: f64| (degrees * Self::UNITS).round() as i32;
        location.map_or(Self::UNKNOWN, |at| Self {
            lat: units(at.lat),
            lng: units(at.lng),
        })
    }

    pub fn unpack(self) -> Option<Location> {
        let degrees = |units: i32| f64::from(units) / Self::UNITS;
        (self != Self::UNKNOWN).then(|| Location {
            lat: degrees(self.lat),
            lng: degrees(self.lng),
        })
    }
}

/// An address place in 20 bytes. Its street and municipality follow from its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedPlace {
    pub code: u32,
    pub location: PackedLocation,
    /// Index in the list of areas.
    pub area: u16,
    pub building: PackedBuilding,
    pub orientation: PackedOrientation,
    /// Index in the list of postal areas; `u16::MAX` means that there is none.
    pub postal_area: u16,
}

impl PackedPlace {
    /// The place as a record of the compiled file, little-endian.
    pub fn to_bytes(self) -> [u8; 20] {
        let PackedLocation { lat, lng } = self.location;
        let words = [self.code, lat.cast_unsigned(), lng.cast_unsigned()].map(u32::to_le_bytes);
        let halves = [
            self.area,
            self.building.0,
            self.orientation.0,
            self.postal_area,
        ];
        let halves = halves.map(u16::to_le_bytes);
        let mut bytes = [0; 20];
        let parts = words.iter().flatten().chain(halves.iter().flatten());
        for (byte, part) in bytes.iter_mut().zip(parts) {
            *byte = *part;
        }
        bytes
    }

    /// The place in a record of the compiled file.
    pub fn from_bytes(bytes: &[u8; 20]) -> Self {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let half = |at: usize| u16::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        Self {
            code: word(0),
            location: PackedLocation {
                lat: word(4).cast_signed(),
                lng: word(8).cast_signed(),
            },
            area: half(12),
            building: PackedBuilding(half(14)),
            orientation: PackedOrientation(half(16)),
            postal_area: half(18),
        }
    }

    /// The order along a street.
    pub fn along_street(&self, other: &Self) -> Ordering {
        (self.orientation, self.building, self.code).cmp(&(
            other.orientation,
            other.building,
            other.code,
        ))
    }

    /// The order of places without a street in their part of the municipality.
    pub fn within_quarter(&self, other: &Self) -> Ordering {
        (self.building, self.orientation, self.code).cmp(&(
            other.building,
            other.orientation,
            other.code,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_and_unpacking_gives_the_same_value() {
        for number in [1, 9999, LARGEST_BUILDING] {
            for number in [
                BuildingNumber::Building(number),
                BuildingNumber::Registration(number),
            ] {
                assert_eq!(PackedBuilding::pack(number).unwrap().unpack(), number);
            }
        }
        for letter in [None, Some('a'), Some('z')] {
            for number in [1, 999, LARGEST_ORIENTATION] {
                let orientation = Some(OrientationNumber { number, letter });
                assert_eq!(
                    PackedOrientation::pack(orientation).unwrap().unpack(),
                    orientation
                );
            }
        }
        assert_eq!(PackedOrientation::pack(None).unwrap().unpack(), None);
        assert_eq!(PackedLocation::pack(None).unpack(), None);
    }

    #[test]
    fn values_that_do_not_fit_are_not_packed() {
        assert_eq!(
            PackedBuilding::pack(BuildingNumber::Building(LARGEST_BUILDING + 1)),
            None
        );
        assert_eq!(
            PackedOrientation::pack(Some(OrientationNumber {
                number: 2048,
                letter: None
            })),
            None
        );
        assert_eq!(
            PackedOrientation::pack(Some(OrientationNumber {
                number: 1,
                letter: Some('ž')
            })),
            None
        );
    }

    #[test]
    fn registration_numbers_sort_after_building_numbers() {
        let building = PackedBuilding::pack(BuildingNumber::Building(9999)).unwrap();
        assert!(building < PackedBuilding::pack(BuildingNumber::Registration(1)).unwrap());
    }
}
