//! The search index: the merged offers in columns, in the memory of every `serve` process.
//!
//! # Layout
//!
//! [`Criteria`] and [`Filter`] say what a search looks for. `columns` holds the offers, latest change first, and of
//! simultaneous changes the higher row first. `sets` knows which offers have a value. `scan` finds the offers that
//! match, block by block. A [`View`] is an immutable state of the index at one change number; `places` finds its offers by id; `figures` are what statistics read of an offer. `OfferIndex` (`follow`)
//! keeps the view up to date by following the store's change numbers, and `store_documents` copies the documents of its
//! offers to the file of the process.
//!
//! # Memory
//!
//! An offer takes 118 bytes in columns: three 8-byte keys (time, row, change), the hash of its id (8), the place of its
//! document (8), its expiry (8), a position (16), price and two areas (24), two floors (4), eight enumerations (8), the month of its first sighting (2), two
//! name codes (8), its indexes by row and by id (8). The sets take some 30 bytes more: one bit for each frequent value
//! and each bound of a number, four bytes for each rare value that an offer has. The index is derived data: it is built
//! at start and is never a source of truth.

mod circle;
mod columns;
mod figures;
mod filter;
mod first_month;
mod follow;
mod names;
mod places;
mod scan;
mod sets;
mod store_documents;
mod view;

pub use circle::Circle;
pub use columns::Position;
pub use figures::Figures;
pub use filter::{Criteria, Filter, Range, Reach};
pub(crate) use follow::OfferIndex;
pub use scan::{Stop, Stopped};
pub use view::{Batch, Found, Hit, PageRequest, View};
