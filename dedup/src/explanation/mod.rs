//! Explains why listings are one record, or why two of them are not. An explanation is a value; the
//! program renders it.

mod record_confidence;
mod separation;

use std::collections::{BTreeMap, BTreeSet};

use schema::{Bar, ListingKey, MatchEvidence, Review, Verdict};
use serde::Serialize;

use crate::blocking;
use crate::engine;
use crate::merging::{AppliedRule, Merged};
use crate::profile::Profile;
use crate::scoring;
use crate::weight_table::WeightTable;
use crate::weights;

pub use record_confidence::{NearestRecord, RecordConfidence, WeighedPair, record_confidence};
pub use separation::{ConflictingListing, Inconsistency, LargeBlock, SeparationReason};

pub(crate) use separation::{ClusteringContext, PairContext, clustering_reason, pair_reasons};

/// The comparison of two listings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedPair {
    /// One listing.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
    /// Blocking rules whose keys the two share; if empty, the two were never compared.
    pub meets_by: Vec<&'static str>,
    /// A person's decision about the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Review>,
    /// The waterfall.
    #[serde(flatten)]
    pub evidence: MatchEvidence,
}

impl ExplainedPair {
    /// The heaviest bars for one property and the heaviest bars against, at most `count` of each,
    /// without the prior.
    pub fn heaviest(&self, count: usize) -> [Vec<&Bar>; 2] {
        let bars = || {
            self.evidence
                .bars
                .iter()
                .filter(|bar| bar.comparison != "prior")
        };
        let mut supporting: Vec<&Bar> = bars().filter(|bar| bar.weight > 0.0).collect();
        supporting.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let mut against: Vec<&Bar> = bars().filter(|bar| bar.weight < 0.0).collect();
        against.sort_by(|one, other| one.weight.total_cmp(&other.weight));
        supporting.truncate(count);
        against.truncate(count);
        [supporting, against]
    }

    /// Whether the pair alone is enough to link the two listings.
    pub fn is_link(&self) -> bool {
        self.evidence.veto.is_none() && self.evidence.weight >= f64::from(weights::LINK)
    }
}

/// The explanation of a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedOffer {
    /// For each listing but the first, its strongest link to an earlier listing: a person's decision,
    /// or else the heaviest pair.
    pub links: Vec<ExplainedPair>,
    /// All other pairs.
    pub other_pairs: Vec<ExplainedPair>,
    /// The listing that each merged value comes from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
    /// The values of the place that are not written as their listing published them, with the rule.
    pub applied_rules: BTreeMap<&'static str, AppliedRule>,
    /// Merged fields that no portal states and the gazetteer filled in.
    pub filled_by_gazetteer: Vec<&'static str>,
}

/// Explains a record from the profiles of its listings, its merged values and the decisions in force.
/// The statistics of the whole set must be set on the profiles.
pub fn explain_offer(
    table: &WeightTable,
    mut profiles: Vec<Profile>,
    merged: &Merged,
    reviews: &[Review],
) -> ExplainedOffer {
    profiles.sort_by(|one, other| {
        (one.lifetime.first_seen, &one.key).cmp(&(other.lifetime.first_seen, &other.key))
    });
    let mut links = Vec::new();
    let mut other_pairs = Vec::new();
    for later in 1..profiles.len() {
        let compared = |earlier: &Profile| explain_pair(table, earlier, &profiles[later], reviews);
        let mut pairs: Vec<ExplainedPair> = profiles[..later].iter().map(compared).collect();
        pairs.sort_by(|one, other| {
            let is_decided = |pair: &ExplainedPair| pair.decision.is_some();
            let by_weight = other.evidence.weight.total_cmp(&one.evidence.weight);
            is_decided(other)
                .cmp(&is_decided(one))
                .then(by_weight)
                .then_with(|| one.left.cmp(&other.left))
        });
        other_pairs.extend(pairs.split_off(1.min(pairs.len())));
        links.extend(pairs);
    }
    let filled = |name: &'static str, present: bool| {
        let has_source =
            merged.provenance.contains_key(name) || merged.applied_rules.contains_key(name);
        (present && !has_source).then_some(name)
    };
    let filled_by_gazetteer = [
        filled("district", merged.attributes.district.is_some()),
        filled("region", merged.attributes.region.is_some()),
    ];
    ExplainedOffer {
        links,
        other_pairs,
        provenance: merged.provenance.clone(),
        applied_rules: merged.applied_rules.clone(),
        filled_by_gazetteer: filled_by_gazetteer.into_iter().flatten().collect(),
    }
}

/// Explains a pair. `reviews` are the decisions in force. The statistics of the whole set must be set
/// on the profiles.
pub fn explain_pair(
    table: &WeightTable,
    one: &Profile,
    other: &Profile,
    reviews: &[Review],
) -> ExplainedPair {
    let (first, second) = engine::ordered_by_key(one, other);
    let mut meets_by: Vec<&'static str> = shared_keys(first, second).into_values().collect();
    meets_by.sort_unstable();
    meets_by.dedup();
    let about = |review: &&Review| review.pair.left == first.key && review.pair.right == second.key;
    let decision = reviews
        .iter()
        .find(about)
        .filter(|review| review.verdict != Verdict::Forgotten);
    ExplainedPair {
        left: first.key.clone(),
        right: second.key.clone(),
        meets_by,
        decision: decision.cloned(),
        evidence: scoring::explain_match(table, first, second),
    }
}

/// The blocking keys that two listings share, each with its rule.
pub fn shared_keys(one: &Profile, other: &Profile) -> BTreeMap<i64, &'static str> {
    let mut shared: BTreeMap<i64, &'static str> =
        blocking::keys_with_rules(one).into_iter().collect();
    let others: BTreeSet<i64> = blocking::keys(other).into_iter().collect();
    shared.retain(|key, _| others.contains(key));
    shared
}
