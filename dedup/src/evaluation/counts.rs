//! Listings counted by cluster and property: what all figures are made of.

use std::collections::{BTreeMap, HashMap};

use super::{Found, Truth};

/// Listings counted by cluster and property.
pub(super) struct Counts {
    /// Listings by property.
    pub of_property: Vec<usize>,
    /// Listings by cluster.
    pub of_cluster: Vec<usize>,
    /// Listings by cluster and property: only where there are some.
    pub shared: BTreeMap<(usize, usize), usize>,
    /// Listings that were not found.
    pub missing: usize,
}

impl Counts {
    /// Counts the listings of the truth.
    pub fn of(truth: &Truth, found: &Found) -> Self {
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

/// What became of each property.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fate {
    /// In how many clusters it is.
    pub clusters: usize,
    /// Pairs of its listings that are in one cluster.
    pub correct_pairs: usize,
    /// Whether a cluster is exactly the property.
    pub exact: bool,
}
