//! What the published files state, before it is compiled.
//!
//! Joining two drafts gives the same result in either order, however often it is repeated: each municipality keeps its
//! newest address table, and each name, parent, declension and definition point its newest statement. Of two
//! statements of the same day the larger wins, so that a truncated table loses to the complete one.
//!
//! The files are read in parallel and may overlap (two months in one folder, the table of one municipality beside the
//! whole country), so something has to decide between them; the date is in every published file name.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::entity::Municipality;
use super::outline::{Outline, OutlineKind};
use super::place::{PackedBuilding, PackedLocation, PackedOrientation, PackedPlace};
use super::{Registry, slice};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Obec.
    Municipality,
    /// Část obce.
    Quarter,
    /// Městská část, městský obvod.
    CityPart,
}

/// A statement and the day of the edition that makes it (`YYYYMMDD`). The newest is the greatest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Dated<T> {
    pub date: u32,
    pub value: T,
}

/// The cases 2, 3, 4, 6 and 7 of a name; a missing one is empty.
pub(crate) type Declension = [Box<str>; 5];

/// What one file states about one thing.
#[derive(Debug, Default)]
pub(crate) struct Statement {
    /// Its name; empty if the file does not give it.
    pub name: Box<str>,
    /// Code of what it lies in: the district of a municipality, the municipality of a quarter or city part.
    pub parent: Option<u32>,
    /// The declined forms of its name.
    pub declension: Option<Declension>,
    /// Its definition point.
    pub position: Option<PackedLocation>,
}

/// The newest statements about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Fact {
    pub name: Option<Dated<Box<str>>>,
    pub parent: Option<Dated<u32>>,
    pub declension: Option<Dated<Declension>>,
    pub position: Option<Dated<PackedLocation>>,
}

impl Fact {
    fn new(date: u32, statement: Statement) -> Self {
        Self {
            name: dated(date, Some(statement.name).filter(|name| !name.is_empty())),
            parent: dated(date, statement.parent),
            declension: dated(date, statement.declension),
            position: dated(date, statement.position),
        }
    }

    fn join(&mut self, other: Self) {
        keep_newest(&mut self.name, other.name);
        keep_newest(&mut self.parent, other.parent);
        keep_newest(&mut self.declension, other.declension);
        keep_newest(&mut self.position, other.position);
    }

    /// The day of the newest statement.
    pub fn date(&self) -> u32 {
        let dates = [
            self.name.as_ref().map(|dated| dated.date),
            self.parent.as_ref().map(|dated| dated.date),
            self.declension.as_ref().map(|dated| dated.date),
            self.position.as_ref().map(|dated| dated.date),
        ];
        dates.into_iter().flatten().max().unwrap_or(0)
    }
}

fn dated<T>(date: u32, value: Option<T>) -> Option<Dated<T>> {
    value.map(|value| Dated { date, value })
}

fn keep_newest<T: Ord>(kept: &mut Option<Dated<T>>, other: Option<Dated<T>>) {
    if other > *kept {
        *kept = other;
    }
}

/// A row of an address table. In codes, postal code and Prague district 0 means that the row has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Kód ADM.
    pub code: u32,
    /// Kód ulice.
    pub street: u32,
    /// Kód části obce.
    pub quarter: u32,
    /// Kód MOMC.
    pub city_part: u32,
    /// PSČ.
    pub postal_code: u32,
    pub location: PackedLocation,
    pub building: PackedBuilding,
    pub orientation: PackedOrientation,
    /// Number of the obvod Prahy.
    pub old_prague_district: u8,
}

/// The address table of one municipality, as of one day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Table {
    pub date: u32,
    /// Ordered by code; each code once.
    pub rows: Vec<Row>,
    /// Names of its streets, by code.
    pub streets: BTreeMap<u32, Box<str>>,
}

impl Table {
    /// Whether this table counts and `other` does not: it is newer, or of the same day and longer. The content decides
    /// last, so that the order of reading never does.
    fn supersedes(&self, other: &Self) -> bool {
        let rank = |table: &Self| (table.date, table.rows.len());
        rank(self)
            .cmp(&rank(other))
            .then_with(|| self.rows.cmp(&other.rows))
            .then_with(|| self.streets.cmp(&other.streets))
            .is_gt()
    }
}

/// Rows that lose to a newer row with the same code in another municipality, as municipality and code: the boundary
/// moved between the two editions.
pub(crate) type ShadowedRows = HashSet<(u32, u32)>;

/// Everything that the files state.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Draft {
    /// The address tables, by kód obce.
    pub tables: BTreeMap<u32, Table>,
    /// The facts, by kind and code.
    pub facts: BTreeMap<(Kind, u32), Fact>,
    /// The day of the newest complete edition of the whole country: municipalities with older tables no longer exist.
    pub whole_country: u32,
    /// The boundaries, by kind and code. Compiling moves them into the registry.
    #[serde(skip)]
    pub outlines: BTreeMap<(OutlineKind, u32), Outline>,
}

impl Draft {
    /// What is known about a thing.
    pub fn fact(&self, kind: Kind, code: u32) -> Option<&Fact> {
        self.facts.get(&(kind, code))
    }

    /// Adds what an edition of this day states about a thing.
    pub fn state(&mut self, kind: Kind, code: u32, date: u32, statement: Statement) {
        let fact = self.facts.entry((kind, code)).or_default();
        fact.join(Fact::new(date, statement));
    }

    /// Adds the address table of a municipality, unless a newer one is known.
    pub fn add_table(&mut self, municipality: u32, table: Table) {
        match self.tables.get_mut(&municipality) {
            Some(kept) if !table.supersedes(kept) => {}
            Some(kept) => *kept = table,
            None => {
                self.tables.insert(municipality, table);
            }
        }
    }

    /// Adds a boundary, unless a newer one is known.
    pub fn add_outline(&mut self, outline: Outline) {
        let known = self.outlines.entry((outline.kind, outline.code));
        let kept = known.or_insert_with(|| outline.clone());
        if (outline.date, &outline) > (kept.date, kept) {
            *kept = outline;
        }
    }

    /// Adds everything that another draft states.
    pub fn join(&mut self, other: Self) {
        for (municipality, table) in other.tables {
            self.add_table(municipality, table);
        }
        for (subject, fact) in other.facts {
            self.facts.entry(subject).or_default().join(fact);
        }
        for outline in other.outlines.into_values() {
            self.add_outline(outline);
        }
        self.whole_country = self.whole_country.max(other.whole_country);
    }

    /// Drops the tables of municipalities that the newest edition of the whole country no longer has.
    pub fn drop_dissolved(&mut self) {
        let whole_country = self.whole_country;
        self.tables.retain(|_, table| table.date >= whole_country);
    }

    /// The rows that are not compiled because another municipality has a newer row with their code.
    pub fn shadowed_rows(&self) -> ShadowedRows {
        let rows = self.tables.values().map(|table| table.rows.len()).sum();
        let mut codes: Vec<(u32, u32, u32)> = Vec::with_capacity(rows);
        for (municipality, table) in &self.tables {
            let rows = table.rows.iter();
            codes.extend(rows.map(|row| (row.code, table.date, *municipality)));
        }
        codes.sort_unstable();
        let pairs = codes.windows(2).filter_map(|pair| match pair {
            [(code, _, municipality), (next, ..)] if code == next => Some((*municipality, *code)),
            _ => None,
        });
        pairs.collect()
    }

    /// Drops the rows that the compiled registry holds; [`Draft::restore_rows`] brings them back.
    pub fn drop_compiled_rows(&mut self, shadowed: &ShadowedRows) {
        for (municipality, table) in &mut self.tables {
            table
                .rows
                .retain(|row| shadowed.contains(&(*municipality, row.code)));
            table.rows.shrink_to_fit();
            let streets: HashSet<u32> = table.rows.iter().map(|row| row.street).collect();
            table.streets.retain(|code, _| streets.contains(code));
        }
    }

    /// Brings back the rows and boundaries that only the registry has that was compiled from this draft.
    pub fn restore_rows(&mut self, registry: &Registry) {
        for outline in registry.outlines() {
            self.add_outline(outline.clone());
        }
        for municipality in registry.municipalities() {
            let Some(table) = self.tables.get_mut(&municipality.code) else {
                continue;
            };
            for (_, street) in registry.streets_of(municipality) {
                let name = registry.name(street.name).into();
                table.streets.insert(street.code, name);
            }
            table.rows.extend(registry.rows_of(municipality));
            table.rows.sort_unstable_by_key(|row| row.code);
        }
    }
}

impl Registry {
    /// The address places of a municipality as rows of its table.
    fn rows_of<'a>(&'a self, municipality: &Municipality) -> impl Iterator<Item = Row> + use<'a> {
        let street_codes = self
            .streets_of(municipality)
            .flat_map(|(_, street)| street.places.clone().map(|_| street.code));
        // Places are ordered by street; those without a street come last.
        let street_codes = street_codes.chain(std::iter::repeat(0));
        let places = slice(&self.places, municipality.places.clone());
        let row = |(place, street): (&PackedPlace, u32)| {
            let area = self.areas.get(usize::from(place.area))?;
            let city_part = area.city_part.and_then(|index| self.city_part(index));
            let postal_area = self.postal_areas.get(usize::from(place.postal_area));
            Some(Row {
                code: place.code,
                street,
                quarter: self.quarter(area.quarter)?.code,
                city_part: city_part.map_or(0, |part| part.code),
                postal_code: postal_area.map_or(0, |area| area.code),
                location: place.location,
                building: place.building,
                orientation: place.orientation,
                old_prague_district: area.old_prague_district.unwrap_or(0),
            })
        };
        places.iter().zip(street_codes).filter_map(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(date: u32, codes: &[u32]) -> Table {
        let row = |code: &u32| Row {
            code: *code,
            street: 0,
            quarter: 1,
            city_part: 0,
            postal_code: 0,
            location: PackedLocation::UNKNOWN,
            building: PackedBuilding(1),
            orientation: PackedOrientation(0),
            old_prague_district: 0,
        };
        Table {
            date,
            rows: codes.iter().map(row).collect(),
            streets: BTreeMap::new(),
        }
    }

    fn draft(tables: &[(u32, Table)]) -> Draft {
        let mut draft = Draft::default();
        for (municipality, table) in tables {
            draft.add_table(*municipality, table.clone());
        }
        draft
    }

    fn named(name: &str, parent: Option<u32>) -> Statement {
        Statement {
            name: name.into(),
            parent,
            ..Statement::default()
        }
    }

    #[test]
    fn the_newest_table_wins_and_the_longer_one_on_the_same_day() {
        let (old, cut, new) = (table(1, &[1, 2, 3]), table(2, &[4]), table(2, &[4, 5]));
        for order in [[&old, &cut, &new], [&new, &cut, &old], [&cut, &new, &old]] {
            let mut draft = Draft::default();
            for table in order {
                draft.add_table(7, table.clone());
            }
            assert_eq!(draft.tables.get(&7), Some(&new));
        }
    }

    #[test]
    fn of_two_equally_long_tables_the_same_one_wins_in_either_order() {
        let (one, other) = (table(2, &[4, 5]), table(2, &[4, 6]));
        let (forwards, backwards) = (
            draft(&[(7, one.clone()), (7, other.clone())]),
            draft(&[(7, other), (7, one)]),
        );
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn joining_is_commutative_and_idempotent() {
        let make = || {
            let mut left = draft(&[(1, table(3, &[1])), (2, table(5, &[2]))]);
            left.state(Kind::Quarter, 1, 3, named("Lhota", None));
            let mut right = draft(&[(1, table(4, &[1, 9]))]);
            right.state(Kind::Quarter, 1, 4, named("Nová Lhota", None));
            right.state(Kind::Quarter, 1, 2, named("", Some(77)));
            right.whole_country = 4;
            (left, right)
        };
        let ((mut a, b), (c, mut d)) = (make(), make());
        a.join(b);
        d.join(c);
        assert_eq!(a, d);
        let (again, _) = make();
        a.join(again);
        assert_eq!(a, d);
    }

    #[test]
    fn the_newest_boundary_wins_in_either_order() {
        let outline = |date, corner: &str| {
            let ring = format!(
                "-740000 -1040000 -720000 -1040000 {corner} -740000 -1060000 -740000 -1040000"
            );
            Outline::from_rings((OutlineKind::District, 3304), date, &[ring]).unwrap()
        };
        let (old, new) = (
            outline(20_250_630, "-720000 -1060000"),
            outline(20_260_630, "-721000 -1060000"),
        );
        for order in [[&old, &new], [&new, &old]] {
            let mut draft = Draft::default();
            for one in order {
                let mut other = Draft::default();
                other.add_outline(one.clone());
                draft.join(other);
            }
            let kept: Vec<&Outline> = draft.outlines.values().collect();
            assert_eq!(kept, [&new]);
        }
    }

    #[test]
    fn a_municipality_missing_from_the_whole_country_is_dropped() {
        let mut draft = draft(&[(1, table(3, &[1])), (2, table(5, &[2]))]);
        draft.whole_country = 5;
        draft.drop_dissolved();
        assert_eq!(draft.tables.keys().copied().collect::<Vec<_>>(), [2]);
    }
}
