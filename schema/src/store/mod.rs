//! The store: all SQL, over one schema in two databases.
//!
//! # Layout
//!
//! The database ([`Db`]: which one, opening, migrating), a transaction ([`Tx`]), then one module a table or family of
//! tables in the order of the flow: how portals are crawled ([`crawl_runs`], [`index_entries`]), what was seen
//! ([`raw_listings`], [`observations`], [`crawls`]), the state of each portal listing ([`listings`]), what dedup
//! derives ([`blocking_keys`], [`mod@matches`], [`municipalities`], [`derivations`]), what persons decided about it
//! ([`reviews`]), the merged records ([`offers`]), access ([`accounts`], [`tokens`], [`usage`], [`secrets`]), what
//! could not be read ([`rejects`], [`value_rejects`]), which address registry is in use ([`gazetteer`]), when portals
//! are crawled ([`schedules`]), what is to be done and by whom ([`jobs`]), and the [`lock`]s of the dedup worker and of
//! crawls. [`figures`] and [`housekeeping`] go over several.
//!
//! # Two databases, one text
//!
//! Every statement is written once and runs on both through `on_db!` (on a pool) or `on_tx!` (in a transaction):
//! parameters are `$1`, `$2`, instants Unix milliseconds, enumerated values their codes. Where the databases really
//! differ the difference stands in `sqlite`, `postgres`, `database`, `transaction`, `migrations`, `lists`, `lock` and
//! `jobs`.
//!
//! Functions that take a [`Tx`] write, or read what will be written; those that take a [`Db`] stand alone. Rows are
//! private and become the types of the flow; a value that cannot is [`StoreError::Corrupt`]. Absence is `None`.

mod columns;
mod database;
mod error;
mod lists;
mod migrations;
mod postgres;
mod sqlite;
mod transaction;

pub mod accounts;
pub mod blocking_keys;
pub mod crawl_runs;
pub mod crawls;
pub mod derivations;
pub mod figures;
pub mod gazetteer;
pub mod housekeeping;
pub mod index_entries;
pub mod jobs;
pub mod listings;
pub mod lock;
pub mod matches;
pub mod municipalities;
pub mod observations;
pub mod offers;
pub mod raw_listings;
pub mod rejects;
pub mod reviews;
pub mod schedules;
pub mod secrets;
pub mod tokens;
pub mod usage;
pub mod value_rejects;

pub use database::{Backend, DatabaseSettings, Db, Migrated, Writing, missing_file};
pub use error::{Result, StoreError};
pub use postgres::{PostgresPools, REMARKS};
pub use sqlite::SqlitePools;
pub use transaction::{CommitMark, CommitOutcome, TransactionStatus, Tx};
