//! Things of a fixed number of bytes, little-endian.

use std::ops::Range;

use schema::Location;

use super::super::codes;
use super::super::draft::{Kind, Row};
use super::super::entity::{
    Area, CityPart, CityPartIndex, Municipality, MunicipalityIndex, NameForms, NameIndex, PostalArea,
    Quarter, QuarterIndex, Street,
};
use super::super::place::{PackedBuilding, PackedLocation, PackedOrientation, PackedPlace};
use super::super::sources::{FactRecord, ShadowedRow, TableRecord};

/// Writes fields one behind the other.
pub(super) struct Out<'a>(pub &'a mut Vec<u8>);

impl Out<'_> {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn range(&mut self, range: &Range<u32>) {
        self.u32(range.start);
        self.u32(range.end);
    }

    fn packed(&mut self, at: PackedLocation) {
        self.u32(at.lat.cast_unsigned());
        self.u32(at.lng.cast_unsigned());
    }

    fn location(&mut self, at: Option<Location>) {
        self.packed(PackedLocation::pack(at));
    }
}

/// Reads fields one behind the other. What is read beyond the end is 0; records have a fixed size, so nothing is.
pub(super) struct In<'a>(pub &'a [u8]);

impl In<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.0 = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    pub fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.bytes())
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    fn range(&mut self) -> Range<u32> {
        let start = self.u32();
        start..self.u32().max(start)
    }

    fn packed(&mut self) -> PackedLocation {
        PackedLocation { lat: self.u32().cast_signed(), lng: self.u32().cast_signed() }
    }

    fn location(&mut self) -> Option<Location> {
        self.packed().unpack()
    }
}

/// Something that is kept in a fixed number of bytes.
pub(super) trait Record: Sized {
    const SIZE: usize;
    fn write(&self, out: &mut Out<'_>);
    fn read(from: &mut In<'_>) -> Self;
}

impl Record for u8 {
    const SIZE: usize = 1;

    fn write(&self, out: &mut Out<'_>) {
        out.u8(*self);
    }

    fn read(from: &mut In<'_>) -> Self {
        from.u8()
    }
}

impl Record for u32 {
    const SIZE: usize = 4;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(*self);
    }

    fn read(from: &mut In<'_>) -> Self {
        from.u32()
    }
}

impl Record for [NameIndex; 5] {
    const SIZE: usize = 20;

    fn write(&self, out: &mut Out<'_>) {
        for name in self {
            out.u32(name.0);
        }
    }

    fn read(from: &mut In<'_>) -> Self {
        std::array::from_fn(|_| NameIndex(from.u32()))
    }
}

impl Record for Municipality {
    const SIZE: usize = 60;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.u32(self.name.0);
        out.u32(self.forms.0);
        out.u16(self.district.map_or(0, codes::code_of_district) as u16);
        out.u16(self.region.map_or(0, codes::code_of_region) as u16);
        out.location(self.position);
        out.u32(self.edition);
        for range in [&self.quarters, &self.city_parts, &self.streets, &self.places] {
            out.range(range);
        }
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            name: NameIndex(from.u32()),
            forms: NameForms(from.u32()),
            district: codes::district(u32::from(from.u16())),
            region: codes::region(u32::from(from.u16())),
            position: from.location(),
            edition: from.u32(),
            quarters: from.range(),
            city_parts: from.range(),
            streets: from.range(),
            places: from.range(),
        }
    }
}

impl Record for Quarter {
    const SIZE: usize = 36;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.u32(self.name.0);
        out.u32(self.forms.0);
        out.u32(self.municipality.0);
        out.location(self.position);
        out.range(&self.streetless);
        out.u32(self.place_count);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            name: NameIndex(from.u32()),
            forms: NameForms(from.u32()),
            municipality: MunicipalityIndex(from.u32()),
            position: from.location(),
            streetless: from.range(),
            place_count: from.u32(),
        }
    }
}

impl Record for CityPart {
    const SIZE: usize = 28;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.u32(self.name.0);
        out.u32(self.forms.0);
        out.u32(self.municipality.0);
        out.location(self.position);
        out.u32(self.place_count);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            name: NameIndex(from.u32()),
            forms: NameForms(from.u32()),
            municipality: MunicipalityIndex(from.u32()),
            position: from.location(),
            place_count: from.u32(),
        }
    }
}

impl Record for Street {
    const SIZE: usize = 28;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.u32(self.name.0);
        out.u32(self.municipality.0);
        out.location(self.position);
        out.range(&self.places);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            name: NameIndex(from.u32()),
            municipality: MunicipalityIndex(from.u32()),
            position: from.location(),
            places: from.range(),
        }
    }
}

impl Record for PostalArea {
    const SIZE: usize = 20;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.location(self.position);
        out.u32(self.municipality.0);
        out.u32(self.place_count);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            position: from.location(),
            municipality: MunicipalityIndex(from.u32()),
            place_count: from.u32(),
        }
    }
}

impl Record for Area {
    const SIZE: usize = 9;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.quarter.0);
        out.u32(self.city_part.map_or(u32::MAX, |part| part.0));
        out.u8(self.old_prague_district.unwrap_or(0));
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            quarter: QuarterIndex(from.u32()),
            city_part: Some(from.u32()).filter(|part| *part != u32::MAX).map(CityPartIndex),
            old_prague_district: Some(from.u8()).filter(|number| *number > 0),
        }
    }
}

impl Record for PackedPlace {
    const SIZE: usize = 20;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.code);
        out.packed(self.location);
        for number in [self.area, self.building.0, self.orientation.0, self.postal_area] {
            out.u16(number);
        }
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            code: from.u32(),
            location: from.packed(),
            area: from.u16(),
            building: PackedBuilding(from.u16()),
            orientation: PackedOrientation(from.u16()),
            postal_area: from.u16(),
        }
    }
}

impl Record for TableRecord {
    const SIZE: usize = 20;

    fn write(&self, out: &mut Out<'_>) {
        out.u32(self.municipality);
        out.u32(self.date);
        out.u32(self.size);
        out.u64(self.checksum);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self { municipality: from.u32(), date: from.u32(), size: from.u32(), checksum: from.u64() }
    }
}

impl Record for ShadowedRow {
    const SIZE: usize = 41;

    fn write(&self, out: &mut Out<'_>) {
        let row = &self.row;
        for number in [self.municipality, row.code, row.street, row.quarter, row.city_part, row.postal_code] {
            out.u32(number);
        }
        out.packed(row.location);
        out.u16(row.building.0);
        out.u16(row.orientation.0);
        out.u8(row.old_prague_district);
        out.u32(self.street_name.map_or(u32::MAX, |name| name.0));
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            municipality: from.u32(),
            row: Row {
                code: from.u32(),
                street: from.u32(),
                quarter: from.u32(),
                city_part: from.u32(),
                postal_code: from.u32(),
                location: from.packed(),
                building: PackedBuilding(from.u16()),
                orientation: PackedOrientation(from.u16()),
                old_prague_district: from.u8(),
            },
            street_name: Some(from.u32()).filter(|name| *name != u32::MAX).map(NameIndex),
        }
    }
}

/// A dated number that may be missing.
fn write_dated(out: &mut Out<'_>, dated: Option<(u32, u32)>) {
    let (date, value) = dated.unwrap_or((0, u32::MAX));
    out.u32(date);
    out.u32(value);
}

fn read_dated(from: &mut In<'_>) -> Option<(u32, u32)> {
    let (date, value) = (from.u32(), from.u32());
    (value != u32::MAX).then_some((date, value))
}

impl Record for FactRecord {
    const SIZE: usize = 49;

    fn write(&self, out: &mut Out<'_>) {
        out.u8(self.kind as u8);
        out.u32(self.code);
        write_dated(out, self.name.map(|(date, name)| (date, name.0)));
        write_dated(out, self.parent);
        write_dated(out, self.region);
        write_dated(out, self.declension.map(|(date, forms)| (date, forms.0)));
        let (date, at) = self.position.unwrap_or((0, PackedLocation::UNKNOWN));
        out.u32(date);
        out.packed(at);
    }

    fn read(from: &mut In<'_>) -> Self {
        Self {
            kind: Kind::ALL.get(usize::from(from.u8())).copied().unwrap_or(Kind::CityPart),
            code: from.u32(),
            name: read_dated(from).map(|(date, name)| (date, NameIndex(name))),
            parent: read_dated(from),
            region: read_dated(from),
            declension: read_dated(from).map(|(date, forms)| (date, NameForms(forms))),
            position: Some((from.u32(), from.packed())).filter(|(_, at)| *at != PackedLocation::UNKNOWN),
        }
    }
}
