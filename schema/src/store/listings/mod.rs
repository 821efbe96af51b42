//! The current state of each portal listing, and whether dedup has still to look at it.

mod crawled;
mod read;
mod row;
mod save;

pub use crawled::{Unseen, live_count, live_sample, unseen_since};
pub use read::{
    Standing, count, get, load, not_seen_in, of_offer, of_offers, page, pending, pending_count,
    standings, watched,
};
pub use save::{Save, assign, requeue, requeue_all, requeue_municipality, save, save_all, settle};
