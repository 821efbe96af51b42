//! The records of the sections: which fields each has, in their order.
//!
//! Every change here changes what files hold: it takes another [`super::VERSION`].

use std::ops::Range;

use schema::Location;

use super::super::draft::{Kind, Row};
use super::super::entity::{
    Area, CityPart, CityPartIndex, Municipality, MunicipalityIndex, NameForms, NameIndex,
    PostalArea, Quarter, QuarterIndex, Street,
};
use super::super::place::{PackedBuilding, PackedLocation, PackedOrientation, PackedPlace};
use super::super::sources::{FactRecord, ShadowedRow, TableRecord};
use super::fixed::{Fixed, fixed_by_fields};
use crate::districts::District;
use crate::regions::Region;

fixed_by_fields! {
    Municipality {
        code: u32,
        name: NameIndex,
        forms: NameForms,
        district: Option<District>,
        region: Option<Region>,
        position: Option<Location>,
        edition: u32,
        quarters: Range<u32>,
        city_parts: Range<u32>,
        streets: Range<u32>,
        places: Range<u32>,
    }

    Quarter {
        code: u32,
        name: NameIndex,
        forms: NameForms,
        municipality: MunicipalityIndex,
        position: Option<Location>,
        streetless: Range<u32>,
        place_count: u32,
    }

    CityPart {
        code: u32,
        name: NameIndex,
        forms: NameForms,
        municipality: MunicipalityIndex,
        position: Option<Location>,
        place_count: u32,
    }

    Street {
        code: u32,
        name: NameIndex,
        municipality: MunicipalityIndex,
        position: Option<Location>,
        places: Range<u32>,
    }

    PostalArea {
        code: u32,
        position: Option<Location>,
        municipality: MunicipalityIndex,
        place_count: u32,
    }

    Area {
        quarter: QuarterIndex,
        city_part: Option<CityPartIndex>,
        old_prague_district: Option<u8>,
    }

    PackedPlace {
        code: u32,
        location: PackedLocation,
        area: u16,
        building: PackedBuilding,
        orientation: PackedOrientation,
        postal_area: u16,
    }

    TableRecord {
        municipality: u32,
        date: u32,
        size: u32,
        checksum: u64,
    }

    ShadowedRow {
        municipality: u32,
        row: Row,
        street_name: Option<NameIndex>,
    }

    Row {
        code: u32,
        street: u32,
        quarter: u32,
        city_part: u32,
        postal_code: u32,
        location: PackedLocation,
        building: PackedBuilding,
        orientation: PackedOrientation,
        old_prague_district: u8,
    }

    FactRecord {
        kind: Kind,
        code: u32,
        name: Option<(u32, NameIndex)>,
        parent: Option<(u32, u32)>,
        region: Option<(u32, u32)>,
        declension: Option<(u32, NameForms)>,
        position: Option<(u32, PackedLocation)>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_as_long_as_those_of_the_files_that_there_are() {
        let sizes = [
            Municipality::SIZE,
            Quarter::SIZE,
            CityPart::SIZE,
            Street::SIZE,
            PostalArea::SIZE,
            Area::SIZE,
            PackedPlace::SIZE,
            TableRecord::SIZE,
            ShadowedRow::SIZE,
            FactRecord::SIZE,
        ];
        assert_eq!(
            (super::super::VERSION, sizes),
            (1, [60, 36, 28, 28, 20, 9, 20, 20, 41, 49])
        );
    }
}
