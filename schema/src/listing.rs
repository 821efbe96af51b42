//! One portal's advert of a property, in the spec's vocabulary.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use crate::attributes::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType, Subtype,
};
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
        Self { site_id: site_id.into(), offer_id: offer_id.into() }
    }
}

impl fmt::Display for ListingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.site_id, self.offer_id)
    }
}

/// A position in WGS 84 degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// Latitude, north positive.
    pub lat: f64,
    /// Longitude, east positive.
    pub lng: f64,
}

/// The published facts of a property: every optional field of the spec's Offer, in the spec's order.
/// Unknown is `None`, never 0 or an empty text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Attributes {
    /// Geocoded position as the portal gave it.
    pub location: Option<Location>,
    /// Title as written by the portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Full text as written by the portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Municipality (obec).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// Street without the house number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    /// Region (kraj).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// City part or quarter (část obce, městská část).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighborhood: Option<String>,
    /// District (okres).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// Postal code (PSČ), usually `NNN NN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// Address line as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Apartment or unit number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_number: Option<String>,
    /// Property type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub property_type: Option<PropertyType>,
    /// Finer property type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    /// Kind of offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer_type: Option<OfferType>,
    /// Room layout (dispozice).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<Arrangement>,
    /// Condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_state: Option<PropertyState>,
    /// Ownership form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Construction type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub building_type: Option<BuildingType>,
    /// Asking price in CZK: the total for a sale, the monthly amount for a rent.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub price_total: Option<f64>,
    /// Living (usable) floor area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub living_area: Option<f64>,
    /// Plot area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub land_area: Option<f64>,
    /// Floor of the unit; 0 is the ground floor, negative is below ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<i16>,
    /// Number of floors in the building.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_count: Option<i16>,
    /// How furnished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equipment: Option<Equipment>,
    /// Garden present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garden: Option<bool>,
    /// Storage room or cellar present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<bool>,
    /// Balcony present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balcony: Option<bool>,
    /// Loggia present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loggia: Option<bool>,
    /// Terrace present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terrace: Option<bool>,
    /// Garage present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garage: Option<bool>,
    /// Elevator present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevator: Option<bool>,
    /// Parking present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parking: Option<bool>,
    /// Wheelchair access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barrier_free: Option<bool>,
    /// Swimming pool present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swimming_pool: Option<bool>,
    /// Garden area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub garden_area: Option<f64>,
    /// Storage or cellar area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub storage_area: Option<f64>,
    /// Balcony area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub balcony_area: Option<f64>,
    /// Loggia area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub loggia_area: Option<f64>,
    /// Terrace area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub terrace_area: Option<f64>,
    /// Garage area, m².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub garage_area: Option<f64>,
    /// Energy class as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_class: Option<String>,
    /// Heating source: `gas`, `electric`, `solid`, `solid-fuel`, `combined`, `heat-pump`, `other`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heating_source: Option<String>,
    /// Heating type: `communal`, `local`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heating_type: Option<String>,
    /// Sewerage: `communal`, `septic-tank`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sewerage: Option<String>,
    /// House position: `free_standing`, `terraced`, `semi_detached`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_position: Option<String>,
}

/// Writes a whole number without a fraction (`4693000`, not `4693000.0`).
#[expect(clippy::ref_option, reason = "serde's serialize_with hands over a reference to the field")]
fn number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) if value.fract() == 0.0 && value.abs() < 9e15 => serializer.serialize_i64(*value as i64),
        Some(value) => serializer.serialize_f64(*value),
        None => serializer.serialize_none(),
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
    #[serde(serialize_with = "whole_number")]
    pub price_total: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn whole_number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    number(&Some(*value), serializer)
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
