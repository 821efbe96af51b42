//! Why an export failed.

use std::io;
use std::path::PathBuf;

use schema::store::StoreError;

/// Why an export failed. The folder then has what it had before.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("cannot write {path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A table could not be written.
    #[error("cannot write the table {table}: {reason}")]
    Table {
        /// The table.
        table: &'static str,
        /// What the writer of the format said.
        reason: String,
    },
    /// A stored record is not the JSON of a record.
    #[error("the record in row {row} cannot be read: {source}")]
    Record {
        /// Its row in the store.
        row: i64,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// The records of a page could not be chosen in time.
    #[error("choosing the records: {0}")]
    Choosing(#[from] api::index::Stopped),
    /// The task that writes the files ended early.
    #[error("writing the files ended early: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
}
