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

/// A person's decision about two listings, which overrules matching.
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

/// A decision with the person who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoggedReview {
    /// The decision.
    #[serde(flatten)]
    pub review: Review,
    /// Who made it; `None` for decisions made on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// Implements the texts of an enumeration whose variants are in the order of its texts.
macro_rules! texts {
    ($name:ident, $field:literal, [$($variant:ident = $text:literal),+]) => {
        impl $name {
            const TEXTS: &'static [&'static str] = &[$($text),+];

            /// The text of the value.
            pub fn as_str(self) -> &'static str {
                Self::TEXTS[self as usize]
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;

            fn from_str(text: &str) -> Result<Self, UnknownValue> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(UnknownValue {
                        field: $field,
                        value: text.to_owned(),
                        accepted: Self::TEXTS,
                    }),
                }
            }
        }
    };
}

/// What a person answered about two listings in the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The two are one property.
    Same,
    /// The two are different properties.
    Different,
    /// The person cannot tell. Matching goes on to decide.
    Unsure,
    /// The person's last answer is taken back.
    Withdrawn,
}

texts!(
    Answer,
    "answer",
    [
        Same = "same",
        Different = "different",
        Unsure = "unsure",
        Withdrawn = "withdrawn"
    ]
);

impl Answer {
    /// The decision that the answer makes; `None` if it decides nothing.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Same => Some(Verdict::Same),
            Self::Different => Some(Verdict::Different),
            Self::Unsure | Self::Withdrawn => None,
        }
    }
}

/// The state of matching when a question was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asked {
    /// The two were in different records: are they one property?
    Join,
    /// The two were in one record: are they different properties?
    Split,
    /// The person chose the pair.
    Chosen,
}

texts!(
    Asked,
    "asked",
    [Join = "join", Split = "split", Chosen = "none"]
);

/// An answer of a person about two listings.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewAnswer {
    /// The two listings.
    pub pair: ListingPair,
    /// The answer.
    pub answer: Answer,
    /// Who answered.
    pub person: String,
    /// The reason that the person gave.
    pub reason: Option<String>,
    /// The state of matching when the question was asked.
    pub asked: Asked,
    /// How many adverts were on either side.
    pub adverts: (u64, u64),
    /// The match weight of the two sides, log₂.
    pub weight: f64,
    /// Whether the pair was asked again to measure agreement. Such an answer decides nothing.
    pub is_repeat: bool,
    /// When.
    pub answered_at: Timestamp,
}
