//! Tests of the crate through its interface, one file per topic.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in test functions only, not in what these call"
)]

mod dumps;
mod intake;
mod timeline;
