//! Why these listings are one record, or why two of them are not: a value, rendered by the binary.

use std::collections::BTreeMap;

use schema::{ListingKey, MatchEvidence, StoredListing};
use serde::Serialize;

use crate::blocking;
use crate::engine;
use crate::merging::Merged;
use crate::profile::Profile;
use crate::scoring;

/// Two listings compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedPair {
    /// One listing.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
    /// Blocking rules under which the two meet; none means that they were never compared.
    pub meets_by: Vec<&'static str>,
    /// The waterfall.
    #[serde(flatten)]
    pub evidence: MatchEvidence,
}

/// A record explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedOffer {
    /// For each listing but the first, its strongest tie to the listings before it.
    pub links: Vec<ExplainedPair>,
    /// The weights of all other pairs.
    pub other_pairs: Vec<PairWeight>,
    /// Which listing each merged value is from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
    /// Merged fields that no portal gave and the gazetteer filled.
    pub filled_by_gazetteer: Vec<&'static str>,
}

/// A pair within a record, in brief.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairWeight {
    /// One listing.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
    /// Match weight.
    pub weight: f64,
}

/// Compares two listings as the engine does.
pub fn pair(one: &StoredListing, other: &StoredListing) -> ExplainedPair {
    profiled_pair(&profile(one), &profile(other))
}

/// Explains a record from its listings, oldest first, and what merging made of them.
pub fn offer(listings: &[StoredListing], merged: &Merged) -> ExplainedOffer {
    let mut profiles: Vec<Profile> = listings.iter().map(profile).collect();
    profiles.sort_by(|one, other| (one.life.from, &one.key).cmp(&(other.life.from, &other.key)));
    let mut links = Vec::new();
    let mut other_pairs = Vec::new();
    for place in 1..profiles.len() {
        let mut pairs: Vec<ExplainedPair> =
            profiles[..place].iter().map(|earlier| profiled_pair(earlier, &profiles[place])).collect();
        pairs.sort_by(|one, other| {
            other.evidence.weight.total_cmp(&one.evidence.weight).then_with(|| one.left.cmp(&other.left))
        });
        let rest = pairs.split_off(1.min(pairs.len()));
        links.extend(pairs);
        other_pairs.extend(rest.into_iter().map(|pair| PairWeight {
            left: pair.left,
            right: pair.right,
            weight: pair.evidence.weight,
        }));
    }
    let filled = |name: &'static str, present: bool| {
        (present && !merged.provenance.contains_key(name)).then_some(name)
    };
    let filled_by_gazetteer = [
        filled("district", merged.attributes.district.is_some()),
        filled("region", merged.attributes.region.is_some()),
    ];
    ExplainedOffer {
        links,
        other_pairs,
        provenance: merged.provenance.clone(),
        filled_by_gazetteer: filled_by_gazetteer.into_iter().flatten().collect(),
    }
}

fn profile(listing: &StoredListing) -> Profile {
    Profile::of(listing.id, &listing.key, &listing.state)
}

fn profiled_pair(one: &Profile, other: &Profile) -> ExplainedPair {
    let (first, second) = engine::in_order(one, other);
    let keys: BTreeMap<i64, &'static str> =
        blocking::keys_by_rule(first).map(|(rule, key)| (key, rule)).collect();
    let mut meets_by: Vec<&'static str> =
        blocking::keys_by_rule(second).filter_map(|(_, key)| keys.get(&key).copied()).collect();
    meets_by.sort_unstable();
    meets_by.dedup();
    ExplainedPair {
        left: first.key.clone(),
        right: second.key.clone(),
        meets_by,
        evidence: scoring::explain(first, second),
    }
}
