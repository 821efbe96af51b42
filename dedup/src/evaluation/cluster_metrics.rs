//! Clusters measured against the truth: precision, recall and whole properties.

use std::collections::{BTreeMap, HashSet};

use schema::ListingKey;
use serde::Serialize;

use super::contingency::{ContingencyTable, PropertyResult};
use super::kind_metrics::{self, KindMetrics};
use super::{PredictedClusters, Rate, Truth, pairs_of};

/// All measures of the clusters against the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterMetrics {
    /// Listings of the truth, without the ambiguous ones.
    pub listings: usize,
    /// True properties.
    pub properties: usize,
    /// Predicted clusters with at least one of the listings. A listing without a cluster counts as one.
    pub predicted_clusters: usize,
    /// By pairs of listings.
    pub pairwise: Rates,
    /// By listing: the mean share of its cluster that is right, and of its property that was found.
    pub bcubed: Rates,
    /// The share of properties whose cluster is exactly the property.
    pub exact_cluster_rate: Rate,
    /// Clusters that hold listings of several properties.
    pub over_merged: OverMerged,
    /// Properties whose listings are in several clusters.
    pub split: Split,
    /// The largest cluster.
    pub largest_cluster: Largest,
    /// Listings that are left out because the truth calls them ambiguous.
    pub skipped_ambiguous: usize,
    /// Listings of the truth without a predicted cluster.
    pub missing_predictions: usize,
    /// Predicted listings that are not in the truth.
    pub unknown_predictions: usize,
    /// By kind of trap.
    pub kinds: BTreeMap<String, KindMetrics>,
    /// By the number of listings of a property; six and more together.
    pub by_listings_per_property: BTreeMap<String, SubsetMetrics>,
    /// By kind of offer, if the truth states it.
    pub by_offer_type: BTreeMap<String, SubsetMetrics>,
}

/// Precision, recall and their harmonic mean; for pairs also the counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rates {
    /// Of what was found, the share that is true.
    pub precision: Rate,
    /// Of what is true, the share that was found.
    pub recall: Rate,
    /// Harmonic mean of the two.
    pub f1: Rate,
    /// Pairs of listings of one property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_pairs: Option<usize>,
    /// Pairs of listings of one cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_pairs: Option<usize>,
    /// Pairs that are both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_pairs: Option<usize>,
}

/// Clusters of several properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OverMerged {
    /// How many.
    pub clusters: usize,
    /// Their listings.
    pub listings: usize,
    /// The most properties in one of them.
    pub worst_properties: usize,
}

/// Properties in several clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Split {
    /// How many.
    pub properties: usize,
    /// The most clusters of one of them.
    pub worst_clusters: usize,
}

/// The largest cluster, which shows first if chains of links join too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Largest {
    /// Its listings.
    pub listings: usize,
    /// Their properties.
    pub properties: usize,
}

/// The measures of a subset of the properties.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubsetMetrics {
    /// How many.
    pub properties: usize,
    /// Share of them whose cluster is exactly the property.
    pub exact_cluster_rate: Rate,
    /// Share of their pairs that was found.
    pub recall: Rate,
}

/// Measures clusters against the truth.
pub fn cluster_metrics(truth: &Truth, found: &PredictedClusters) -> ClusterMetrics {
    let counts = ContingencyTable::new(truth, found);
    let mut results = vec![PropertyResult::default(); truth.properties.len()];
    let mut properties_in = vec![0usize; counts.of_cluster.len()];
    let (mut precision, mut recall) = (0.0, 0.0);
    for ((cluster, property), shared) in &counts.shared {
        let (in_cluster, in_property) =
            (counts.of_cluster[*cluster], counts.of_property[*property]);
        let square = (shared * shared) as f64;
        precision += square / in_cluster as f64;
        recall += square / in_property as f64;
        properties_in[*cluster] += 1;
        let result = &mut results[*property];
        result.clusters += 1;
        result.correct_pairs += pairs_of(*shared);
        result.exact |= *shared == in_property && *shared == in_cluster;
    }
    let listings = truth.listings.len();
    let exact = results.iter().filter(|result| result.exact).count();
    let over: Vec<usize> = (0..properties_in.len())
        .filter(|cluster| properties_in[*cluster] > 1)
        .collect();
    let split = results.iter().filter(|result| result.clusters > 1);
    ClusterMetrics {
        listings,
        properties: truth.properties.len(),
        predicted_clusters: counts.of_cluster.len(),
        pairwise: pairwise(&counts, &results),
        bcubed: Rates {
            precision: Rate::ratio(precision, listings as f64),
            recall: Rate::ratio(recall, listings as f64),
            f1: Rate::f1(
                Rate::ratio(precision, listings as f64),
                Rate::ratio(recall, listings as f64),
            ),
            true_pairs: None,
            predicted_pairs: None,
            correct_pairs: None,
        },
        exact_cluster_rate: Rate::ratio(exact as f64, truth.properties.len() as f64),
        over_merged: OverMerged {
            clusters: over.len(),
            listings: over.iter().map(|cluster| counts.of_cluster[*cluster]).sum(),
            worst_properties: over
                .iter()
                .map(|cluster| properties_in[*cluster])
                .max()
                .unwrap_or_default(),
        },
        split: Split {
            properties: split.clone().count(),
            worst_clusters: split
                .map(|result| result.clusters)
                .max()
                .unwrap_or_default(),
        },
        largest_cluster: largest(&counts.of_cluster, &properties_in),
        skipped_ambiguous: truth.ambiguous.len(),
        missing_predictions: counts.missing,
        unknown_predictions: unknown(truth, found),
        kinds: kind_metrics::by_kind(truth, &counts, &results),
        by_listings_per_property: shares(truth, &counts, &results, |place| {
            let count = counts.of_property[place];
            Some(if count < 6 {
                count.to_string()
            } else {
                "6+".to_owned()
            })
        }),
        by_offer_type: shares(truth, &counts, &results, |place| {
            truth.properties[place].offer_type.clone()
        }),
    }
}

fn pairwise(counts: &ContingencyTable, results: &[PropertyResult]) -> Rates {
    let correct: usize = results.iter().map(|result| result.correct_pairs).sum();
    let found: usize = counts.of_cluster.iter().map(|count| pairs_of(*count)).sum();
    let real: usize = counts
        .of_property
        .iter()
        .map(|count| pairs_of(*count))
        .sum();
    let precision = Rate::ratio(correct as f64, found as f64);
    let recall = Rate::ratio(correct as f64, real as f64);
    Rates {
        precision,
        recall,
        f1: Rate::f1(precision, recall),
        true_pairs: Some(real),
        predicted_pairs: Some(found),
        correct_pairs: Some(correct),
    }
}

/// The largest cluster; the first of several equally large ones.
fn largest(of_cluster: &[usize], properties_in: &[usize]) -> Largest {
    let none = Largest {
        listings: 0,
        properties: 0,
    };
    of_cluster
        .iter()
        .zip(properties_in)
        .fold(none, |largest, (listings, properties)| {
            if *listings > largest.listings {
                Largest {
                    listings: *listings,
                    properties: *properties,
                }
            } else {
                largest
            }
        })
}

fn unknown(truth: &Truth, found: &PredictedClusters) -> usize {
    let known: HashSet<&ListingKey> = truth.listings.iter().map(|(key, _)| key).collect();
    found
        .keys()
        .filter(|key| !known.contains(key) && !truth.ambiguous.contains(*key))
        .count()
}

/// The measures of properties by name; properties without a name are left out.
fn shares(
    truth: &Truth,
    counts: &ContingencyTable,
    results: &[PropertyResult],
    name: impl Fn(usize) -> Option<String>,
) -> BTreeMap<String, SubsetMetrics> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for place in 0..truth.properties.len() {
        if let Some(name) = name(place) {
            places.entry(name).or_default().push(place);
        }
    }
    places
        .into_iter()
        .map(|(name, places)| (name, share(places.into_iter(), counts, results)))
        .collect()
}

fn share(
    places: impl Iterator<Item = usize>,
    counts: &ContingencyTable,
    results: &[PropertyResult],
) -> SubsetMetrics {
    let (mut properties, mut exact, mut correct, mut real) = (0usize, 0usize, 0usize, 0usize);
    for place in places {
        properties += 1;
        exact += usize::from(results[place].exact);
        correct += results[place].correct_pairs;
        real += pairs_of(counts.of_property[place]);
    }
    SubsetMetrics {
        properties,
        exact_cluster_rate: Rate::ratio(exact as f64, properties as f64),
        recall: Rate::ratio(correct as f64, real as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth() -> Truth {
        let table = "siteId,offerId,propertyId,offerType,kind,ambiguous\n\
            x,a,p1,sale,panel,\nx,b,p1,sale,panel,\nx,c,p1,sale,panel,\n\
            x,d,p2,sale,panel|relist,\nx,e,p2,sale,panel|relist,\n\
            x,f,p3,rent,plain,\nx,g,p4,rent,relist,\nx,h,p4,rent,relist,\nx,z,p4,rent,relist,1\n";
        Truth::from_csv(table.as_bytes()).unwrap()
    }

    fn found(clusters: &[&str]) -> PredictedClusters {
        let listing =
            |number: u32, letter: char| (ListingKey::new("x", letter.to_string()), number);
        let members = |(number, letters): (u32, &&str)| {
            letters
                .chars()
                .map(move |letter| listing(number, letter))
                .collect::<Vec<_>>()
        };
        (0..).zip(clusters).flat_map(members).collect()
    }

    fn close(rate: Rate, expected: f64) -> bool {
        rate.0.is_some_and(|rate| (rate - expected).abs() < 1e-9)
    }

    #[test]
    fn the_measures_equal_those_counted_by_hand() {
        // One property is split and joined with a listing of another; the rest is right.
        let metrics = cluster_metrics(&truth(), &found(&["abd", "c", "ezy", "f", "gh"]));
        let pairs = &metrics.pairwise;
        assert_eq!(
            (pairs.true_pairs, pairs.predicted_pairs, pairs.correct_pairs),
            (Some(5), Some(4), Some(2))
        );
        assert!(
            close(pairs.precision, 0.5) && close(pairs.recall, 0.4) && close(pairs.f1, 4.0 / 9.0)
        );
        assert!(
            close(metrics.bcubed.precision, 20.0 / 24.0)
                && close(metrics.bcubed.recall, 17.0 / 24.0)
        );
        assert!(close(metrics.exact_cluster_rate, 0.5));
        assert_eq!(
            metrics.over_merged,
            OverMerged {
                clusters: 1,
                listings: 3,
                worst_properties: 2
            }
        );
        assert_eq!(
            metrics.split,
            Split {
                properties: 2,
                worst_clusters: 2
            }
        );
        assert_eq!(
            metrics.largest_cluster,
            Largest {
                listings: 3,
                properties: 2
            }
        );
        let counts = (
            metrics.skipped_ambiguous,
            metrics.missing_predictions,
            metrics.unknown_predictions,
        );
        assert_eq!(counts, (1, 0, 1));
        let panel = &metrics.kinds["panel"];
        assert!(
            close(panel.recall, 0.25) && close(panel.precision, 1.0 / 3.0),
            "{panel:?}"
        );
        let relist = &metrics.kinds["relist"];
        assert!(
            close(relist.recall, 0.5) && close(relist.precision, 1.0 / 3.0),
            "{relist:?}"
        );
        assert_eq!(
            (
                relist.over_merged_clusters,
                relist.split_properties,
                relist.true_pairs
            ),
            (1, 1, 2)
        );
        assert_eq!(
            metrics.kinds["plain"].recall,
            Rate(None),
            "there was no pair to find"
        );
        assert!(close(metrics.by_offer_type["rent"].exact_cluster_rate, 1.0));
        assert!(close(
            metrics.by_listings_per_property["3"].recall,
            1.0 / 3.0
        ));
    }

    #[test]
    fn a_listing_without_a_cluster_counts_as_alone() {
        let metrics = cluster_metrics(&truth(), &found(&["abc", "de", "f", "g"]));
        assert_eq!(
            (metrics.missing_predictions, metrics.predicted_clusters),
            (1, 5)
        );
        assert!(close(metrics.pairwise.precision, 1.0) && close(metrics.pairwise.recall, 0.8));
    }
}
