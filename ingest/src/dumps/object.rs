//! Parsing JSON objects strictly: every key must be known and unique, every value must have its type.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::LineError;

/// A JSON value as its exact text.
pub(super) type JsonText = RawValue;

/// A JSON object: its entries in order, the values as their exact text.
pub(super) struct Object<'a> {
    place: &'static str,
    entries: Vec<(Cow<'a, str>, &'a JsonText)>,
}

impl<'a> Object<'a> {
    /// Parses the object `text`. Errors call it `place`.
    pub(super) fn parse(place: &'static str, text: &'a str) -> Result<Self, LineError> {
        if !text.trim_ascii_start().starts_with('{') {
            let value: &JsonText =
                serde_json::from_str(text).map_err(|error| broken_json(&error))?;
            return Err(LineError::not_accepted(place, value, "an object"));
        }
        let Entries(entries) = serde_json::from_str(text).map_err(|error| broken_json(&error))?;
        let mut keys = HashSet::with_capacity(entries.len());
        if let Some((repeated, _)) = entries.iter().find(|(key, _)| !keys.insert(key.as_ref())) {
            return Err(LineError::RepeatedKey {
                place,
                key: repeated.clone().into_owned(),
            });
        }
        Ok(Self { place, entries })
    }

    /// The entries in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &'a JsonText)> {
        self.entries
            .iter()
            .map(|(key, value)| (key.as_ref(), *value))
    }

    /// Fails if the object has a key that is not in `known`.
    pub(super) fn expect_keys(&self, known: &[&str]) -> Result<(), LineError> {
        match self.entries().find(|(key, _)| !known.contains(key)) {
            Some((key, _)) => Err(LineError::unknown(self.place, key, known)),
            None => Ok(()),
        }
    }

    /// The value of `key`. `None` if the key is absent.
    pub(super) fn get(&self, key: &str) -> Option<&'a JsonText> {
        self.entries()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The value of `key`. `None` if the key is absent or the value is null.
    pub(super) fn get_non_null(&self, key: &str) -> Option<&'a JsonText> {
        self.get(key).filter(|value| !is_null(value))
    }

    /// The value of `key`. Fails if the key is absent.
    pub(super) fn require(&self, key: &str) -> Result<&'a JsonText, LineError> {
        self.get(key).ok_or_else(|| LineError::Missing {
            place: self.place,
            key: key.to_owned(),
        })
    }
}

/// Whether the value is `null`.
pub(super) fn is_null(value: &JsonText) -> bool {
    value.get() == "null"
}

/// A value as a text.
pub(super) fn text<'a>(name: &str, value: &'a JsonText) -> Result<Cow<'a, str>, LineError> {
    match serde_json::from_str(value.get()) {
        Ok(Text(text)) => Ok(text),
        Err(error) if value.get().starts_with('"') => Err(LineError::not_accepted(
            name,
            value,
            format!("a text ({error})"),
        )),
        Err(_not_a_text) => Err(LineError::not_accepted(name, value, "a text")),
    }
}

/// A value as a finite number.
pub(super) fn number(name: &str, value: &JsonText) -> Result<f64, LineError> {
    serde_json::from_str(value.get())
        .map_err(|_not_a_number| LineError::not_accepted(name, value, "a number"))
}

/// A value as `true` or `false`.
pub(super) fn boolean(name: &str, value: &JsonText) -> Result<bool, LineError> {
    match value.get() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(LineError::not_accepted(name, value, "true or false")),
    }
}

fn broken_json(error: &serde_json::Error) -> LineError {
    // The parser was given one line, so its line number says nothing.
    LineError::BrokenJson {
        reason: error
            .to_string()
            .replace(" at line 1 column ", " at column "),
    }
}

#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

struct Entries<'a>(Vec<(Cow<'a, str>, &'a JsonText)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries<'de>, M::Error> {
                let mut entries = Vec::new();
                while let Some((Text(key), value)) = map.next_entry()? {
                    entries.push((key, value));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
