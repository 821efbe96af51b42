//! Columns and values of the tables, whatever the format.

use schema::{Location, Timestamp};
use serde::{Serialize, Serializer};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A whole number of 32 bits.
    WholeNumber,
    /// True or false.
    Flag,
    /// An instant.
    Time,
    /// A point. Only Parquet has such columns: the other formats have latitude and longitude in columns of their own.
    Position,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// Its name, as the API has it.
    pub name: &'static str,
    /// What it holds.
    pub holds: ColumnType,
    /// Whether every row has a value.
    pub is_required: bool,
}

impl Column {
    /// A column that may be unknown.
    pub const fn optional(name: &'static str, holds: ColumnType) -> Self {
        Self {
            name,
            holds,
            is_required: false,
        }
    }

    /// A column that every row has.
    pub const fn required(name: &'static str, holds: ColumnType) -> Self {
        Self {
            name,
            holds,
            is_required: true,
        }
    }
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Unknown,
    Text(&'a str),
    Number(f64),
    WholeNumber(i32),
    Flag(bool),
    Time(Timestamp),
    Position(Location),
}

impl<'a> Value<'a> {
    /// A text that may be unknown.
    pub fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Unknown, Self::Text)
    }

    /// A number that may be unknown.
    pub fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Unknown, Self::Number)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unknown => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => schema::offer_fields::number(number, serializer),
            Self::WholeNumber(number) => serializer.serialize_i32(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Time(time) => time.serialize(serializer),
            Self::Position(location) => location.serialize(serializer),
        }
    }
}
