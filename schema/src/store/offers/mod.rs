//! The merged records: narrow columns to search by, the ready JSON beside them, and the ids that went before.
//!
//! Every write takes a number from one counter ([`next_change`]). A search index follows the numbers: what was saved
//! after the last one it knows ([`changes_since`]), and what went ([`retired_since`]).

mod addresses;
mod changes;
mod detail;
mod index_row;
mod save;

pub use addresses::{AddressRow, addresses};
pub use changes::{
    OfferCounts, changes_since, count, last_change, newest_change, next_change, retired_since,
    summaries,
};
pub use detail::{FoundOffer, detail, resolve};
pub use index_row::IndexRow;
pub use save::{OfferHeader, OfferRow, headers, in_municipality, retire, save, save_all};
