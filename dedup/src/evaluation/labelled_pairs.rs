//! Labelled pairs: pairs that a person judged, for data of which only some pairs are known.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Read;

use schema::{ListingKey, ListingPair, Review, Verdict};
use serde::Serialize;

use super::truth::CsvTable;
use super::{PredictedClusters, Rate, Truth, TruthError};

/// What a person says about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// One property.
    Same,
    /// Two properties.
    Different,
    /// Undecidable. The pair is not counted.
    Ambiguous,
}

/// Labelled pairs, each with the label and the reason in the labeller's words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelledPairs {
    /// The pairs.
    pub pairs: BTreeMap<ListingPair, (Label, String)>,
}

/// Precision and recall over labelled pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelledMetrics {
    /// Of the joined pairs, the share that is right.
    pub precision: Rate,
    /// Of the pairs of one property, the share that is joined.
    pub recall: Rate,
    /// Harmonic mean of the two.
    pub f1: Rate,
    /// Pairs of one property that are joined.
    pub hits: usize,
    /// Pairs of one property that are apart.
    pub missed: usize,
    /// Pairs of two properties that are joined.
    pub wrong: usize,
    /// Ambiguous pairs, which are not counted.
    pub ambiguous: usize,
    /// Ambiguous pairs that are joined.
    pub ambiguous_merged: usize,
    /// Listings of labelled pairs without a predicted cluster; they count as alone.
    pub absent: usize,
    /// The measures if joined pairs of two properties count as wrong even without a label; needs the
    /// truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_unlisted: Option<Box<WithUnlisted>>,
}

/// The measures if every joined pair of two properties counts as wrong, labelled or not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WithUnlisted {
    /// Of the joined pairs, the share that is right.
    pub precision: Rate,
    /// Harmonic mean of precision and recall.
    pub f1: Rate,
    /// Pairs of two properties that are joined.
    pub wrong: usize,
    /// Properties with several listings, none of them in an ambiguous pair.
    pub solid: usize,
    /// Those of them that are found exactly.
    pub solid_exact: usize,
}

impl LabelledPairs {
    /// Reads a CSV table with the columns `siteA`, `offerA`, `siteB`, `offerB`, `label` (same, different, ambiguous) and
    /// optionally `reason`.
    ///
    /// # Errors
    /// [`TruthError`] when the input is not such a table.
    pub fn from_csv(table: impl Read) -> Result<Self, TruthError> {
        let columns = CsvTable::open(table)?;
        let needed = ["siteA", "offerA", "siteB", "offerB", "label"].map(|name| columns.need(name));
        let [site_a, offer_a, site_b, offer_b, label] = needed;
        let (site_a, offer_a, site_b, offer_b, label) =
            (site_a?, offer_a?, site_b?, offer_b?, label?);
        let reason = columns.find("reason");
        let mut found = Self::default();
        for row in columns.rows() {
            let (line, row) = row?;
            let text = |column: usize| row.get(column).unwrap_or_default();
            let label = match text(label) {
                "same" => Label::Same,
                "different" => Label::Different,
                "ambiguous" => Label::Ambiguous,
                other => {
                    return Err(TruthError::Label {
                        line,
                        label: other.to_owned(),
                    });
                }
            };
            let one = ListingKey::new(text(site_a), text(offer_a));
            let other = ListingKey::new(text(site_b), text(offer_b));
            let Some(pair) = ListingPair::new(one.clone(), other) else {
                return Err(TruthError::Twice { listing: one });
            };
            found.pairs.insert(
                pair,
                (label, reason.map(text).unwrap_or_default().to_owned()),
            );
        }
        Ok(found)
    }

    /// The decisions of reviewers as labels.
    pub fn from_reviews(reviews: &[Review]) -> Self {
        let label = |review: &Review| {
            let label = match review.verdict {
                Verdict::Same => Label::Same,
                Verdict::Different => Label::Different,
                Verdict::Forgotten => return None,
            };
            let reason = review.reason.clone().unwrap_or_default();
            Some((review.pair.clone(), (label, reason)))
        };
        Self {
            pairs: reviews.iter().filter_map(label).collect(),
        }
    }

    /// The listings of all pairs, with repeats.
    pub fn listings(&self) -> impl Iterator<Item = &ListingKey> {
        self.pairs.keys().flat_map(|pair| [&pair.left, &pair.right])
    }
}

/// Whether the two listings of a pair are in one cluster.
pub(super) fn together(found: &PredictedClusters, pair: &ListingPair) -> bool {
    found
        .get(&pair.left)
        .is_some_and(|cluster| found.get(&pair.right) == Some(cluster))
}

/// Measures clusters against labelled pairs and, if the truth is not empty, against joined pairs
/// without a label.
pub fn labelled_metrics(
    labels: &LabelledPairs,
    truth: &Truth,
    found: &PredictedClusters,
) -> LabelledMetrics {
    let count = |label: Label, joined: bool| {
        let of = |(pair, (said, _)): &(&ListingPair, &(Label, String))| {
            *said == label && together(found, pair) == joined
        };
        labels.pairs.iter().filter(of).count()
    };
    let (hits, missed, wrong) = (
        count(Label::Same, true),
        count(Label::Same, false),
        count(Label::Different, true),
    );
    let (precision, recall) = (
        share_or_one(hits, hits + wrong),
        share_or_one(hits, hits + missed),
    );
    let ambiguous_merged = count(Label::Ambiguous, true);
    let listings: BTreeSet<&ListingKey> = labels.listings().collect();
    LabelledMetrics {
        precision,
        recall,
        f1: Rate::f1(precision, recall),
        hits,
        missed,
        wrong,
        ambiguous: ambiguous_merged + count(Label::Ambiguous, false),
        ambiguous_merged,
        absent: listings
            .into_iter()
            .filter(|key| !found.contains_key(key))
            .count(),
        with_unlisted: (!truth.listings.is_empty()).then(|| {
            let wrong = wrong + unlisted(labels, truth, found);
            let precision = share_or_one(hits, hits + wrong);
            let (solid, solid_exact) = solid(labels, truth, found);
            Box::new(WithUnlisted {
                precision,
                f1: Rate::f1(precision, recall),
                wrong,
                solid,
                solid_exact,
            })
        }),
    }
}

/// A share; 1 if the whole is 0.
fn share_or_one(part: usize, whole: usize) -> Rate {
    if whole == 0 {
        Rate(Some(1.0))
    } else {
        Rate::ratio(part as f64, whole as f64)
    }
}

/// How many pairs of two properties are joined and have no label.
fn unlisted(labels: &LabelledPairs, truth: &Truth, found: &PredictedClusters) -> usize {
    let mut members: HashMap<u32, Vec<&(ListingKey, usize)>> = HashMap::new();
    for listing in &truth.listings {
        if let Some(cluster) = found.get(&listing.0) {
            members.entry(*cluster).or_default().push(listing);
        }
    }
    let mut count = 0;
    for members in members.values() {
        for (place, (one, property)) in members.iter().enumerate() {
            for (other, other_property) in &members[place + 1..] {
                let listed = || {
                    ListingPair::new(one.clone(), other.clone())
                        .is_some_and(|pair| labels.pairs.contains_key(&pair))
                };
                count += usize::from(property != other_property && !listed());
            }
        }
    }
    count
}

/// How many properties have several listings and no ambiguous pair, and how many of these are found
/// exactly.
fn solid(labels: &LabelledPairs, truth: &Truth, found: &PredictedClusters) -> (usize, usize) {
    let doubtful = labels
        .pairs
        .iter()
        .filter(|(_, (label, _))| *label == Label::Ambiguous);
    let doubtful: HashSet<&ListingKey> = doubtful
        .flat_map(|(pair, _)| [&pair.left, &pair.right])
        .collect();
    let mut groups: Vec<Vec<&ListingKey>> = vec![Vec::new(); truth.properties.len()];
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for (key, property) in &truth.listings {
        groups[*property].push(key);
        if let Some(cluster) = found.get(key) {
            *sizes.entry(*cluster).or_default() += 1;
        }
    }
    groups.retain(|group| group.len() > 1 && !group.iter().any(|key| doubtful.contains(key)));
    let exact = |group: &&Vec<&ListingKey>| {
        let cluster = found.get(group[0]);
        cluster.is_some_and(|cluster| sizes[cluster] == group.len())
            && group.iter().all(|key| found.get(*key) == cluster)
    };
    (groups.len(), groups.iter().filter(exact).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measures_equal_those_counted_by_hand() {
        let table = "siteA,offerA,siteB,offerB,label,reason\n\
            x,a,x,b,same,\"read: one plan, one view\"\nx,c,x,b,same,path: p1\nx,a,x,d,different,rule: floor\n\
            x,e,x,f,ambiguous,rule: area\n";
        let labels = LabelledPairs::from_csv(table.as_bytes()).unwrap();
        let truth = "siteId,offerId,propertyId,confidence\nx,a,p1,1\nx,b,p1,1\nx,c,p1,1\nx,d,p2,1\nx,e,p3,1\nx,f,p4,1\n\
            x,g,p5,1\nx,h,p5,1\n";
        let truth = Truth::from_csv(truth.as_bytes()).unwrap();
        let clusters = [
            ("a", 1),
            ("b", 1),
            ("d", 1),
            ("c", 2),
            ("e", 3),
            ("f", 3),
            ("g", 4),
            ("h", 4),
        ];
        let found: PredictedClusters = clusters
            .into_iter()
            .map(|(number, cluster)| (ListingKey::new("x", number), cluster))
            .collect();
        let figures = labelled_metrics(&labels, &truth, &found);
        assert_eq!((figures.hits, figures.missed, figures.wrong), (1, 1, 1));
        assert_eq!(
            (figures.precision, figures.recall),
            (Rate(Some(0.5)), Rate(Some(0.5)))
        );
        assert_eq!(
            (figures.ambiguous, figures.ambiguous_merged, figures.absent),
            (1, 1, 0)
        );
        // b and d are joined without a label; e and f have one.
        let unlisted = figures.with_unlisted.unwrap();
        assert_eq!(
            (unlisted.wrong, unlisted.solid, unlisted.solid_exact),
            (2, 2, 1)
        );
    }

    #[test]
    fn an_unknown_label_is_reported_with_its_line() {
        let table = "siteA,offerA,siteB,offerB,label\nx,a,x,b,same\nx,a,x,c,maybe\n";
        let error = LabelledPairs::from_csv(table.as_bytes())
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "line 3: unknown label \"maybe\"; accepted: same, different, ambiguous"
        );
    }
}
