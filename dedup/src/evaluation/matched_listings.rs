//! The listings that are measured, with everything that matching derives from them.

use std::collections::HashMap;

use rayon::prelude::*;
use schema::{ListingKey, Review};

use super::PredictedClusters;
use crate::blocking::{self, CandidatePairs, Member};
use crate::clustering::Constraints;
use crate::engine::{self, Certainty, Compared, Components, ScoredPair};
use crate::explanation::{self, ClusteringContext, PairContext, SeparationReason};
use crate::profile::Profile;
use crate::weight_table::WeightTable;

/// Listings with everything that a full run derives from them, including every pair and key. An
/// [`Index`](crate::index::Index) is kept up to date instead, and keeps only the links.
#[derive(Debug)]
pub struct MatchedListings {
    /// The listings. A member is an index into this list.
    pub(crate) profiles: Vec<Profile>,
    /// The decisions in force.
    pub reviews: Vec<Review>,
    /// The pairs that were compared.
    pub(super) candidates: CandidatePairs,
    /// The weights that they were matched with.
    pub table: WeightTable,
    /// The pairs that are heavy enough to keep.
    pairs: Vec<ScoredPair>,
    pub(super) constraints: Constraints,
    components: Components,
    /// The blocking keys of each listing, with their rules.
    pub(super) keys: Vec<Vec<(i64, &'static str)>>,
    /// How many listings have each key.
    pub(super) block_sizes: HashMap<i64, usize>,
    member_of: HashMap<ListingKey, Member>,
}

impl MatchedListings {
    /// Runs matching over the listings.
    pub fn build(table: WeightTable, mut profiles: Vec<Profile>, reviews: Vec<Review>) -> Self {
        engine::sort_for_locality(&mut profiles);
        let Compared { candidates, pairs } = engine::compare_candidates(&table, &mut profiles);
        let constraints =
            Constraints::from_reviews(&reviews, profiles.iter().map(|profile| &profile.key));
        let keys: Vec<Vec<(i64, &'static str)>> = profiles.par_iter().map(keys).collect();
        let mut block_sizes = HashMap::new();
        for (key, _) in keys.iter().flatten() {
            *block_sizes.entry(*key).or_default() += 1;
        }
        Self {
            components: Components::build(&table, &profiles, &pairs, &constraints),
            table,
            pairs,
            constraints,
            member_of: (0..)
                .zip(&profiles)
                .map(|(member, profile)| (profile.key.clone(), member))
                .collect(),
            profiles,
            reviews,
            candidates,
            keys,
            block_sizes,
        }
    }

    /// The member number of a listing; `None` if it is unknown.
    pub fn member(&self, key: &ListingKey) -> Option<Member> {
        self.member_of.get(key).copied()
    }

    /// Whether the pair was compared.
    pub(super) fn compared(&self, one: Member, other: Member) -> bool {
        self.candidates.contains(one, other)
    }

    /// The profile of a member.
    pub fn profile(&self, member: Member) -> &Profile {
        &self.profiles[member as usize]
    }

    /// The clusters with their ties and rivals.
    pub fn certainty(&self) -> Certainty {
        Certainty::of_clusters(
            &self.components,
            &self.profiles,
            &self.pairs,
            &self.constraints,
        )
    }

    /// The clusters that other weights give.
    pub(super) fn clusters_with(&self, table: &WeightTable) -> Vec<Vec<Member>> {
        let pairs = engine::score_candidates(table, &self.profiles, &self.candidates);
        engine::clusters(table, &self.profiles, &pairs, &self.constraints)
    }

    /// The same, by listing.
    pub(super) fn predicted_with(&self, table: &WeightTable) -> PredictedClusters {
        self.by_listing(self.clusters_with(table))
    }

    /// The clusters that matching makes of the listings.
    pub fn predicted(&self) -> PredictedClusters {
        self.by_listing(engine::clusters(
            &self.table,
            &self.profiles,
            &self.pairs,
            &self.constraints,
        ))
    }

    fn by_listing(&self, clusters: Vec<Vec<Member>>) -> PredictedClusters {
        let clusters = (0..).zip(clusters);
        let listings = clusters.flat_map(|(number, members)| {
            let key = |member: &Member| self.profile(*member).key.clone();
            let named: Vec<_> = members.iter().map(|member| (key(member), number)).collect();
            named
        });
        listings.collect()
    }

    /// Why two listings are in different clusters.
    pub fn separation_reasons(&self, one: Member, other: Member) -> Vec<SeparationReason> {
        let pair = PairContext {
            table: &self.table,
            reviews: &self.reviews,
            block_size: &|key| self.block_sizes.get(&key).copied().unwrap_or_default(),
        };
        let reasons = explanation::pair_reasons(pair, self.profile(one), self.profile(other));
        if !reasons.is_empty() {
            return reasons;
        }
        let clustering = ClusteringContext {
            profiles: &self.profiles,
            components: &self.components,
            reviews: &self.reviews,
        };
        vec![explanation::clustering_reason(clustering, one, other)]
    }
}

/// The blocking keys of a listing, without repeats.
fn keys(profile: &Profile) -> Vec<(i64, &'static str)> {
    let mut keys = blocking::keys_with_rules(profile);
    keys.sort_unstable();
    keys.dedup_by_key(|(key, _)| *key);
    keys
}
