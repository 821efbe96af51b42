//! What takes a fixed number of bytes, little-endian.

use std::ops::Range;

use schema::Location;

use super::super::codes;
use super::super::draft::Kind;
use super::super::entity::{CityPartIndex, MunicipalityIndex, NameForms, NameIndex, QuarterIndex};
use super::super::place::{PackedBuilding, PackedLocation, PackedOrientation};
use crate::districts::District;
use crate::regions::Region;

/// Something that is kept in a fixed number of bytes.
pub(super) trait Fixed: Sized {
    /// How many bytes.
    const SIZE: usize;

    /// Appends its bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes its bytes off the front. What is missing there is read as 0: records have a fixed size, so nothing is.
    fn read(from: &mut &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl Fixed for $number {
            const SIZE: usize = size_of::<Self>();

            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut &[u8]) -> Self {
                match from.split_first_chunk() {
                    Some((bytes, rest)) => {
                        *from = rest;
                        Self::from_le_bytes(*bytes)
                    }
                    None => 0,
                }
            }
        }
    )+};
}

numbers!(u8, u16, u32, u64, i32);

/// Gives structs the bytes of their fields, one behind the other in the order named here.
macro_rules! fixed_by_fields {
    ($($name:ty { $($field:tt: $kind:ty),+ $(,)? })+) => {$(
        impl Fixed for $name {
            const SIZE: usize = 0 $(+ <$kind>::SIZE)+;

            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)+
            }

            fn read(from: &mut &[u8]) -> Self {
                Self { $($field: <$kind>::read(from)),+ }
            }
        }
    )+};
}
pub(super) use fixed_by_fields;

fixed_by_fields! {
    MunicipalityIndex { 0: u32 }
    QuarterIndex { 0: u32 }
    CityPartIndex { 0: u32 }
    NameIndex { 0: u32 }
    NameForms { 0: u32 }
    PackedBuilding { 0: u16 }
    PackedOrientation { 0: u16 }
    PackedLocation { lat: i32, lng: i32 }
}

impl<T: Fixed, const N: usize> Fixed for [T; N] {
    const SIZE: usize = N * T::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        for part in self {
            part.write(out);
        }
    }

    fn read(from: &mut &[u8]) -> Self {
        std::array::from_fn(|_| T::read(from))
    }
}

impl<A: Fixed, B: Fixed> Fixed for (A, B) {
    const SIZE: usize = A::SIZE + B::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        (A::read(from), B::read(from))
    }
}

impl Fixed for Range<u32> {
    const SIZE: usize = 2 * u32::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        self.start.write(out);
        self.end.write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        let start = u32::read(from);
        start..u32::read(from).max(start)
    }
}

impl Fixed for Kind {
    const SIZE: usize = u8::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        (*self as u8).write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        Self::ALL
            .get(usize::from(u8::read(from)))
            .copied()
            .unwrap_or(Self::CityPart)
    }
}

impl Fixed for Option<District> {
    const SIZE: usize = u16::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        (self.map_or(0, codes::code_of_district) as u16).write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        codes::district(u32::from(u16::read(from)))
    }
}

impl Fixed for Option<Region> {
    const SIZE: usize = u16::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        (self.map_or(0, codes::code_of_region) as u16).write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        codes::region(u32::from(u16::read(from)))
    }
}

impl Fixed for Option<Location> {
    const SIZE: usize = PackedLocation::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        PackedLocation::pack(*self).write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        PackedLocation::read(from).unpack()
    }
}

/// What has a value that stands for none.
pub(super) trait Absent: Fixed + Copy + PartialEq {
    /// That value.
    const NONE: Self;

    /// Whether this is it.
    fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

impl Absent for u8 {
    const NONE: Self = 0;
}

impl Absent for u32 {
    const NONE: Self = Self::MAX;
}

impl Absent for CityPartIndex {
    const NONE: Self = Self(u32::MAX);
}

impl Absent for NameIndex {
    const NONE: Self = Self(u32::MAX);
}

impl Absent for NameForms {
    const NONE: Self = Self::UNKNOWN;
}

impl Absent for PackedLocation {
    const NONE: Self = Self::UNKNOWN;
}

/// A date and what was said then.
impl<T: Absent> Absent for (u32, T) {
    const NONE: Self = (0, T::NONE);

    fn is_none(&self) -> bool {
        self.1.is_none()
    }
}

impl<T: Absent> Fixed for Option<T> {
    const SIZE: usize = T::SIZE;

    fn write(&self, out: &mut Vec<u8>) {
        self.unwrap_or(T::NONE).write(out);
    }

    fn read(from: &mut &[u8]) -> Self {
        Some(T::read(from)).filter(|read| !read.is_none())
    }
}
