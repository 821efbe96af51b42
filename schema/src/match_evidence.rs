//! Why matching considers two listings one property, or does not: explanations are values.

use serde::{Deserialize, Serialize};

use crate::listing::ListingId;

/// One comparison of two listings: a bar of the waterfall chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bar {
    /// What was compared: `place`, `size`, `identifiers`.
    pub comparison: String,
    /// How well the values agree, in words.
    pub level: String,
    /// Its weight: log₂ of the likelihood ratio.
    pub weight: f64,
    /// The value of the first listing, as compared.
    pub left: String,
    /// The value of the second listing, as compared.
    pub right: String,
}

/// The scored comparison of two listings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchEvidence {
    /// The sum of the prior and all bars: log₂ of the odds that both are one property.
    pub weight: f64,
    /// Why the two may never be one record, whatever the weight; `None` if nothing forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub veto: Option<String>,
    /// Every comparison for which both listings have a value.
    pub bars: Vec<Bar>,
}

/// A scored pair as the store keeps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredMatch {
    /// The listing with the smaller row number.
    pub left: ListingId,
    /// The other listing.
    pub right: ListingId,
    /// log₂ of the odds that both are one property.
    pub weight: f64,
    /// Whether a veto forbids the pair.
    pub vetoed: bool,
}
