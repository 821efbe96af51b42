//! The offers of the index in columns, latest change first.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::sync::Arc;

use schema::store::offers::IndexRow;
use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype, Timestamp,
};

use crate::index::names::Names;

/// The position of an offer in the order of searches: the latest change first, and of simultaneous changes the higher row
/// first. Rows are those of the store, so that all processes have the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When the offer last changed.
    pub last_changed_at: Timestamp,
    /// The offer's row in the store.
    pub row: i64,
}

/// A value of an enumeration, or none, in one byte. Comparing two of them compares two bytes, which the compiler turns
/// into vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code<E>(u8, PhantomData<E>);

impl<E: SpecEnum> From<Option<E>> for Code<E> {
    fn from(value: Option<E>) -> Self {
        Self(value.map_or(u8::MAX, E::code), PhantomData)
    }
}

/// The expiry of a live offer: never.
pub(crate) const NEVER: i64 = i64::MAX;
/// The floor of an offer that has none.
pub(crate) const NO_FLOOR: i16 = i16::MIN;

/// Defines a record with these fields, and the same fields as columns.
macro_rules! columns {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// One offer, with the fields that searches use.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Record {
            $($(#[$doc])* pub(super) $field: $type,)+
        }

        /// The offers, one column for each field, in the order of searches.
        #[derive(Debug, Default)]
        pub(crate) struct Columns {
            $($(#[$doc])* pub(super) $field: Vec<$type>,)+
            /// Indexes of the offers, ordered by row.
            by_row: Vec<u32>,
        }

        impl Columns {
            fn with_capacity(count: usize) -> Self {
                Self {
                    $($field: Vec::with_capacity(count),)+
                    by_row: Vec::new(),
                }
            }

            fn push(&mut self, record: &Record) {
                $(self.$field.push(record.$field);)+
            }

            /// The record at an index.
            pub(crate) fn get(&self, index: usize) -> Record {
                Record {
                    $($field: self.$field[index],)+
                }
            }
        }
    };
}

columns! {
    /// When the offer last changed, in Unix milliseconds.
    last_changed_at: i64,
    /// The row in the store.
    row: i64,
    /// The number of the latest change.
    change: i64,
    /// When the last live link ended, in Unix milliseconds; [`NEVER`] for a live offer.
    expires_at: i64,
    /// Degrees; NaN if unknown.
    lat: f64,
    /// Degrees; NaN if unknown.
    lng: f64,
    /// CZK; NaN if unknown.
    price: f64,
    /// m²; NaN if unknown.
    living_area: f64,
    /// m²; NaN if unknown.
    land_area: f64,
    /// 0 is the ground floor; [`NO_FLOOR`] if unknown.
    floor: i16,
    /// Floors of the building; [`NO_FLOOR`] if unknown.
    floor_count: i16,
    /// Kind of offer.
    offer_type: Code<OfferType>,
    /// Property type.
    property_type: Code<PropertyType>,
    /// Finer property type.
    subtype: Code<Subtype>,
    /// Room layout.
    arrangement: Code<Arrangement>,
    /// How furnished.
    equipment: Code<Equipment>,
    /// Ownership form.
    ownership: Code<Ownership>,
    /// Condition.
    property_state: Code<PropertyState>,
    /// Construction type.
    building_type: Code<BuildingType>,
    /// The code of the district in [`Names`].
    district: u32,
    /// The code of the neighbourhood in [`Names`].
    neighborhood: u32,
}

impl Record {
    /// The record of a stored offer. New names are added to `names`.
    pub(crate) fn new(row: &IndexRow, names: &mut Arc<Names>) -> Self {
        // An expired offer without a time of expiry is outside every history window.
        let expired_at = row.expired_at.map_or(i64::MIN, Timestamp::millis);
        Self {
            last_changed_at: row.last_changed_at.millis(),
            row: row.row,
            change: row.change,
            expires_at: if row.is_live { NEVER } else { expired_at },
            lat: row.location.map_or(f64::NAN, |location| location.lat),
            lng: row.location.map_or(f64::NAN, |location| location.lng),
            price: row.price_total.unwrap_or(f64::NAN),
            living_area: row.living_area.unwrap_or(f64::NAN),
            land_area: row.land_area.unwrap_or(f64::NAN),
            floor: row.floor.unwrap_or(NO_FLOOR),
            floor_count: row.floor_count.unwrap_or(NO_FLOOR),
            offer_type: row.offer_type.into(),
            property_type: row.property_type.into(),
            subtype: row.subtype.into(),
            arrangement: row.arrangement.into(),
            equipment: row.equipment.into(),
            ownership: row.ownership.into(),
            property_state: row.property_state.into(),
            building_type: row.building_type.into(),
            district: Names::code_district(names, row.district.as_deref()),
            neighborhood: Names::code_neighborhood(names, row.neighborhood.as_deref()),
        }
    }

    /// The position in the order of searches.
    pub(crate) fn position(&self) -> Position {
        Position {
            last_changed_at: Timestamp(self.last_changed_at),
            row: self.row,
        }
    }

    /// Sorts records into the order of searches.
    pub(crate) fn sort(records: &mut [Self]) {
        records.sort_unstable_by_key(|record| Reverse(record.position()));
    }
}

impl Columns {
    /// The columns of records that are already in the order of searches.
    pub(crate) fn from_sorted(count: usize, records: impl Iterator<Item = Record>) -> Self {
        let mut columns = Self::with_capacity(count);
        for record in records {
            columns.push(&record);
        }
        columns.by_row = (0..columns.row.len() as u32).collect();
        columns
            .by_row
            .sort_unstable_by_key(|index| columns.row[*index as usize]);
        columns
    }

    /// The number of offers.
    pub(crate) fn len(&self) -> usize {
        self.row.len()
    }

    /// The position of the offer at an index in the order of searches.
    pub(crate) fn position(&self, index: usize) -> Position {
        Position {
            last_changed_at: Timestamp(self.last_changed_at[index]),
            row: self.row[index],
        }
    }

    /// The first index after `position` in the order of searches.
    pub(crate) fn first_after(&self, position: Position) -> usize {
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

    /// The index of a row.
    pub(crate) fn find(&self, row: i64) -> Option<usize> {
        let found = self
            .by_row
            .binary_search_by_key(&row, |index| self.row[*index as usize])
            .ok()?;
        Some(self.by_row[found] as usize)
    }
}
