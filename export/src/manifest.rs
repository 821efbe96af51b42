//! The manifest: what the files of a folder hold, and which state of the records they show.

use std::collections::BTreeMap;

use schema::Timestamp;
use serde::{Deserialize, Serialize};

/// The file name of the manifest.
pub const MANIFEST: &str = "manifest.json";

/// What an export wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The number of the last change that the tables show: they have every change up to it and none after it.
    pub seq: i64,
    /// When the export began.
    pub exported_at: Timestamp,
    /// The format of the tables: `parquet`, `csv` or `jsonl`.
    pub format: String,
    /// The filters that chose the records, by name.
    pub filters: BTreeMap<String, String>,
    /// The tables, by name.
    pub tables: BTreeMap<String, TableEntry>,
}

/// A table of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableEntry {
    /// The name of its file, beside the manifest.
    pub file: String,
    /// The number of its rows.
    pub rows: u64,
    /// The size of its file.
    pub bytes: u64,
}
