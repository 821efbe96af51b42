//! The types that a payload's fields are deserialised into.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A field of a payload.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Field<T> {
    /// The field is missing or null.
    #[default]
    Absent,
    /// The field has a value of the expected type.
    Value(T),
    /// The field has a value of another type, kept for the report.
    WrongType(Value),
}

impl<T> Field<T> {
    /// Returns the value if it has the expected type.
    pub(crate) fn get(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::WrongType(_) => None,
        }
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(match value {
            Value::Null => Self::Absent,
            value => {
                T::deserialize(&value).map_or_else(|_| Self::WrongType(value.clone()), Self::Value)
            }
        })
    }
}

/// A JSON object. Serde alone would also fill a struct from an array, by position.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if !value.is_object() {
            return Err(D::Error::custom("not an object"));
        }
        T::deserialize(value).map(Self).map_err(D::Error::custom)
    }
}

/// Reads some fields of an object. This cannot fail, because every field of `T` is lenient, and a value that is not an
/// object has no fields.
pub(crate) fn read_fields<T: DeserializeOwned + Default>(object: &Value) -> T {
    T::deserialize(object).unwrap_or_default()
}

/// A finite number, sent as a number or as its decimal text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number
            .filter(|number: &f64| number.is_finite())
            .map(Self)
            .ok_or_else(|| D::Error::custom("not a number"))
    }
}

/// A position.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Gps {
    /// Latitude, north positive.
    pub lat: Field<Number>,
    /// Longitude, east positive.
    pub lng: Field<Number>,
}

/// Yes or no, sent as a boolean or as 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Bool(flag) => Ok(Self(flag)),
            Value::Number(number) if number.as_u64() == Some(0) => Ok(Self(false)),
            Value::Number(number) if number.as_u64() == Some(1) => Ok(Self(true)),
            _ => Err(D::Error::custom("not a yes or no")),
        }
    }
}

/// A short text, or a number used as one, such as an id or a house number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err(D::Error::custom("neither a text nor a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_finite_and_may_be_a_text() {
        let number = |value: Value| Number::deserialize(value).ok().map(|Number(number)| number);
        assert_eq!(number(json!(12.5)), Some(12.5));
        assert_eq!(number(json!(" -3 ")), Some(-3.0));
        for text in ["NaN", "inf", "-infinity", "1e999", "", "12 m²"] {
            assert_eq!(number(json!(text)), None, "{text}");
        }
    }
}
