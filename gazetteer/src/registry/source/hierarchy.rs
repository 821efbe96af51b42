//! Which district a municipality lies in, and which municipality a quarter or city part: the tables of the structured
//! address (`vazby-*`) and the code lists (`UI_*`).
//!
//! Districts and regions themselves are not read: their codes have not changed since the regions were founded, and
//! [`District`](crate::districts::District) knows them.

use std::collections::BTreeSet;

use super::table::{Header, Table, field, parse_date, parse_number};
use super::{FileName, Reading};
use crate::registry::draft::{Kind, Statement};

/// What a table holds that is not an address table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// The district of each municipality: `vazby-cr`, `adresni-mista-vazby-cr`.
    Districts,
    /// A code list of this kind.
    List(Kind),
    /// Nothing that the registry keeps.
    Nothing,
}

/// What a table holds, by its columns; by its name where two code lists have the same columns. `None` if it is not a
/// table of the registry.
pub(super) fn content(header: &Header, name: &FileName) -> Option<Content> {
    let file = name.lower();
    if header.has("kod") && header.has("nazev") {
        let is_municipalities = header.has("okres kod") && header.has("status kod");
        return Some(match () {
            () if file.contains("ui_obec") || is_municipalities => {
                Content::List(Kind::Municipality)
            }
            () if file.contains("ui_cast_obce") => Content::List(Kind::Quarter),
            () if file.contains("ui_momc") => Content::List(Kind::CityPart),
            () if file.contains("ui_") => Content::Nothing,
            () => return None,
        });
    }
    if header.has("obec kod") && header.has("okres kod") {
        return Some(Content::Districts);
    }
    let is_published = file.contains("vazby-") || file.contains("ui_");
    is_published.then_some(Content::Nothing)
}

/// Reads such a table.
pub(super) fn read_table(
    mut table: Table<'_>,
    content: Content,
    name: &FileName,
    reading: &mut Reading,
) {
    let mut record = csv::StringRecord::new();
    let expected = table.header.len();
    let mut entries = BTreeSet::new();
    while let Some(line) = table.next(&mut record) {
        if record.len() != expected {
            let reason = format!("the row has {} fields, the header {expected}", record.len());
            reading.bad_row(name, line, &reason);
            continue;
        }
        let entry = match content {
            Content::Districts => district_of_municipality(&record, &table.header),
            Content::List(kind) => list_entry(&record, &table.header, kind),
            Content::Nothing => return,
        };
        match entry {
            Ok(entry) => entries.extend(entry),
            Err(reason) => reading.bad_row(name, line, &reason),
        }
    }
    // A list without a date in its name is as old as its newest row.
    let newest_row = entries.iter().map(|entry| entry.valid_from).max();
    let date = name.date.or(newest_row).unwrap_or(0);
    for entry in entries {
        let statement = Statement {
            name: entry.name,
            parent: entry.parent,
            ..Statement::default()
        };
        reading.draft.state(entry.kind, entry.code, date, statement);
    }
}

/// What a row tells.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    kind: Kind,
    code: u32,
    name: Box<str>,
    parent: Option<u32>,
    valid_from: u32,
}

/// A code that may be missing, as the district of Prague is.
fn code(record: &csv::StringRecord, header: &Header, column: &str) -> Result<Option<u32>, String> {
    match field(record, header.column(&[column])) {
        "" => Ok(None),
        value => match parse_number(value).filter(|code| *code > 0) {
            Some(code) => Ok(Some(code)),
            None => Err(format!(
                "{column:?} is {value:?}; accepted: a code, a whole number above 0"
            )),
        },
    }
}

fn required_code(record: &csv::StringRecord, header: &Header, column: &str) -> Result<u32, String> {
    code(record, header, column)?
        .ok_or_else(|| format!("{column:?} is empty; accepted: a code, a whole number above 0"))
}

fn district_of_municipality(
    record: &csv::StringRecord,
    header: &Header,
) -> Result<Option<Entry>, String> {
    Ok(Some(Entry {
        kind: Kind::Municipality,
        code: required_code(record, header, "obec kod")?,
        name: "".into(),
        parent: code(record, header, "okres kod")?,
        valid_from: 0,
    }))
}

/// A row of a code list; `None` if the row is no longer valid.
fn list_entry(
    record: &csv::StringRecord,
    header: &Header,
    kind: Kind,
) -> Result<Option<Entry>, String> {
    if !field(record, header.column(&["plati do"])).is_empty() {
        return Ok(None);
    }
    let parent = match kind {
        Kind::Municipality => "okres kod",
        Kind::Quarter | Kind::CityPart => "obec kod",
    };
    Ok(Some(Entry {
        kind,
        code: required_code(record, header, "kod")?,
        name: field(record, header.column(&["nazev"])).into(),
        parent: code(record, header, parent)?,
        valid_from: parse_date(field(record, header.column(&["plati od"]))),
    }))
}
