//! Fits the weights to judged pairs of one or several sets, and measures by cross-validation whether
//! matching gets better.
//!
//! The fit is a logistic regression over the levels, drawn towards the weights in force: what few
//! pairs show moves a weight little. The prior is not fitted, because it depends on how the pairs
//! were chosen. Each property counts as its number of adverts less one, two properties as one pair,
//! and a large set for less than in proportion to its size.
//!
//! For cross-validation the properties are dealt into five parts. The pairs of each part are matched
//! with weights that were fitted without them. A pair of two properties belongs to the part of one of
//! the two.

mod cross_validation;
mod examples;
mod regression;

use serde::Serialize;

use super::{MatchedListings, Rate};
use crate::weight_table::WeightTable;
use crate::weights::{LEVELS, Level};

pub use examples::Judgements;

use examples::Example;
use regression::Regression;

/// The assumed standard errors of the weights in force, in bits. The one whose weights predict the
/// other parts best is used.
const ASSUMED_ERRORS: [f64; 3] = [0.5, 1.0, 2.0];

/// How many standard errors are on each side of a weight in 95 of 100 intervals.
const INTERVAL: f64 = 1.96;

/// A set of listings of which some pairs are judged.
#[derive(Debug, Clone, Copy)]
pub struct JudgedSet<'a> {
    /// Its name in the report.
    pub name: &'a str,
    /// The listings.
    pub matched: &'a MatchedListings,
    /// What is known about their pairs.
    pub judgements: &'a Judgements,
}

/// The fitted weights, and whether matching gets better with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fit {
    /// Every level that a judged pair reaches, by comparison.
    pub levels: Vec<FittedLevel>,
    /// The sets, each measured by cross-validation.
    pub sets: Vec<SetFigures>,
    /// The assumed standard error of the weights in force, in bits.
    pub assumed_error: f64,
    /// All weights.
    #[serde(skip)]
    pub table: WeightTable,
}

/// A level with its weight in force and its fitted weight, both log₂.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FittedLevel {
    /// The comparison.
    pub comparison: &'static str,
    /// The level in plain words.
    pub level: &'static str,
    /// The weight in force.
    pub now: f64,
    /// The fitted weight.
    pub fitted: f64,
    /// The interval around the fitted weight that holds the true one in 95 of 100 cases.
    pub interval: [f64; 2],
    /// How many pairs of one property reach the level.
    pub same: usize,
    /// How many pairs of two properties reach it.
    pub different: usize,
}

/// The measures of a set by cross-validation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetFigures {
    /// The set.
    pub name: String,
    /// How many judged pairs were compared.
    pub pairs: usize,
    /// How many of them are one property.
    pub same: usize,
    /// With the weights in force.
    pub before: FitFigures,
    /// With weights that were fitted to the other parts.
    pub after: FitFigures,
}

/// How well some weights match.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FitFigures {
    /// By how many bits a pair's weight misses the truth, as a mean: 0 if every weight is certain and
    /// right, 1 if the weights know nothing.
    pub loss: f64,
    /// Of the judged pairs in one cluster, the share that is one property.
    pub precision: Rate,
    /// Of the judged pairs of one property, the share in one cluster.
    pub recall: Rate,
    /// Harmonic mean of the two.
    pub f1: Rate,
}

impl Fit {
    /// Whether matching gets better on the whole: the weights miss by less, and F1 falls on no set by
    /// more than `tolerance`.
    pub fn is_better(&self, tolerance: f64) -> bool {
        let loss = |figures: fn(&SetFigures) -> FitFigures| -> f64 {
            self.sets.iter().map(|set| figures(set).loss).sum()
        };
        let falls = |set: &SetFigures| {
            let (before, after) = (set.before.f1.0, set.after.f1.0);
            before
                .zip(after)
                .is_some_and(|(before, after)| after < before - tolerance)
        };
        loss(|set| set.after) < loss(|set| set.before) && !self.sets.iter().any(falls)
    }
}

/// Fits the weights to the judged pairs of all sets together. `table` are the weights in force.
pub fn fit(table: &WeightTable, sets: &[JudgedSet<'_>]) -> Fit {
    let examples: Vec<Vec<Example>> = sets.iter().map(examples::of_set).collect();
    let scaled = examples::balanced(&examples);
    let (assumed_error, tables) = ASSUMED_ERRORS
        .into_iter()
        .map(|error| (error, cross_validation::tables(table, error, &scaled)))
        .min_by(|one, other| {
            let loss = |tables| cross_validation::loss(tables, &scaled);
            loss(&one.1).total_cmp(&loss(&other.1))
        })
        .unwrap_or_default();
    let all: Vec<&Example> = scaled.iter().flatten().collect();
    let regression = Regression::fit(table, assumed_error, &all);
    let figures = sets
        .iter()
        .zip(&examples)
        .map(|(set, examples)| cross_validation::figures(table, &tables, set, examples));
    Fit {
        levels: LEVELS
            .iter()
            .filter_map(|level| fitted_level(table, &regression, &examples, level))
            .collect(),
        sets: figures.collect(),
        assumed_error,
        table: regression.table,
    }
}

/// A level in the report; `None` if no judged pair reaches it.
fn fitted_level(
    table: &WeightTable,
    regression: &Regression,
    examples: &[Vec<Example>],
    (comparison, level): &(&'static str, Level),
) -> Option<FittedLevel> {
    let reaches = |example: &&Example| example.levels.contains(&(level.number as u16));
    let count = |same: bool| {
        let examples = examples.iter().flatten();
        examples
            .filter(|example| example.same == same)
            .filter(reaches)
            .count()
    };
    let (same, different) = (count(true), count(false));
    let round = |weight: f64| (weight * 100.0).round() / 100.0;
    let fitted = f64::from(regression.table.weight(*level));
    let margin = INTERVAL * regression.errors[level.number];
    (same + different > 0).then(|| FittedLevel {
        comparison,
        level: level.words,
        now: round(f64::from(table.weight(*level))),
        fitted: round(fitted),
        interval: [round(fitted - margin), round(fitted + margin)],
        same,
        different,
    })
}
