//! The console over HTTP, on each database: one file a topic.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod browser;
mod pages;
mod portals;
mod reviewing;
mod street_map;

::support::check_requirements!();
