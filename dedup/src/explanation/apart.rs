//! Why two listings are in different records.

use schema::{ListingKey, Review, Verdict};
use serde::Serialize;

use crate::blocking::{self, BOUND, Member, Outline};
use crate::clustering::{Fit, Outcome};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::scoring::{self, weights};

/// One reason why two listings are in different records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Reason {
    /// A person decided so.
    Decided {
        /// The decision.
        decision: Review,
    },
    /// The two may never be one record.
    Vetoed {
        /// Why.
        veto: String,
    },
    /// They share no blocking key: they were never compared.
    NoCommonKey,
    /// All blocks that they share are too large to make pairs: they were never compared.
    LargeBlocks {
        /// Those blocks.
        blocks: Vec<LargeBlock>,
        /// The most listings that a block may hold.
        bound: usize,
    },
    /// They share only keys that many unrelated adverts share, and their size, price, rooms or floor are far apart: they
    /// were never compared.
    FiguresApart {
        /// The rules of those keys.
        rules: Vec<&'static str>,
    },
    /// The evidence is not enough.
    LowWeight {
        /// Match weight.
        weight: f64,
        /// What it takes.
        needed: f64,
    },
    /// The evidence would be enough, but others look as much alike: it does not tell which of them is the one.
    LookAlikes {
        /// Match weight.
        weight: f64,
        /// What is left of it.
        left_over: f64,
        /// What it takes.
        needed: f64,
    },
    /// The two would join, but what each of them is one with does not fit.
    Inconsistent(Box<Inconsistency>),
    /// Nothing stands against it: deduplication has not looked at them since something changed.
    NotYet,
}

/// A block over the bound.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LargeBlock {
    /// The blocking rule.
    pub rule: &'static str,
    /// How many listings share the key.
    pub listings: usize,
}

/// Two listings of different clusters that keep the clusters apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inconsistency {
    /// A listing of the one cluster.
    pub one: Beside,
    /// A listing of the other.
    pub other: Beside,
    /// A person decided that the two are different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Review>,
    /// The two may never be one record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veto: Option<String>,
    /// Match weight of the two.
    pub weight: f64,
    /// Mean match weight of all pairs between the clusters, each clamped; `None` where a veto or a decision decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

/// A listing, and with which of the two that are explained it is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beside {
    /// The listing.
    pub listing: ListingKey,
    /// The explained listing that it is one with; `None` where it is that listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_with: Option<ListingKey>,
}

/// What is known around the listings that are explained.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// At least every listing of their components.
    pub profiles: &'a [Profile],
    /// How those are connected.
    pub components: &'a Components,
    /// The decisions in force.
    pub reviews: &'a [Review],
    /// How many listings have a blocking key.
    pub block_size: &'a (dyn Fn(i64) -> usize + Sync),
}

/// Why two listings, given by place, are in different records; the plainest reason first, never none.
pub fn reasons(around: Surroundings<'_>, one: Member, other: Member) -> Vec<Reason> {
    let (first, second) = engine::in_order(
        &around.profiles[one as usize],
        &around.profiles[other as usize],
    );
    let mut reasons = Vec::new();
    reasons.extend(decision(around, first, second).map(|decision| Reason::Decided { decision }));
    let veto = scoring::veto::of(first, second);
    reasons.extend(veto.map(|veto| Reason::Vetoed {
        veto: veto.to_string(),
    }));
    reasons.extend(never_compared(around, first, second));
    let weight = scoring::weight(first, second);
    if weight < weights::LINK {
        let needed = f64::from(weights::LINK);
        reasons.push(Reason::LowWeight {
            weight: scoring::round(weight),
            needed,
        });
    }
    if reasons.is_empty() {
        reasons.push(
            match around.components.outcome(around.profiles, one, other) {
                Some(Outcome::Doubted(left)) => Reason::LookAlikes {
                    weight: scoring::round(weight),
                    left_over: scoring::round(left),
                    needed: f64::from(weights::LINK),
                },
                Some(Outcome::Refused(fit)) => {
                    Reason::Inconsistent(Box::new(inconsistency(around, first, second, fit)))
                }
                Some(Outcome::Joined) | None => Reason::NotYet,
            },
        );
    }
    reasons
}

/// The decision that keeps two listings apart.
fn decision(around: Surroundings<'_>, first: &Profile, second: &Profile) -> Option<Review> {
    let about = |review: &&Review| {
        review.verdict == Verdict::Different
            && review.pair.left == first.key
            && review.pair.right == second.key
    };
    around.reviews.iter().find(about).cloned()
}

/// Why two listings were never compared; `None` where they were.
fn never_compared(around: Surroundings<'_>, first: &Profile, second: &Profile) -> Option<Reason> {
    let shared = super::shared_keys(first, second);
    if shared.is_empty() {
        return Some(Reason::NoCommonKey);
    }
    let asked = shared
        .keys()
        .filter_map(|key| blocking::Fit::asked(*key, (around.block_size)(*key)))
        .min();
    let block = |(key, rule): (i64, &'static str)| LargeBlock {
        rule,
        listings: (around.block_size)(key),
    };
    let mut blocks: Vec<LargeBlock> = shared.into_iter().map(block).collect();
    blocks.sort_unstable();
    let Some(fit) = asked else {
        return Some(Reason::LargeBlocks {
            blocks,
            bound: BOUND,
        });
    };
    if Outline::of(first).fits(&Outline::of(second), fit) {
        return None;
    }
    let mut rules: Vec<&'static str> = blocks.into_iter().map(|block| block.rule).collect();
    rules.dedup();
    Some(Reason::FiguresApart { rules })
}

fn inconsistency(
    around: Surroundings<'_>,
    first: &Profile,
    second: &Profile,
    fit: Fit,
) -> Inconsistency {
    let (left, right, veto, mean) = match fit {
        Fit::Apart(left, right) => (left, right, None, None),
        Fit::Vetoed(left, right, veto) => (left, right, Some(veto.to_string()), None),
        Fit::Weighed {
            mean,
            worst_pair: (left, right),
            ..
        } => (left, right, None, Some(scoring::round(mean))),
    };
    let (one, other) = (
        &around.profiles[left as usize],
        &around.profiles[right as usize],
    );
    let (low, high) = engine::in_order(one, other);
    let beside = |listing: &Profile, explained: &Profile| Beside {
        listing: listing.key.clone(),
        one_with: (listing.key != explained.key).then(|| explained.key.clone()),
    };
    Inconsistency {
        one: beside(one, first),
        other: beside(other, second),
        decision: decision(around, low, high),
        veto,
        weight: scoring::round(scoring::weight(low, high)),
        mean,
    }
}
