//! Which field each portal fills, and how often, and how it is crawled: the tables of docs/PORTALS.md, made from what the
//! adapters read and the clients are.

mod authored;
mod crawled;
mod real;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use ingest::dumps::LISTING_FIELDS;
use ingest::reading::Reading;
use serde_json::Value;

/// The fields of evidence, which are not served.
const EVIDENCE: [&str; 8] = [
    "pin",
    "houseNumber",
    "addressPoint",
    "orderCode",
    "share",
    "totalArea",
    "taken",
    "sameAs",
];

/// What a table says of one portal.
struct Column {
    /// The portal, and of how many adverts.
    head: String,
    /// How often a field is filled; one that never is stands in it not at all.
    cells: BTreeMap<String, String>,
}

/// The fields that a reading fills; a "no" fills one as well.
fn filled(reading: &Reading) -> BTreeSet<String> {
    let listing = serde_json::to_value(&reading.listing).unwrap();
    let of = |part: &str| listing[part].as_object().unwrap().clone().into_iter();
    let stated = of("attributes")
        .chain(of("evidence"))
        .filter(|(_, value)| *value != Value::Null);
    let fields: BTreeSet<String> = stated.map(|(field, _)| field).collect();
    let known = |field: &String| {
        LISTING_FIELDS.contains(&field.as_str()) || EVIDENCE.contains(&field.as_str())
    };
    assert!(fields.iter().all(known), "{fields:?}");
    fields
}

/// How many of the readings fill each field.
fn counted<'a>(readings: impl IntoIterator<Item = &'a Reading>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for field in readings.into_iter().flat_map(filled) {
        *counts.entry(field).or_default() += 1;
    }
    counts
}

/// The table in Markdown: a row a field, in the order of the interface, then those of the evidence.
fn table(columns: &[Column]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let heads = columns.iter().map(|column| column.head.as_str());
    let mut text = line(std::iter::once("field").chain(heads).collect());
    text += &line(
        std::iter::once("---")
            .chain(columns.iter().map(|_| "---:"))
            .collect(),
    );
    for field in LISTING_FIELDS.iter().chain(&EVIDENCE) {
        let name = if EVIDENCE.contains(field) {
            format!("*{field}*")
        } else {
            format!("`{field}`")
        };
        let cells = columns
            .iter()
            .map(|column| column.cells.get(*field).map_or("", String::as_str));
        text += &line(std::iter::once(name.as_str()).chain(cells).collect());
    }
    text
}

/// Writing both tables at once would lose one.
static DOCUMENT: Mutex<()> = Mutex::new(());

/// Compares a table with the one between its marks in the document; with `JEDEN_WRITE_PORTALS` it is put there.
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
        "docs/PORTALS.md does not have the {name} as they are read: run with JEDEN_WRITE_PORTALS=1"
    );
}
