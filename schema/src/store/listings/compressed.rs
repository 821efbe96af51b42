//! Listings that are compressed before the transaction that stores them.

use rayon::prelude::*;

use super::row::ListingBody;
use crate::listing::{Listing, ListingState};
use crate::store::compression::{Ahead, Kind, compress_ahead};

/// A listing as it may be stored, compressed before the transaction began.
#[derive(Debug, Clone)]
pub struct CompressedListing {
    listing: Listing,
    url: Option<String>,
    text: Vec<u8>,
    ahead: Ahead,
}

impl CompressedListing {
    /// The text to store and its compressed form, if the state to store shows this listing.
    pub(super) fn of_state(&self, state: &ListingState) -> Option<(&[u8], &Ahead)> {
        (state.url == self.url && state.listing == self.listing)
            .then_some((self.text.as_slice(), &self.ahead))
    }
}

/// Compresses listings on all cores, to be stored by a later transaction ([`super::Save::ahead`]), while another one is
/// waiting for the database. Of each listing the portal and its page are given; the results are in the order given.
/// `None` for those of portals of which this process has stored nothing yet.
pub fn compress_listings(
    listings: &[(&str, &Listing, Option<&str>)],
) -> Vec<Option<CompressedListing>> {
    let text = |(_, listing, url): &(&str, &Listing, Option<&str>)| {
        // What cannot be written is reported when it is stored.
        ListingBody::bytes(listing, *url).unwrap_or_default()
    };
    let texts: Vec<Vec<u8>> = listings.par_iter().map(text).collect();
    let sites = listings.iter().map(|(site_id, ..)| *site_id);
    let groups = sites.map(|site_id| (site_id, Kind::Listing));
    let grouped: Vec<_> = groups.zip(texts.iter().map(Vec::as_slice)).collect();
    let ahead = compress_ahead(&grouped);
    let all = listings.iter().zip(texts).zip(ahead);
    all.map(|(((_, listing, url), text), ahead)| {
        Some(CompressedListing {
            listing: (*listing).clone(),
            url: url.map(str::to_owned),
            text,
            ahead: ahead?,
        })
    })
    .collect()
}
