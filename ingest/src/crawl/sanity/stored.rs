//! How often the portal's stored listings have the fields that details are expected to have.

use std::collections::HashMap;

use schema::{Listing, OfferType, PropertyType};

use super::fields::KEPT;

/// Listings of a kind that a share is taken of at least.
const SOME: usize = 10;

type Kind = (Option<OfferType>, Option<PropertyType>);

/// The portal's stored listings by their kind: garages seldom say an area, and offices a price.
#[derive(Debug, Default)]
pub(super) struct Stored {
    all: Having,
    by_kind: HashMap<Kind, Having>,
}

/// Listings, and how many of them have each field.
#[derive(Debug, Clone, Copy, Default)]
struct Having {
    listings: usize,
    have: [usize; KEPT.len()],
}

impl Stored {
    pub(super) fn of<'a>(listings: impl IntoIterator<Item = &'a Listing>) -> Self {
        let mut stored = Self::default();
        for listing in listings {
            for having in [
                &mut stored.all,
                stored.by_kind.entry(kind(listing)).or_default(),
            ] {
                having.listings += 1;
                for (count, (_, has)) in having.have.iter_mut().zip(KEPT) {
                    *count += usize::from(has(listing));
                }
            }
        }
        stored
    }

    /// The share of stored listings of this one's kind that have a field, by its place; `None` where too few are known.
    pub(super) fn share(&self, listing: &Listing, place: usize) -> Option<f64> {
        let kind = kind(listing);
        // What has lost its kind is compared with all.
        let having = if kind == (None, None) {
            Some(&self.all)
        } else {
            self.by_kind.get(&kind)
        };
        let having = having.filter(|having| having.listings >= SOME)?;
        Some(having.have[place] as f64 / having.listings as f64)
    }
}

fn kind(listing: &Listing) -> Kind {
    (
        listing.attributes.offer_type,
        listing.attributes.property_type,
    )
}
