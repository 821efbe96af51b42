//! Whether the confidence holds: of the pairs joined with a confidence of 90 to 95 %, how many are
//! right?

use std::collections::HashMap;

use schema::ListingPair;
use serde::Serialize;

use super::labelled_pairs::Label;
use super::{LabelledPairs, MatchedListings, Rate, Truth};
use crate::blocking::Member;
use crate::confidence;

/// The lower bounds of the bands of confidence.
const BANDS: [(f64, &str); 6] = [
    (0.99, "over 99 %"),
    (0.95, "95 to 99 %"),
    (0.90, "90 to 95 %"),
    (0.75, "75 to 90 %"),
    (0.50, "50 to 75 %"),
    (0.0, "under 50 %"),
];

/// The joined pairs of one band of confidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReliabilityBand {
    /// The band in words.
    pub confidence: &'static str,
    /// How many joined pairs have such a confidence and are known to be right or wrong.
    pub pairs: usize,
    /// How many of them are one property.
    pub right: usize,
    /// The mean confidence of these pairs: what the share should be.
    pub expected: Rate,
    /// The share that is one property.
    pub found: Rate,
}

/// A joined pair: the weight of the weakest tie between the two, and whether they are one property.
pub type JudgedPair = (f32, bool);

/// The joined pairs of which the truth, or the labels if there are any, say whether they are one
/// property. Pairs that a person joined are left out.
pub fn judged_pairs(
    matched: &MatchedListings,
    truth: &Truth,
    labels: &LabelledPairs,
) -> Vec<JudgedPair> {
    let property_of: HashMap<Member, usize> = truth
        .listings
        .iter()
        .filter_map(|(key, property)| Some((matched.member(key)?, *property)))
        .collect();
    let key = |member: Member| matched.profile(member).key.clone();
    let judge = |one: Member, other: Member| -> Option<bool> {
        if labels.pairs.is_empty() {
            return Some(property_of.get(&one)? == property_of.get(&other)?);
        }
        match labels
            .pairs
            .get(&ListingPair::new(key(one), key(other))?)?
            .0
        {
            Label::Same => Some(true),
            Label::Different => Some(false),
            Label::Ambiguous => None,
        }
    };
    let certainty = matched.certainty();
    let mut judged = Vec::new();
    for cluster in 0..certainty.clusters.len() {
        for (one, other, tie) in certainty.parts(cluster) {
            if !tie.weight.is_finite() {
                continue;
            }
            for left in &one {
                let verdicts = other.iter().filter_map(|right| judge(*left, *right));
                judged.extend(verdicts.map(|right| (tie.weight, right)));
            }
        }
    }
    judged
}

/// The reliability table: joined pairs by band of confidence, the highest first. Bands without pairs
/// are left out.
pub fn reliability(judged: &[JudgedPair]) -> Vec<ReliabilityBand> {
    let mut above = f64::INFINITY;
    let mut bands = Vec::new();
    for (bound, words) in BANDS {
        let within: Vec<(f64, bool)> = judged
            .iter()
            .map(|(weight, right)| (confidence::probability(*weight), *right))
            .filter(|(probability, _)| (bound..above).contains(probability))
            .collect();
        above = bound;
        if within.is_empty() {
            continue;
        }
        let right = within.iter().filter(|(_, right)| *right).count();
        let expected: f64 = within.iter().map(|(probability, _)| probability).sum();
        bands.push(ReliabilityBand {
            confidence: words,
            pairs: within.len(),
            right,
            expected: Rate::ratio(expected, within.len() as f64),
            found: Rate::ratio(right as f64, within.len() as f64),
        });
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_in_the_band_of_their_confidence() {
        let judged = [(40.0, true), (39.0, true), (0.0, true), (0.0, false)];
        let bands = reliability(&judged);
        let counts: Vec<(usize, usize)> =
            bands.iter().map(|band| (band.pairs, band.right)).collect();
        assert_eq!(counts, [(2, 2), (2, 1)], "{bands:#?}");
        assert_eq!(bands[0].confidence, "over 99 %");
    }
}
