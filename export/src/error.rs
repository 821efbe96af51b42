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
    /// A record of the feed is not the JSON of a record.
    #[error("a record of the feed cannot be read: {0}")]
    Detail(serde_json::Error),
    /// The changes that were read could not be kept.
    #[error("cannot keep the changes that were read: {0}")]
    Pending(#[from] io::Error),
    /// A table of a folder that follows the feed could not be read.
    #[error("cannot read {path}: {reason}. Start over in another folder")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder cannot follow the feed.
    #[error("{path} cannot follow the feed: {reason}")]
    NotFollowable {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The records of a page could not be chosen in time.
    #[error("choosing the records: {0}")]
    Choosing(#[from] api::index::Stopped),
    /// The task that writes the files ended early.
    #[error("writing the files ended early: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
}
