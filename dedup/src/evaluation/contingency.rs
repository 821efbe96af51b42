//! The contingency table of clusters and properties, from which all measures are computed.

use std::collections::{BTreeMap, HashMap};

use super::{PredictedClusters, Truth};

/// How many listings each pair of a cluster and a property shares.
pub(super) struct ContingencyTable {
    /// Listings of each property.
    pub of_property: Vec<usize>,
    /// Listings of each cluster.
    pub of_cluster: Vec<usize>,
    /// Listings of each cluster and property that share any.
    pub shared: BTreeMap<(usize, usize), usize>,
    /// Listings without a predicted cluster; each counts as a cluster of its own.
    pub missing: usize,
}

impl ContingencyTable {
    /// Counts the listings of the truth.
    pub fn new(truth: &Truth, found: &PredictedClusters) -> Self {
        let mut number: HashMap<u32, usize> = HashMap::new();
        let mut clusters: Vec<Option<usize>> = Vec::with_capacity(truth.listings.len());
        for (key, _) in &truth.listings {
            let next = number.len();
            clusters.push(
                found
                    .get(key)
                    .map(|cluster| *number.entry(*cluster).or_insert(next)),
            );
        }
        let missing = clusters.iter().filter(|cluster| cluster.is_none()).count();
        let mut alone = number.len();
        let mut counts = Self {
            of_property: vec![0; truth.properties.len()],
            of_cluster: vec![0; number.len() + missing],
            shared: BTreeMap::new(),
            missing,
        };
        for ((_, property), cluster) in truth.listings.iter().zip(clusters) {
            let cluster = cluster.unwrap_or_else(|| {
                alone += 1;
                alone - 1
            });
            counts.of_property[*property] += 1;
            counts.of_cluster[cluster] += 1;
            *counts.shared.entry((cluster, *property)).or_default() += 1;
        }
        counts
    }
}

/// The result for one property.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PropertyResult {
    /// How many clusters its listings are in.
    pub clusters: usize,
    /// Pairs of its listings that are in one cluster.
    pub correct_pairs: usize,
    /// Whether a cluster is exactly the property.
    pub exact: bool,
}
