//! Merges the listings of a cluster into one record. Every merged value is one that a portal
//! published, or the official name of the place that the published value names.
//!
//! `place` merges the fields of the place together. The list in `fields` names the rule of each
//! other field, `rules` holds the rules, and `precedence` the order of precedence that all share.

mod fields;
mod place;
mod precedence;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::Area;
use schema::{Attributes, ListingKey, StoredListing, Timestamp};

use crate::addresses::Addresses;
use rules::Merger;

pub use fields::RULES;
pub use place::{AppliedRule, PlaceRule};

/// A merged cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The merged facts.
    pub attributes: Attributes,
    /// Whether any listing is live.
    pub is_live: bool,
    /// When the first listing was first seen.
    pub first_seen_at: Timestamp,
    /// The latest change of any listing.
    pub last_changed_at: Timestamp,
    /// When the last live listing was gone; `None` while one is live.
    pub expired_at: Option<Timestamp>,
    /// The listing that each value comes from, by field name. Fields that the gazetteer filled in
    /// have no entry.
    pub provenance: BTreeMap<&'static str, ListingKey>,
    /// The values of the place that are not written as their listing published them, by field name.
    pub applied_rules: BTreeMap<&'static str, AppliedRule>,
}

/// Merges a cluster. The order of `listings` does not matter. `addresses` knows the official names of
/// places. `area_of` locates the merged facts; it is called only if neither the municipality nor a
/// listing gives a district. An empty cluster, which never occurs, gives an empty record at the epoch.
pub fn merge(
    listings: &[StoredListing],
    addresses: &Addresses,
    area_of: impl Fn(&Attributes) -> Option<Area>,
) -> Merged {
    let mut ordered: Vec<&StoredListing> = listings.iter().collect();
    ordered.sort_by(|one, other| one.key.cmp(&other.key));
    let mut merger = Merger {
        copies: copies(&ordered),
        listings: ordered,
        merged: Attributes::default(),
        provenance: BTreeMap::new(),
    };
    let place = place::merge_place(
        &merger.listings,
        |listing| merger.is_original(listing),
        addresses.gazetteer(),
        area_of,
    );
    merger.merged = place.facts;
    merger.provenance = place.provenance;
    fields::merge_fields(&mut merger);
    let attributes = merger.merged;
    let states = || merger.listings.iter().map(|listing| &listing.state);
    let is_live = states().any(schema::ListingState::is_live);
    Merged {
        attributes,
        is_live,
        first_seen_at: states()
            .map(|state| state.first_seen_at)
            .min()
            .unwrap_or(Timestamp(0)),
        last_changed_at: states()
            .map(|state| state.last_changed_at)
            .max()
            .unwrap_or(Timestamp(0)),
        expired_at: if is_live {
            None
        } else {
            states().filter_map(|state| state.gone_at).max()
        },
        provenance: merger.provenance,
        applied_rules: place.rules,
    }
}

/// The listings that say they are copies of another listing of the cluster. Their values come last:
/// an aggregator may be the last to change and still know nothing that its source does not know.
fn copies<'a>(listings: &[&'a StoredListing]) -> BTreeSet<&'a ListingKey> {
    let keys: BTreeSet<&ListingKey> = listings.iter().map(|listing| &listing.key).collect();
    let is_copy = |listing: &&&StoredListing| {
        let source = listing.state.listing.evidence.same_as.as_ref();
        source.is_some_and(|source| *source != listing.key && keys.contains(source))
    };
    listings
        .iter()
        .filter(is_copy)
        .map(|listing| &listing.key)
        .collect()
}
