//! Runs matching over listings in memory, from profiles to clusters. The result depends only on the
//! set of profiles.

mod certainty;
mod components;

use std::borrow::Borrow;

use rayon::prelude::*;

use crate::blocking::{self, Blocks, CandidatePairs, CoarseFacts, Member};
use crate::clustering::Constraints;
use crate::profile::Profile;
use crate::scoring;
use crate::statistics;
use crate::weight_table::WeightTable;
use crate::weights;

pub use certainty::{Certainty, Parts, Rivals};
pub use components::Components;

pub(crate) use components::may_share_record;

/// A compared pair that is heavy enough to keep. Members are indices into the slice of profiles;
/// `left` is the smaller one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// One listing.
    pub left: Member,
    /// The other listing.
    pub right: Member,
    /// Match weight.
    pub weight: f32,
    /// Whether a veto forbids the pair.
    pub vetoed: bool,
}

impl ScoredPair {
    /// Whether the pair alone is enough to link the two listings.
    pub fn is_link(&self) -> bool {
        !self.vetoed && self.weight >= weights::LINK
    }
}

/// The result of matching a set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The kept pairs, in order.
    pub pairs: Vec<ScoredPair>,
    /// How many pairs were compared.
    pub compared: usize,
    /// The clusters, with members in ascending order. Each listing is in exactly one cluster.
    pub clusters: Vec<Vec<Member>>,
}

/// Finds which listings are one property, by evidence and constraints. Profiles are matched fastest if
/// they were [sorted](sort_for_locality) before.
pub fn partition(
    table: &WeightTable,
    profiles: &mut [Profile],
    constraints: &Constraints,
) -> Partition {
    let Compared { candidates, pairs } = compare_candidates(table, profiles);
    let clusters = clusters(table, profiles, &pairs, constraints);
    Partition {
        compared: candidates.count(),
        pairs,
        clusters,
    }
}

/// Sorts listings of one town, kind of offer and similar size next to each other. Listings that are
/// compared then lie close in memory, which halves the cost of a comparison.
pub fn sort_for_locality(profiles: &mut [Profile]) {
    profiles.par_sort_by_cached_key(|profile| {
        let size = profile.size().unwrap_or_default() as u32;
        (
            profile.place.names.municipality,
            profile.offer_type,
            size,
            profile.id,
        )
    });
}

/// Clusters all listings by the kept pairs and the constraints.
pub fn clusters<P: Borrow<Profile> + Sync>(
    table: &WeightTable,
    profiles: &[P],
    pairs: &[ScoredPair],
    constraints: &Constraints,
) -> Vec<Vec<Member>> {
    Components::build(table, profiles, pairs, constraints).clusters(profiles)
}

/// Finds which listings are one property, and how certain that is. The clusters are those of
/// [`partition`].
pub fn certainty(
    table: &WeightTable,
    profiles: &mut [Profile],
    constraints: &Constraints,
) -> Certainty {
    let pairs = compare_candidates(table, profiles).pairs;
    let components = Components::build(table, profiles, &pairs, constraints);
    Certainty::of_clusters(&components, profiles, &pairs, constraints)
}

/// The compared pairs of a set of listings.
#[derive(Debug)]
pub(crate) struct Compared {
    /// All compared pairs.
    pub candidates: CandidatePairs,
    /// Those that are kept, in order.
    pub pairs: Vec<ScoredPair>,
}

/// Compares every candidate pair. Also stores in each profile what the [statistics] of the set say
/// about it.
pub(crate) fn compare_candidates(table: &WeightTable, profiles: &mut [Profile]) -> Compared {
    let candidates = candidates(profiles);
    Compared {
        pairs: score_candidates(table, profiles, &candidates),
        candidates,
    }
}

/// The candidate pairs. Also stores in each profile what the [statistics] of the set say about it.
pub fn candidates(profiles: &mut [Profile]) -> CandidatePairs {
    let blocks = Blocks::from_entries(blocking_entries(profiles));
    statistics::apply_to_all(profiles, &blocks);
    let coarse_facts: Vec<CoarseFacts> =
        profiles.par_iter().map(CoarseFacts::from_profile).collect();
    CandidatePairs::from_blocks(&blocks, &coarse_facts)
}

/// Every blocking key of every listing.
pub fn blocking_entries(profiles: &[Profile]) -> Vec<(i64, Member)> {
    let keys = |(member, profile): (usize, &Profile)| {
        blocking::keys(profile)
            .into_iter()
            .map(move |key| (key, member as Member))
    };
    profiles
        .par_iter()
        .enumerate()
        .flat_map_iter(keys)
        .collect()
}

/// Scores candidate pairs and drops those that are too light to matter.
pub fn score_candidates(
    table: &WeightTable,
    profiles: &[Profile],
    candidates: &CandidatePairs,
) -> Vec<ScoredPair> {
    let with_later = |(left, others): (Member, &[Member])| {
        let own = &profiles[left as usize];
        let scored = |right: &Member| {
            let (weight, vetoed) = score_pair(table, own, &profiles[*right as usize])?;
            Some(ScoredPair {
                left,
                right: *right,
                weight,
                vetoed,
            })
        };
        others.iter().filter_map(scored).collect::<Vec<_>>()
    };
    candidates.par_iter().flat_map_iter(with_later).collect()
}

/// The match weight of two listings and whether they are vetoed; `None` if the pair is too light to
/// keep.
pub fn score_pair(table: &WeightTable, one: &Profile, other: &Profile) -> Option<(f32, bool)> {
    let (one, other) = ordered_by_key(one, other);
    let weight = scoring::match_weight(table, one, other);
    (weight >= weights::KEPT).then(|| (weight, scoring::veto_between(one, other).is_some()))
}

/// Two profiles in the order of portal and number, so that floating-point sums do not depend on the
/// order of arrival.
pub fn ordered_by_key<'a>(one: &'a Profile, other: &'a Profile) -> (&'a Profile, &'a Profile) {
    if one.key <= other.key {
        (one, other)
    } else {
        (other, one)
    }
}
