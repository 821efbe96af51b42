//! What a compiled file keeps beside the registry, so that a later import can go on from it: the draft, as far as the
//! registry does not hold it already.

use std::collections::BTreeMap;

use super::Registry;
use super::draft::{Dated, Declension, Draft, Fact, Kind, Row, Table};
use super::entity::{Municipality, NameForms, NameIndex};
use super::place::PackedLocation;
use super::slice;

/// The table that a municipality's places come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableRecord {
    pub municipality: u32,
    pub date: u32,
    pub size: u32,
    pub checksum: u64,
}

/// A row that gave way to a newer one of its code in another municipality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShadowedRow {
    pub municipality: u32,
    pub row: Row,
    /// Name of its street; none where it lies on none.
    pub street_name: Option<NameIndex>,
}

/// A [`Fact`] with numbers for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FactRecord {
    pub kind: Kind,
    pub code: u32,
    pub name: Option<(u32, NameIndex)>,
    pub parent: Option<(u32, u32)>,
    pub region: Option<(u32, u32)>,
    pub declension: Option<(u32, NameForms)>,
    pub position: Option<(u32, PackedLocation)>,
}

/// All of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    pub tables: Vec<TableRecord>,
    pub shadowed: Vec<ShadowedRow>,
    pub facts: Vec<FactRecord>,
}

impl Sources {
    /// The draft that `registry` was compiled from.
    pub fn draft(&self, registry: &Registry) -> Draft {
        let mut draft = Draft {
            whole_country: registry.edition().whole_country,
            ..Draft::default()
        };
        for table in &self.tables {
            let (mut rows, mut streets) = registry
                .municipality_by_code(table.municipality)
                .and_then(|index| registry.municipality(index))
                .map(|municipality| {
                    (
                        rows(registry, municipality),
                        streets(registry, municipality),
                    )
                })
                .unwrap_or_default();
            for shadowed in self.shadowed_in(table.municipality) {
                rows.push(shadowed.row);
                if let Some(name) = shadowed.street_name {
                    streets.insert(shadowed.row.street, registry.name(name).into());
                }
            }
            rows.sort_unstable_by_key(|row| row.code);
            let TableRecord {
                date,
                size,
                checksum,
                ..
            } = *table;
            draft.tables.insert(
                table.municipality,
                Table {
                    date,
                    size,
                    checksum,
                    rows,
                    streets,
                },
            );
        }
        for fact in &self.facts {
            draft
                .facts
                .insert((fact.kind, fact.code), fact.expand(registry));
        }
        draft
    }

    /// Ordered by municipality as they are.
    fn shadowed_in(&self, municipality: u32) -> &[ShadowedRow] {
        let start = self
            .shadowed
            .partition_point(|row| row.municipality < municipality);
        let end = self
            .shadowed
            .partition_point(|row| row.municipality <= municipality);
        self.shadowed.get(start..end).unwrap_or_default()
    }
}

impl FactRecord {
    fn expand(&self, registry: &Registry) -> Fact {
        let number = |(date, value)| Dated { date, value };
        Fact {
            name: self.name.map(|(date, name)| Dated {
                date,
                value: registry.name(name).into(),
            }),
            parent: self.parent.map(number),
            region: self.region.map(number),
            declension: self.declension.map(|(date, forms)| Dated {
                date,
                value: declension(registry, forms),
            }),
            position: self.position.map(|(date, value)| Dated { date, value }),
        }
    }
}

fn declension(registry: &Registry, forms: NameForms) -> Declension {
    let names = registry.forms.get(forms.0 as usize);
    names
        .map(|names| names.map(|name| registry.name(name).into()))
        .unwrap_or_default()
}

fn streets(registry: &Registry, municipality: &Municipality) -> BTreeMap<u32, Box<str>> {
    let streets = registry.streets_of(municipality);
    streets
        .map(|(_, street)| (street.code, registry.name(street.name).into()))
        .collect()
}

fn rows(registry: &Registry, municipality: &Municipality) -> Vec<Row> {
    let street_codes = registry
        .streets_of(municipality)
        .flat_map(|(_, street)| street.places.clone().map(|_| street.code));
    // Places stand by street, then those off the streets.
    let street_codes = street_codes.chain(std::iter::repeat(0));
    let places = slice(&registry.places, municipality.places.clone());
    let row = |(place, street): (&super::PackedPlace, u32)| {
        let area = registry.areas.get(usize::from(place.area))?;
        let city_part = area.city_part.and_then(|index| registry.city_part(index));
        let postal_area = registry.postal_areas.get(usize::from(place.postal_area));
        Some(Row {
            code: place.code,
            street,
            quarter: registry.quarter(area.quarter)?.code,
            city_part: city_part.map_or(0, |part| part.code),
            postal_code: postal_area.map_or(0, |area| area.code),
            location: place.location,
            building: place.building,
            orientation: place.orientation,
            old_prague_district: area.old_prague_district.unwrap_or(0),
        })
    };
    places.iter().zip(street_codes).filter_map(row).collect()
}
