//! Expectation maximisation: estimates the weights without labels.

use std::collections::HashMap;

use rayon::prelude::*;

use super::MatchedListings;
use super::level_counts::LevelCounts;
use super::patterns::{LevelName, Pattern, Patterns};
use crate::blocking::Member;
use crate::engine;
use crate::scoring;

/// The most rounds.
const ROUNDS: usize = 40;

/// Rounds end when no weight changes by more than this, in bits.
const CONVERGED: f64 = 0.01;

/// How far a weight may move away from the table, in bits. Further away, the estimate has found
/// something other than properties.
const MAX_DEVIATION: f64 = 4.0;

/// How many pairs the table counts for.
const TABLE_PAIRS: f64 = 20.0;

/// Expectation maximisation over the candidate pairs.
///
/// The levels of random pairs and the prior are fixed, so only the levels of pairs of one property
/// are estimated. It does not matter that candidates were selected by what they share. But pairs of
/// one property that share no key are not seen, so agreement in what keys are made of is
/// overestimated.
pub(super) struct ExpectationMaximisation {
    /// The weights of the table.
    pub table: HashMap<LevelName, f64>,
    /// The estimated weights.
    pub weights: HashMap<LevelName, f64>,
    /// How many candidate pairs were used.
    pub candidates: usize,
    /// How many of them are expected to be one property.
    pub expected: f64,
    /// How many rounds it took.
    pub rounds: usize,
}

impl ExpectationMaximisation {
    /// Runs until no weight changes by more than [`CONVERGED`].
    pub fn run(matched: &MatchedListings, random: &Patterns) -> Self {
        let not_vetoed = |(one, other): &(Member, Member)| {
            let (first, second) =
                engine::ordered_by_key(matched.profile(*one), matched.profile(*other));
            scoring::veto_between(first, second).is_none()
        };
        let pairs: Vec<_> = matched
            .candidates
            .pairs()
            .filter(not_vetoed)
            .map(|pair| (pair, 1.0))
            .collect();
        let patterns = Patterns::count(matched, &pairs);
        let by_random = LevelCounts::new(random);
        let table: HashMap<LevelName, f64> = patterns.levels().collect();
        let mut found = Self {
            weights: table.clone(),
            table,
            candidates: pairs.len(),
            expected: 0.0,
            rounds: 0,
        };
        // Floating-point sums depend on the order, so the order is fixed.
        let mut counts: Vec<(&Pattern, f64)> = patterns
            .counts
            .iter()
            .map(|(pattern, count)| (pattern, *count))
            .collect();
        counts.sort_unstable_by(|one, other| one.0.cmp(other.0));
        let prior = f64::from(matched.table.prior());
        while found.rounds < ROUNDS && found.round(prior, &counts, &by_random) > CONVERGED {}
        found
    }

    /// Runs one round. Returns the largest change of a weight.
    fn round(&mut self, prior: f64, counts: &[(&Pattern, f64)], random: &LevelCounts) -> f64 {
        let mut reached: HashMap<LevelName, f64> = HashMap::new();
        self.expected = 0.0;
        for (pattern, count) in counts {
            let weight: f64 = pattern.iter().map(|level| self.weights[level]).sum();
            let matching = count / (1.0 + (-(weight + prior)).exp2());
            self.expected += matching;
            for level in *pattern {
                *reached.entry(*level).or_default() += matching;
            }
        }
        self.rounds += 1;
        let mut change: f64 = 0.0;
        for (level, weight) in &mut self.weights {
            let (table, of_random) = (self.table[level], random.smoothed_share(*level));
            let known = (of_random * table.exp2()).min(1.0) * TABLE_PAIRS;
            let of_matching = (reached.get(level).copied().unwrap_or_default() + known)
                / (self.expected + TABLE_PAIRS);
            let fresh = (of_matching / of_random)
                .log2()
                .clamp(table - MAX_DEVIATION, table + MAX_DEVIATION);
            change = change.max((fresh - *weight).abs());
            *weight = fresh;
        }
        change
    }
}
