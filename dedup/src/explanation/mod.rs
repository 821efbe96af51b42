//! Why these listings are one record, or why two of them are not: a value, rendered by the binary.

mod apart;

use std::collections::BTreeMap;

use schema::{Bar, ListingKey, MatchEvidence, Review, Verdict};
use serde::Serialize;

use crate::blocking;
use crate::engine;
use crate::merging::Merged;
use crate::profile::Profile;
use crate::scoring::{self, weights};

pub use apart::{Beside, Inconsistency, LargeBlock, Reason, Surroundings, reasons};

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
    /// What a person decided about the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Review>,
    /// The waterfall.
    #[serde(flatten)]
    pub evidence: MatchEvidence,
}

impl ExplainedPair {
    /// What weighs most for one property, and what weighs most against it: at most `count` bars of each. The prior
    /// says nothing of this pair.
    pub fn heaviest(&self, count: usize) -> [Vec<&Bar>; 2] {
        let said = || {
            self.evidence
                .bars
                .iter()
                .filter(|bar| bar.comparison != "prior")
        };
        let mut supporting: Vec<&Bar> = said().filter(|bar| bar.weight > 0.0).collect();
        supporting.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let mut against: Vec<&Bar> = said().filter(|bar| bar.weight < 0.0).collect();
        against.sort_by(|one, other| one.weight.total_cmp(&other.weight));
        supporting.truncate(count);
        against.truncate(count);
        [supporting, against]
    }

    /// Whether the pair by itself speaks for one property.
    pub fn speaks_for_one(&self) -> bool {
        self.evidence.veto.is_none() && self.evidence.weight >= f64::from(weights::LINK)
    }
}

/// A record explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedOffer {
    /// For each listing but the first, its strongest tie to the listings before it: a person's decision, else the pair
    /// that weighs most.
    pub links: Vec<ExplainedPair>,
    /// All other pairs.
    pub other_pairs: Vec<ExplainedPair>,
    /// Which listing each merged value is from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
    /// Merged fields that no portal gave and the gazetteer filled.
    pub filled_by_gazetteer: Vec<&'static str>,
}

/// Explains a record from the profiles of its listings, with the survey noted on them, what merging made of the
/// listings, and the decisions in force.
pub fn offer(mut profiles: Vec<Profile>, merged: &Merged, reviews: &[Review]) -> ExplainedOffer {
    profiles.sort_by(|one, other| (one.life.from, &one.key).cmp(&(other.life.from, &other.key)));
    let mut links = Vec::new();
    let mut other_pairs = Vec::new();
    for place in 1..profiles.len() {
        let compared = |earlier: &Profile| pair(earlier, &profiles[place], reviews);
        let mut pairs: Vec<ExplainedPair> = profiles[..place].iter().map(compared).collect();
        pairs.sort_by(|one, other| {
            let said = |pair: &ExplainedPair| pair.decision.is_some();
            let by_weight = other.evidence.weight.total_cmp(&one.evidence.weight);
            said(other)
                .cmp(&said(one))
                .then(by_weight)
                .then_with(|| one.left.cmp(&other.left))
        });
        other_pairs.extend(pairs.split_off(1.min(pairs.len())));
        links.extend(pairs);
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

/// Compares two listings as the engine does, with the survey noted on their profiles; `reviews` are the decisions in force.
pub fn pair(one: &Profile, other: &Profile, reviews: &[Review]) -> ExplainedPair {
    let (first, second) = engine::in_order(one, other);
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
        evidence: scoring::explain(first, second),
    }
}

/// The blocking keys that two listings share, each with its rule.
pub fn shared_keys(one: &Profile, other: &Profile) -> BTreeMap<i64, &'static str> {
    let keys: BTreeMap<i64, &'static str> = blocking::keys_by_rule(one)
        .map(|(rule, key)| (key, rule))
        .collect();
    let shared = blocking::keys_by_rule(other).filter(|(_, key)| keys.contains_key(key));
    shared.map(|(rule, key)| (key, rule)).collect()
}
