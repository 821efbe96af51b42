//! Taking stored data out again, and the notes about it. Nothing else deletes contents and observations.

mod notes;
mod observations;
mod rows;

pub use notes::{Blocked, Purge, PurgeKind, PurgeNote, allow, blocked, list, note};
pub use observations::{
    Withdrawn, delete_between, delete_crawl, delete_early_disappearance, delete_observation,
    delete_unseen_contents, ended_at,
};
pub use rows::{
    Deleted, delete_listings, delete_rejects_of, delete_site, delete_unstored, listings_of_site,
};
