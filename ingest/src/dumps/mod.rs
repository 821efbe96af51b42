//! Dumps: observations of portal listings as JSON Lines, from files, folders or standard input.
//!
//! [`find_sources`] turns paths into [`Source`]s, [`read_lines`] reads them line by line in constant memory,
//! [`parse_line`] parses one line into an [`Observation`](schema::Observation), and [`parse_listing`] parses what a
//! `listing` line says. Payloads are read by the [portals](crate::portals).
//!
//! ```
//! let line = br#"{"siteId":"sreality","offerId":"2871231","observedAt":"2026-06-11T06:00:00Z","gone":true}"#;
//! assert!(matches!(ingest::dumps::parse_line(line), Ok(Some(schema::Observation::Gone { .. }))));
//! ```

mod error;
mod file;
mod line;
mod lines;
mod listing;
mod object;
mod source;
mod write;

pub use error::LineError;
pub use file::DumpFile;
pub use line::parse_line;
pub use lines::{DumpItem, DumpLine, Lines, Truncation, read_lines};
pub use listing::parse_listing;
pub use source::{Source, SourceError, find_sources};
pub use write::write_line;
