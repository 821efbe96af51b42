//! The current state of each portal listing, and whether it is pending for deduplication.

mod crawled;
mod pending;
mod read;
mod row;
mod save;

pub use crawled::{Unseen, live_count, live_sample, unseen_since};
pub use pending::{assign, requeue, requeue_all, requeue_municipality, settle};
pub use read::{
    MemberState, count, first_sightings, get, load, member_states, newest, newest_sighting,
    not_seen_in, of_offer, of_offers, page, pending, pending_count, watched,
};
pub(super) use row::ListingBody;
pub use save::{Save, save, save_all};
