//! How much the result depends on the exact threshold.

use serde::Serialize;

use super::cluster_metrics::{ClusterMetrics, cluster_metrics};
use super::{LabelledPairs, MatchedListings, Rate, Truth, labelled_metrics};

/// The measures with a threshold that was moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThresholdPoint {
    /// By how many bits the threshold was moved. Above 0, joining needs more.
    pub moved: f32,
    /// Pairwise precision; of labelled pairs, if there are any.
    pub precision: Rate,
    /// Recall of the same pairs.
    pub recall: Rate,
    /// Their harmonic mean.
    pub f1: Rate,
    /// B-cubed F1.
    pub bcubed: Rate,
    /// The share of properties that are found exactly.
    pub exact: Rate,
}

/// The measures with the threshold moved by each of these numbers of bits. A lower prior has the same
/// effect as a higher threshold: it counts once for each pair of listings and of clusters.
pub fn threshold_curve(
    matched: &MatchedListings,
    truth: &Truth,
    labels: &LabelledPairs,
    moves: &[f32],
) -> Vec<ThresholdPoint> {
    let point = |moved: &f32| {
        let table = matched
            .table
            .clone()
            .with_prior(matched.table.prior() - moved);
        let found = matched.predicted_with(&table);
        let ClusterMetrics {
            pairwise,
            bcubed,
            exact_cluster_rate,
            ..
        } = cluster_metrics(truth, &found);
        let (precision, recall, f1) = if labels.pairs.is_empty() {
            (pairwise.precision, pairwise.recall, pairwise.f1)
        } else {
            let labelled = labelled_metrics(labels, truth, &found);
            (labelled.precision, labelled.recall, labelled.f1)
        };
        ThresholdPoint {
            moved: *moved,
            precision,
            recall,
            f1,
            bcubed: bcubed.f1,
            exact: exact_cluster_rate,
        }
    };
    moves.iter().map(point).collect()
}
