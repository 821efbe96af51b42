//! The table of facts of an advert of API v2, by the names of its lines.

use std::collections::HashMap;

use serde_json::Value;

use super::payload::{Estate, Item};
use crate::json::{Field, FieldReader, Object};
use crate::portals::sreality::codes::{Table, by_name};

/// The lines of the table; of a name that stands twice, the first.
#[derive(Debug, Default)]
pub(crate) struct Facts(HashMap<String, Item>);

impl Facts {
    /// The lines of an advert.
    pub(crate) fn from_items(estate: &Estate, reader: &mut FieldReader) -> Self {
        let mut lines = HashMap::new();
        for item in reader.value("items", &estate.items).unwrap_or_default() {
            let Some(Object(item)) = reader.value("items", &item) else {
                continue;
            };
            if let Some(name) = reader.word("items", &item.name) {
                lines.entry(name).or_insert(item);
            }
        }
        Self(lines)
    }

    /// A line.
    pub(crate) fn line(&self, name: &str) -> Option<&Item> {
        self.0.get(name)
    }

    /// A line's text, also of a number.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let text = match self.line(name)?.value.get()? {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// A line's figure: an area in m² or a count, its thousands grouped with spaces.
    pub(crate) fn figure(&self, name: &str) -> Option<f64> {
        let digits: String = self
            .text(name)?
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .collect();
        digits
            .replace(',', ".")
            .parse()
            .ok()
            .filter(|figure: &f64| figure.is_finite() && *figure != 0.0)
    }

    /// Whether a feature is there: the portal writes true, false, or its area or number.
    pub(crate) fn presence(&self, name: &str) -> Option<bool> {
        match self.line(name)?.value.get()? {
            Value::Bool(present) => Some(*present),
            _ => self.figure(name).map(|_| true),
        }
    }

    /// The meaning of a line that holds a name from a code table; one the table does not list is noted.
    pub(crate) fn meaning<T: Copy>(
        &self,
        table: Table<T>,
        line: &str,
        field: &str,
        reader: &mut FieldReader,
    ) -> Option<T> {
        let name = self.text(line)?;
        named(table, &name, field, reader)
    }

    /// The meanings of a line that holds several names from a code table.
    pub(crate) fn meanings<T: Copy>(
        &self,
        table: Table<T>,
        line: &str,
        field: &str,
        reader: &mut FieldReader,
    ) -> Vec<T> {
        let Some(Value::Array(set)) = self.line(line).and_then(|item| item.value.get()) else {
            return Vec::new();
        };
        let names = set
            .iter()
            .filter_map(|entry| entry.get("value").and_then(Value::as_str));
        names
            .filter_map(|name| named(table, name.trim(), field, reader))
            .collect()
    }
}

/// The meaning of a name; one that the table does not list is noted.
pub(crate) fn named<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &str,
    reader: &mut FieldReader,
) -> Option<T> {
    let meaning = by_name(table, name);
    if meaning.is_none() {
        reader.reject(field, name, FieldReader::UNKNOWN_CODE);
    }
    meaning
}

/// What a line `Podlaží` says: `4. podlaží z celkem 6 včetně 1 podzemního` of a unit, `3 včetně 1 podzemního` of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Storeys {
    /// Storey of the unit, the ground floor being 1.
    pub unit: Option<i16>,
    /// Storeys of the building.
    pub total: Option<i16>,
}

/// Reads a line `Podlaží`. Storey 0, which few adverts have, is written `přízemí`.
pub(crate) fn storeys(text: &str) -> Storeys {
    let total = text
        .split_once("z celkem")
        .and_then(|(_, total)| number(total));
    if text.starts_with("přízemí") {
        return Storeys {
            unit: Some(0),
            total,
        };
    }
    match text.split_once("podlaží") {
        Some((unit, _)) => Storeys {
            unit: number(unit),
            total,
        },
        None => Storeys {
            unit: None,
            total: number(text),
        },
    }
}

fn number(text: &str) -> Option<i16> {
    text.split_whitespace()
        .next()?
        .trim_end_matches('.')
        .parse()
        .ok()
}

/// A text of an item's own field, without the space around it.
pub(crate) fn plain(field: &Field<crate::json::Word>) -> Option<&str> {
    field
        .get()
        .map(|word| word.0.trim())
        .filter(|text| !text.is_empty())
}
