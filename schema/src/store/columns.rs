//! Converting values to and from columns.

use crate::enumerations::SpecEnum;
use crate::offer_id::OfferId;
use crate::timestamp::Timestamp;

use super::error::{Result, corrupt};

/// An enumerated value as its code.
pub(super) fn code<E: SpecEnum>(value: Option<E>) -> Option<i16> {
    value.map(|value| i16::from(value.code()))
}

/// The location of a cell, for errors about its value.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a, Id> {
    pub(super) table: &'static str,
    pub(super) column: &'static str,
    pub(super) id: &'a Id,
}

impl<Id: std::fmt::Display> Cell<'_, Id> {
    /// The enumerated value with this code.
    pub(super) fn value<E: SpecEnum>(self, code: Option<i16>) -> Result<Option<E>> {
        let Some(code) = code else { return Ok(None) };
        match u8::try_from(code).ok().and_then(E::from_code) {
            Some(value) => Ok(Some(value)),
            None => Err(self.corrupt(format_args!("{code} is not a code of {}", E::FIELD))),
        }
    }

    /// A count.
    pub(super) fn count(self, value: i64) -> Result<u32> {
        u32::try_from(value).map_err(|error| self.corrupt(error))
    }

    /// An offer's id.
    pub(super) fn offer_id(self, text: &str) -> Result<OfferId> {
        OfferId::parse(text).map_err(|error| self.corrupt(error))
    }

    /// A JSON document.
    pub(super) fn json<T: serde::de::DeserializeOwned>(self, text: &[u8]) -> Result<T> {
        serde_json::from_slice(text).map_err(|error| self.corrupt(error))
    }

    /// The error for this cell.
    pub(super) fn corrupt(self, reason: impl std::fmt::Display) -> super::StoreError {
        corrupt(self.table, self.column, self.id, reason)
    }
}

/// Defines a row: a struct that is read from the columns of its fields' names, on either database. A part behind the
/// semicolon is itself a row, read from columns of the same result. (sqlx's own derive is not used, because it makes a
/// build compile both drivers a second time.)
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty,)*
            $(; $part:ident: $part_type:ty)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $type,)*
            $($part: $part_type,)?
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
            $($part_type: sqlx::FromRow<'r, R>,)?
        {
            fn from_row(row: &'r R) -> sqlx::Result<Self> {
                Ok(Self {
                    $($field: row.try_get(stringify!($field))?,)*
                    $($part: sqlx::FromRow::from_row(row)?,)?
                })
            }
        }
    };
}
pub(super) use row;

/// An instant that may be missing.
pub(super) fn millis(instant: Option<Timestamp>) -> Option<i64> {
    instant.map(Timestamp::millis)
}
