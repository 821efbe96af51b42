//! Instants, as the store and the API write them.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant in Unix milliseconds. Written as ISO 8601 in UTC with a `Z`; fractions of a second only if not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// A text that is not an ISO 8601 date-time with a time zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is not a date-time such as 2026-05-01T06:00:00Z: {reason}")]
pub struct InvalidTimestamp {
    /// What was given.
    pub value: String,
    /// What the parser said.
    pub reason: String,
}

impl Timestamp {
    /// The instant as Unix milliseconds.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// The instant as a date-time; the epoch if chrono cannot represent the instant.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(instant: DateTime<Utc>) -> Self {
        Self(instant.timestamp_millis())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = if self.0 % 1000 == 0 {
            SecondsFormat::Secs
        } else {
            SecondsFormat::Millis
        };
        f.write_str(&self.to_utc().to_rfc3339_opts(format, true))
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        match DateTime::parse_from_rfc3339(text) {
            Ok(instant) => Ok(Self(instant.timestamp_millis())),
            Err(error) => Err(InvalidTimestamp {
                value: text.to_owned(),
                reason: error.to_string(),
            }),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
