//! The formats of the tables.

use std::fmt;
use std::str::FromStr;

/// The format of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet: typed columns, compressed with zstd; positions also as `GeoParquet`.
    Parquet,
    /// Comma-separated values with a header, in UTF-8. An empty field is unknown.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

/// A text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a format; the formats are parquet, csv and jsonl")]
pub struct UnknownFormat(String);

impl Format {
    /// Its name, which is also how the files end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        [Self::Parquet, Self::Csv, Self::JsonLines]
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}
