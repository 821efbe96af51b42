//! How sure a record is: its weakest tie and its strongest rival.

use schema::{ListingKey, OfferId};
use serde::Serialize;

use crate::blocking::Member;
use crate::confidence;
use crate::engine::{Certainty, Rivals};
use crate::profile::Profile;
use crate::scoring;

/// How sure a record is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordConfidence {
    /// The probability that the two parts of the record that its weakest tie joins are one property;
    /// `None` if it has one listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The tie without which the record falls into two; `None` if it has one listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weakest_tie: Option<WeighedPair>,
    /// The record that came nearest to being joined to this one; `None` if none came near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strongest_rival: Option<NearestRecord>,
}

/// Two listings with the weight of what they join or would join.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WeighedPair {
    /// One listing.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
    /// By how much the weight exceeds what joining needs; below 0, what it lacks. `None` if a person
    /// decided that the two are one property.
    pub weight: Option<f64>,
}

/// A record that was nearly joined to another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NearestRecord {
    /// Its id, if it has one yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<OfferId>,
    /// The strongest pair between the two records: first the listing of the explained record.
    #[serde(flatten)]
    pub pair: WeighedPair,
    /// The probability that the two records are one property.
    pub probability: f64,
}

/// How sure a cluster is. `rivals` are its rivals, the heaviest first.
pub fn record_confidence(
    profiles: &[Profile],
    certainty: &Certainty,
    cluster: usize,
    rivals: &[Rivals],
) -> RecordConfidence {
    let pair = |left: Member, right: Member, weight: f32| WeighedPair {
        left: profiles[left as usize].key.clone(),
        right: profiles[right as usize].key.clone(),
        weight: weight.is_finite().then(|| scoring::round_weight(weight)),
    };
    let tie = certainty.weakest_tie(cluster);
    let nearest = |rivals: &Rivals| NearestRecord {
        record: None,
        pair: if rivals.clusters.0 == cluster {
            pair(rivals.left, rivals.right, rivals.weight)
        } else {
            pair(rivals.right, rivals.left, rivals.weight)
        },
        probability: rounded_probability(rivals.weight),
    };
    RecordConfidence {
        probability: tie.map(|tie| rounded_probability(tie.weight)),
        weakest_tie: tie.map(|tie| pair(tie.left, tie.right, tie.weight)),
        strongest_rival: rivals.first().map(nearest),
    }
}

/// The probability of a weight with four decimals.
fn rounded_probability(weight: f32) -> f64 {
    (confidence::probability(weight) * 1e4).round() / 1e4
}
