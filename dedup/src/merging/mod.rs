//! Merges the listings of a cluster into one record. Every merged value is one that a portal
//! published.
//!
//! The list in `fields` names the rule of each field, `rules` holds the rules, and
//! `precedence` the order of precedence that they share.

mod fields;
mod precedence;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::{Area, District};
use schema::{Attributes, ListingKey, StoredListing, Timestamp};

use rules::Merger;

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
}

/// Merges a cluster. The order of `listings` does not matter. `area_of` locates the merged facts; it
/// is called only if no portal states a known district. An empty cluster, which never occurs, gives an empty
/// record at the epoch.
pub fn merge(listings: &[StoredListing], area_of: impl Fn(&Attributes) -> Option<Area>) -> Merged {
    let mut ordered: Vec<&StoredListing> = listings.iter().collect();
    ordered.sort_by(|one, other| one.key.cmp(&other.key));
    let mut merger = Merger {
        copies: copies(&ordered),
        listings: ordered,
        merged: Attributes::default(),
        provenance: BTreeMap::new(),
    };
    fields::merge_fields(&mut merger);
    let mut attributes = merger.merged;
    fill_area(&mut attributes, area_of);
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

/// Fills in district and region from the gazetteer if no portal states them.
fn fill_area(facts: &mut Attributes, area_of: impl Fn(&Attributes) -> Option<Area>) {
    let stated = facts
        .district
        .as_deref()
        .and_then(District::parse)
        .map(Area::District);
    let area = stated.or_else(|| area_of(facts));
    if facts.district.is_none() {
        facts.district = area
            .and_then(Area::district)
            .map(|district| district.name().to_owned());
    }
    if facts.region.is_none() {
        facts.region = area.map(|area| area.region().name().to_owned());
    }
}
