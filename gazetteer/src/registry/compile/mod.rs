//! From a draft to the registry.
//!
//! A pure function of the draft: equal drafts compile to equal files, to the byte. First come the municipalities and
//! their parts ([`divisions`]), then the address places by street and quarter ([`places`]), then what needs all places
//! together: counts and middles ([`middles`]).

use crate::address::district_of_municipality_at;
mod divisions;
mod middles;
mod places;

use std::collections::HashMap;

use super::draft::{Declension, Draft, Kind};
use super::edition::{ATTRIBUTION, Counts, Edition};
use super::entity::{NameForms, NameIndex};
use super::names::Interner;
use super::{Registry, file};
use divisions::Divisions;

/// Why a draft cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The files hold more of something than the compiled registry can number.
    #[error(
        "the files hold {found} {what}, but a registry can hold at most {limit}: import files of one country only"
    )]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The registry cannot be encoded.
    #[error("the registry cannot be encoded: {0}")]
    Encode(#[from] postcard::Error),
}

fn check_limit(what: &'static str, found: usize, limit: usize) -> Result<(), CompileError> {
    if found > limit {
        return Err(CompileError::TooMany { what, found, limit });
    }
    Ok(())
}

/// A registry and the bytes of its file.
pub(super) struct Compiled {
    pub registry: Registry,
    pub bytes: Vec<u8>,
}

/// Compiles a draft.
pub(super) fn compile(mut draft: Draft) -> Result<Compiled, CompileError> {
    draft.drop_dissolved();
    let shadowed = draft.shadowed_rows();
    let mut spelling = Spelling::default();
    let divisions = Divisions::from_draft(&draft, &shadowed, &mut spelling);
    let placed = places::arrange(&draft, divisions, &shadowed)?;
    let newest_table = draft.tables.values().map(|table| table.date).max();
    let mut registry = Registry {
        edition: Edition {
            date: newest_table.unwrap_or(0),
            whole_country: draft.whole_country,
            attribution: ATTRIBUTION.to_owned(),
            counts: Counts::default(),
            id: [0; 32],
        },
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
        outlines: std::mem::take(&mut draft.outlines).into_values().collect(),
    };
    let bytes_of_names = registry.names.text.len();
    check_limit("bytes of names", bytes_of_names, u32::MAX as usize)?;
    draft.drop_compiled_rows(&shadowed);
    drop(shadowed);
    middles::fill_in(&mut registry);
    registry.fill_in_districts();
    places::index_by_quarter(&mut registry);
    registry.edition.counts = registry.count();
    let (bytes, id) = file::encode(&registry, &draft)?;
    registry.edition.id = id;
    Ok(Compiled { registry, bytes })
}

/// Names and their declined forms, each kept once.
#[derive(Default)]
struct Spelling {
    names: Interner,
    forms: Vec<[NameIndex; 5]>,
    known_forms: HashMap<[NameIndex; 5], NameForms>,
}

impl Spelling {
    fn name(&mut self, name: &str) -> NameIndex {
        self.names.intern(name)
    }

    /// The declined forms of a thing's name, if a VFR file gave them.
    fn forms_of(&mut self, draft: &Draft, kind: Kind, code: u32) -> NameForms {
        let fact = draft.fact(kind, code);
        fact.and_then(|fact| fact.declension.as_ref())
            .map_or(NameForms::UNKNOWN, |dated| self.forms(&dated.value))
    }

    fn forms(&mut self, declension: &Declension) -> NameForms {
        let names = declension.each_ref().map(|form| self.names.intern(form));
        let next = NameForms(self.forms.len() as u32);
        let known = *self.known_forms.entry(names).or_insert(next);
        if known == next {
            self.forms.push(names);
        }
        known
    }
}

impl Registry {
    /// Gives larger towns their district by name and position if no hierarchy table was imported.
    fn fill_in_districts(&mut self) {
        let names = &self.names;
        for municipality in self
            .municipalities
            .iter_mut()
            .filter(|place| place.district.is_none())
        {
            municipality.district = municipality
                .position
                .and_then(|at| district_of_municipality_at(names.get(municipality.name), at));
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
