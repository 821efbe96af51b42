//! Why two listings are in different records.

use schema::{ListingKey, Review, Verdict};
use serde::Serialize;

use crate::blocking::{CoarseFacts, MAX_BLOCK_SIZE, Member, PairFilter};
use crate::clustering::{LinkOutcome, Linkage};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::scoring;
use crate::weight_table::WeightTable;
use crate::weights;

/// One reason why two listings are in different records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SeparationReason {
    /// A person decided that they are different.
    Decided {
        /// The decision.
        decision: Review,
    },
    /// A veto forbids them to be one record.
    Vetoed {
        /// The veto.
        veto: String,
    },
    /// They share no blocking key, so they were never compared.
    NoCommonKey,
    /// All blocks that they share are too large to make pairs, so they were never compared.
    LargeBlocks {
        /// The blocks.
        blocks: Vec<LargeBlock>,
        /// The most listings that a block may hold.
        bound: usize,
    },
    /// They share only weak keys, and their size, price, rooms or floor are too far apart, so they were
    /// never compared.
    FiguresApart {
        /// The rules of those keys.
        rules: Vec<&'static str>,
    },
    /// The match weight is too low.
    LowWeight {
        /// Match weight.
        weight: f64,
        /// The weight that a link needs.
        needed: f64,
    },
    /// The match weight would be enough, but other listings match equally well, so the evidence does
    /// not say which of them is the same property.
    LookAlikes {
        /// Match weight.
        weight: f64,
        /// The weight that look-alikes leave.
        left_over: f64,
        /// The weight that a link needs.
        needed: f64,
    },
    /// The two would join, but the clusters that they are in may not.
    Inconsistent(Box<Inconsistency>),
    /// Nothing keeps them apart: deduplication has not run since they changed.
    NotYet,
}

/// A block that is too large to make pairs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LargeBlock {
    /// The blocking rule.
    pub rule: &'static str,
    /// How many listings share the key.
    pub listings: usize,
}

/// The two listings that keep two clusters apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inconsistency {
    /// A listing of one cluster.
    pub one: ConflictingListing,
    /// A listing of the other cluster.
    pub other: ConflictingListing,
    /// A person's decision that the two are different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Review>,
    /// The veto that forbids them to be one record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veto: Option<String>,
    /// Match weight of the two.
    pub weight: f64,
    /// Match weight of the two clusters, compared field by field; `None` if a veto or a decision
    /// separates the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<f64>,
}

/// A listing that conflicts, and the explained listing in whose cluster it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictingListing {
    /// The listing.
    pub listing: ListingKey,
    /// The explained listing in the same cluster; `None` if it is that listing itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_with: Option<ListingKey>,
}

/// What the reasons that lie in two listings alone are found from.
#[derive(Clone, Copy)]
pub(crate) struct PairContext<'a> {
    /// The weights of the levels.
    pub table: &'a WeightTable,
    /// The decisions in force.
    pub reviews: &'a [Review],
    /// How many listings have a blocking key.
    pub block_size: &'a (dyn Fn(i64) -> usize + Sync),
}

/// The reasons that follow from the two listings alone, the simplest first. If they are empty, the
/// listings are apart for the [`clustering_reason`].
pub(crate) fn pair_reasons(
    context: PairContext<'_>,
    one: &Profile,
    other: &Profile,
) -> Vec<SeparationReason> {
    let (first, second) = engine::ordered_by_key(one, other);
    let decision = decision(context.reviews, first, second);
    let veto = scoring::veto_between(first, second).map(|veto| veto.to_string());
    let weight = scoring::match_weight(context.table, first, second);
    let low_weight = SeparationReason::LowWeight {
        weight: scoring::round_weight(weight),
        needed: f64::from(weights::LINK),
    };
    let reasons = [
        decision.map(|decision| SeparationReason::Decided { decision }),
        veto.map(|veto| SeparationReason::Vetoed { veto }),
        never_compared(context, first, second),
        (weight < weights::LINK).then_some(low_weight),
    ];
    reasons.into_iter().flatten().collect()
}

/// What the reason that lies in clustering is found from.
#[derive(Clone, Copy)]
pub(crate) struct ClusteringContext<'a> {
    /// At least every listing of the components of the explained listings.
    pub profiles: &'a [Profile],
    /// The components of these profiles.
    pub components: &'a Components,
    /// The decisions in force.
    pub reviews: &'a [Review],
}

/// Why clustering keeps two listings apart that nothing in the pair alone keeps apart.
pub(crate) fn clustering_reason(
    context: ClusteringContext<'_>,
    one: Member,
    other: Member,
) -> SeparationReason {
    let ClusteringContext {
        profiles,
        components,
        ..
    } = context;
    let (first, second) =
        engine::ordered_by_key(&profiles[one as usize], &profiles[other as usize]);
    match components.link_outcome(profiles, one, other) {
        Some(LinkOutcome::TooWeak(left)) => {
            let weight = scoring::match_weight(components.table(), first, second);
            SeparationReason::LookAlikes {
                weight: scoring::round_weight(weight),
                left_over: scoring::round_weight(left),
                needed: f64::from(weights::LINK),
            }
        }
        Some(LinkOutcome::Refused(linkage)) => {
            SeparationReason::Inconsistent(Box::new(inconsistency(context, first, second, linkage)))
        }
        Some(LinkOutcome::Joined) | None => SeparationReason::NotYet,
    }
}

/// The decision that two listings are different.
fn decision(reviews: &[Review], first: &Profile, second: &Profile) -> Option<Review> {
    let about = |review: &&Review| {
        review.verdict == Verdict::Different
            && review.pair.left == first.key
            && review.pair.right == second.key
    };
    reviews.iter().find(about).cloned()
}

/// Why two listings were never compared; `None` if they were.
fn never_compared(
    context: PairContext<'_>,
    first: &Profile,
    second: &Profile,
) -> Option<SeparationReason> {
    let shared = super::shared_keys(first, second);
    if shared.is_empty() {
        return Some(SeparationReason::NoCommonKey);
    }
    let filter = shared
        .keys()
        .filter_map(|key| PairFilter::for_block(*key, (context.block_size)(*key)))
        .min();
    let block = |(key, rule): (i64, &'static str)| LargeBlock {
        rule,
        listings: (context.block_size)(key),
    };
    let mut blocks: Vec<LargeBlock> = shared.into_iter().map(block).collect();
    blocks.sort_unstable();
    let Some(filter) = filter else {
        return Some(SeparationReason::LargeBlocks {
            blocks,
            bound: MAX_BLOCK_SIZE,
        });
    };
    if CoarseFacts::from_profile(first).pass(&CoarseFacts::from_profile(second), filter) {
        return None;
    }
    let mut rules: Vec<&'static str> = blocks.into_iter().map(|block| block.rule).collect();
    rules.dedup();
    Some(SeparationReason::FiguresApart { rules })
}

fn inconsistency(
    context: ClusteringContext<'_>,
    first: &Profile,
    second: &Profile,
    linkage: Linkage,
) -> Inconsistency {
    let (left, right, veto, joint) = match linkage {
        Linkage::CannotLink(left, right) => (left, right, None, None),
        Linkage::Vetoed(left, right, veto) => (left, right, Some(veto.to_string()), None),
        Linkage::Weighed {
            weight,
            worst_pair: (left, right),
        } => (left, right, None, Some(scoring::round_weight(weight))),
    };
    let (one, other) = (
        &context.profiles[left as usize],
        &context.profiles[right as usize],
    );
    let (low, high) = engine::ordered_by_key(one, other);
    let conflicting = |listing: &Profile, explained: &Profile| ConflictingListing {
        listing: listing.key.clone(),
        one_with: (listing.key != explained.key).then(|| explained.key.clone()),
    };
    Inconsistency {
        one: conflicting(one, first),
        other: conflicting(other, second),
        decision: decision(context.reviews, low, high),
        veto,
        weight: scoring::round_weight(scoring::match_weight(context.components.table(), low, high)),
        joint,
    }
}
