//! The columns of a record that a search index holds, and how they are read from entries.
//!
//! The database joins the columns of a record to one text, its entry, and the entries of a page to one value (migration
//! 0038). A row of many columns costs thirty times as much to pass on.

use std::str::{FromStr, Split};

use crate::enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype,
};
use crate::offer_fields::Location;
use crate::store::columns::Cell;
use crate::store::error::Result;
use crate::timestamp::Timestamp;

/// Defines [`IndexRow`] and how it is read from an entry. Members are named as their columns.
macro_rules! index_row {
    (
        enumerated { $($(#[$enumerated_doc:meta])* $enumerated:ident: $enumeration:ty,)+ }
        names { $($(#[$name_doc:meta])* $name:ident,)+ }
        plain { $($(#[$plain_doc:meta])* $plain:ident: $type:ty,)+ }
    ) => {
        /// The columns that a search filters and sorts by.
        #[derive(Debug, Clone, PartialEq)]
        pub struct IndexRow {
            /// The row number, which identifies the record in this database for good.
            pub row: i64,
            /// The number of its latest change.
            pub change: i64,
            /// Its id.
            pub id: String,
            /// When it was first seen on any portal.
            pub first_seen_at: Timestamp,
            /// When any portal listing last changed.
            pub last_changed_at: Timestamp,
            /// Whether at least one portal advertises it.
            pub is_live: bool,
            /// When its last live link went; `None` while it is live.
            pub expired_at: Option<Timestamp>,
            /// Its position.
            pub location: Option<Location>,
            $($(#[$enumerated_doc])* pub $enumerated: Option<$enumeration>,)+
            $($(#[$name_doc])* pub $name: Option<String>,)+
            $($(#[$plain_doc])* pub $plain: Option<$type>,)+
        }

        impl IndexRow {
            /// The row of an entry, whose parts are in the order in which migration 0038 joins them.
            fn from_parts(parts: &mut Parts<'_>) -> Result<Self> {
                let (change, row, id) =
                    (parts.next("change")?, parts.next("row")?, parts.next("id")?);
                parts.id = id;
                Ok(Self {
                    row: parts.whole("row", row)?,
                    change: parts.whole("change", change)?,
                    id: id.to_owned(),
                    first_seen_at: Timestamp(parts.known("first_seen_at")?),
                    last_changed_at: Timestamp(parts.known("last_changed_at")?),
                    is_live: parts.known::<u8>("is_live")? == 1,
                    expired_at: parts.value("expired_at")?.map(Timestamp),
                    location: {
                        let (lat, lng) = (parts.value("lat")?, parts.value("lng")?);
                        lat.zip(lng).map(|(lat, lng)| Location { lat, lng })
                    },
                    $($enumerated: parts.enumerated(stringify!($enumerated))?,)+
                    $($name: parts.name(stringify!($name))?,)+
                    $($plain: parts.value(stringify!($plain))?,)+
                })
            }
        }
    };
}

index_row! {
    enumerated {
        /// Kind of offer.
        offer_type: OfferType,
        /// Property type.
        property_type: PropertyType,
        /// Finer property type.
        subtype: Subtype,
        /// Room layout.
        arrangement: Arrangement,
        /// How furnished.
        equipment: Equipment,
        /// Ownership form.
        ownership: Ownership,
        /// Condition.
        property_state: PropertyState,
        /// Construction type.
        building_type: BuildingType,
    }
    names {
        /// District (okres).
        district,
        /// City part or quarter.
        neighborhood,
    }
    plain {
        /// Asking price, CZK.
        price_total: f64,
        /// Living area, m².
        living_area: f64,
        /// Plot area, m².
        land_area: f64,
        /// Floor; 0 is the ground floor.
        floor: i16,
        /// Floors of the building.
        floor_count: i16,
    }
}

/// Separates the entries of a page.
const END_OF_ENTRY: char = '\u{1e}';
/// Separates the parts of an entry.
const END_OF_PART: char = '\u{1f}';

/// The rows of the entries of a page, in the order of their change numbers.
pub(super) fn read_entries(page: &str) -> Result<Vec<IndexRow>> {
    let entries = page.split(END_OF_ENTRY);
    let mut rows: Vec<IndexRow> = entries.map(read_entry).collect::<Result<_>>()?;
    rows.sort_by_key(|row| row.change);
    Ok(rows)
}

/// The row of one entry.
pub(super) fn read_entry(entry: &str) -> Result<IndexRow> {
    let mut parts = Parts {
        rest: entry.split(END_OF_PART),
        id: "",
    };
    let row = IndexRow::from_parts(&mut parts)?;
    match parts.rest.next() {
        None => Ok(row),
        Some(_) => Err(parts.cell("entry").corrupt("it has too many parts")),
    }
}

/// The parts of an entry that have not been read yet.
struct Parts<'a> {
    rest: Split<'a, char>,
    /// The id of the record, for errors.
    id: &'a str,
}

impl<'a> Parts<'a> {
    fn cell(&self, column: &'static str) -> Cell<'_, &'a str> {
        Cell {
            table: "offers",
            column,
            id: &self.id,
        }
    }

    fn next(&mut self, column: &'static str) -> Result<&'a str> {
        match self.rest.next() {
            Some(part) => Ok(part),
            None => Err(self.cell(column).corrupt("its entry ends before it")),
        }
    }

    fn whole<T: FromStr>(&self, column: &'static str, part: &str) -> Result<T> {
        let Ok(value) = part.parse() else {
            return Err(self
                .cell(column)
                .corrupt(format_args!("{part:?} is not a number")));
        };
        Ok(value)
    }

    /// A number that is never unknown.
    fn known<T: FromStr>(&mut self, column: &'static str) -> Result<T> {
        let part = self.next(column)?;
        self.whole(column, part)
    }

    /// A number; `None` if it is unknown.
    fn value<T: FromStr>(&mut self, column: &'static str) -> Result<Option<T>> {
        match self.next(column)? {
            "" => Ok(None),
            part => self.whole(column, part).map(Some),
        }
    }

    /// A value of an enumeration.
    fn enumerated<E: SpecEnum>(&mut self, column: &'static str) -> Result<Option<E>> {
        let code = self.value(column)?;
        self.cell(column).value(code)
    }

    /// A name. A backslash begins what stands for a character that separates, for a backslash, or for no name.
    fn name(&mut self, column: &'static str) -> Result<Option<String>> {
        let part = self.next(column)?;
        if part == "\\-" {
            return Ok(None);
        }
        if !part.contains('\\') {
            return Ok(Some(part.to_owned()));
        }
        let mut name = String::with_capacity(part.len());
        let mut characters = part.chars();
        while let Some(character) = characters.next() {
            let meant = match character {
                '\\' => match characters.next() {
                    Some('u') => END_OF_PART,
                    Some('r') => END_OF_ENTRY,
                    Some('\\') => '\\',
                    other => {
                        return Err(self
                            .cell(column)
                            .corrupt(format_args!("{other:?} after a backslash")));
                    }
                },
                other => other,
            };
            name.push(meant);
        }
        Ok(Some(name))
    }
}
