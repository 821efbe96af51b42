//! A portal's advert of a property, in the spec's vocabulary.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::offer_fields::{self, Attributes};
use crate::offer_id::OfferId;
use crate::timestamp::Timestamp;

/// The row number of a portal listing in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListingId(pub i64);

/// Identifies a portal listing: the portal, and the portal's own number for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListingKey {
    /// The portal, for example `sreality`.
    pub site_id: String,
    /// The portal's number for the listing.
    pub offer_id: String,
}

impl ListingKey {
    /// The key of listing `offer_id` on portal `site_id`.
    pub fn new(site_id: impl Into<String>, offer_id: impl Into<String>) -> Self {
        Self {
            site_id: site_id.into(),
            offer_id: offer_id.into(),
        }
    }
}

impl fmt::Display for ListingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.site_id, self.offer_id)
    }
}

/// How precisely, according to the portal, its pin marks the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PinPrecision {
    /// The building or a surveyed point.
    Exact,
    /// Somewhere on the street.
    Street,
    /// The middle of a quarter.
    Quarter,
    /// The middle of a municipality, postal code area or larger.
    Municipality,
}

/// How a portal marks a property that is no longer available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// Reserved.
    Reserved,
    /// Sold or let.
    Sold,
}

/// Facts that the API does not serve. Matching uses them to tell properties apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// Precision of the pin as the portal declares it; `None` if it declares none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<PinPrecision>,
    /// House number as published: `1290/16`, `12a`, `č.ev. 5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_number: Option<String>,
    /// RÚIAN code of the address point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_point: Option<i64>,
    /// The agency's own order number (číslo zakázky): the same on every portal it exports to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_code: Option<String>,
    /// Share of the property on offer, as published (`1/2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// Total floor area (celková plocha), m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_area: Option<f64>,
    /// Reserved or sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
    /// Year in which the building was finished or approved for use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year_built: Option<i16>,
    /// The price that the advert shows as its former one, CZK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub former_price: Option<f64>,
    /// What the advert adds to its price: `včetně provize RK`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_on_price: Option<String>,
    /// RÚIAN code of the municipality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub municipality_code: Option<i64>,
    /// The listing of another portal that this one is a copy of, according to the copy's own link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<ListingKey>,
}

/// A portal's advert at one time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// The facts that the API serves.
    pub attributes: Attributes,
    /// Further facts, which it does not serve.
    pub evidence: Evidence,
}

/// A price that a portal listing asks from `at` on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PricePoint {
    /// When the price was first seen.
    pub at: Timestamp,
    /// The price, CZK.
    #[serde(serialize_with = "offer_fields::number")]
    pub price_total: f64,
}

/// The state of a portal listing, computed from all of its observations in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingState {
    /// The listing as last observed.
    pub listing: Listing,
    /// Its page on the portal.
    pub url: Option<String>,
    /// The earliest observation.
    pub first_seen_at: Timestamp,
    /// The latest observation that showed it.
    pub last_seen_at: Timestamp,
    /// The latest change: its first sighting, a changed value or price, its end, or its return.
    pub last_changed_at: Timestamp,
    /// When the portal stopped advertising it; `None` while it is live.
    pub gone_at: Option<Timestamp>,
    /// Its prices, oldest first; each differs from the one before.
    pub prices: Vec<PricePoint>,
}

impl ListingState {
    /// Whether the portal still advertises it.
    pub fn is_live(&self) -> bool {
        self.gone_at.is_none()
    }
}

/// A portal listing in the store.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredListing {
    /// Its row.
    pub id: ListingId,
    /// Portal and the portal's number.
    pub key: ListingKey,
    /// Its state.
    pub state: ListingState,
    /// Increases with every change of the state. Deduplication notes which version it has processed.
    pub version: i64,
    /// The record it belongs to; `None` until deduplication has processed it.
    pub offer_id: Option<OfferId>,
}
