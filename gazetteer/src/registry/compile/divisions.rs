//! Municipalities, their parts and their streets, numbered.

use std::collections::{BTreeMap, BTreeSet};

use schema::Location;

use super::super::draft::{Draft, Kind, ShadowedRows, Table};
use super::super::entity::{CityPart, Municipality, MunicipalityIndex, Quarter, Street};
use super::Spelling;
use crate::districts::District;

/// Kód obce of Prague, which lies in no okres.
const PRAGUE: u32 = 554_782;

/// All of them in the order of the registry; their places, and positions that no file gives, are filled in later.
#[derive(Default)]
pub(super) struct Divisions {
    pub municipalities: Vec<Municipality>,
    pub quarters: Vec<Quarter>,
    pub city_parts: Vec<CityPart>,
    pub streets: Vec<Street>,
}

impl Divisions {
    pub fn from_draft(draft: &Draft, shadowed: &ShadowedRows, spelling: &mut Spelling) -> Self {
        let mut divisions = Self::default();
        let children = [
            children(draft, Kind::Quarter),
            children(draft, Kind::CityPart),
        ];
        for code in municipalities(draft) {
            let used = Used::in_table(code, draft.tables.get(&code), shadowed);
            divisions.add(code, draft, &children, used, spelling);
        }
        divisions
    }

    fn add(
        &mut self,
        code: u32,
        draft: &Draft,
        [quarters, city_parts]: &[Children; 2],
        used: Used,
        spelling: &mut Spelling,
    ) {
        let municipality = MunicipalityIndex(self.municipalities.len() as u32);
        let table = draft.tables.get(&code);
        let edition = table.map_or(0, |table| table.date);
        let starts = (
            self.quarters.len(),
            self.city_parts.len(),
            self.streets.len(),
        );
        for code in with_current_children(used.quarters, quarters.get(&code), edition) {
            let (name, position) = name_and_position(draft, Kind::Quarter, code);
            self.quarters.push(Quarter {
                code,
                name: spelling.name(name),
                forms: spelling.forms_of(draft, Kind::Quarter, code),
                municipality,
                position,
                streetless: 0..0,
                place_count: 0,
            });
        }
        for code in with_current_children(used.city_parts, city_parts.get(&code), edition) {
            let (name, position) = name_and_position(draft, Kind::CityPart, code);
            self.city_parts.push(CityPart {
                code,
                name: spelling.name(name),
                forms: spelling.forms_of(draft, Kind::CityPart, code),
                municipality,
                position,
                place_count: 0,
            });
        }
        for code in used.streets {
            let name = table.and_then(|table| table.streets.get(&code));
            self.streets.push(Street {
                code,
                name: spelling.name(name.map_or("", |name| name)),
                municipality,
                position: None,
                places: 0..0,
            });
        }
        let (name, position) = name_and_position(draft, Kind::Municipality, code);
        self.municipalities.push(Municipality {
            code,
            name: spelling.name(name),
            forms: spelling.forms_of(draft, Kind::Municipality, code),
            district: district(draft, code),
            position,
            edition,
            quarters: starts.0 as u32..self.quarters.len() as u32,
            city_parts: starts.1 as u32..self.city_parts.len() as u32,
            streets: starts.2 as u32..self.streets.len() as u32,
            places: 0..0,
        });
    }
}

/// The codes of the municipalities that exist: those with an address table, and those named since the newest edition of
/// the whole country.
fn municipalities(draft: &Draft) -> BTreeSet<u32> {
    let named = |code: u32| draft.fact(Kind::Municipality, code)?.name.as_ref();
    let with_table = draft
        .tables
        .keys()
        .copied()
        .filter(|code| named(*code).is_some());
    let only_named = draft
        .facts
        .range((Kind::Municipality, 0)..=(Kind::Municipality, u32::MAX))
        .map(|((_, code), _)| *code)
        .filter(|code| named(*code).is_some_and(|name| name.date >= draft.whole_country));
    with_table.chain(only_named).collect()
}

/// The named parts of each municipality, with the day of their newest statement.
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

/// The used codes and those of parts without address places. A part whose newest statement is older than the
/// municipality's table, and which the table does not use, no longer exists.
fn with_current_children(
    mut used: BTreeSet<u32>,
    children: Option<&Vec<(u32, u32)>>,
    edition: u32,
) -> BTreeSet<u32> {
    let current = children
        .into_iter()
        .flatten()
        .filter(|(_, date)| *date >= edition);
    used.extend(current.map(|(code, _)| *code));
    used
}

/// The codes that the rows of a municipality use.
#[derive(Default)]
struct Used {
    quarters: BTreeSet<u32>,
    city_parts: BTreeSet<u32>,
    streets: BTreeSet<u32>,
}

impl Used {
    fn in_table(municipality: u32, table: Option<&Table>, shadowed: &ShadowedRows) -> Self {
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
}

fn name_and_position(draft: &Draft, kind: Kind, code: u32) -> (&str, Option<Location>) {
    let fact = draft.fact(kind, code);
    let name = fact
        .and_then(|fact| fact.name.as_ref())
        .map_or("", |name| &*name.value);
    let position = fact
        .and_then(|fact| fact.position.as_ref())
        .and_then(|position| position.value.unpack());
    (name, position)
}

/// The district of a municipality, if a hierarchy table or a VFR file gave it.
fn district(draft: &Draft, code: u32) -> Option<District> {
    if code == PRAGUE {
        return Some(District::Praha);
    }
    let parent = draft.fact(Kind::Municipality, code)?.parent.as_ref()?;
    District::from_code(parent.value)
}
