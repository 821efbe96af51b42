//! The table of facts of an advert of API v2, by the names of its rows.

use std::collections::HashMap;

use serde_json::Value;

use super::payload::{Estate, Item};
use crate::json::{Field, FieldReader, Object};
use crate::portals::sreality::codes::{Table, by_name};

/// The rows of the table. If a name occurs twice, the first row counts.
#[derive(Debug, Default)]
pub(crate) struct Facts(HashMap<String, Item>);

impl Facts {
    /// Collects the rows of an advert.
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

    /// Returns a row.
    pub(crate) fn line(&self, name: &str) -> Option<&Item> {
        self.0.get(name)
    }

    /// Returns a row's value as text; a number is converted.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let text = match self.line(name)?.value.get()? {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// Returns a row's number: an area in m² or a count. Thousands may be grouped with spaces.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let digits: String = self
            .text(name)?
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .collect();
        digits
            .replace(',', ".")
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite() && *number != 0.0)
    }

    /// Tells whether a feature is there. The portal sends true, false, or its area or number.
    pub(crate) fn presence(&self, name: &str) -> Option<bool> {
        match self.line(name)?.value.get()? {
            Value::Bool(present) => Some(*present),
            _ => self.number(name).map(|_| true),
        }
    }

    /// Returns the meaning of a row that holds a name from a code table. A name that the table does not list is rejected.
    pub(crate) fn meaning<T: Copy>(
        &self,
        table: Table<T>,
        line: &str,
        field: &str,
        reader: &mut FieldReader,
    ) -> Option<T> {
        let name = self.text(line)?;
        meaning_of_name(table, &name, field, reader)
    }

    /// Returns the meanings of a row that holds several names from a code table.
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
            .filter_map(|name| meaning_of_name(table, name.trim(), field, reader))
            .collect()
    }
}

/// Returns the meaning of a name. A name that the table does not list is rejected.
pub(crate) fn meaning_of_name<T: Copy>(
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

/// What a row `Podlaží` says: `4. podlaží z celkem 6 včetně 1 podzemního` of a unit, `3 včetně 1 podzemního` of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Storeys {
    /// Storey of the unit, the ground floor being 1.
    pub unit: Option<i16>,
    /// Storeys of the building.
    pub total: Option<i16>,
}

/// Reads a row `Podlaží`. A few adverts have storey 0, which is written `přízemí`.
pub(crate) fn parse_storeys(text: &str) -> Storeys {
    let total = text
        .split_once("z celkem")
        .and_then(|(_, total)| leading_number(total));
    if text.starts_with("přízemí") {
        return Storeys {
            unit: Some(0),
            total,
        };
    }
    match text.split_once("podlaží") {
        Some((unit, _)) => Storeys {
            unit: leading_number(unit),
            total,
        },
        None => Storeys {
            unit: None,
            total: leading_number(text),
        },
    }
}

fn leading_number(text: &str) -> Option<i16> {
    text.split_whitespace()
        .next()?
        .trim_end_matches('.')
        .parse()
        .ok()
}

/// Returns the text of a field without white space around it, unless it is blank.
pub(crate) fn trimmed(field: &Field<crate::json::Word>) -> Option<&str> {
    field
        .get()
        .map(|word| word.0.trim())
        .filter(|text| !text.is_empty())
}
