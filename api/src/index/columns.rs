//! The offers of the index in columns, latest change first.

use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use schema::store::offers::IndexRow;
use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype, Timestamp,
};

use crate::documents::{AtomicPlace, Place, Version};
use crate::index::first_month::first_month;
use crate::index::names::Names;
use crate::index::sets::Sets;

/// The position of an offer in the order of searches: the latest change first, and of simultaneous changes the higher row
/// first. Rows are those of the store, so that all processes have the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When the offer last changed.
    pub last_changed_at: Timestamp,
    /// The offer's row in the store.
    pub row: i64,
}

/// A value of an enumeration, or none, in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code<E>(u8, PhantomData<E>);

impl<E> Code<E> {
    /// The code; `None` without a value.
    pub(crate) fn value(self) -> Option<u32> {
        (self.0 != u8::MAX).then(|| u32::from(self.0))
    }
}

impl<E: SpecEnum> From<Option<E>> for Code<E> {
    fn from(value: Option<E>) -> Self {
        Self(value.map_or(u8::MAX, E::code), PhantomData)
    }
}

/// The expiry of a live offer: never.
pub(crate) const NEVER: i64 = i64::MAX;
/// The expiry of an expired offer without a time of expiry: it is outside every history window.
pub(crate) const EXPIRY_UNKNOWN: i64 = i64::MIN;
/// The floor of an offer that has none.
pub(crate) const NO_FLOOR: i16 = i16::MIN;

/// Defines a record with these fields, and the same fields as columns.
macro_rules! columns {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// One offer, with the fields that searches use.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Record {
            $($(#[$doc])* pub(super) $field: $type,)+
            /// Where its document is.
            pub(super) place: Place,
        }

        /// The offers, one column for each field, in the order of searches.
        #[derive(Debug, Default)]
        pub(crate) struct Columns {
            $($(#[$doc])* pub(super) $field: Vec<$type>,)+
            /// Where the documents are. Only these change while the columns are read.
            places: Vec<AtomicPlace>,
            /// Indexes of the offers, ordered by row.
            by_row: Vec<u32>,
            /// Indexes of the offers, ordered by the hash of the id.
            by_id: Vec<u32>,
            /// For each value, the offers that have it.
            pub(super) sets: Sets,
        }

        impl Columns {
            fn with_capacity(count: usize) -> Self {
                Self {
                    $($field: Vec::with_capacity(count),)+
                    places: Vec::with_capacity(count),
                    by_row: Vec::new(),
                    by_id: Vec::new(),
                    sets: Sets::default(),
                }
            }

            fn push(&mut self, record: &Record) {
                $(self.$field.push(record.$field);)+
                self.places.push(AtomicPlace::new(record.place));
            }

            /// The record at an index.
            pub(crate) fn get(&self, index: usize) -> Record {
                Record {
                    $($field: self.$field[index],)+
                    place: self.place(index),
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
    /// The hash of the id.
    id: u64,
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
    /// The month in which a portal first showed it: months since January 1970.
    first_month: u16,
    /// The code of the district in [`Names`].
    district: u32,
    /// The code of the neighbourhood in [`Names`].
    neighborhood: u32,
}

impl Record {
    /// The record of a stored offer. New names are added to `names`.
    pub(crate) fn new(row: &IndexRow, names: &mut Arc<Names>) -> Self {
        let expired_at = row.expired_at.map_or(EXPIRY_UNKNOWN, Timestamp::millis);
        Self {
            last_changed_at: row.last_changed_at.millis(),
            row: row.row,
            change: row.change,
            id: hash(&row.id),
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
            first_month: first_month(row.first_seen_at),
            district: Names::code_district(names, row.district.as_deref()),
            neighborhood: Names::code_neighborhood(names, row.neighborhood.as_deref()),
            place: Place::NOWHERE,
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

/// The hash by which offers are found by id. The document of an offer has the id itself.
pub(crate) fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Columns {
    /// The columns of records that are already in the order of searches.
    pub(crate) fn from_sorted(count: usize, records: impl Iterator<Item = Record>) -> Self {
        let mut columns = Self::with_capacity(count);
        for record in records {
            columns.push(&record);
        }
        columns.by_row = ordered_by(&columns.row);
        columns.by_id = ordered_by(&columns.id);
        columns.sets = Sets::of_columns(&columns);
        columns
    }

    /// Where the document of the offer at an index is.
    pub(crate) fn place(&self, index: usize) -> Place {
        self.places[index].get()
    }

    /// Notes where the document of the offer at an index is from now on.
    pub(crate) fn set_place(&self, index: usize, place: Place) {
        self.places[index].set(place);
    }

    /// Which document the offer at an index has.
    pub(crate) fn version(&self, index: usize) -> Version {
        Version {
            row: self.row[index],
            change: self.change[index],
        }
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

    /// The indexes of the offers whose ids have a hash: one, except by a rare chance.
    pub(crate) fn with_id(&self, hash: u64) -> impl Iterator<Item = usize> {
        let start = self
            .by_id
            .partition_point(|index| self.id[*index as usize] < hash);
        let rest = self.by_id.get(start..).unwrap_or_default();
        rest.iter()
            .map(|index| *index as usize)
            .take_while(move |index| self.id[*index] == hash)
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

/// The indexes of the keys, ordered by key.
fn ordered_by<K: Ord + Copy>(keys: &[K]) -> Vec<u32> {
    // Pairs are sorted, because looking each key up while sorting would miss the cache each time.
    let mut pairs: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, index)| index).collect()
}
