//! The whole flow through the program `jeden`, one file for each topic.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in test functions only, not in what these call"
)]

mod accounts;
mod assistants;
mod change_webhooks;
mod command_line;
mod demo;
mod deploy;
mod documents;
mod dumps;
mod evaluate;
mod explain;
mod export;
mod faults;
mod feeds;
mod fixtures;
mod followers;
mod gazetteer;
mod invariants;
mod jeden;
mod killed;
mod migrate;
mod modules;
mod month;
mod outside_geocoder;
mod places;
mod plans;
mod purge;
mod quota_killed;
mod records;
mod rejects;
mod replay;
mod replica;
mod reviews;
mod schedule;
mod scrape;
mod secrets;
mod sources;
mod stats;
mod status;
mod sync;
mod webhook;
mod work;
mod working;
mod year;

::support::check_requirements!();
