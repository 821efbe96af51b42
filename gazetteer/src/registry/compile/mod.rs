//! From what the files said to the registry.
//!
//! A pure function of the draft: equal drafts compile to equal registries, to the byte. First the subdivisions with
//! their numbers ([`divisions`]), then the places by street and quarter ([`places`]), then what only all places together
//! tell: counts and middles ([`middles`]).

mod divisions;
mod middles;
mod places;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::draft::{Declension, Draft, Fact, Kind};
use super::edition::{ATTRIBUTION, Counts, Edition};
use super::entity::{NameForms, NameIndex};
use super::names::Interner;
use super::sources::{FactRecord, ShadowedRow, Sources, TableRecord};
use super::{Registry, file};
use crate::address::district_of_municipality_at;
use crate::districts::District;
use divisions::Divisions;

/// More of something than the compiled form has room for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the files hold {found} {what}, and there is room for {room}: do they belong to one country?"
)]
pub struct TooMany {
    what: &'static str,
    found: usize,
    room: usize,
}

impl TooMany {
    /// The number of the last of `found` things, if it is below `room`.
    fn check(what: &'static str, found: usize, room: usize) -> Result<(), Self> {
        if found > room {
            Err(Self { what, found, room })
        } else {
            Ok(())
        }
    }
}

/// A registry with the bytes of its file.
pub(super) struct Compiled {
    pub registry: Registry,
    pub bytes: Vec<u8>,
}

/// Compiles a draft.
pub(super) fn compile(mut draft: Draft) -> Result<Compiled, TooMany> {
    draft.forget_dissolved();
    let shadowed_rows = shadowed_rows(&draft);
    let mut spelling = Spelling::default();
    let facts = draft
        .facts
        .iter()
        .map(|((kind, code), fact)| spelling.fact(*kind, *code, fact))
        .collect();
    let divisions = Divisions::of(&draft, &shadowed_rows, &mut spelling);
    let sources = sources(&draft, facts, &shadowed_rows, &mut spelling);
    let placed = places::arrange(&draft, divisions, &shadowed_rows)?;
    drop(shadowed_rows);
    let date = draft
        .tables
        .values()
        .map(|table| table.date)
        .max()
        .unwrap_or(0);
    let edition = Edition {
        date,
        whole_country: draft.whole_country,
        attribution: ATTRIBUTION.to_owned(),
        counts: Counts::default(),
        id: [0; 32],
    };
    drop(draft);
    let mut registry = Registry {
        edition,
        names: spelling.names.finish(),
        forms: spelling.forms,
        municipalities: placed.divisions.municipalities,
        quarters: placed.divisions.quarters,
        city_parts: placed.divisions.city_parts,
        streets: placed.divisions.streets,
        areas: placed.areas,
        postal_areas: placed.postal_areas,
        places: placed.places,
        on_streets: Vec::new(),
        on_streets_starts: Vec::new(),
    };
    TooMany::check(
        "bytes of names",
        registry.names.text.len(),
        u32::MAX as usize,
    )?;
    middles::settle(&mut registry);
    registry.districts_of_towns();
    places::order(&mut registry);
    registry.edition.counts = registry.count();
    let (bytes, id) = file::encode(&registry, &sources);
    registry.edition.id = id;
    Ok(Compiled { registry, bytes })
}

/// Rows that give way to a newer one of the same code in another municipality: the boundary moved between the editions.
type Shadowed = HashSet<(u32, u32)>;

/// These rows, as municipality and code.
fn shadowed_rows(draft: &Draft) -> Shadowed {
    let rows = draft.tables.values().map(|table| table.rows.len()).sum();
    let mut codes: Vec<(u32, u32, u32)> = Vec::with_capacity(rows);
    for (municipality, table) in &draft.tables {
        codes.extend(
            table
                .rows
                .iter()
                .map(|row| (row.code, table.date, *municipality)),
        );
    }
    codes.sort_unstable();
    let twins = codes.windows(2).filter_map(|pair| match pair {
        [(code, _, municipality), (next, ..)] if code == next => Some((*municipality, *code)),
        _ => None,
    });
    twins.collect()
}

fn sources(
    draft: &Draft,
    facts: Vec<FactRecord>,
    shadowed: &Shadowed,
    spelling: &mut Spelling,
) -> Sources {
    let tables = draft
        .tables
        .iter()
        .map(|(municipality, table)| TableRecord {
            municipality: *municipality,
            date: table.date,
            size: table.size,
            checksum: table.checksum,
        });
    let mut rows = Vec::new();
    for (municipality, table) in &draft.tables {
        if shadowed.is_empty() {
            break;
        }
        for row in table
            .rows
            .iter()
            .filter(|row| shadowed.contains(&(*municipality, row.code)))
        {
            let street_name = table
                .streets
                .get(&row.street)
                .map(|name| spelling.name(name));
            rows.push(ShadowedRow {
                municipality: *municipality,
                row: *row,
                street_name,
            });
        }
    }
    Sources {
        tables: tables.collect(),
        shadowed: rows,
        facts,
    }
}

/// Names and their declined forms, each kept once.
#[derive(Default)]
struct Spelling {
    names: Interner,
    forms: Vec<[NameIndex; 5]>,
    known_forms: HashMap<[NameIndex; 5], NameForms>,
    declined: BTreeMap<(Kind, u32), NameForms>,
}

impl Spelling {
    fn name(&mut self, name: &str) -> NameIndex {
        self.names.intern(name)
    }

    fn forms(&mut self, declension: &Declension) -> NameForms {
        let names = std::array::from_fn(|at| {
            declension
                .get(at)
                .map_or(NameIndex(u32::MAX), |form| self.names.intern(form))
        });
        let next = NameForms(self.forms.len() as u32);
        let known = *self.known_forms.entry(names).or_insert(next);
        if known == next {
            self.forms.push(names);
        }
        known
    }

    fn fact(&mut self, kind: Kind, code: u32, fact: &Fact) -> FactRecord {
        let name = fact
            .name
            .as_ref()
            .map(|dated| (dated.date, self.name(&dated.value)));
        let declension = fact
            .declension
            .as_ref()
            .map(|dated| (dated.date, self.forms(&dated.value)));
        if let Some((_, forms)) = declension {
            self.declined.insert((kind, code), forms);
        }
        FactRecord {
            kind,
            code,
            name,
            parent: fact.parent.as_ref().map(|dated| (dated.date, dated.value)),
            region: fact.region.as_ref().map(|dated| (dated.date, dated.value)),
            declension,
            position: fact
                .position
                .as_ref()
                .map(|dated| (dated.date, dated.value)),
        }
    }

    fn forms_of(&self, kind: Kind, code: u32) -> NameForms {
        self.declined
            .get(&(kind, code))
            .copied()
            .unwrap_or(NameForms::UNKNOWN)
    }
}

impl Registry {
    /// Without a hierarchy the larger towns still have their district: by name and position.
    fn districts_of_towns(&mut self) {
        let names = &self.names;
        for municipality in self
            .municipalities
            .iter_mut()
            .filter(|place| place.district.is_none())
        {
            let town = municipality
                .position
                .and_then(|at| district_of_municipality_at(names.get(municipality.name), at));
            municipality.district = town;
            municipality.region = municipality.region.or(town.map(District::region));
        }
    }

    fn count(&self) -> Counts {
        let declined = self
            .municipalities
            .iter()
            .map(|municipality| municipality.forms);
        let declined = declined.chain(self.quarters.iter().map(|quarter| quarter.forms));
        let declined = declined.chain(self.city_parts.iter().map(|part| part.forms));
        Counts {
            municipalities: self.municipalities.len() as u32,
            with_district: self
                .municipalities
                .iter()
                .filter(|place| place.district.is_some())
                .count() as u32,
            quarters: self.quarters.len() as u32,
            city_parts: self.city_parts.len() as u32,
            streets: self.streets.len() as u32,
            postal_codes: self.postal_areas.len() as u32,
            places: self.places.len() as u32,
            without_position: self
                .places
                .iter()
                .filter(|place| place.location.unpack().is_none())
                .count() as u32,
            declined: declined
                .filter(|forms| *forms != NameForms::UNKNOWN)
                .count() as u32,
        }
    }
}
