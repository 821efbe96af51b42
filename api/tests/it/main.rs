//! Tests of the API over real HTTP, on every available database.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    reason = "the tests' own helpers fail like tests do, and cut ASCII"
)]

mod support;

mod attempts;
mod authentication;
mod caching;
mod conformance;
mod connections;
mod cors;
mod cursors;
mod cursors_refused;
mod described;
mod documents;
mod errors;
mod faults;
mod health;
mod index;
mod logging;
mod me;
mod offers_around;
mod offers_detail;
mod offers_search;
mod openapi;
mod overload;
mod params;
mod quota;
mod quota_months;
mod serving;
mod walks;

::support::check_requirements!();
