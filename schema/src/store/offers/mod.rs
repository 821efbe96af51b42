//! The merged records: columns to search by, the JSON that is served, and the ids of retired records.
//!
//! Every write takes a number from one counter ([`next_change`]). A search index follows the numbers: it reads the records
//! saved ([`changes_in`]) and retired ([`retired_in`]) after the last number that it knows. What a write did to a
//! record is stored with the number of its change ([`super::record_events`]).

mod addresses;
mod bases;
mod changes;
mod compare;
mod detail;
mod documents;
mod index_row;
mod places;
mod save;
mod text;

pub use addresses::{AddressRow, addresses, municipalities};
pub use bases::{Bases, read_bases};
pub(super) use bases::{ChangedListing, based_on, save_again};
pub(super) use changes::index_rows;
pub use changes::{
    OfferCounts, changes_between, changes_in, count, last_change, last_change_in, next_change,
    retired_in,
};
pub use detail::{FoundOffer, detail, resolve};
pub(super) use documents::without_dictionaries_of;
pub use documents::{StoredDocument, documents, documents_in};
pub use index_row::IndexRow;
pub use places::{RecordPlace, places};
pub use save::{
    OfferHeader, OfferRow, headers, in_municipality, retire, save, save_all, save_all_on,
};
