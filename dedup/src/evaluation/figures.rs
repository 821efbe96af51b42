//! Precision, recall and whole properties.

use std::collections::{BTreeMap, HashSet};

use schema::ListingKey;
use serde::Serialize;

use super::counts::{Counts, Fate};
use super::kinds::{self, KindFigures};
use super::{Found, Rate, Truth, pairs_of};

/// Everything that is said of the clusters against the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Listings of the truth, without the ambiguous ones.
    pub listings: usize,
    /// True properties.
    pub properties: usize,
    /// Clusters found that hold at least one of the listings; a listing that was not found is one of its own.
    pub predicted_clusters: usize,
    /// Of pairs of listings.
    pub pairwise: Rates,
    /// Mean over the listings: which share of the cluster is right, which share of the property was found.
    pub bcubed: Rates,
    /// Share of the properties whose cluster is exactly the property.
    pub exact_cluster_rate: Rate,
    /// Clusters that hold listings of several properties.
    pub over_merged: OverMerged,
    /// Properties whose listings are in several clusters.
    pub split: Split,
    /// The largest cluster.
    pub largest_cluster: Largest,
    /// Listings left out because nobody can tell.
    pub skipped_ambiguous: usize,
    /// Listings of the truth that are not there.
    pub missing_predictions: usize,
    /// Listings that the truth does not know.
    pub unknown_predictions: usize,
    /// By kind of trap: recall of the pairs of its properties, precision of the found pairs that touch them.
    pub kinds: BTreeMap<String, KindFigures>,
    /// By how many listings a property has, from six on together.
    pub by_listings_per_property: BTreeMap<String, Share>,
    /// By kind of offer, where the truth says it.
    pub by_offer_type: BTreeMap<String, Share>,
}

/// Precision, recall and their harmonic mean, with the counts behind them where there are some.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rates {
    /// Share of what was found that is true.
    pub precision: Rate,
    /// Share of what is true that was found.
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

/// The largest cluster: a chain that glues a district together shows here first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Largest {
    /// Its listings.
    pub listings: usize,
    /// Their properties.
    pub properties: usize,
}

/// A part of the properties.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// How many.
    pub properties: usize,
    /// Share of them whose cluster is exactly the property.
    pub exact_cluster_rate: Rate,
    /// Share of their pairs that was found.
    pub recall: Rate,
}

/// Scores clusters against the truth.
pub fn figures(truth: &Truth, found: &Found) -> Figures {
    let counts = Counts::of(truth, found);
    let mut fates = vec![Fate::default(); truth.properties.len()];
    let mut properties_in = vec![0usize; counts.of_cluster.len()];
    let (mut precision, mut recall) = (0.0, 0.0);
    for ((cluster, property), shared) in &counts.shared {
        let (in_cluster, in_property) =
            (counts.of_cluster[*cluster], counts.of_property[*property]);
        let square = (shared * shared) as f64;
        precision += square / in_cluster as f64;
        recall += square / in_property as f64;
        properties_in[*cluster] += 1;
        let fate = &mut fates[*property];
        fate.clusters += 1;
        fate.correct_pairs += pairs_of(*shared);
        fate.exact |= *shared == in_property && *shared == in_cluster;
    }
    let listings = truth.listings.len();
    let exact = fates.iter().filter(|fate| fate.exact).count();
    let over: Vec<usize> = (0..properties_in.len())
        .filter(|cluster| properties_in[*cluster] > 1)
        .collect();
    let split = fates.iter().filter(|fate| fate.clusters > 1);
    Figures {
        listings,
        properties: truth.properties.len(),
        predicted_clusters: counts.of_cluster.len(),
        pairwise: pairwise(&counts, &fates),
        bcubed: Rates {
            precision: Rate::of(precision, listings as f64),
            recall: Rate::of(recall, listings as f64),
            f1: Rate::f1(
                Rate::of(precision, listings as f64),
                Rate::of(recall, listings as f64),
            ),
            true_pairs: None,
            predicted_pairs: None,
            correct_pairs: None,
        },
        exact_cluster_rate: Rate::of(exact as f64, truth.properties.len() as f64),
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
            worst_clusters: split.map(|fate| fate.clusters).max().unwrap_or_default(),
        },
        largest_cluster: largest(&counts.of_cluster, &properties_in),
        skipped_ambiguous: truth.ambiguous.len(),
        missing_predictions: counts.missing,
        unknown_predictions: unknown(truth, found),
        kinds: kinds::by_kind(truth, &counts, &fates),
        by_listings_per_property: shares(truth, &counts, &fates, |place| {
            let count = counts.of_property[place];
            Some(if count < 6 {
                count.to_string()
            } else {
                "6+".to_owned()
            })
        }),
        by_offer_type: shares(truth, &counts, &fates, |place| {
            truth.properties[place].offer_type.clone()
        }),
    }
}

fn pairwise(counts: &Counts, fates: &[Fate]) -> Rates {
    let correct: usize = fates.iter().map(|fate| fate.correct_pairs).sum();
    let found: usize = counts.of_cluster.iter().map(|count| pairs_of(*count)).sum();
    let real: usize = counts
        .of_property
        .iter()
        .map(|count| pairs_of(*count))
        .sum();
    let precision = Rate::of(correct as f64, found as f64);
    let recall = Rate::of(correct as f64, real as f64);
    Rates {
        precision,
        recall,
        f1: Rate::f1(precision, recall),
        true_pairs: Some(real),
        predicted_pairs: Some(found),
        correct_pairs: Some(correct),
    }
}

/// Of several equally large clusters the first.
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

fn unknown(truth: &Truth, found: &Found) -> usize {
    let known: HashSet<&ListingKey> = truth.listings.iter().map(|(key, _)| key).collect();
    found
        .keys()
        .filter(|key| !known.contains(key) && !truth.ambiguous.contains(*key))
        .count()
}

/// The properties by a name; those without one are left out.
fn shares(
    truth: &Truth,
    counts: &Counts,
    fates: &[Fate],
    name: impl Fn(usize) -> Option<String>,
) -> BTreeMap<String, Share> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for place in 0..truth.properties.len() {
        if let Some(name) = name(place) {
            places.entry(name).or_default().push(place);
        }
    }
    places
        .into_iter()
        .map(|(name, places)| (name, share(places.into_iter(), counts, fates)))
        .collect()
}

fn share(places: impl Iterator<Item = usize>, counts: &Counts, fates: &[Fate]) -> Share {
    let (mut properties, mut exact, mut correct, mut real) = (0usize, 0usize, 0usize, 0usize);
    for place in places {
        properties += 1;
        exact += usize::from(fates[place].exact);
        correct += fates[place].correct_pairs;
        real += pairs_of(counts.of_property[place]);
    }
    Share {
        properties,
        exact_cluster_rate: Rate::of(exact as f64, properties as f64),
        recall: Rate::of(correct as f64, real as f64),
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
        Truth::read(table.as_bytes()).unwrap()
    }

    fn found(clusters: &[&str]) -> Found {
        let listing =
            |number: u32, letter: char| (ListingKey::new("x", letter.to_string()), number);
        let of = |(number, letters): (u32, &&str)| {
            letters
                .chars()
                .map(move |letter| listing(number, letter))
                .collect::<Vec<_>>()
        };
        (0..).zip(clusters).flat_map(of).collect()
    }

    fn close(rate: Rate, expected: f64) -> bool {
        rate.0.is_some_and(|rate| (rate - expected).abs() < 1e-9)
    }

    #[test]
    fn the_figures_are_those_counted_by_hand() {
        // One property is cut up, a listing of another is with it, the rest is right.
        let figures = figures(&truth(), &found(&["abd", "c", "ezy", "f", "gh"]));
        let pairs = &figures.pairwise;
        assert_eq!(
            (pairs.true_pairs, pairs.predicted_pairs, pairs.correct_pairs),
            (Some(5), Some(4), Some(2))
        );
        assert!(
            close(pairs.precision, 0.5) && close(pairs.recall, 0.4) && close(pairs.f1, 4.0 / 9.0)
        );
        assert!(
            close(figures.bcubed.precision, 20.0 / 24.0)
                && close(figures.bcubed.recall, 17.0 / 24.0)
        );
        assert!(close(figures.exact_cluster_rate, 0.5));
        assert_eq!(
            figures.over_merged,
            OverMerged {
                clusters: 1,
                listings: 3,
                worst_properties: 2
            }
        );
        assert_eq!(
            figures.split,
            Split {
                properties: 2,
                worst_clusters: 2
            }
        );
        assert_eq!(
            figures.largest_cluster,
            Largest {
                listings: 3,
                properties: 2
            }
        );
        let counts = (
            figures.skipped_ambiguous,
            figures.missing_predictions,
            figures.unknown_predictions,
        );
        assert_eq!(counts, (1, 0, 1));
        let panel = &figures.kinds["panel"];
        assert!(
            close(panel.recall, 0.25) && close(panel.precision, 1.0 / 3.0),
            "{panel:?}"
        );
        let relist = &figures.kinds["relist"];
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
            figures.kinds["plain"].recall,
            Rate(None),
            "there was no pair to find"
        );
        assert!(close(figures.by_offer_type["rent"].exact_cluster_rate, 1.0));
        assert!(close(
            figures.by_listings_per_property["3"].recall,
            1.0 / 3.0
        ));
    }

    #[test]
    fn a_listing_that_is_not_there_is_alone() {
        let figures = figures(&truth(), &found(&["abc", "de", "f", "g"]));
        assert_eq!(
            (figures.missing_predictions, figures.predicted_clusters),
            (1, 5)
        );
        assert!(close(figures.pairwise.precision, 1.0) && close(figures.pairwise.recall, 0.8));
    }
}
