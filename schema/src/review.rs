//! A person's decision about two listings.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::enumerations::UnknownValue;
use crate::listing::ListingKey;
use crate::timestamp::Timestamp;

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The two are one property.
    Same,
    /// The two are different properties.
    Different,
    /// An earlier decision is withdrawn: matching decides.
    Forgotten,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Same, Self::Different, Self::Forgotten];
    const TEXTS: &'static [&'static str] = &["same", "different", "forgotten"];

    /// The text of the verdict.
    pub fn as_str(self) -> &'static str {
        Self::TEXTS[self as usize]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Verdict {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        let unknown = || UnknownValue {
            field: "verdict",
            value: text.to_owned(),
            accepted: Self::TEXTS,
        };
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.as_str() == text)
            .ok_or_else(unknown)
    }
}

/// Two listings, the one with the smaller key first, so that each pair has one form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ListingPair {
    /// The listing with the smaller key.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
}

impl ListingPair {
    /// The pair of two listings; `None` if both are the same listing.
    pub fn new(one: ListingKey, other: ListingKey) -> Option<Self> {
        match one.cmp(&other) {
            std::cmp::Ordering::Less => Some(Self {
                left: one,
                right: other,
            }),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Self {
                left: other,
                right: one,
            }),
        }
    }
}

impl fmt::Display for ListingPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.left, self.right)
    }
}

/// A person's decision about two listings, which overrules matching. The person is not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The two listings.
    #[serde(flatten)]
    pub pair: ListingPair,
    /// What was decided.
    pub verdict: Verdict,
    /// The reason that the person gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub decided_at: Timestamp,
}
