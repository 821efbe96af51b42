//! What the published files say, before it is compiled: for everything the newest word.
//!
//! Two drafts join into one, and the result does not depend on which came first or how often: for each municipality the
//! newest address table, for each name, parent, declension and definition point the newest statement. Where two are of
//! one day the larger wins, so that a table that was cut short gives way to the whole one.

use std::collections::BTreeMap;

use super::place::{PackedBuilding, PackedLocation, PackedOrientation};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// Kraj (VÚSC).
    Region,
    /// Okres.
    District,
    /// Obec.
    Municipality,
    /// Část obce.
    Quarter,
    /// Městská část, městský obvod.
    CityPart,
}

impl Kind {
    /// All kinds, in their order.
    pub const ALL: [Self; 5] = [
        Self::Region,
        Self::District,
        Self::Municipality,
        Self::Quarter,
        Self::CityPart,
    ];
}

/// A statement, and the day it was true (`YYYYMMDD`). Ordered by day: the greatest is the newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dated<T> {
    pub date: u32,
    pub value: T,
}

/// The cases 2, 3, 4, 6 and 7 of a name; an unknown one is empty.
pub(crate) type Declension = [Box<str>; 5];

/// What is said of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Fact {
    /// Its name.
    pub name: Option<Dated<Box<str>>>,
    /// Code of what it lies in: of a part its municipality, of a municipality its district, of a district its region.
    pub parent: Option<Dated<u32>>,
    /// Of a municipality, the code of its region: Prague lies in a region but in no district.
    pub region: Option<Dated<u32>>,
    /// How its name is declined.
    pub declension: Option<Dated<Declension>>,
    /// Its definition point.
    pub position: Option<Dated<PackedLocation>>,
}

impl Fact {
    fn join(&mut self, other: Self) {
        newest(&mut self.name, other.name);
        newest(&mut self.parent, other.parent);
        newest(&mut self.region, other.region);
        newest(&mut self.declension, other.declension);
        newest(&mut self.position, other.position);
    }

    /// The newest day on which anything was said of it.
    pub fn date(&self) -> u32 {
        let dates = [
            self.name.as_ref().map(|dated| dated.date),
            self.parent.as_ref().map(|dated| dated.date),
            self.region.as_ref().map(|dated| dated.date),
            self.declension.as_ref().map(|dated| dated.date),
            self.position.as_ref().map(|dated| dated.date),
        ];
        dates.into_iter().flatten().max().unwrap_or(0)
    }
}

fn newest<T: Ord>(kept: &mut Option<Dated<T>>, other: Option<Dated<T>>) {
    if other > *kept {
        *kept = other;
    }
}

/// A row of an address table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Kód ADM.
    pub code: u32,
    /// Kód ulice; 0 is none.
    pub street: u32,
    /// Kód části obce.
    pub quarter: u32,
    /// Kód MOMC; 0 is none.
    pub city_part: u32,
    /// PSČ; 0 is none.
    pub postal_code: u32,
    pub location: PackedLocation,
    pub building: PackedBuilding,
    pub orientation: PackedOrientation,
    /// Number of the obvod Prahy; 0 is none.
    pub old_prague_district: u8,
}

impl Row {
    /// Its bytes, for checksums.
    fn hash(&self, hasher: &mut blake3::Hasher) {
        for number in [
            self.code,
            self.street,
            self.quarter,
            self.city_part,
            self.postal_code,
        ] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&self.location.lat.to_le_bytes());
        hasher.update(&self.location.lng.to_le_bytes());
        hasher.update(&self.building.0.to_le_bytes());
        hasher.update(&self.orientation.0.to_le_bytes());
        hasher.update(&[self.old_prague_district]);
    }
}

/// The address table of one municipality, of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub date: u32,
    /// How many rows it had when it was read, and their checksum: with the date, what decides between two tables.
    pub size: u32,
    pub checksum: u64,
    /// Ordered by code.
    pub rows: Vec<Row>,
    /// Names of its streets.
    pub streets: BTreeMap<u32, Box<str>>,
}

impl Table {
    /// A table of these rows, each code once.
    pub fn new(date: u32, rows: Vec<Row>, streets: BTreeMap<u32, Box<str>>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for row in &rows {
            row.hash(&mut hasher);
        }
        for (code, name) in &streets {
            hasher.update(&code.to_le_bytes());
            hasher.update(name.as_bytes());
        }
        let checksum = hasher
            .finalize()
            .as_bytes()
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes));
        Self {
            date,
            size: rows.len() as u32,
            checksum,
            rows,
            streets,
        }
    }

    const fn rank(&self) -> (u32, u32, u64) {
        (self.date, self.size, self.checksum)
    }
}

/// Everything the files said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The address tables, by kód obce.
    pub tables: BTreeMap<u32, Table>,
    /// What is said of things, by kind and code.
    pub facts: BTreeMap<(Kind, u32), Fact>,
    /// The day of the newest edition that was known to hold the whole country: what is older and not in it is gone.
    pub whole_country: u32,
}

impl Draft {
    /// The fact about a thing, to be written.
    pub fn fact(&mut self, kind: Kind, code: u32) -> &mut Fact {
        self.facts.entry((kind, code)).or_default()
    }

    /// What is said of a thing.
    pub fn said_of(&self, kind: Kind, code: u32) -> Option<&Fact> {
        self.facts.get(&(kind, code))
    }

    /// Says that a thing had this name on that day; an empty one says nothing.
    pub fn name(&mut self, kind: Kind, code: u32, date: u32, name: &str) {
        if name.is_empty() {
            return;
        }
        let said = Some(Dated {
            date,
            value: name.into(),
        });
        newest(&mut self.fact(kind, code).name, said);
    }

    /// Says that a thing lay in another on that day.
    pub fn parent(&mut self, kind: Kind, code: u32, date: u32, parent: u32) {
        let said = Some(Dated {
            date,
            value: parent,
        });
        newest(&mut self.fact(kind, code).parent, said);
    }

    /// Says that a municipality lay in a region on that day.
    pub fn region(&mut self, municipality: u32, date: u32, region: u32) {
        let said = Some(Dated {
            date,
            value: region,
        });
        newest(
            &mut self.fact(Kind::Municipality, municipality).region,
            said,
        );
    }

    /// Says where a thing's definition point was on that day.
    pub fn position(&mut self, kind: Kind, code: u32, date: u32, position: PackedLocation) {
        let said = Some(Dated {
            date,
            value: position,
        });
        newest(&mut self.fact(kind, code).position, said);
    }

    /// Says how a thing's name was declined on that day.
    pub fn declension(&mut self, kind: Kind, code: u32, date: u32, declension: Declension) {
        let said = Some(Dated {
            date,
            value: declension,
        });
        newest(&mut self.fact(kind, code).declension, said);
    }

    /// Adds the table of a municipality.
    pub fn table(&mut self, municipality: u32, table: Table) {
        match self.tables.get_mut(&municipality) {
            Some(kept) if kept.rank() >= table.rank() => {}
            Some(kept) => *kept = table,
            None => {
                self.tables.insert(municipality, table);
            }
        }
    }

    /// Takes in what another draft says.
    pub fn join(&mut self, other: Self) {
        for (municipality, table) in other.tables {
            self.table(municipality, table);
        }
        for (subject, fact) in other.facts {
            self.facts.entry(subject).or_default().join(fact);
        }
        self.whole_country = self.whole_country.max(other.whole_country);
    }

    /// Forgets the municipalities that the newest edition of the whole country no longer has.
    pub fn forget_dissolved(&mut self) {
        let whole_country = self.whole_country;
        self.tables.retain(|_, table| table.date >= whole_country);
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
        Table::new(date, codes.iter().map(row).collect(), BTreeMap::new())
    }

    fn draft(tables: &[(u32, Table)]) -> Draft {
        let mut draft = Draft::default();
        for (municipality, table) in tables {
            draft.table(*municipality, table.clone());
        }
        draft
    }

    #[test]
    fn the_newer_table_wins_and_of_one_day_the_longer() {
        let (old, cut, new) = (table(1, &[1, 2, 3]), table(2, &[4]), table(2, &[4, 5]));
        for order in [[&old, &cut, &new], [&new, &cut, &old], [&cut, &new, &old]] {
            let mut draft = Draft::default();
            for table in order {
                draft.table(7, table.clone());
            }
            assert_eq!(draft.tables.get(&7), Some(&new));
        }
    }

    #[test]
    fn joining_commutes_and_repeats_without_effect() {
        let make = || {
            let mut left = draft(&[(1, table(3, &[1])), (2, table(5, &[2]))]);
            left.name(Kind::Quarter, 1, 3, "Lhota");
            let mut right = draft(&[(1, table(4, &[1, 9]))]);
            right.name(Kind::Quarter, 1, 4, "Nová Lhota");
            right.parent(Kind::Quarter, 1, 2, 77);
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
    fn a_municipality_that_the_whole_country_lacks_is_gone() {
        let mut draft = draft(&[(1, table(3, &[1])), (2, table(5, &[2]))]);
        draft.whole_country = 5;
        draft.forget_dissolved();
        assert_eq!(draft.tables.keys().copied().collect::<Vec<_>>(), [2]);
    }
}
