//! Estimates the weights from data: by counting labelled pairs, and without labels by expectation
//! maximisation.
//!
//! A weight is log₂(m / u), where m is the share of pairs of one property that reach the level and u
//! the share of random pairs of one kind in one municipality. Pairs with a missing value are part of
//! both shares: if values are missing equally often they cancel out, and a value left out to hide a
//! disagreement should count.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::Serialize;

use super::expectation_maximisation::ExpectationMaximisation;
use super::level_counts::LevelCounts;
use super::patterns::{ComparablePairs, LevelName, Patterns, is_link};
use super::{MatchedListings, Truth};
use crate::blocking::Member;
use crate::comparison::COMPARISONS;
use crate::weight_table::WeightTable;
use crate::weights;

/// The assumed standard error of the weights in the table, in bits.
const TABLE_ERROR: f64 = 2.0;

/// The weights of the table and the estimated weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Estimates {
    /// The prior, and every level that at least one pair reaches: by comparison, the heaviest first.
    pub levels: Vec<EstimatedLevel>,
    /// How many random pairs of different properties were counted.
    pub random_pairs: usize,
    /// How many pairs of one property were counted; `None` without a truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_pairs: Option<usize>,
    /// How many candidate pairs expectation maximisation used.
    pub candidates: usize,
    /// How many of them it expects to be one property.
    pub expected_matches: f64,
    /// How many rounds it took.
    pub rounds: usize,
}

/// A level with its weight in the table and its estimated weights, all log₂.
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
    /// The counted weight, moved towards the table; the fewer pairs were counted, the further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<f64>,
    /// The weight from expectation maximisation.
    pub unlabelled: f64,
    /// The share of pairs of one property that reach the level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_true: Option<f64>,
    /// The share of random pairs that reach the level.
    pub of_random: f64,
}

/// Estimates the weights. With an empty truth, only expectation maximisation is used.
pub fn estimates(matched: &MatchedListings, truth: &Truth) -> Estimates {
    let neighbours = ComparablePairs::group(matched);
    let drawn = neighbours.draw();
    let unlabelled_random = random_patterns(matched, &drawn, |pair| !is_link(matched, pair));
    let em = ExpectationMaximisation::run(matched, &unlabelled_random);
    let labelled = (!truth.listings.is_empty()).then(|| TruthCounts::new(matched, truth, &drawn));
    let random = labelled
        .as_ref()
        .map_or(&unlabelled_random, |labelled| &labelled.random);
    let by_random = LevelCounts::new(random);
    let by_true = labelled
        .as_ref()
        .map(|labelled| LevelCounts::new(&labelled.matching));
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
            .map(|by_true| by_true.weight_against(&by_random, level));
        EstimatedLevel {
            comparison: COMPARISONS[level.0].name,
            level: level.1,
            table: round(table),
            counted: counted.map(|(weight, _)| round(weight)),
            shrunk: counted.map(|(weight, error)| round(shrunk(weight, error, table))),
            unlabelled: round(em.weights.get(&level).copied().unwrap_or(table)),
            of_true: by_true.as_ref().map(|by_true| by_true.rounded_share(level)),
            of_random: by_random.rounded_share(level),
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
    levels.insert(
        0,
        prior(&matched.table, neighbours.pairs, labelled.as_ref(), &em),
    );
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

/// The estimated prior: log₂ of the odds that two listings of one kind in one municipality are one
/// property.
fn prior(
    table: &WeightTable,
    pairs: usize,
    labelled: Option<&TruthCounts>,
    em: &ExpectationMaximisation,
) -> EstimatedLevel {
    let odds = |matching: f64| (matching.max(0.5) / (pairs as f64 - matching).max(0.5)).log2();
    let counted = labelled.map(|labelled| round(odds(labelled.comparable as f64)));
    EstimatedLevel {
        comparison: "prior",
        level: weights::PRIOR.words,
        table: f64::from(table.prior()),
        counted,
        shrunk: counted,
        unlabelled: round(odds(em.expected)),
        of_true: None,
        of_random: 1.0,
    }
}

/// The mean of a counted weight and the weight of the table, each weighted by its certainty.
fn shrunk(weight: f64, error: f64, table: f64) -> f64 {
    let (counted, known) = (error.powi(-2), TABLE_ERROR.powi(-2));
    (weight * counted + table * known) / (counted + known)
}

/// The patterns of the drawn pairs that are two properties.
fn random_patterns(
    matched: &MatchedListings,
    drawn: &[(Member, Member)],
    are_two: impl Fn((Member, Member)) -> bool + Sync,
) -> Patterns {
    let pairs: Vec<_> = drawn
        .par_iter()
        .filter(|pair| are_two(**pair))
        .map(|pair| (*pair, 1.0))
        .collect();
    Patterns::count(matched, &pairs)
}

/// What the truth says about the pairs.
struct TruthCounts {
    matching: Patterns,
    random: Patterns,
    true_pairs: usize,
    /// How many pairs of one property state one kind and one municipality.
    comparable: usize,
}

impl TruthCounts {
    fn new(matched: &MatchedListings, truth: &Truth, drawn: &[(Member, Member)]) -> Self {
        let mut property_of: HashMap<Member, usize> = HashMap::new();
        let mut members: Vec<Vec<Member>> = vec![Vec::new(); truth.properties.len()];
        for (key, property) in &truth.listings {
            if let Some(member) = matched.member(key) {
                property_of.insert(member, *property);
                members[*property].push(member);
            }
        }
        let mut pairs = Vec::new();
        for members in &members {
            // Each property counts as its number of listings less one, however many pairs they make.
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
        let near = |((one, other), _): &&((Member, Member), f64)| {
            ComparablePairs::contain(matched, *one, *other)
        };
        Self {
            random: random_patterns(matched, drawn, two),
            comparable: pairs.iter().filter(near).count(),
            true_pairs: pairs.len(),
            matching: Patterns::count(matched, &pairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_counted_from_few_pairs_stays_near_the_table() {
        assert!(
            (shrunk(9.0, 0.1, 2.0) - 9.0).abs() < 0.1,
            "thousands of pairs outweigh the table"
        );
        assert!(
            (shrunk(9.0, 20.0, 2.0) - 2.0).abs() < 0.1,
            "one pair does not"
        );
        assert!(
            (shrunk(9.0, TABLE_ERROR, 2.0) - 5.5).abs() < 1e-9,
            "equal certainty gives the mean"
        );
    }
}
