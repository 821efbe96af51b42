//! Patterns: the combinations of levels that pairs of listings reach, counted.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::{MatchedListings, pairs_of};
use crate::blocking::Member;
use crate::comparison::{COMPARISONS, Levels};
use crate::engine;
use crate::profile::Profile;
use crate::scoring;
use crate::weight_table::WeightTable;
use crate::weights;

/// The most random pairs that are drawn.
const RANDOM_PAIRS: usize = 400_000;

/// A fixed seed draws the same pairs each time, so the results of two runs can be compared.
const SEED: u64 = 20_261_121;

/// A level: the index of its comparison, and its words.
pub(super) type LevelName = (usize, &'static str);

/// The levels that a pair reaches, in the order of the comparisons.
pub(super) type Pattern = Vec<LevelName>;

/// How often each pattern occurs.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    pub counts: HashMap<Pattern, f64>,
    /// The weight of each level that occurs.
    weights: HashMap<LevelName, f64>,
}

impl Patterns {
    /// Counts the patterns of some pairs. Each pair comes with how much it counts.
    pub fn count(matched: &MatchedListings, pairs: &[((Member, Member), f64)]) -> Self {
        let add = |mut patterns: Self, ((one, other), count): &((Member, Member), f64)| {
            let profiles = [*one, *other].map(|member| matched.profile(member));
            patterns.add(&matched.table, profiles, *count);
            patterns
        };
        pairs
            .par_iter()
            .fold(Self::default, add)
            .reduce(Self::default, Self::merged)
    }

    fn add(&mut self, table: &WeightTable, [one, other]: [&Profile; 2], count: f64) {
        let (first, second) = engine::ordered_by_key(one, other);
        let (mut levels, mut pattern) = (Levels::kept(table), Pattern::new());
        for (place, comparison) in COMPARISONS.iter().enumerate() {
            (comparison.compare)(first, second, &mut levels);
            for level in levels.take() {
                pattern.push((place, level.words));
                self.weights
                    .insert((place, level.words), f64::from(level.weight));
            }
        }
        *self.counts.entry(pattern).or_default() += count;
    }

    fn merged(mut self, other: Self) -> Self {
        for (pattern, count) in other.counts {
            *self.counts.entry(pattern).or_default() += count;
        }
        self.weights.extend(other.weights);
        self
    }

    /// The count of all pairs.
    pub fn total(&self) -> f64 {
        self.counts.values().sum()
    }

    /// The levels that at least one pair reaches, with their weights in the table.
    pub fn levels(&self) -> impl Iterator<Item = (LevelName, f64)> {
        self.weights.iter().map(|(level, weight)| (*level, *weight))
    }

    /// The count of the pairs that reach each level.
    pub fn by_level(&self) -> HashMap<LevelName, f64> {
        let mut counts = HashMap::new();
        for (pattern, count) in &self.counts {
            for level in pattern {
                *counts.entry(*level).or_default() += count;
            }
        }
        counts
    }
}

/// Pairs of listings of one kind in one municipality: the population that match weights refer to.
pub(super) struct ComparablePairs {
    groups: Vec<Vec<Member>>,
    /// The number of such pairs.
    pub pairs: usize,
}

impl ComparablePairs {
    /// Groups the listings that name a municipality.
    pub fn group(matched: &MatchedListings) -> Self {
        let mut groups: HashMap<_, Vec<Member>> = HashMap::new();
        for (place, profile) in (0..).zip(&matched.profiles) {
            if let Some(municipality) = profile.place.names.municipality {
                let kind = (municipality, profile.offer_type, profile.property_type);
                groups.entry(kind).or_default().push(place);
            }
        }
        let mut groups: Vec<Vec<Member>> = groups
            .into_values()
            .filter(|group| group.len() > 1)
            .collect();
        groups.sort_unstable();
        Self {
            pairs: groups.iter().map(|group| pairs_of(group.len())).sum(),
            groups,
        }
    }

    /// Whether two listings are such a pair.
    pub fn contain(matched: &MatchedListings, one: Member, other: Member) -> bool {
        let (one, other) = (matched.profile(one), matched.profile(other));
        one.place.names.municipality.is_some()
            && (
                one.place.names.municipality,
                one.offer_type,
                one.property_type,
            ) == (
                other.place.names.municipality,
                other.offer_type,
                other.property_type,
            )
    }

    /// Random pairs, without repeats.
    pub fn draw(&self) -> Vec<(Member, Member)> {
        let mut ends = Vec::with_capacity(self.groups.len());
        let mut sum = 0;
        for group in &self.groups {
            sum += pairs_of(group.len());
            ends.push(sum);
        }
        let mut rng = StdRng::seed_from_u64(SEED);
        let draws = if self.pairs == 0 { 0 } else { RANDOM_PAIRS };
        let mut pairs: Vec<(Member, Member)> = (0..draws)
            .map(|_| {
                let at = rng.random_range(0..self.pairs);
                let group = &self.groups[ends.partition_point(|end| *end <= at)];
                let one = rng.random_range(0..group.len());
                let other = (one + rng.random_range(1..group.len())) % group.len();
                (group[one.min(other)], group[one.max(other)])
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Whether the pair is a link by the current table.
pub(super) fn is_link(matched: &MatchedListings, (one, other): (Member, Member)) -> bool {
    let (first, second) = engine::ordered_by_key(matched.profile(one), matched.profile(other));
    scoring::veto_between(first, second).is_none()
        && scoring::match_weight(&matched.table, first, second) >= weights::LINK
}
