//! The tables of docs/PORTALS.md: which fields each portal fills and how often, and how it is crawled.

mod authored;
mod crawled;
mod real;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use ingest::reading::Reading;
use schema::offer_fields::{FIELDS, OfferField};
use serde_json::Value;

/// The fields of the evidence, which are not served.
const EVIDENCE: [&str; 12] = [
    "pin",
    "houseNumber",
    "addressPoint",
    "orderCode",
    "share",
    "totalArea",
    "taken",
    "yearBuilt",
    "formerPrice",
    "noteOnPrice",
    "municipalityCode",
    "sameAs",
];

/// The column of a portal.
struct Column {
    /// The portal, and the number of adverts.
    head: String,
    /// How often each field is filled. Fields that are never filled are missing.
    cells: BTreeMap<String, String>,
}

/// Returns the fields that a reading fills. A "no" fills a field too.
fn filled(reading: &Reading) -> BTreeSet<String> {
    let listing = serde_json::to_value(&reading.listing).unwrap();
    let of = |part: &str| listing[part].as_object().unwrap().clone().into_iter();
    let stated = of("attributes")
        .chain(of("evidence"))
        .filter(|(_, value)| *value != Value::Null);
    let fields: BTreeSet<String> = stated.map(|(field, _)| field).collect();
    let known =
        |field: &String| OfferField::by_name(field).is_some() || EVIDENCE.contains(&field.as_str());
    assert!(fields.iter().all(known), "{fields:?}");
    fields
}

/// Counts the readings that fill each field.
fn counted<'a>(readings: impl IntoIterator<Item = &'a Reading>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for field in readings.into_iter().flat_map(filled) {
        *counts.entry(field).or_default() += 1;
    }
    counts
}

/// Builds the table in Markdown, with a row for each field: first in the order of the interface, then the evidence.
fn table(columns: &[Column]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let heads = columns.iter().map(|column| column.head.as_str());
    let mut text = line(std::iter::once("field").chain(heads).collect());
    text += &line(
        std::iter::once("---")
            .chain(columns.iter().map(|_| "---:"))
            .collect(),
    );
    for field in FIELDS.iter().map(|field| field.name).chain(EVIDENCE) {
        let name = if EVIDENCE.contains(&field) {
            format!("*{field}*")
        } else {
            format!("`{field}`")
        };
        let cells = columns
            .iter()
            .map(|column| column.cells.get(field).map_or("", String::as_str));
        text += &line(std::iter::once(name.as_str()).chain(cells).collect());
    }
    text
}

/// A lock, because one of two tables that are written at the same time would be lost.
static DOCUMENT: Mutex<()> = Mutex::new(());

/// Compares a table with the one between its marks in the document. If `JEDEN_WRITE_PORTALS` is set, writes the table there
/// instead.
fn assert_documented(name: &str, fresh: &str) {
    let _alone = DOCUMENT.lock().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PORTALS.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        format!("<!-- {name}: begin -->\n"),
        format!("<!-- {name}: end -->"),
    );
    let (before, rest) = document
        .split_once(&begin)
        .expect("the document has the table's marks");
    let (committed, after) = rest.split_once(&end).expect("the table ends");
    if std::env::var_os("JEDEN_WRITE_PORTALS").is_some() {
        std::fs::write(&path, format!("{before}{begin}\n{fresh}\n{end}{after}")).unwrap();
        return;
    }
    assert!(
        committed.trim() == fresh.trim(),
        "the table of {name} in docs/PORTALS.md is not current: run the test with JEDEN_WRITE_PORTALS=1"
    );
}
