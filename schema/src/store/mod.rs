//! The store: all SQL, over one schema in two databases.
//!
//! # Layout
//!
//! [`Db`] opens and migrates the database, and [`Tx`] is a transaction. Each other module has the statements of one table
//! or a few related tables:
//!
//! | module | tables about |
//! |---|---|
//! | [`crawl_runs`], [`crawl_lines`], [`index_entries`] | how portals are crawled |
//! | [`raw_listings`], [`observations`], [`crawls`] | what was seen |
//! | [`listings`] | the state of each portal listing |
//! | [`blocking_keys`], [`mod@matches`], [`municipalities`], [`derivations`] | what deduplication computes |
//! | [`reviews`], [`match_weights`] | what people decided about matches |
//! | [`offers`], [`record_events`] | the merged records, and what happened to them |
//! | [`accounts`], [`tokens`], [`usage`], [`secrets`] | access to the API |
//! | [`rejects`], [`value_rejects`] | input that could not be read |
//! | [`gazetteer`] | the address registry in use |
//! | [`schedules`], [`jobs`] | when portals are crawled; jobs and workers |
//! | [`notices`] | what is sent to the operator's webhook |
//! | [`webhooks`] | addresses to which changes of records are sent |
//! | [`operators`], [`audit_log`], [`review_answers`], [`daily_figures`] | the operator's console |
//!
//! [`figures`] and [`housekeeping`] read and clean several tables, and [`planner_statistics`] are about them. [`purges`] takes stored data out again. [`lock`] has the locks between processes.
//!
//! # One text for two databases
//!
//! Every statement is written once and runs on both databases, on a pool by `on_db!` or in a transaction by `on_tx!`.
//! Parameters are `$1`, `$2`; instants are Unix milliseconds; enumerated values are their codes. The modules `sqlite`,
//! `postgres`, `reference_checks`, `database`, `transaction`, `migrations`, `many_rows`, `lists`, `lock`, `jobs` and
//! `usage::commit_marks` hold what differs between them.
//!
//! A function that takes a [`Tx`] writes, or reads what the caller is going to write. A function that takes a [`Db`]
//! runs by itself. Rows are private and are converted to the crate's types; a value that cannot be converted is
//! [`StoreError::Corrupt`]. A row that does not exist is `None`.
//!
//! Public functions return a boxed future. The compiler compiles an `async fn` in each crate and test that awaits it,
//! with everything below it; a boxed future is compiled once, here. The box costs nothing beside a statement.

mod columns;
mod compression;
mod database;
mod error;
mod kept_connection;
mod lists;
mod many_rows;
mod migrations;
mod postgres;
mod reference_checks;
mod sightings;
mod sqlite;
mod timeout;
mod transaction;
mod variable_length;

pub mod accounts;
pub mod audit_log;
pub mod blocking_keys;
pub mod crawl_lines;
pub mod crawl_runs;
pub mod crawls;
pub mod daily_figures;
pub mod derivations;
pub mod figures;
pub mod gazetteer;
pub mod housekeeping;
pub mod index_entries;
pub mod jobs;
pub mod listings;
pub mod lock;
pub mod market;
pub mod match_weights;
pub mod matches;
pub mod municipalities;
pub mod notices;
pub mod observations;
pub mod offers;
pub mod operators;
pub mod planner_statistics;
pub mod purges;
pub mod raw_listings;
pub mod record_events;
pub mod rejects;
pub mod review_answers;
pub mod reviews;
pub mod schedules;
pub mod secrets;
pub mod tokens;
pub mod usage;
pub mod value_rejects;
pub mod webhooks;

pub use database::{Backend, DatabaseSettings, Db, Migrated, Writing, missing_file};
pub use error::{Result, StoreError};
pub use postgres::{PostgresPools, REMARKS};
pub use sqlite::SqlitePools;
pub use timeout::with_timeout;
pub use transaction::Tx;
