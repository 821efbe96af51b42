//! Bulk data: the merged records as tables in files, with the change number of the state that they show.
//!
//! # Layout
//!
//! [`export()`] (`run`) reads one state of the database page by page, while `records` writes the pages before. A
//! [`Selection`] chooses the records, with the filters of a search. `tables` lists the tables and makes their rows of
//! what is stored; `column` has the types of their values. A row is written by `parquet_file`, `csv_file` or
//! `json_lines`; `position` writes positions as `GeoParquet` has them. `folder` gives the files their names when all are
//! complete, and [`Manifest`] says what they hold.
//!
//! A [`FollowedFolder`] is an export that is brought up to date: `parquet_copy` takes over the rows of the records that have
//! not changed, and [`Pending`] holds those that have.

mod column;
mod csv_file;
mod error;
mod folder;
mod followed;
mod format;
mod json_lines;
mod manifest;
mod parquet_copy;
mod parquet_file;
mod pending;
mod position;
mod records;
mod run;
mod selection;
mod table_file;
mod tables;

pub use error::ExportError;
pub use followed::FollowedFolder;
pub use format::{Format, UnknownFormat};
pub use manifest::{MANIFEST, Manifest, TableEntry};
pub use pending::Pending;
pub use run::{ExportRequest, Progress, export};
pub use selection::{Selection, WrongFilter};
