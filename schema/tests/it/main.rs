//! The store, on each database.

mod migrations;
