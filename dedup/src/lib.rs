//! Finds the listings that are one property and merges them into one record.
//!
//! # Layout
//!
//! In the order of the flow:
//!
//! 1. [`addresses`] reads the address of a listing; [`profile`] turns the listing into the form
//!    that is compared, with texts as [hashes](hash).
//! 2. [`blocking`] selects candidate pairs: listings that share a blocking key.
//! 3. [`statistics`] counts over the whole set how many listings share a pin or a phone number.
//! 4. [`comparison`] compares two listings field by field. Each comparison reaches levels of the
//!    table in [`weights`], which an operator can [change](weight_table).
//! 5. [`scoring`] adds up the match weight and checks the vetoes.
//! 6. [`clustering`] turns links between listings into clusters.
//! 7. [`engine`] runs steps 2 to 6 over listings in memory; [`index`] keeps the result up to date
//!    while single listings change.
//! 8. [`identity`] decides which ids the records keep, and [`merging`] which values they show.
//!
//! These modules are pure: they do no I/O, read no clock and draw no random numbers. [`worker`]
//! runs them on the database.
//!
//! Four modules look at the result. [`explanation`] says why two listings are in one record or
//! not, [`confidence`] how certain that is, and [`questions`] which pairs a person should review. [`evaluation`] measures the quality
//! of matching against known truth; no other module uses it.

pub mod addresses;
pub mod blocking;
pub mod clustering;
pub mod comparison;
pub mod confidence;
pub mod engine;
pub mod evaluation;
pub mod explanation;
pub mod hash;
pub mod identity;
pub mod index;
pub mod merging;
pub mod profile;
pub mod questions;
pub mod scoring;
pub mod statistics;
pub mod weight_table;
pub mod weights;
pub mod worker;
