//! Tests of the server for assistants over real HTTP, on every available database.

#![expect(
    clippy::unwrap_used,
    reason = "the tests' own helpers fail like tests do"
)]

mod support;

mod arguments;
mod changes;
mod counting;
mod protocol;
mod reading;
mod summarising;

::support::check_requirements!();
