//! Measures the quality of matching against known truth: precision and recall in several measures, by
//! kind of trap, the worst mistakes, and what blocking misses. And, without any truth, whether the
//! place fields of the records fit together. Matching itself does not use this module.
//!
//! There are several measures, because they rank results differently: pairs, where a large cluster
//! counts much; B-cubed, where every listing counts the same; and whole properties. Pairs are those
//! of the final clusters, compared or not.

mod blocks;
mod cluster_metrics;
mod contingency;
mod estimates;
mod expectation_maximisation;
mod fitting;
mod kind_metrics;
mod labelled_pairs;
mod level_counts;
mod matched_listings;
mod mistakes;
mod patterns;
mod places;
mod reliability;
mod threshold_curve;
mod truth;

use std::collections::HashMap;

use schema::ListingKey;
use serde::{Serialize, Serializer};

pub use blocks::{BlockingReport, blocking_report};
pub use cluster_metrics::{ClusterMetrics, Rates, cluster_metrics};
pub use estimates::{EstimatedLevel, Estimates, estimates};
pub use fitting::{Fit, FitFigures, FittedLevel, JudgedSet, Judgements, SetFigures, fit};
pub use labelled_pairs::{LabelledMetrics, LabelledPairs, labelled_metrics};
pub use matched_listings::MatchedListings;
pub use mistakes::{Mistake, by_kind, false_merges, misses};
pub use places::{PlaceFault, PlaceReport, RecordPlace, place_report};
pub use reliability::{JudgedPair, ReliabilityBand, judged_pairs, reliability};
pub use threshold_curve::{ThresholdPoint, threshold_curve};
pub use truth::{Truth, TruthError};

/// The predicted clusters: each listing with the number of its cluster.
pub type PredictedClusters = HashMap<ListingKey, u32>;

/// A rate between 0 and 1; `None` if there was nothing to rate. Serialized with five decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub Option<f64>);

impl Rate {
    /// The ratio of a part to a whole; unknown if the whole is 0.
    pub fn ratio(part: f64, whole: f64) -> Self {
        Self((whole > 0.0).then(|| part / whole))
    }

    /// The harmonic mean of precision and recall: 0 if one of them is 0, unknown if one is unknown.
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

/// How many pairs `count` listings make.
fn pairs_of(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}
