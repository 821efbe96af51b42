//! The search index: the merged offers in columns, in the memory of every `serve` process.
//!
//! # Layout
//!
//! [`Criteria`] and [`Filter`] say what a search looks for. `columns` holds the offers, latest change first, and of
//! simultaneous changes the higher row first. `scan` finds the offers that match, block by block. A [`View`] is an
//! immutable state of the index at one change number. `OfferIndex` keeps the view up to date by following the store's
//! change numbers.
//!
//! # Memory
//!
//! An offer takes 96 bytes: three 8-byte keys (time, row, change), its expiry (8), a position (16), price and two areas
//! (24), two floors (4), eight enumerations (8), two name codes (8) and its index by row (4). A million offers take 96
//! MB, and twice that for a moment when changes are merged into the columns. The index is derived data: it is built at
//! start and is never a source of truth.

mod circle;
mod columns;
mod filter;
mod follow;
mod names;
mod scan;
mod view;

pub use circle::Circle;
pub use columns::Position;
pub use filter::{Criteria, Filter, Range, Reach};
pub(crate) use follow::OfferIndex;
pub use scan::{Stop, Stopped};
pub use view::{Batch, Found, Hit, PageRequest, View};
