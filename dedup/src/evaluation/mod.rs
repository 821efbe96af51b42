//! How well matching does against what is known: precision and recall in several measures, by kind of trap, the worst
//! mistakes, and what blocking reaches. Pure: clusters and truth in, figures out.
//!
//! Rankings by different measures contradict each other, so there are several: of pairs (a large cluster weighs much),
//! B-cubed (every listing weighs the same), and of whole properties. Pairs are those of the final clusters, not only
//! those that were compared.

mod blocks;
mod counts;
mod estimate;
mod figures;
mod kinds;
mod labelled;
mod market;
mod mistakes;
mod patterns;
mod truth;

use std::collections::HashMap;

use schema::ListingKey;
use serde::{Serialize, Serializer};

pub use blocks::{BlockingReport, BlocksOfSize, RuleReport, Unreached, blocking_report};
pub use estimate::{EstimatedLevel, Estimates, estimates};
pub use figures::{Figures, Largest, OverMerged, Rates, Share, Split, figures};
pub use kinds::KindFigures;
pub use labelled::{Label, LabelledFigures, LabelledPairs, labelled_figures};
pub use market::Market;
pub use mistakes::{ANY_KIND, Mistake, Mistaken, by_kind, false_merges, misses};
pub use truth::{Property, Truth, TruthError};

/// The clusters that were found: every listing with the number of its cluster.
pub type Found = HashMap<ListingKey, u32>;

/// A rate between 0 and 1; `None` where there was nothing to rate. Written with five decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub Option<f64>);

impl Rate {
    /// A share of a whole; unknown where the whole is nothing.
    pub fn of(part: f64, whole: f64) -> Self {
        Self((whole > 0.0).then(|| part / whole))
    }

    /// The harmonic mean of precision and recall: 0 where either is, unknown where either is.
    pub fn f1(precision: Self, recall: Self) -> Self {
        let mean = |(precision, recall): (f64, f64)| {
            if precision > 0.0 && recall > 0.0 {
                2.0 * precision * recall / (precision + recall)
            } else {
                0.0
            }
        };
        Self(precision.0.zip(recall.0).map(mean))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0
            .map(|rate| (rate * 1e5).round() / 1e5)
            .serialize(serializer)
    }
}

/// How many pairs a number of listings makes.
fn pairs_of(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}
