//! What the weights would be if they were counted: from labelled pairs, and without labels by expectation maximisation.
//!
//! A weight is log₂(m / u): how often pairs of one property reach the level, over how often random pairs of one kind in
//! one municipality do. Silence is not taken out: where a value is missing as often in both, it cancels, and where
//! silence hides a disagreement it belongs there.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::Serialize;

use super::patterns::{LevelName, Neighbours, Pattern, Patterns, links};
use super::{Market, Truth};
use crate::blocking::Member;
use crate::comparison::COMPARISONS;
use crate::engine;
use crate::scoring::{self, weights};

/// How far, in bits, the table may be off before a count with little behind it moves it: its standard error.
const TABLE_ERROR: f64 = 2.0;

/// Rounds of expectation maximisation at most, and the change of every weight, in bits, that ends it before.
const ROUNDS: usize = 40;
const SETTLED: f64 = 0.01;

/// How far expectation maximisation may lead a weight away from the table, in bits: further away it has found something
/// else than properties.
const LEASH: f64 = 4.0;

/// Pairs that the table counts for in expectation maximisation.
const TABLE_PAIRS: f64 = 20.0;

/// The weights of the table beside those that are counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Estimates {
    /// The prior, and every level that any pair reached, in the order of the comparisons, the heaviest first.
    pub levels: Vec<EstimatedLevel>,
    /// Random pairs of different properties that were counted.
    pub random_pairs: usize,
    /// Pairs of one property that were counted; `None` without the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_pairs: Option<usize>,
    /// Candidate pairs that expectation maximisation looked at.
    pub candidates: usize,
    /// How many of them it believes to be one property.
    pub expected_matches: f64,
    /// Its rounds.
    pub rounds: usize,
}

/// A level of the table, and what is counted of it. Weights are log₂ of the likelihood ratio.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EstimatedLevel {
    /// The comparison.
    pub comparison: &'static str,
    /// The level in plain words.
    pub level: &'static str,
    /// Its weight in the table.
    pub table: f64,
    /// The weight counted from the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<f64>,
    /// The same, drawn towards the table the more, the fewer pairs it is counted from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<f64>,
    /// The weight by expectation maximisation.
    pub unlabelled: f64,
    /// Share of the pairs of one property that reach it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_true: Option<f64>,
    /// Share of the random pairs that reach it.
    pub of_random: f64,
}

/// Counts the weights anew; for comparison only. With an empty truth there is nothing counted from labels.
pub fn estimates(market: &Market, truth: &Truth) -> Estimates {
    let neighbours = Neighbours::of(market);
    let drawn = neighbours.draw();
    let unlabelled_random = strangers(market, &drawn, |pair| !links(market, pair));
    let em = Maximisation::of(market, &unlabelled_random);
    let labelled = (!truth.listings.is_empty()).then(|| Labelled::of(market, truth, &drawn));
    let random = labelled
        .as_ref()
        .map_or(&unlabelled_random, |labelled| &labelled.random);
    let by_random = Share::of(random);
    let by_true = labelled
        .as_ref()
        .map(|labelled| Share::of(&labelled.matching));
    let matching = labelled.as_ref().map(|labelled| &labelled.matching);
    let mut table: BTreeMap<LevelName, f64> = matching
        .into_iter()
        .chain([random])
        .flat_map(Patterns::levels)
        .collect();
    table.extend(&em.table);
    let levels = table.into_iter().map(|(level, table)| {
        let counted = by_true
            .as_ref()
            .map(|by_true| by_true.against(&by_random, level));
        EstimatedLevel {
            comparison: COMPARISONS[level.0].name,
            level: level.1,
            table: round(table),
            counted: counted.map(|(weight, _)| round(weight)),
            shrunk: counted.map(|(weight, error)| round(shrunk(weight, error, table))),
            unlabelled: round(em.weights.get(&level).copied().unwrap_or(table)),
            of_true: by_true.as_ref().map(|by_true| by_true.rounded(level)),
            of_random: by_random.rounded(level),
        }
    });
    let mut levels: Vec<EstimatedLevel> = levels.collect();
    let place = |level: &EstimatedLevel| {
        COMPARISONS
            .iter()
            .position(|one| one.name == level.comparison)
    };
    levels.sort_by(|one, other| {
        place(one)
            .cmp(&place(other))
            .then(other.table.total_cmp(&one.table))
    });
    levels.insert(0, prior(neighbours.pairs, labelled.as_ref(), &em));
    Estimates {
        levels,
        random_pairs: by_random.total.round() as usize,
        true_pairs: labelled.as_ref().map(|labelled| labelled.true_pairs),
        candidates: em.candidates,
        expected_matches: round(em.expected),
        rounds: em.rounds,
    }
}

fn round(weight: f64) -> f64 {
    (weight * 100.0).round() / 100.0
}

/// The odds that two listings of one kind in one municipality are one property.
fn prior(pairs: usize, labelled: Option<&Labelled>, em: &Maximisation) -> EstimatedLevel {
    let odds = |matching: f64| (matching.max(0.5) / (pairs as f64 - matching).max(0.5)).log2();
    let counted = labelled.map(|labelled| round(odds(labelled.neighbouring as f64)));
    EstimatedLevel {
        comparison: "prior",
        level: weights::PRIOR.words,
        table: f64::from(weights::PRIOR.weight),
        counted,
        shrunk: counted,
        unlabelled: round(odds(em.expected)),
        of_true: None,
        of_random: 1.0,
    }
}

/// A counted weight and the table's, each by how sure it is.
fn shrunk(weight: f64, error: f64, table: f64) -> f64 {
    let (counted, known) = (error.powi(-2), TABLE_ERROR.powi(-2));
    (weight * counted + table * known) / (counted + known)
}

/// The patterns of those drawn pairs that are two properties.
fn strangers(
    market: &Market,
    drawn: &[(Member, Member)],
    are_two: impl Fn((Member, Member)) -> bool + Sync,
) -> Patterns {
    let pairs: Vec<_> = drawn
        .par_iter()
        .filter(|pair| are_two(**pair))
        .map(|pair| (*pair, 1.0))
        .collect();
    Patterns::of(market, &pairs)
}

/// How many of some pairs reach each level.
struct Share {
    counts: HashMap<LevelName, f64>,
    total: f64,
}

impl Share {
    fn of(patterns: &Patterns) -> Self {
        Self {
            counts: patterns.by_level(),
            total: patterns.total(),
        }
    }

    fn count(&self, level: LevelName) -> f64 {
        self.counts.get(&level).copied().unwrap_or_default()
    }

    /// The share, in millionths: the order in which fractions are summed shows beyond that.
    fn rounded(&self, level: LevelName) -> f64 {
        if self.total > 0.0 {
            (self.count(level) / self.total * 1e6).round() / 1e6
        } else {
            0.0
        }
    }

    /// The share with half a pair more, so that nothing is impossible.
    fn smooth(&self, level: LevelName) -> f64 {
        (self.count(level) + 0.5) / (self.total + 1.0)
    }

    /// log₂ of the ratio of two shares, and its standard error.
    fn against(&self, other: &Self, level: LevelName) -> (f64, f64) {
        let error = (1.0 / (self.count(level) + 0.5) + 1.0 / (other.count(level) + 0.5)).sqrt();
        (
            (self.smooth(level) / other.smooth(level)).log2(),
            error / std::f64::consts::LN_2,
        )
    }
}

/// What the truth knows.
struct Labelled {
    matching: Patterns,
    random: Patterns,
    true_pairs: usize,
    /// Pairs of one property that are of one kind in one municipality by their own words.
    neighbouring: usize,
}

impl Labelled {
    fn of(market: &Market, truth: &Truth, drawn: &[(Member, Member)]) -> Self {
        let mut property_of: HashMap<Member, usize> = HashMap::new();
        let mut members: Vec<Vec<Member>> = vec![Vec::new(); truth.properties.len()];
        for (key, property) in &truth.listings {
            if let Some(place) = market.place(key) {
                property_of.insert(place, *property);
                members[*property].push(place);
            }
        }
        let mut pairs = Vec::new();
        for members in &members {
            // A property counts for its listings less one, however many pairs they make.
            let count = 2.0 / members.len().max(1) as f64;
            for (place, one) in members.iter().enumerate() {
                pairs.extend(
                    members[place + 1..]
                        .iter()
                        .map(|other| ((*one, *other), count)),
                );
            }
        }
        let two = |(one, other): (Member, Member)| {
            property_of
                .get(&one)
                .zip(property_of.get(&other))
                .is_some_and(|(one, other)| one != other)
        };
        let near =
            |((one, other), _): &&((Member, Member), f64)| Neighbours::are(market, *one, *other);
        Self {
            random: strangers(market, drawn, two),
            neighbouring: pairs.iter().filter(near).count(),
            true_pairs: pairs.len(),
            matching: Patterns::of(market, &pairs),
        }
    }
}

/// Expectation maximisation over the candidate pairs. How random pairs agree is fixed, and so is the prior: then which
/// of the candidates are one property depends on m alone. That the candidates were chosen by what they share does not
/// matter to that; but pairs of one property that share no key are not seen, so that agreement in what keys are made of
/// is overrated.
struct Maximisation {
    table: HashMap<LevelName, f64>,
    weights: HashMap<LevelName, f64>,
    candidates: usize,
    expected: f64,
    rounds: usize,
}

impl Maximisation {
    fn of(market: &Market, random: &Patterns) -> Self {
        let possible = |(one, other): &(Member, Member)| {
            let (first, second) = engine::in_order(market.profile(*one), market.profile(*other));
            scoring::veto::of(first, second).is_none()
        };
        let pairs: Vec<_> = market
            .candidates
            .pairs()
            .filter(possible)
            .map(|pair| (pair, 1.0))
            .collect();
        let patterns = Patterns::of(market, &pairs);
        let by_random = Share::of(random);
        let table: HashMap<LevelName, f64> = patterns.levels().collect();
        let mut found = Self {
            weights: table.clone(),
            table,
            candidates: pairs.len(),
            expected: 0.0,
            rounds: 0,
        };
        // In a fixed order, for the sums are of fractions.
        let mut counts: Vec<(&Pattern, f64)> = patterns
            .counts
            .iter()
            .map(|(pattern, count)| (pattern, *count))
            .collect();
        counts.sort_unstable_by(|one, other| one.0.cmp(other.0));
        while found.rounds < ROUNDS && found.round(&counts, &by_random) > SETTLED {}
        found
    }

    /// One round; answers with the largest change of a weight.
    fn round(&mut self, counts: &[(&Pattern, f64)], random: &Share) -> f64 {
        let mut reached: HashMap<LevelName, f64> = HashMap::new();
        self.expected = 0.0;
        for (pattern, count) in counts {
            let weight: f64 = pattern.iter().map(|level| self.weights[level]).sum();
            let matching = count / (1.0 + (-(weight + f64::from(weights::PRIOR.weight))).exp2());
            self.expected += matching;
            for level in *pattern {
                *reached.entry(*level).or_default() += matching;
            }
        }
        self.rounds += 1;
        let mut change: f64 = 0.0;
        for (level, weight) in &mut self.weights {
            let (table, of_random) = (self.table[level], random.smooth(*level));
            let known = (of_random * table.exp2()).min(1.0) * TABLE_PAIRS;
            let of_matching = (reached.get(level).copied().unwrap_or_default() + known)
                / (self.expected + TABLE_PAIRS);
            let fresh = (of_matching / of_random)
                .log2()
                .clamp(table - LEASH, table + LEASH);
            change = change.max((fresh - *weight).abs());
            *weight = fresh;
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_with_little_behind_it_stays_near_the_table() {
        assert!(
            (shrunk(9.0, 0.1, 2.0) - 9.0).abs() < 0.1,
            "thousands of pairs are believed"
        );
        assert!(
            (shrunk(9.0, 20.0, 2.0) - 2.0).abs() < 0.1,
            "one pair is not"
        );
        assert!(
            (shrunk(9.0, TABLE_ERROR, 2.0) - 5.5).abs() < 1e-9,
            "equally sure: half-way"
        );
    }
}
