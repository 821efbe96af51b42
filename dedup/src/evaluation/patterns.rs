//! How pairs of listings agree: which levels each reaches, counted.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::{Market, pairs_of};
use crate::blocking::Member;
use crate::comparison::{COMPARISONS, Levels};
use crate::engine;
use crate::profile::Profile;
use crate::scoring::{self, weights};

/// Random pairs that are drawn at most.
const RANDOM_PAIRS: usize = 400_000;

/// The same pairs are drawn each time, so that the figures of two runs can be compared.
const SEED: u64 = 20_261_121;

/// A level: the place of its comparison, and its words.
pub(super) type LevelName = (usize, &'static str);

/// The levels that a pair reaches, in the order of the comparisons.
pub(super) type Pattern = Vec<LevelName>;

/// How often each pattern occurs, weighted.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    pub counts: HashMap<Pattern, f64>,
    /// Of each level the sum of its weights and how often it was reached: a level's weight may depend on the pair.
    weights: HashMap<LevelName, (f64, f64)>,
}

impl Patterns {
    /// Counts the patterns of some pairs, each with what it counts for.
    pub fn of(market: &Market, pairs: &[((Member, Member), f64)]) -> Self {
        let add = |mut patterns: Self, ((one, other), count): &((Member, Member), f64)| {
            patterns.add(market.profile(*one), market.profile(*other), *count);
            patterns
        };
        pairs
            .par_iter()
            .fold(Self::default, add)
            .reduce(Self::default, Self::merged)
    }

    fn add(&mut self, one: &Profile, other: &Profile, count: f64) {
        let (first, second) = engine::in_order(one, other);
        let (mut levels, mut pattern) = (Levels::kept(), Pattern::new());
        for (place, comparison) in COMPARISONS.iter().enumerate() {
            (comparison.compare)(first, second, &mut levels);
            for level in levels.take() {
                pattern.push((place, level.words));
                let (sum, times) = self.weights.entry((place, level.words)).or_default();
                *sum += f64::from(level.weight);
                *times += 1.0;
            }
        }
        *self.counts.entry(pattern).or_default() += count;
    }

    fn merged(mut self, other: Self) -> Self {
        for (pattern, count) in other.counts {
            *self.counts.entry(pattern).or_default() += count;
        }
        for (level, (sum, times)) in other.weights {
            let mine = self.weights.entry(level).or_default();
            mine.0 += sum;
            mine.1 += times;
        }
        self
    }

    /// All pairs.
    pub fn total(&self) -> f64 {
        self.counts.values().sum()
    }

    /// The levels that any pair reaches, with their weights in the table.
    pub fn levels(&self) -> impl Iterator<Item = (LevelName, f64)> {
        self.weights
            .iter()
            .map(|(level, (sum, times))| (*level, sum / times))
    }

    /// How many pairs reach each level.
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

/// Pairs of listings of one kind in one municipality: those among which the table's weights mean what they say.
pub(super) struct Neighbours {
    groups: Vec<Vec<Member>>,
    /// How many such pairs there are.
    pub pairs: usize,
}

impl Neighbours {
    /// Groups the listings that name a municipality.
    pub fn of(market: &Market) -> Self {
        let mut groups: HashMap<_, Vec<Member>> = HashMap::new();
        for (place, profile) in (0..).zip(&market.profiles) {
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

    /// Whether the two are such a pair.
    pub fn are(market: &Market, one: Member, other: Member) -> bool {
        let (one, other) = (market.profile(one), market.profile(other));
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

    /// Pairs drawn at random.
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

/// Whether the pair by itself speaks for one property, by the table as it is.
pub(super) fn links(market: &Market, (one, other): (Member, Member)) -> bool {
    let (first, second) = engine::in_order(market.profile(one), market.profile(other));
    scoring::veto::of(first, second).is_none() && scoring::weight(first, second) >= weights::LINK
}
