//! Offers in columns, latest change first.

use std::cmp::Reverse;
use std::sync::Arc;

use schema::store::offers::IndexRow;
use schema::{Location, SpecEnum, Timestamp};

use crate::index::names::Names;

/// Where an offer stands in the order of searches: the later change comes first, and among changes of one instant the
/// higher row. Rows are the store's, so every process orders alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The offer's latest change.
    pub last_changed_at: Timestamp,
    /// The offer's row in the store.
    pub row: i64,
}

/// One offer, with what filters ask of it.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    position: Position,
    change: i64,
    expires_at: i64,
    location: Option<Location>,
    figures: [f64; 3],
    floors: [i16; 2],
    codes: [u8; 8],
    district: u32,
    neighborhood: u32,
}

/// The code of no value.
pub const NO_CODE: u8 = u8::MAX;
/// The floor of an offer that states none.
pub const NO_FLOOR: i16 = i16::MIN;

impl Record {
    /// The expiry of a live offer: never.
    pub const LIVE: i64 = i64::MAX;

    /// The record of a stored offer; its names get codes in `names`.
    pub fn new(row: &IndexRow, names: &mut Arc<Names>) -> Self {
        Self {
            position: Position {
                last_changed_at: row.last_changed_at,
                row: row.row,
            },
            change: row.change,
            // An expired offer that does not say when is outside every window.
            expires_at: if row.is_live {
                Self::LIVE
            } else {
                row.expired_at.map_or(i64::MIN, Timestamp::millis)
            },
            location: row.location,
            figures: [row.price_total, row.living_area, row.land_area]
                .map(|figure| figure.unwrap_or(f64::NAN)),
            floors: [row.floor, row.floor_count].map(|floor| floor.unwrap_or(NO_FLOOR)),
            codes: [
                code(row.offer_type),
                code(row.property_type),
                code(row.subtype),
                code(row.arrangement),
                code(row.equipment),
                code(row.ownership),
                code(row.property_state),
                code(row.building_type),
            ],
            district: Names::code_district(names, row.district.as_deref()),
            neighborhood: Names::code_neighborhood(names, row.neighborhood.as_deref()),
        }
    }

    /// Where it stands in the order of searches.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its row in the store.
    pub fn row(&self) -> i64 {
        self.position.row
    }

    /// The number of its latest change in the store.
    pub fn change(&self) -> i64 {
        self.change
    }

    /// Sorts records into the order of searches.
    pub fn sort(records: &mut [Self]) {
        records.sort_unstable_by_key(|record| Reverse(record.position));
    }
}

fn code<E: SpecEnum>(value: Option<E>) -> u8 {
    value.map_or(NO_CODE, E::code)
}

/// Offers, one column for each of their facts, in the order of searches.
#[derive(Debug, Default)]
pub struct Columns {
    /// Latest change, Unix milliseconds.
    pub(super) last_changed_at: Vec<i64>,
    /// The store's row.
    pub(super) row: Vec<i64>,
    /// Number of the latest change.
    pub(super) change: Vec<i64>,
    /// When the last live link went, Unix milliseconds; [`Record::LIVE`] while one is there.
    pub(super) expires_at: Vec<i64>,
    /// Degrees; NaN where unknown.
    pub(super) lat: Vec<f64>,
    /// Degrees; NaN where unknown.
    pub(super) lng: Vec<f64>,
    /// Price, living area, land area; NaN where unknown.
    pub(super) figures: [Vec<f64>; 3],
    /// Floor, floors of the building; [`NO_FLOOR`] where unknown.
    pub(super) floors: [Vec<i16>; 2],
    /// Enumerations in the order of [`super::Codes::in_order`]; [`NO_CODE`] where unknown.
    pub(super) codes: [Vec<u8>; 8],
    /// Code of the district; `u32::MAX` where unknown.
    pub(super) district: Vec<u32>,
    /// Code of the neighbourhood.
    pub(super) neighborhood: Vec<u32>,
    /// Places in the columns, in the order of rows.
    by_row: Vec<u32>,
}

impl Columns {
    /// The columns of records that are already in the order of searches.
    pub fn from_sorted(count: usize, records: impl Iterator<Item = Record>) -> Self {
        let mut columns = Self::with_capacity(count);
        for record in records {
            columns.push(&record);
        }
        columns.by_row = (0..columns.row.len() as u32).collect();
        columns
            .by_row
            .sort_unstable_by_key(|place| columns.row[*place as usize]);
        columns
    }

    fn with_capacity(count: usize) -> Self {
        Self {
            last_changed_at: Vec::with_capacity(count),
            row: Vec::with_capacity(count),
            change: Vec::with_capacity(count),
            expires_at: Vec::with_capacity(count),
            lat: Vec::with_capacity(count),
            lng: Vec::with_capacity(count),
            figures: std::array::from_fn(|_| Vec::with_capacity(count)),
            floors: std::array::from_fn(|_| Vec::with_capacity(count)),
            codes: std::array::from_fn(|_| Vec::with_capacity(count)),
            district: Vec::with_capacity(count),
            neighborhood: Vec::with_capacity(count),
            by_row: Vec::new(),
        }
    }

    fn push(&mut self, record: &Record) {
        self.last_changed_at
            .push(record.position.last_changed_at.millis());
        self.row.push(record.position.row);
        self.change.push(record.change);
        self.expires_at.push(record.expires_at);
        self.lat
            .push(record.location.map_or(f64::NAN, |location| location.lat));
        self.lng
            .push(record.location.map_or(f64::NAN, |location| location.lng));
        for (column, figure) in self.figures.iter_mut().zip(record.figures) {
            column.push(figure);
        }
        for (column, floor) in self.floors.iter_mut().zip(record.floors) {
            column.push(floor);
        }
        for (column, code) in self.codes.iter_mut().zip(record.codes) {
            column.push(code);
        }
        self.district.push(record.district);
        self.neighborhood.push(record.neighborhood);
    }

    /// How many offers there are.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.row.is_empty()
    }

    /// The record at a place.
    pub fn get(&self, place: usize) -> Record {
        let location = Location {
            lat: self.lat[place],
            lng: self.lng[place],
        };
        Record {
            position: self.position(place),
            change: self.change[place],
            expires_at: self.expires_at[place],
            location: if location.lat.is_nan() {
                None
            } else {
                Some(location)
            },
            figures: std::array::from_fn(|column| self.figures[column][place]),
            floors: std::array::from_fn(|column| self.floors[column][place]),
            codes: std::array::from_fn(|column| self.codes[column][place]),
            district: self.district[place],
            neighborhood: self.neighborhood[place],
        }
    }

    /// Where the offer at a place stands in the order of searches.
    pub fn position(&self, place: usize) -> Position {
        Position {
            last_changed_at: Timestamp(self.last_changed_at[place]),
            row: self.row[place],
        }
    }

    /// The first place after `position` in the order of searches.
    pub fn first_after(&self, position: Position) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.position(middle) < position {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The place of a row.
    pub fn find(&self, row: i64) -> Option<usize> {
        let found = self
            .by_row
            .binary_search_by_key(&row, |place| self.row[*place as usize])
            .ok()?;
        Some(self.by_row[found] as usize)
    }
}
