//! Measures by kind of trap.

use std::collections::BTreeMap;

use serde::Serialize;

use super::contingency::{ContingencyTable, PropertyResult};
use super::{Rate, Truth, pairs_of};

/// The measures of the properties of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KindMetrics {
    /// Properties of the kind.
    pub properties: usize,
    /// Their listings.
    pub listings: usize,
    /// The share of their pairs that was found.
    pub recall: Rate,
    /// Of the found pairs with one of their listings, the share that is right.
    pub precision: Rate,
    /// Harmonic mean of the two.
    pub f1: Rate,
    /// The share of properties whose cluster is exactly the property.
    pub exact_cluster_rate: Rate,
    /// Pairs of their listings.
    pub true_pairs: usize,
    /// Clusters that hold one of them together with another property.
    pub over_merged_clusters: usize,
    /// Properties in several clusters.
    pub split_properties: usize,
}

#[derive(Default)]
struct Sums {
    properties: usize,
    listings: usize,
    exact: usize,
    split: usize,
    true_pairs: usize,
    correct: usize,
    touching: usize,
    over_merged: usize,
}

/// The measures of each kind; empty if the truth names no kinds.
pub(super) fn by_kind(
    truth: &Truth,
    counts: &ContingencyTable,
    results: &[PropertyResult],
) -> BTreeMap<String, KindMetrics> {
    let mut sums: BTreeMap<&str, Sums> = BTreeMap::new();
    for ((property, result), listings) in truth
        .properties
        .iter()
        .zip(results)
        .zip(&counts.of_property)
    {
        for kind in &property.kinds {
            let sums = sums.entry(kind).or_default();
            sums.properties += 1;
            sums.listings += listings;
            sums.exact += usize::from(result.exact);
            sums.split += usize::from(result.clusters > 1);
            sums.true_pairs += pairs_of(*listings);
            sums.correct += result.correct_pairs;
        }
    }
    let mut members: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for ((cluster, property), shared) in &counts.shared {
        if counts.of_cluster[*cluster] > 1 {
            members
                .entry(*cluster)
                .or_default()
                .push((*property, *shared));
        }
    }
    for (cluster, members) in members {
        let all = counts.of_cluster[cluster];
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for (property, shared) in &members {
            for kind in &truth.properties[*property].kinds {
                *of_kind.entry(kind).or_default() += shared;
            }
        }
        for (kind, listings) in of_kind {
            let sums = sums.entry(kind).or_default();
            sums.touching += pairs_of(all) - pairs_of(all - listings);
            sums.over_merged += usize::from(members.len() > 1);
        }
    }
    sums.into_iter()
        .map(|(kind, sums)| (kind.to_owned(), sums.into_metrics()))
        .collect()
}

impl Sums {
    fn into_metrics(self) -> KindMetrics {
        let recall = Rate::ratio(self.correct as f64, self.true_pairs as f64);
        let precision = Rate::ratio(self.correct as f64, self.touching as f64);
        KindMetrics {
            properties: self.properties,
            listings: self.listings,
            recall,
            precision,
            f1: Rate::f1(precision, recall),
            exact_cluster_rate: Rate::ratio(self.exact as f64, self.properties as f64),
            true_pairs: self.true_pairs,
            over_merged_clusters: self.over_merged,
            split_properties: self.split,
        }
    }
}
