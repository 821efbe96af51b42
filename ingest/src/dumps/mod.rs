//! Dumps: observations of portal listings as JSON Lines, from files, folders or standard input.
//!
//! [`find`] turns paths into [`Source`]s, [`lines`](lines()) reads them line by line in constant memory, [`line`](line())
//! reads one line into an [`Observation`](schema::Observation), and [`listing`](listing()) what a `listing` line says.
//! Payloads are read by the [portals](crate::portals).
//!
//! ```
//! let line = br#"{"siteId":"sreality","offerId":"2871231","observedAt":"2026-06-11T06:00:00Z","gone":true}"#;
//! assert!(matches!(ingest::dumps::line(line), Ok(Some(schema::Observation::Gone { .. }))));
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
pub use line::line;
pub use lines::{DumpLine, Item, LONGEST_LINE, Lines, Truncation, lines};
pub(crate) use listing::text_field;
pub use listing::{FIELDS, listing};
pub use source::{Source, SourceError, find};
pub use write::write_line;
