//! The listings that are looked at, with everything that matching derives from them.

use std::collections::HashMap;

use rayon::prelude::*;
use schema::{ListingKey, Review};

use crate::blocking::{self, Candidates, Member};
use crate::clustering::Decisions;
use crate::engine::{self, Compared, Components, ScoredPair};
use crate::explanation::Surroundings;
use crate::profile::Profile;

/// Listings with what matching derives from them, as a run over everything does: once, with every pair and key, to be
/// measured. An [`Index`](crate::index::Index) is kept current instead, and keeps the links alone.
#[derive(Debug)]
pub struct Market {
    /// The listings; a place is a place in this list.
    pub profiles: Vec<Profile>,
    /// The decisions in force.
    pub reviews: Vec<Review>,
    /// The pairs that were compared.
    pub candidates: Candidates,
    /// Those that were worth keeping.
    pub pairs: Vec<ScoredPair>,
    /// How the listings are connected.
    pub components: Components,
    /// Each listing's blocking keys with the rules they are from.
    pub(super) keys: Vec<Vec<(i64, &'static str)>>,
    /// How many listings have each key.
    pub(super) block_sizes: HashMap<i64, usize>,
    place_of: HashMap<ListingKey, Member>,
}

impl Market {
    /// Derives everything.
    pub fn of(mut profiles: Vec<Profile>, reviews: Vec<Review>) -> Self {
        engine::arrange(&mut profiles);
        let Compared { candidates, pairs } = engine::compare(&mut profiles);
        let decisions = Decisions::among(&reviews, profiles.iter().map(|profile| &profile.key));
        let keys: Vec<Vec<(i64, &'static str)>> = profiles.par_iter().map(keys).collect();
        let mut block_sizes = HashMap::new();
        for (key, _) in keys.iter().flatten() {
            *block_sizes.entry(*key).or_default() += 1;
        }
        Self {
            components: Components::of(&profiles, &pairs, &decisions),
            place_of: (0..)
                .zip(&profiles)
                .map(|(place, profile)| (profile.key.clone(), place))
                .collect(),
            profiles,
            reviews,
            candidates,
            pairs,
            keys,
            block_sizes,
        }
    }

    /// The place of a listing; `None` where it is not there.
    pub fn place(&self, key: &ListingKey) -> Option<Member> {
        self.place_of.get(key).copied()
    }

    /// Whether the pair was compared.
    pub fn compared(&self, one: Member, other: Member) -> bool {
        self.candidates.hold(one, other)
    }

    /// The profile at a place.
    pub fn profile(&self, place: Member) -> &Profile {
        &self.profiles[place as usize]
    }

    /// What an explanation of two listings needs, handed to `explain`.
    pub fn surroundings<T>(&self, explain: impl FnOnce(Surroundings<'_>) -> T) -> T {
        explain(Surroundings {
            profiles: &self.profiles,
            components: &self.components,
            reviews: &self.reviews,
            block_size: &|key| self.block_sizes.get(&key).copied().unwrap_or_default(),
        })
    }
}

/// The keys of a listing, each once.
fn keys(profile: &Profile) -> Vec<(i64, &'static str)> {
    let mut keys: Vec<(i64, &'static str)> = blocking::keys_by_rule(profile)
        .map(|(rule, key)| (key, rule))
        .collect();
    keys.sort_unstable();
    keys.dedup_by_key(|(key, _)| *key);
    keys
}
