//! The current state of each portal listing, and whether it is pending for deduplication.

mod compressed;
mod crawled;
mod followed;
mod pending;
mod read;
mod row;
mod save;

pub use compressed::{CompressedListing, compress_listings};
pub use crawled::{Unseen, live_count, live_sample, unseen_since};
pub use followed::{
    ListingHead, MatchingState, WatchedPortal, heads, heads_of_offers, matching_state,
    of_changes_after, pending_among, pending_in, portals,
};
pub use pending::{
    Processed, assign, process, requeue, requeue_all, requeue_municipalities, settle,
};
pub use read::{
    MemberState, count, get, load, member_states, newest, newest_sighting, not_seen_in, of_offer,
    of_offers, page, pending, pending_count, watched,
};
pub(super) use row::ListingBody;
pub use save::{Save, save, save_all};
