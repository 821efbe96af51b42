//! Tests of the crate through its interface, one file per topic.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in test functions only, not in what these call"
)]

mod bazos;
mod bezrealitky;
mod ceskereality;
mod crawl;
mod crawl_definitions;
mod dumps;
mod field_table;
mod hostile;
mod idnes;
mod intake;
mod mangled;
mod mmreality;
mod notation;
mod page_url;
mod pages;
mod payloads;
mod portals;
mod realingo;
mod realitymix;
mod remax;
mod sreality;
mod timeline;
mod ulovdomov;
mod value_bounds;

::support::check_requirements!();
