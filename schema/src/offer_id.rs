//! The id of a merged record.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The stable id of an offer: 1 to 64 characters of `[A-Za-z0-9_-]`, random, never derived from content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OfferId(String);

/// A text that is not an offer id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is not an offer id: an id has 1 to 64 of the characters A-Z a-z 0-9 _ -")]
pub struct InvalidOfferId {
    /// What was given.
    pub value: String,
}

impl OfferId {
    const ALPHABET: &'static [u8; 62] =
        b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /// A random id of 16 characters (95 bits).
    pub fn random(rng: &mut impl rand::Rng) -> Self {
        let text = (0..16).map(|_| {
            let place = rand::RngExt::random_range(rng, 0..Self::ALPHABET.len());
            char::from(Self::ALPHABET[place])
        });
        Self(text.collect())
    }

    /// Parses an id.
    ///
    /// # Errors
    /// [`InvalidOfferId`] if the text is empty, too long, or has other characters.
    pub fn parse(text: &str) -> Result<Self, InvalidOfferId> {
        let fits = (1..=64).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidOfferId {
                value: text.to_owned(),
            })
        }
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OfferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for OfferId {
    type Error = InvalidOfferId;

    fn try_from(text: String) -> Result<Self, InvalidOfferId> {
        Self::parse(&text)
    }
}

impl From<OfferId> for String {
    fn from(id: OfferId) -> Self {
        id.0
    }
}
