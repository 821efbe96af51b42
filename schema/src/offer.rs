//! The merged record: one property, one offer.

use serde::{Deserialize, Serialize};

use crate::listing::{PricePoint, StoredListing};
use crate::offer_fields::Attributes;
use crate::offer_id::OfferId;
use crate::timestamp::Timestamp;

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
    /// Its page on the portal, an http or https URL; `null` if none is known.
    pub url: Option<String>,
    /// Whether that portal still advertises it.
    pub is_live: bool,
    /// When it was first seen on that portal.
    pub first_seen_at: Timestamp,
}

impl PortalLink {
    /// The link to a listing.
    pub fn from_listing(listing: &StoredListing) -> Self {
        Self {
            offer_id: listing.key.offer_id.clone(),
            site_id: listing.key.site_id.clone(),
            url: listing.state.url.clone().filter(|url| is_web_url(url)),
            is_live: listing.state.is_live(),
            first_seen_at: listing.state.first_seen_at,
        }
    }
}

/// Whether a text is a URL that a browser can open as a page: http or https, with a host, without spaces and control
/// characters. Clients show these URLs as links, so `javascript:` and the like must not reach them.
pub fn is_web_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web
        && !rest.starts_with(['/', '?', '#', ':', '@'])
        && !rest.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
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
    pub fn from_listing(listing: &StoredListing) -> Self {
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
