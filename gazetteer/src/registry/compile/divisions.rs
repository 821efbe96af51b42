//! Municipalities, their parts and streets, numbered.

use std::collections::{BTreeMap, BTreeSet};

use schema::Location;

use super::super::codes;
use super::super::draft::{Draft, Kind, Table};
use super::super::entity::{CityPart, Municipality, MunicipalityIndex, Quarter, Street};
use super::{Shadowed, Spelling};
use crate::districts::District;
use crate::regions::Region;

/// All of them, in the registry's order; positions and places are settled later.
#[derive(Default)]
pub(super) struct Divisions {
    pub municipalities: Vec<Municipality>,
    pub quarters: Vec<Quarter>,
    pub city_parts: Vec<CityPart>,
    pub streets: Vec<Street>,
}

impl Divisions {
    pub fn of(draft: &Draft, shadowed: &Shadowed, spelling: &mut Spelling) -> Self {
        let mut divisions = Self::default();
        let children = [
            children(draft, Kind::Quarter),
            children(draft, Kind::CityPart),
        ];
        for code in municipalities(draft) {
            divisions.add(code, draft, &children, shadowed, spelling);
        }
        divisions
    }

    fn add(
        &mut self,
        code: u32,
        draft: &Draft,
        [quarters, city_parts]: &[Children; 2],
        shadowed: &Shadowed,
        spelling: &mut Spelling,
    ) {
        let municipality = MunicipalityIndex(self.municipalities.len() as u32);
        let table = draft.tables.get(&code);
        let used = Used::by(code, table, shadowed);
        let edition = table.map_or(0, |table| table.date);
        let starts = (
            self.quarters.len(),
            self.city_parts.len(),
            self.streets.len(),
        );
        for code in Used::with_current(&used.quarters, quarters, code, edition) {
            let (name, position) = named(draft, Kind::Quarter, code);
            self.quarters.push(Quarter {
                code,
                name: spelling.name(name),
                forms: spelling.forms_of(Kind::Quarter, code),
                municipality,
                position,
                streetless: 0..0,
                place_count: 0,
            });
        }
        for code in Used::with_current(&used.city_parts, city_parts, code, edition) {
            let (name, position) = named(draft, Kind::CityPart, code);
            self.city_parts.push(CityPart {
                code,
                name: spelling.name(name),
                forms: spelling.forms_of(Kind::CityPart, code),
                municipality,
                position,
                place_count: 0,
            });
        }
        for code in used.streets {
            let name = table
                .and_then(|table| table.streets.get(&code))
                .map_or("", |name| name);
            let name = spelling.name(name);
            self.streets.push(Street {
                code,
                name,
                municipality,
                position: None,
                places: 0..0,
            });
        }
        let (name, position) = named(draft, Kind::Municipality, code);
        let (district, region) = district_and_region(draft, code);
        self.municipalities.push(Municipality {
            code,
            name: spelling.name(name),
            forms: spelling.forms_of(Kind::Municipality, code),
            district,
            region,
            position,
            edition,
            quarters: starts.0 as u32..self.quarters.len() as u32,
            city_parts: starts.1 as u32..self.city_parts.len() as u32,
            streets: starts.2 as u32..self.streets.len() as u32,
            places: 0..0,
        });
    }
}

/// The codes of the municipalities there are: those with places, and those that were named since the newest edition of
/// the whole country.
fn municipalities(draft: &Draft) -> BTreeSet<u32> {
    let named = |code: u32| {
        draft
            .said_of(Kind::Municipality, code)
            .and_then(|fact| fact.name.as_ref())
    };
    let with_table = draft
        .tables
        .keys()
        .copied()
        .filter(|code| named(*code).is_some());
    let first = (Kind::Municipality, 0);
    let only_named = draft
        .facts
        .range(first..=(Kind::Municipality, u32::MAX))
        .map(|((_, code), _)| *code)
        .filter(|code| named(*code).is_some_and(|name| name.date >= draft.whole_country));
    with_table.chain(only_named).collect()
}

/// The named parts of each municipality, with the day they were last heard of.
type Children = BTreeMap<u32, Vec<(u32, u32)>>;

fn children(draft: &Draft, kind: Kind) -> Children {
    let mut children = Children::new();
    for ((_, code), fact) in draft.facts.range((kind, 0)..=(kind, u32::MAX)) {
        if let (Some(parent), Some(_)) = (&fact.parent, &fact.name) {
            children
                .entry(parent.value)
                .or_default()
                .push((*code, fact.date()));
        }
    }
    children
}

/// The codes that the rows of a municipality use.
#[derive(Default)]
struct Used {
    quarters: BTreeSet<u32>,
    city_parts: BTreeSet<u32>,
    streets: BTreeSet<u32>,
}

impl Used {
    fn by(municipality: u32, table: Option<&Table>, shadowed: &Shadowed) -> Self {
        let mut used = Self::default();
        let rows = table.map_or(&[][..], |table| &table.rows);
        for row in rows
            .iter()
            .filter(|row| !shadowed.contains(&(municipality, row.code)))
        {
            used.quarters.insert(row.quarter);
            used.city_parts.insert(row.city_part);
            used.streets.insert(row.street);
        }
        for codes in [&mut used.city_parts, &mut used.streets] {
            codes.remove(&0);
        }
        used
    }

    /// The used codes and those of parts without places, unless the municipality's table is newer than they: then they
    /// are gone.
    fn with_current(
        used: &BTreeSet<u32>,
        children: &Children,
        municipality: u32,
        edition: u32,
    ) -> BTreeSet<u32> {
        let children = children
            .get(&municipality)
            .map_or(&[][..], |children| children);
        let current = children
            .iter()
            .filter(|(_, date)| *date >= edition)
            .map(|(code, _)| *code);
        used.iter().copied().chain(current).collect()
    }
}

fn named(draft: &Draft, kind: Kind, code: u32) -> (&str, Option<Location>) {
    let fact = draft.said_of(kind, code);
    let name = fact
        .and_then(|fact| fact.name.as_ref())
        .map_or("", |name| &*name.value);
    let position = fact
        .and_then(|fact| fact.position.as_ref())
        .and_then(|position| position.value.unpack());
    (name, position)
}

/// What a municipality lies in, as far as a hierarchy was read.
fn district_and_region(draft: &Draft, code: u32) -> (Option<District>, Option<Region>) {
    let fact = draft.said_of(Kind::Municipality, code);
    let district_code = fact
        .and_then(|fact| fact.parent.as_ref())
        .map(|parent| parent.value);
    let listed = district_code.and_then(|code| draft.said_of(Kind::District, code));
    let district = if code == codes::PRAGUE {
        Some(District::Praha)
    } else {
        district_code
            .and_then(codes::district)
            .or_else(|| District::parse(&listed?.name.as_ref()?.value))
    };
    let region_code = fact
        .and_then(|fact| fact.region.as_ref())
        .or_else(|| listed?.parent.as_ref())
        .map(|region| region.value);
    let region = district
        .map(District::region)
        .or_else(|| region_code.and_then(codes::region))
        .or_else(|| {
            let listed = draft.said_of(Kind::Region, region_code?)?;
            Region::parse(&listed.name.as_ref()?.value)
        });
    (district, region)
}
