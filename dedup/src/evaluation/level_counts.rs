//! How many pairs reach each level, and the weights that follow from it.

use std::collections::HashMap;

use super::patterns::{LevelName, Patterns};

/// How many of some pairs reach each level.
pub(super) struct LevelCounts {
    counts: HashMap<LevelName, f64>,
    pub total: f64,
}

impl LevelCounts {
    /// Counts the levels of these patterns.
    pub fn new(patterns: &Patterns) -> Self {
        Self {
            counts: patterns.by_level(),
            total: patterns.total(),
        }
    }

    /// The count of pairs that reach a level.
    pub fn count(&self, level: LevelName) -> f64 {
        self.counts.get(&level).copied().unwrap_or_default()
    }

    /// The share of pairs that reach a level, rounded to millionths: the order of summation changes the
    /// digits after that.
    pub fn rounded_share(&self, level: LevelName) -> f64 {
        if self.total > 0.0 {
            (self.count(level) / self.total * 1e6).round() / 1e6
        } else {
            0.0
        }
    }

    /// The share of pairs that reach a level, with half a pair added, so that no share is 0.
    pub fn smoothed_share(&self, level: LevelName) -> f64 {
        (self.count(level) + 0.5) / (self.total + 1.0)
    }

    /// The weight of a level, log₂ of the ratio of its share here to its share in `random`, and the
    /// standard error of the weight.
    pub fn weight_against(&self, random: &Self, level: LevelName) -> (f64, f64) {
        let error = (1.0 / (self.count(level) + 0.5) + 1.0 / (random.count(level) + 0.5)).sqrt();
        (
            (self.smoothed_share(level) / random.smoothed_share(level)).log2(),
            error / std::f64::consts::LN_2,
        )
    }
}
