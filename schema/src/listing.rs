//! One portal's advert of a property, in the spec's vocabulary.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::attributes::{self, Attributes};
use crate::offer::OfferId;
use crate::timestamp::Timestamp;

/// The row number of a portal listing in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListingId(pub i64);

/// What names a portal listing everywhere: the portal and the portal's own number for it.
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

/// How exactly a portal says its pin marks the property.
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

/// Whether a portal says that the property is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// Reserved.
    Reserved,
    /// Sold or let.
    Sold,
}

/// What a portal says beyond the interface: never served, used to tell properties apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// Precision of the pin as the portal declares it; `None` where it says nothing.
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
    /// The listing of another portal that this one is a copy of, by the link that the copy itself carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<ListingKey>,
}

/// One portal's advert at one time: what it publishes, and what it says beside that.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// The fields of the interface.
    pub attributes: Attributes,
    /// Evidence that is not served.
    pub evidence: Evidence,
}

/// A price that a portal listing asked from `at` on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PricePoint {
    /// When the price was first seen.
    pub at: Timestamp,
    /// The price, CZK.
    #[serde(serialize_with = "attributes::number")]
    pub price_total: f64,
}

/// The life of a portal listing so far, folded from all of its observations in time order.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingState {
    /// The listing as last observed.
    pub listing: Listing,
    /// Its page on the portal.
    pub url: Option<String>,
    /// Earliest observation.
    pub first_seen_at: Timestamp,
    /// Latest observation that showed it.
    pub last_seen_at: Timestamp,
    /// Latest change: first sight, a changed value, a price, going, coming back.
    pub last_changed_at: Timestamp,
    /// Since when the portal no longer advertises it; `None` while it does.
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
    /// Its life so far.
    pub state: ListingState,
    /// Rises with every change of the state: what dedup has seen, it names by this.
    pub version: i64,
    /// The record it belongs to; `None` until dedup has looked at it.
    pub offer_id: Option<OfferId>,
}
