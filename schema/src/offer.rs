//! The merged record: one property, one offer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::listing::{PricePoint, StoredListing};
use crate::offer_fields::Attributes;
use crate::timestamp::Timestamp;

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

/// A merged record as a search returns it (the spec's `OfferSummary`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// Stable id.
    pub id: OfferId,
    /// When the property was first seen on any portal.
    pub first_seen_at: Timestamp,
    /// When any portal listing last changed.
    pub last_changed_at: Timestamp,
    /// Whether at least one portal still advertises it.
    pub is_live: bool,
    /// The merged facts.
    #[serde(flatten)]
    pub attributes: Attributes,
}

/// One portal listing behind an offer (the spec's `portalLinks` item).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PortalLink {
    /// The portal's number for the listing.
    pub offer_id: String,
    /// The portal.
    pub site_id: String,
    /// Its page on the portal; `null` if unknown.
    pub url: Option<String>,
    /// Whether that portal still advertises it.
    pub is_live: bool,
    /// When it was first seen on that portal.
    pub first_seen_at: Timestamp,
}

impl PortalLink {
    /// The link to a listing.
    pub fn of(listing: &StoredListing) -> Self {
        Self {
            offer_id: listing.key.offer_id.clone(),
            site_id: listing.key.site_id.clone(),
            url: listing.state.url.clone(),
            is_live: listing.state.is_live(),
            first_seen_at: listing.state.first_seen_at,
        }
    }
}

/// The asking prices of one portal listing, oldest first (the spec's `priceHistory` item).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceSeries {
    /// The portal's number for the listing.
    pub offer_id: String,
    /// The portal.
    pub site_id: String,
    /// The points, oldest first.
    pub points: Vec<PricePoint>,
}

impl PriceSeries {
    /// The prices of a listing.
    pub fn of(listing: &StoredListing) -> Self {
        Self {
            offer_id: listing.key.offer_id.clone(),
            site_id: listing.key.site_id.clone(),
            points: listing.state.prices.clone(),
        }
    }
}

/// A merged record with its portal links and prices (the spec's `OfferDetail`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferDetail {
    /// The summary fields.
    #[serde(flatten)]
    pub offer: Offer,
    /// One entry per portal listing.
    pub portal_links: Vec<PortalLink>,
    /// One series per portal listing.
    pub price_history: Vec<PriceSeries>,
}
