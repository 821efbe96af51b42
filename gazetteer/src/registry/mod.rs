//! The address registry (RÚIAN): reading it as published, compiling it, looking things up in it.
//!
//! # Layout
//!
//! `source` reads the published files into a `draft`, in which the newest edition of each municipality wins; `compile`
//! turns the draft into the [`Registry`], whose things (`entity`, `place`) have dense indexes; `file` stores the registry
//! and the rest of the draft, which the next import needs, in one file. [`import()`] does all of this. `krovak` converts
//! positions from the national grid, and `outline` simplifies boundaries.
//!
//! A `Registry` never changes; a newer one replaces it.

mod compile;
mod draft;
mod edition;
mod entity;
mod file;
mod import;
mod krovak;
mod names;
mod outline;
mod place;
mod problem;
mod source;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use compile::CompileError;
pub use edition::{ATTRIBUTION, Counts, Edition};
pub use entity::{
    Area, CityPart, CityPartIndex, Municipality, MunicipalityIndex, NameForms, NameIndex,
    PlaceIndex, PostalArea, Quarter, QuarterIndex, Street, StreetIndex,
};
pub use file::{OpenError, edition_id};
pub use import::{ImportError, Imported, Progress, import};
pub use krovak::{GridError, GridPoint};
pub use outline::{Outline, OutlineKind};
pub use place::{AddressPlace, BuildingNumber, OrientationNumber};
pub use problem::Problem;

use crate::address::PostalCode;
use names::Names;
use place::{PackedBuilding, PackedPlace};

/// One edition of the registry.
#[derive(Debug, Serialize, Deserialize)]
pub struct Registry {
    edition: Edition,
    names: Names,
    /// The cases 2, 3, 4, 6 and 7 of names.
    forms: Vec<[NameIndex; 5]>,
    municipalities: Vec<Municipality>,
    quarters: Vec<Quarter>,
    city_parts: Vec<CityPart>,
    streets: Vec<Street>,
    areas: Vec<Area>,
    postal_areas: Vec<PostalArea>,
    /// By municipality; within it by street, then those without a street by quarter. The file keeps them apart.
    #[serde(skip)]
    places: Vec<PackedPlace>,
    /// Indexes of the places on streets, ordered by quarter and building number.
    on_streets: Vec<u32>,
    /// The start of each quarter's part of `on_streets`, and the end of the last one.
    #[serde(skip)]
    on_streets_starts: Vec<u32>,
    /// By kind and code. The file keeps them apart.
    #[serde(skip)]
    outlines: Vec<Outline>,
}

/// The part of `all` in `range`; empty if the range goes beyond the end.
fn slice<T>(all: &[T], range: Range<u32>) -> &[T] {
    all.get(range.start as usize..range.end as usize)
        .unwrap_or_default()
}

impl Registry {
    /// The edition, with what it contains.
    pub const fn edition(&self) -> &Edition {
        &self.edition
    }

    /// The municipalities, ordered by code.
    pub fn municipalities(&self) -> &[Municipality] {
        &self.municipalities
    }

    /// The parts of municipalities, ordered by municipality and code.
    pub fn quarters(&self) -> &[Quarter] {
        &self.quarters
    }

    /// The city parts, ordered by municipality and code.
    pub fn city_parts(&self) -> &[CityPart] {
        &self.city_parts
    }

    /// The streets, ordered by municipality and code.
    pub fn streets(&self) -> &[Street] {
        &self.streets
    }

    /// The boundaries of regions and districts, regions first; empty if no file with boundaries was imported.
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// The areas of the postal codes, ordered by code.
    pub fn postal_areas(&self) -> &[PostalArea] {
        &self.postal_areas
    }

    /// The area of a postal code, if any address place has it.
    pub fn postal_area(&self, code: PostalCode) -> Option<&PostalArea> {
        let at = self
            .postal_areas
            .binary_search_by_key(&code.number(), |area| area.code)
            .ok()?;
        self.postal_areas.get(at)
    }

    /// The municipality at this index.
    pub fn municipality(&self, index: MunicipalityIndex) -> Option<&Municipality> {
        self.municipalities.get(index.0 as usize)
    }

    /// The part of a municipality at this index.
    pub fn quarter(&self, index: QuarterIndex) -> Option<&Quarter> {
        self.quarters.get(index.0 as usize)
    }

    /// The parts of a municipality, with their indexes.
    pub fn quarters_of<'a>(
        &'a self,
        municipality: &Municipality,
    ) -> impl Iterator<Item = (QuarterIndex, &'a Quarter)> + use<'a> {
        let range = municipality.quarters.clone();
        range
            .clone()
            .map(QuarterIndex)
            .zip(slice(&self.quarters, range))
    }

    /// The city parts of a municipality, with their indexes.
    pub fn city_parts_of<'a>(
        &'a self,
        municipality: &Municipality,
    ) -> impl Iterator<Item = (CityPartIndex, &'a CityPart)> + use<'a> {
        let range = municipality.city_parts.clone();
        range
            .clone()
            .map(CityPartIndex)
            .zip(slice(&self.city_parts, range))
    }

    /// The streets of a municipality, with their indexes.
    pub fn streets_of<'a>(
        &'a self,
        municipality: &Municipality,
    ) -> impl Iterator<Item = (StreetIndex, &'a Street)> + use<'a> {
        let range = municipality.streets.clone();
        range
            .clone()
            .map(StreetIndex)
            .zip(slice(&self.streets, range))
    }

    /// The city part at this index.
    pub fn city_part(&self, index: CityPartIndex) -> Option<&CityPart> {
        self.city_parts.get(index.0 as usize)
    }

    /// The street at this index.
    pub fn street(&self, index: StreetIndex) -> Option<&Street> {
        self.streets.get(index.0 as usize)
    }

    /// The index of the municipality with this code (kód obce).
    pub fn municipality_by_code(&self, code: u32) -> Option<MunicipalityIndex> {
        let at = self
            .municipalities
            .binary_search_by_key(&code, |municipality| municipality.code)
            .ok()?;
        Some(MunicipalityIndex(at as u32))
    }

    /// A name in its official spelling.
    pub fn name(&self, index: NameIndex) -> &str {
        self.names.get(index)
    }

    /// A name in the cases 2, 3, 4, 6 and 7, as far as VFR files gave them.
    pub fn declined(&self, forms: NameForms) -> impl Iterator<Item = &str> {
        let forms = self.forms.get(forms.0 as usize);
        forms
            .into_iter()
            .flatten()
            .map(|form| self.name(*form))
            .filter(|form| !form.is_empty())
    }

    /// The number of address places: their indexes are 0 up to this number, exclusive.
    pub const fn place_count(&self) -> u32 {
        self.places.len() as u32
    }

    /// The address place at this index.
    pub fn place(&self, index: PlaceIndex) -> Option<AddressPlace> {
        let street = self.street_at(index.0);
        self.places
            .get(index.0 as usize)
            .and_then(|packed| self.unpack(packed, street))
    }

    /// The address places at these indexes, each with its index.
    pub fn places_in(
        &self,
        range: Range<u32>,
    ) -> impl Iterator<Item = (PlaceIndex, AddressPlace)> + '_ {
        let first = range.start;
        let places = slice(&self.places, range);
        // The next place is mostly on the same street.
        let mut street: (Option<StreetIndex>, Range<u32>) = (None, 0..0);
        (first..).zip(places).filter_map(move |(at, packed)| {
            if !street.1.contains(&at) {
                let index = self.street_at(at);
                street = (
                    index,
                    index
                        .and_then(|index| self.street(index))
                        .map_or(0..0, |at| at.places.clone()),
                );
            }
            Some((PlaceIndex(at), self.unpack(packed, street.0)?))
        })
    }

    fn unpack(&self, packed: &PackedPlace, street: Option<StreetIndex>) -> Option<AddressPlace> {
        let area = self.areas.get(usize::from(packed.area))?;
        let postal_area = self.postal_areas.get(usize::from(packed.postal_area));
        Some(AddressPlace {
            code: packed.code,
            number: packed.building.unpack(),
            orientation: packed.orientation.unpack(),
            postal_code: postal_area.and_then(|area| PostalCode::from_number(area.code)),
            location: packed.location.unpack(),
            municipality: self.quarter(area.quarter)?.municipality,
            quarter: area.quarter,
            city_part: area.city_part,
            old_prague_district: area.old_prague_district,
            street,
        })
    }

    /// The street of the place `at`.
    fn street_at(&self, at: u32) -> Option<StreetIndex> {
        let after = self
            .streets
            .partition_point(|street| street.places.start <= at);
        let index = after.checked_sub(1)?;
        self.streets
            .get(index)
            .filter(|street| street.places.contains(&at))?;
        Some(StreetIndex(index as u32))
    }

    /// The address places with this building number in a part of a municipality. There are several if the building has
    /// several entrances.
    pub fn find_in_quarter(
        &self,
        index: QuarterIndex,
        number: BuildingNumber,
    ) -> impl Iterator<Item = PlaceIndex> + '_ {
        let (on_streets, streetless) = match (PackedBuilding::pack(number), self.quarter(index)) {
            (Some(number), Some(quarter)) => {
                let on_streets = self.on_streets_of(index);
                let building = |at: &u32| self.places.get(*at as usize).map(|place| place.building);
                let first = on_streets.partition_point(|at| building(at) < Some(number));
                let last = on_streets.partition_point(|at| building(at) <= Some(number));
                let streetless = slice(&self.places, quarter.streetless.clone());
                let start = quarter.streetless.start;
                let begin = streetless.partition_point(|place| place.building < number) as u32;
                let end = streetless.partition_point(|place| place.building <= number) as u32;
                (
                    on_streets.get(first..last).unwrap_or_default(),
                    start + begin..start + end,
                )
            }
            _ => (&[][..], 0..0),
        };
        on_streets.iter().copied().chain(streetless).map(PlaceIndex)
    }

    /// Computes `on_streets_starts`.
    fn starts(&self) -> Vec<u32> {
        let quarter = |at: &u32| {
            let place = self.places.get(*at as usize)?;
            self.areas
                .get(usize::from(place.area))
                .map(|area| area.quarter)
        };
        let start = |index| {
            self.on_streets
                .partition_point(|at| quarter(at) < Some(QuarterIndex(index)))
        };
        (0..=self.quarters.len() as u32)
            .map(|index| start(index) as u32)
            .collect()
    }

    /// The places of a quarter on streets, ordered by building number.
    fn on_streets_of(&self, index: QuarterIndex) -> &[u32] {
        let starts = &self.on_streets_starts;
        let at = index.0 as usize;
        match (starts.get(at), starts.get(at + 1)) {
            (Some(start), Some(end)) => slice(&self.on_streets, *start..*end),
            _ => &[],
        }
    }
}
