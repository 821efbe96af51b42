//! How often the portal's stored listings have the fields that details are expected to have.

use std::collections::HashMap;

use schema::{Listing, OfferType, PropertyType};

use super::fields::EXPECTED_FIELDS;

/// How many listings of a kind are needed to compute a share.
const LEAST_LISTINGS: usize = 10;

type Kind = (Option<OfferType>, Option<PropertyType>);

/// The portal's stored listings, by kind: garages seldom state an area, and offices seldom a price.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    all: FieldCounts,
    by_kind: HashMap<Kind, FieldCounts>,
}

/// How many listings there are, and how many of them have each field.
#[derive(Debug, Clone, Copy, Default)]
struct FieldCounts {
    listings: usize,
    have: [usize; EXPECTED_FIELDS.len()],
}

impl Baseline {
    /// Counts the fields of these listings.
    pub(super) fn from_listings<'a>(listings: impl IntoIterator<Item = &'a Listing>) -> Self {
        let mut baseline = Self::default();
        for listing in listings {
            baseline.all.add(listing);
            let of_kind = baseline.by_kind.entry(kind(listing)).or_default();
            of_kind.add(listing);
        }
        baseline
    }

    /// The share of the stored listings of this listing's kind that have the field with this index in
    /// [`EXPECTED_FIELDS`]. `None` if too few are stored.
    pub(super) fn share(&self, listing: &Listing, field: usize) -> Option<f64> {
        let counts = match kind(listing) {
            // A listing that has lost its kind is compared with all of them.
            (None, None) => Some(&self.all),
            kind => self.by_kind.get(&kind),
        };
        let counts = counts.filter(|counts| counts.listings >= LEAST_LISTINGS)?;
        Some(counts.have[field] as f64 / counts.listings as f64)
    }
}

impl FieldCounts {
    fn add(&mut self, listing: &Listing) {
        self.listings += 1;
        for (count, (_, has)) in self.have.iter_mut().zip(EXPECTED_FIELDS) {
            *count += usize::from(has(listing));
        }
    }
}

fn kind(listing: &Listing) -> Kind {
    (
        listing.attributes.offer_type,
        listing.attributes.property_type,
    )
}
