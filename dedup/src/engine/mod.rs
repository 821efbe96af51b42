//! The whole of matching over listings in memory: profiles in, clusters out. A pure function of the set of profiles.

mod components;

use std::borrow::Borrow;

use rayon::prelude::*;

use crate::blocking::{self, Blocks, Candidates, Member, Outline};
use crate::clustering::Decisions;
use crate::profile::Profile;
use crate::scoring::{self, weights};
use crate::survey::Survey;

pub use components::Components;

/// A pair that was compared and is worth keeping; places in the slice of profiles, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// Place of one listing.
    pub left: Member,
    /// Place of the other.
    pub right: Member,
    /// Match weight.
    pub weight: f32,
    /// Whether a veto forbids it.
    pub vetoed: bool,
}

impl ScoredPair {
    /// Whether the pair by itself speaks for one property.
    pub fn links(&self) -> bool {
        !self.vetoed && self.weight >= weights::LINK
    }
}

/// The outcome of a run over a set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Every kept pair, in order of places.
    pub pairs: Vec<ScoredPair>,
    /// Pairs that were compared.
    pub compared: usize,
    /// The clusters: places ascending, each listing in exactly one.
    pub clusters: Vec<Vec<Member>>,
}

/// Finds which of the listings are one property, by their evidence and what persons decided. Quickest where the profiles
/// are [arranged](arrange).
pub fn partition(profiles: &mut [Profile], decisions: &Decisions) -> Partition {
    let Compared { candidates, pairs } = compare(profiles);
    let clusters = clusters(profiles, &pairs, decisions);
    Partition {
        compared: candidates.count(),
        pairs,
        clusters,
    }
}

/// Puts listings of one town, one kind of offer and like size beside each other: so, those that are compared lie
/// together in memory, which halves what a comparison costs.
pub fn arrange(profiles: &mut [Profile]) {
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

/// Clusters all listings under the kept pairs and what persons decided.
pub fn clusters<P: Borrow<Profile> + Sync>(
    profiles: &[P],
    pairs: &[ScoredPair],
    decisions: &Decisions,
) -> Vec<Vec<Member>> {
    Components::of(profiles, pairs, decisions).clusters(profiles)
}

/// The pairs of a set of listings.
#[derive(Debug)]
pub struct Compared {
    /// Those that were compared.
    pub candidates: Candidates,
    /// Those of them that are worth keeping, in order of places.
    pub pairs: Vec<ScoredPair>,
}

/// Compares every pair that blocking finds worth it, after the survey that profiles need for it.
pub fn compare(profiles: &mut [Profile]) -> Compared {
    let candidates = candidates(profiles);
    Compared {
        pairs: score(profiles, &candidates),
        candidates,
    }
}

/// The pairs that are worth comparing; notes on the profiles what only the whole set of them tells.
pub fn candidates(profiles: &mut [Profile]) -> Candidates {
    let entries = entries(profiles);
    Survey::of(profiles, &entries).note(profiles);
    let outlines: Vec<Outline> = profiles.par_iter().map(Outline::of).collect();
    Candidates::of(&Blocks::of(entries), &outlines)
}

/// Every blocking key with the place of the listing that has it.
pub fn entries(profiles: &[Profile]) -> Vec<(i64, Member)> {
    let of = |(place, profile): (usize, &Profile)| {
        blocking::keys(profile)
            .into_iter()
            .map(move |key| (key, place as Member))
    };
    profiles.par_iter().enumerate().flat_map_iter(of).collect()
}

/// Scores candidate pairs and keeps those that could matter.
pub fn score(profiles: &[Profile], candidates: &Candidates) -> Vec<ScoredPair> {
    let with_later = |(left, others): (Member, &[Member])| {
        let own = &profiles[left as usize];
        let scored = |right: &Member| {
            let (weight, vetoed) = weighed(own, &profiles[*right as usize])?;
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

/// What two listings weigh and whether they are vetoed; `None` where the pair is not worth keeping.
pub fn weighed(one: &Profile, other: &Profile) -> Option<(f32, bool)> {
    let (one, other) = in_order(one, other);
    let weight = scoring::weight(one, other);
    (weight >= weights::KEPT).then(|| (weight, scoring::veto::of(one, other).is_some()))
}

/// The two in the order of portal and number: sums of fractions must not depend on who came first.
pub fn in_order<'a>(one: &'a Profile, other: &'a Profile) -> (&'a Profile, &'a Profile) {
    if one.key <= other.key {
        (one, other)
    } else {
        (other, one)
    }
}
