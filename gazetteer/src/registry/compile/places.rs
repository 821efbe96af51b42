//! The address places in their order, and the index of those on streets.

use std::collections::{BTreeSet, HashMap};

use super::super::Registry;
use super::super::draft::{Draft, Row, ShadowedRows};
use super::super::entity::{Area, CityPartIndex, MunicipalityIndex, PostalArea, QuarterIndex};
use super::super::place::PackedPlace;
use super::divisions::Divisions;
use super::{CompileError, check_limit};

/// The divisions with their places.
pub(super) struct Placed {
    pub divisions: Divisions,
    pub areas: Vec<Area>,
    pub postal_areas: Vec<PostalArea>,
    pub places: Vec<PackedPlace>,
}

/// The numbers of the quarters and city parts of one municipality, by code.
struct Numbers {
    quarters: HashMap<u32, u32>,
    city_parts: HashMap<u32, u32>,
}

impl Numbers {
    fn in_municipality(divisions: &Divisions, index: usize) -> Self {
        let municipality = divisions.municipalities.get(index);
        let (quarters, city_parts) = municipality.map_or((0..0, 0..0), |municipality| {
            (
                municipality.quarters.clone(),
                municipality.city_parts.clone(),
            )
        });
        let quarter = |at: u32| Some((divisions.quarters.get(at as usize)?.code, at));
        let city_part = |at: u32| Some((divisions.city_parts.get(at as usize)?.code, at));
        Self {
            quarters: quarters.filter_map(quarter).collect(),
            city_parts: city_parts.filter_map(city_part).collect(),
        }
    }

    fn area(&self, row: &Row) -> Option<Area> {
        Some(Area {
            quarter: QuarterIndex(*self.quarters.get(&row.quarter)?),
            city_part: self
                .city_parts
                .get(&row.city_part)
                .copied()
                .map(CityPartIndex),
            old_prague_district: Some(row.old_prague_district).filter(|number| *number > 0),
        })
    }
}

/// Turns every row that counts into an address place.
pub(super) fn arrange(
    draft: &Draft,
    divisions: Divisions,
    shadowed: &ShadowedRows,
) -> Result<Placed, CompileError> {
    let (mut areas, mut postal_codes) = (BTreeSet::new(), BTreeSet::new());
    for (index, municipality) in divisions.municipalities.iter().enumerate() {
        let numbers = Numbers::in_municipality(&divisions, index);
        for row in rows(draft, municipality.code, shadowed) {
            areas.extend(numbers.area(row));
            postal_codes.extend(Some(row.postal_code).filter(|code| *code > 0));
        }
    }
    // The highest number of each means that there is none.
    check_limit(
        "combinations of quarter and city part",
        areas.len(),
        usize::from(u16::MAX),
    )?;
    check_limit("postal codes", postal_codes.len(), usize::from(u16::MAX))?;
    let area = |code: u32| PostalArea {
        code,
        position: None,
        municipality: MunicipalityIndex(0),
        place_count: 0,
    };
    let mut placed = Placed {
        divisions,
        areas: areas.into_iter().collect(),
        postal_areas: postal_codes.into_iter().map(area).collect(),
        places: Vec::with_capacity(draft.tables.values().map(|table| table.rows.len()).sum()),
    };
    for index in 0..placed.divisions.municipalities.len() {
        placed.add_municipality(index, draft, shadowed);
    }
    check_limit("address places", placed.places.len(), u32::MAX as usize)?;
    Ok(placed)
}

fn rows<'a>(
    draft: &'a Draft,
    municipality: u32,
    shadowed: &'a ShadowedRows,
) -> impl Iterator<Item = &'a Row> {
    let rows = draft
        .tables
        .get(&municipality)
        .map_or(&[][..], |table| &table.rows);
    rows.iter()
        .filter(move |row| !shadowed.contains(&(municipality, row.code)))
}

impl Placed {
    /// Adds the places of a municipality: by street, then those without a street by quarter.
    fn add_municipality(&mut self, index: usize, draft: &Draft, shadowed: &ShadowedRows) {
        let numbers = Numbers::in_municipality(&self.divisions, index);
        let Some(code) = self
            .divisions
            .municipalities
            .get(index)
            .map(|municipality| municipality.code)
        else {
            return;
        };
        let (mut on_streets, mut streetless) = (Vec::new(), Vec::new());
        for row in rows(draft, code, shadowed) {
            let Some((place, area)) = self.pack(row, &numbers) else {
                continue;
            };
            if row.street > 0 {
                on_streets.push((row.street, place));
            } else {
                streetless.push((area.quarter, place));
            }
        }
        on_streets.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.along_street(&b.1)));
        streetless.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.within_quarter(&b.1)));
        let first = self.places.len() as u32;
        let Divisions {
            municipalities,
            quarters,
            streets,
            ..
        } = &mut self.divisions;
        let Some(municipality) = municipalities.get_mut(index) else {
            return;
        };
        for at in municipality.streets.clone() {
            if let Some(street) = streets.get_mut(at as usize) {
                let start = on_streets.partition_point(|(code, _)| *code < street.code) as u32;
                let end = on_streets.partition_point(|(code, _)| *code <= street.code) as u32;
                street.places = first + start..first + end;
            }
        }
        let first_streetless = first + on_streets.len() as u32;
        for at in municipality.quarters.clone() {
            if let Some(quarter) = quarters.get_mut(at as usize) {
                let start = streetless.partition_point(|(index, _)| index.0 < at) as u32;
                let end = streetless.partition_point(|(index, _)| index.0 <= at) as u32;
                quarter.streetless = first_streetless + start..first_streetless + end;
            }
        }
        self.places
            .extend(on_streets.into_iter().map(|(_, place)| place));
        self.places
            .extend(streetless.into_iter().map(|(_, place)| place));
        municipality.places = first..self.places.len() as u32;
    }

    fn pack(&self, row: &Row, numbers: &Numbers) -> Option<(PackedPlace, Area)> {
        let area = numbers.area(row)?;
        let postal_area = self
            .postal_areas
            .binary_search_by_key(&row.postal_code, |area| area.code);
        let place = PackedPlace {
            code: row.code,
            location: row.location,
            area: self.areas.binary_search(&area).ok()? as u16,
            building: row.building,
            orientation: row.orientation,
            postal_area: postal_area.map_or(u16::MAX, |at| at as u16),
        };
        Some((place, area))
    }
}

/// Indexes the places on streets by quarter and building number.
pub(super) fn index_by_quarter(registry: &mut Registry) {
    let places = &registry.places;
    let quarter = |place: &PackedPlace| {
        registry
            .areas
            .get(usize::from(place.area))
            .map_or(QuarterIndex(u32::MAX), |area| area.quarter)
    };
    let key = |at: &u32| {
        places.get(*at as usize).map(|place| {
            (
                quarter(place),
                place.building,
                place.orientation,
                place.code,
            )
        })
    };
    let streets = registry
        .streets
        .iter()
        .flat_map(|street| street.places.clone());
    let mut on_streets: Vec<u32> = streets.collect();
    on_streets.sort_unstable_by_key(key);
    registry.on_streets = on_streets;
    registry.on_streets_starts = registry.starts();
}
