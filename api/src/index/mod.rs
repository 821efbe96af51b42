//! The search index: a projection of the merged offers, in columns, in the memory of every `serve` process.
//!
//! # Layout
//!
//! [`Criteria`] and [`Filter`] say what is looked for; [`Columns`] hold the offers, latest change first, ties by row;
//! `scan` finds the ones that match, block by block; a [`View`] is an immutable state of the index at one change
//! number; [`OfferIndex`] keeps the view current by following the store's change numbers.
//!
//! # Memory
//!
//! An offer takes 96 bytes: three 8-byte keys (time, row, change), its expiry, a position (16), three figures (24), two
//! floors (4), eight enumeration codes (8), two name codes (8) and its place by row (4). A million offers take 96 MB,
//! and as much again for a moment whenever changes are folded in. The index is derived data: built at start, never a
//! source of truth.

mod circle;
mod columns;
mod filter;
mod follow;
mod names;
mod scan;
mod view;

pub use circle::Circle;
pub use columns::{Columns, Position, Record};
pub use filter::{Codes, Criteria, Filter, Range, Reach};
pub use follow::OfferIndex;
pub use names::Names;
pub use scan::{Stop, Stopped};
pub use view::{Batch, Found, Hit, View, Walk};
