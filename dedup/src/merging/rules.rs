//! The merge rules. Most rules only say which of two stated values is more precise; the order of
//! precedence around that is the same for all of them.

use std::collections::{BTreeMap, BTreeSet};

use schema::offer_fields::names;
use schema::{Attributes, ListingKey, StoredListing, Subtype};

use super::precedence::{Candidate, choose};
/// A cluster while it is merged.
pub(super) struct Merger<'a> {
    /// The listings, ordered by portal and number.
    pub listings: Vec<&'a StoredListing>,
    /// The listings that say they are copies of another listing of the cluster.
    pub copies: BTreeSet<&'a ListingKey>,
    /// The fields that are merged so far.
    pub merged: Attributes,
    /// The listing that each merged value comes from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
}

impl Merger<'_> {
    /// Whether a listing is not a copy of another one of the cluster.
    pub fn is_original(&self, listing: &StoredListing) -> bool {
        !self.copies.contains(&listing.key)
    }

    /// Chooses the value of a field by precedence and notes its listing.
    fn choose<T: Clone + PartialEq>(
        &mut self,
        name: &'static str,
        value: impl Fn(&Attributes) -> Option<T>,
        precision: impl Fn(&StoredListing, &T) -> u32,
    ) -> Option<T> {
        let candidates: Vec<Candidate<'_, T>> = self
            .listings
            .iter()
            .filter_map(|listing| {
                let value = value(&listing.state.listing.attributes)?;
                Some(Candidate {
                    is_original: self.is_original(listing),
                    precision: precision(listing, &value),
                    listing,
                    value,
                })
            })
            .collect();
        let chosen = choose(&candidates)?;
        let value = chosen.value.clone();
        self.provenance.insert(name, chosen.listing.key.clone());
        Some(value)
    }
}

/// No value is more precise than another.
pub(super) fn general_rule<T: Clone + PartialEq>(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<T>,
) -> Option<T> {
    merger.choose(name, value, |_, _| 0)
}

/// A portal that states a feature knows more than a portal where the box is not ticked.
pub(super) fn stated_feature(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<bool>,
) -> Option<bool> {
    merger.choose(name, value, |_, present| u32::from(*present))
}

/// An area with decimals is more precise than a rounded one.
pub(super) fn unrounded_area(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<f64>,
) -> Option<f64> {
    merger.choose(name, value, |_, area| u32::from(area.fract() != 0.0))
}

/// The longer text is more precise. Lengths are compared by powers of two.
pub(super) fn longest_text(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    merger.choose(name, value, |_, text| text.len().max(1).ilog2())
}

/// The title of the listing whose description was chosen comes first.
pub(super) fn title_of_merged_description(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    let source = merger.provenance.get(names::description).cloned();
    merger.choose(name, value, |listing, _| {
        u32::from(source.as_ref() == Some(&listing.key))
    })
}

/// A subtype from a listing with the merged type comes first.
pub(super) fn subtype_of_merged_type(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<Subtype>,
) -> Option<Subtype> {
    let merged_type = merger.merged.property_type;
    merger.choose(name, value, |listing, _| {
        u32::from(listing.state.listing.attributes.property_type == merged_type)
    })
}

/// The price of the live listing whose last price point is the newest; originals come before
/// copies, and live listings before listings that are gone. Seeing an old price again does not make
/// it newer.
pub(super) fn newest_live_price(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<f64>,
) -> Option<f64> {
    let stated = merger.listings.iter().filter_map(|listing| {
        let price = value(&listing.state.listing.attributes)?;
        let priced_at = listing
            .state
            .prices
            .last()
            .map_or(listing.state.first_seen_at, |point| point.at);
        let rank = (
            listing.state.is_live(),
            merger.is_original(listing),
            priced_at,
        );
        Some((rank, price, &listing.key))
    });
    let (_, price, key) =
        stated.max_by(|one, other| one.0.cmp(&other.0).then(other.2.cmp(one.2)))?;
    merger.provenance.insert(name, key.clone());
    Some(price)
}

/// The value that was merged together with the other values of the place.
pub(super) fn merged_with_place<T>(
    merger: &mut Merger<'_>,
    _name: &'static str,
    value: impl Fn(&Attributes) -> Option<T>,
) -> Option<T> {
    value(&merger.merged)
}
