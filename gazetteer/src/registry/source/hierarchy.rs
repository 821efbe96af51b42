//! What lies in what: the tables of the structured address (`vazby-*`) and the code lists (`UI_*`).

use std::collections::BTreeSet;

use super::table::{Header, Table, date, field, number};
use super::{FileName, Reading};
use crate::registry::draft::Kind;

/// What a table that is none of addresses tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// In which district and region municipalities lie: `vazby-cr`, `adresni-mista-vazby-cr`, and in which region
    /// Prague does.
    Municipalities,
    /// A code list of this kind.
    List(Kind),
    /// A published table that tells nothing that is kept here.
    Nothing,
}

/// What the table tells, by its columns; where lists of two kinds have the same columns, by its name.
pub(super) fn subject(header: &Header, name: &FileName) -> Option<Subject> {
    let file = name.lower();
    if header.has("obec kod")
        && (header.has("okres kod") || header.has("vusc kod"))
        && !header.has("kod")
    {
        return Some(Subject::Municipalities);
    }
    if header.has("kod") && header.has("nazev") {
        return Some(match () {
            () if file.contains("ui_obec")
                || (header.has("okres kod") && header.has("status kod")) =>
            {
                Subject::List(Kind::Municipality)
            }
            () if file.contains("ui_okres") => Subject::List(Kind::District),
            () if file.contains("ui_vusc") => Subject::List(Kind::Region),
            () if file.contains("ui_cast_obce") => Subject::List(Kind::Quarter),
            () if file.contains("ui_momc") => Subject::List(Kind::CityPart),
            () if file.contains("ui_") => Subject::Nothing,
            () if header.has("vusc kod") && !header.has("okres kod") => {
                Subject::List(Kind::District)
            }
            () if header.has("regsoudr kod") => Subject::List(Kind::Region),
            () => return None,
        });
    }
    let published = file.contains("vazby-") || file.contains("ui_");
    published.then_some(Subject::Nothing)
}

/// Reads such a table.
pub(super) fn read(mut table: Table<'_>, subject: Subject, name: &FileName, reading: &mut Reading) {
    let mut record = csv::StringRecord::new();
    let expected = table.header.len();
    let mut rows = BTreeSet::new();
    while let Some(line) = table.next(&mut record) {
        if record.len() != expected {
            let reason = format!("the row has {} fields, the header {expected}", record.len());
            reading.bad_row(&name.shown, line, &reason);
            continue;
        }
        let read = match subject {
            Subject::Municipalities => membership(&record, &table.header),
            Subject::List(kind) => listed(&record, &table.header, kind),
            Subject::Nothing => return,
        };
        match read {
            Ok(Some(said)) => {
                rows.insert(said);
            }
            Ok(None) => {}
            Err(reason) => reading.bad_row(&name.shown, line, &reason),
        }
    }
    // A list without a date in its name is as old as its newest row.
    let date = name
        .date
        .unwrap_or_else(|| rows.iter().map(|said| said.valid_from).max().unwrap_or(0));
    for said in rows {
        reading.draft.name(said.kind, said.code, date, &said.name);
        if let Some(parent) = said.parent {
            reading.draft.parent(said.kind, said.code, date, parent);
        }
        if let Some(region) = said.region {
            reading.draft.region(said.code, date, region);
        }
    }
}

/// What a row says.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    kind: Kind,
    code: u32,
    name: String,
    parent: Option<u32>,
    region: Option<u32>,
    valid_from: u32,
}

/// A code that may be missing, as Prague's okres is.
fn code(record: &csv::StringRecord, header: &Header, column: &str) -> Result<Option<u32>, String> {
    match field(record, header.column(&[column])) {
        "" => Ok(None),
        value => match number(value).filter(|code| *code > 0) {
            Some(code) => Ok(Some(code)),
            None => Err(format!(
                "{column:?} is {value:?}; accepted: a code, a whole number above 0"
            )),
        },
    }
}

fn required(record: &csv::StringRecord, header: &Header, column: &str) -> Result<u32, String> {
    code(record, header, column)?.ok_or_else(|| format!("{column:?} is empty; accepted: a code"))
}

fn membership(record: &csv::StringRecord, header: &Header) -> Result<Option<Said>, String> {
    Ok(Some(Said {
        kind: Kind::Municipality,
        code: required(record, header, "obec kod")?,
        name: String::new(),
        parent: code(record, header, "okres kod")?,
        region: code(record, header, "vusc kod")?,
        valid_from: 0,
    }))
}

/// A row of a code list; one that is no longer valid says nothing.
fn listed(record: &csv::StringRecord, header: &Header, kind: Kind) -> Result<Option<Said>, String> {
    if !field(record, header.column(&["plati do"])).is_empty() {
        return Ok(None);
    }
    let parent = match kind {
        Kind::Region => None,
        Kind::District => Some("vusc kod"),
        Kind::Municipality => Some("okres kod"),
        Kind::Quarter | Kind::CityPart => Some("obec kod"),
    };
    Ok(Some(Said {
        kind,
        code: required(record, header, "kod")?,
        name: field(record, header.column(&["nazev"])).to_owned(),
        parent: parent
            .map(|column| code(record, header, column))
            .transpose()?
            .flatten(),
        region: None,
        valid_from: date(field(record, header.column(&["plati od"]))),
    }))
}
