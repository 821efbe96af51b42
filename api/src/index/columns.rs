//! The offers of the index in columns.

use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use rayon::slice::ParallelSliceMut;
use schema::store::offers::IndexRow;
use schema::{
    Arrangement, BuildingType, Equipment, Location, OfferType, Ownership, PropertyState,
    PropertyType, SpecEnum, Subtype, Timestamp,
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
/// The position of an offer that has none.
const NOWHERE: Location = Location {
    lat: f64::NAN,
    lng: f64::NAN,
};
/// The floor of an offer that has none.
pub(crate) const NO_FLOOR: i16 = i16::MIN;

/// What every hit of a search shows, side by side: together they are half a cache line.
#[derive(Debug)]
struct Entry {
    position: Position,
    change: i64,
    /// Only this changes while the columns are read.
    place: AtomicPlace,
}

/// Defines a record with these fields, and the same fields as columns.
macro_rules! columns {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// One offer, with the fields that searches use.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Record {
            /// The position in the order of searches.
            pub(super) position: Position,
            /// The number of the latest change.
            change: i64,
            /// Where its document is.
            place: Place,
            $($(#[$doc])* pub(super) $field: $type,)+
        }

        /// Offers in any order, one column for each field.
        #[derive(Debug, Default)]
        pub(crate) struct Rows {
            entries: Vec<Entry>,
            $($(#[$doc])* pub(super) $field: Vec<$type>,)+
        }

        impl Rows {
            fn with_capacity(count: usize) -> Self {
                Self {
                    entries: Vec::with_capacity(count),
                    $($field: Vec::with_capacity(count),)+
                }
            }

            /// Adds an offer.
            pub(crate) fn push(&mut self, record: &Record) {
                self.entries.push(Entry {
                    position: record.position,
                    change: record.change,
                    place: AtomicPlace::new(record.place),
                });
                $(self.$field.push(record.$field);)+
            }

            /// The record at an index.
            pub(crate) fn get(&self, index: usize) -> Record {
                Record {
                    position: self.position(index),
                    change: self.change(index),
                    place: self.place(index),
                    $($field: self.$field[index],)+
                }
            }

            /// The offers at these indexes, in this order. Column by column, so that there is never more than one of them
            /// twice.
            pub(crate) fn into_ordered(self, indexes: &[u32]) -> Self {
                let entry = |index: &u32| {
                    let Entry { position, change, place } = &self.entries[*index as usize];
                    let (position, change) = (*position, *change);
                    Entry { position, change, place: AtomicPlace::new(place.get()) }
                };
                let entries = indexes.iter().map(entry).collect();
                drop(self.entries);
                Self {
                    entries,
                    $($field: {
                        let column = self.$field;
                        indexes.iter().map(|index| column[*index as usize]).collect()
                    },)+
                }
            }
        }
    };
}

columns! {
    /// The hash of the id.
    id: u64,
    /// When the last live link ended, in Unix milliseconds; [`NEVER`] for a live offer.
    expires_at: i64,
    /// Both NaN if unknown.
    location: Location,
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
            position: Position {
                last_changed_at: row.last_changed_at,
                row: row.row,
            },
            change: row.change,
            place: Place::NOWHERE,
            id: hash(&row.id),
            expires_at: if row.is_live { NEVER } else { expired_at },
            location: row.location.unwrap_or(NOWHERE),
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
        }
    }
}

/// The hash by which offers are found by id. The document of an offer has the id itself.
pub(crate) fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Rows {
    /// The offers of these records, in the same order.
    pub(crate) fn of_records(count: usize, records: impl Iterator<Item = Record>) -> Self {
        let mut rows = Self::with_capacity(count);
        for record in records {
            rows.push(&record);
        }
        rows
    }

    /// The number of offers.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The position of the offer at an index in the order of searches.
    pub(crate) fn position(&self, index: usize) -> Position {
        self.entries[index].position
    }

    /// The row in the store of the offer at an index.
    pub(crate) fn row(&self, index: usize) -> i64 {
        self.position(index).row
    }

    /// The number of the latest change of the offer at an index.
    pub(crate) fn change(&self, index: usize) -> i64 {
        self.entries[index].change
    }

    /// Where the document of the offer at an index is.
    pub(crate) fn place(&self, index: usize) -> Place {
        self.entries[index].place.get()
    }

    /// Notes where the document of the offer at an index is from now on.
    pub(crate) fn set_place(&self, index: usize, place: Place) {
        self.entries[index].place.set(place);
    }

    /// Which document the offer at an index has.
    pub(crate) fn version(&self, index: usize) -> Version {
        Version {
            row: self.row(index),
            change: self.change(index),
        }
    }

    /// The indexes of the latest version of each row, ordered by row.
    pub(crate) fn latest_by_row(&self) -> Vec<u32> {
        let mut indexes = ordered(0..self.len(), |index| {
            (self.row(index), Reverse(self.change(index)))
        });
        indexes.dedup_by_key(|index| self.row(*index as usize));
        indexes
    }

    /// The indexes of some offers in the order of searches.
    pub(crate) fn in_order_of_searches(&self, indexes: &[u32]) -> Vec<u32> {
        let indexes = indexes.iter().map(|index| *index as usize);
        ordered(indexes, |index| Reverse(self.position(index)))
    }
}

/// Offers in the order of searches, latest change first, and where to look among them.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    rows: Rows,
    /// Indexes of the offers, ordered by row.
    by_row: Vec<u32>,
    /// Indexes of the offers, ordered by the hash of the id.
    by_id: Vec<u32>,
    /// For each value, the offers that have it.
    pub(super) sets: Sets,
}

impl Deref for Columns {
    type Target = Rows;

    fn deref(&self) -> &Rows {
        &self.rows
    }
}

impl Columns {
    /// The columns of offers that are already in the order of searches.
    pub(crate) fn of_sorted(rows: Rows) -> Self {
        let all = 0..rows.len();
        let ((by_row, by_id), sets) = rayon::join(
            || {
                let by_row = ordered(all.clone(), |index| rows.row(index));
                let by_id = ordered(all, |index| rows.id[index]);
                (by_row, by_id)
            },
            || Sets::of_rows(&rows),
        );
        Self {
            rows,
            by_row,
            by_id,
            sets,
        }
    }

    /// The first index after `position` in the order of searches.
    pub(crate) fn first_after(&self, position: Position) -> usize {
        self.entries
            .partition_point(|entry| entry.position >= position)
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
            .binary_search_by_key(&row, |index| self.row(*index as usize))
            .ok()?;
        Some(self.by_row[found] as usize)
    }
}

/// These indexes, ordered by a key.
fn ordered<K: Ord + Send>(
    indexes: impl Iterator<Item = usize>,
    key: impl Fn(usize) -> K,
) -> Vec<u32> {
    // Pairs are sorted, because looking each key up while sorting would miss the cache each time.
    let mut pairs: Vec<(K, u32)> = indexes.map(|index| (key(index), index as u32)).collect();
    pairs.par_sort_unstable();
    pairs.into_iter().map(|(_, index)| index).collect()
}
