//! The operator's console: pages that show how ingestion is, let people decide doubtful pairs, and show any record with its
//! evidence.
//!
//! # Layout
//!
//! A request passes through these modules, in this order:
//!
//! - `router` lists every route; `layers` refuses foreign hosts and origins, sets the headers and renders errors.
//! - `access` finds the person behind the session cookie. `visit` is what a page knows about who asks, and in which
//!   language.
//! - `pages` has one file for each page with what can be done on it. Pages compute nothing themselves: they ask
//!   `operations`, `dedup`, `ingest`, the search engine of `api`, and the store. `snapshot` keeps the state of everything
//!   for a few seconds, `questions` the review queue, `reached_levels` what the decided pairs say of the weights, and `repeats` selects what is asked twice.
//! - `drawing` makes the charts and maps as SVG, `street_map` the streets beneath them from a file of the operator, `format` writes numbers and dates as Czechs do, `language` has the two
//!   languages, and `words` says in them what the engine says. Templates are in `templates/`, style and scripts in `assets/`.
//!
//! The clock, chance, the address registry and the search engine come from the program by [`ConsoleConfig`].

mod access;
mod assets;
mod config;
mod drawing;
mod error;
mod format;
mod language;
mod layers;
mod pages;
mod questions;
mod reached_levels;
mod repeats;
mod router;
mod server;
mod snapshot;
mod state;
mod street_map;
mod visit;
mod words;

pub use access::{hash_password, is_acceptable_password};
pub use config::{
    AddressSource, ConsoleConfig, Deduplicate, EditionHere, MayCrawl, ProgramParts, SearchSource,
};
pub use server::serve;
pub use state::Console;
pub use street_map::{StreetMap, StreetMapError};
