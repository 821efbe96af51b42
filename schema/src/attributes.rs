//! What the interface says of a property: the fields that a portal publishes and a record merges.

use serde::{Deserialize, Serialize, Serializer};

use crate::enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype,
};

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
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub price_total: Option<f64>,
    /// Living (usable) floor area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub living_area: Option<f64>,
    /// Plot area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
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
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub garden_area: Option<f64>,
    /// Storage or cellar area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub storage_area: Option<f64>,
    /// Balcony area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub balcony_area: Option<f64>,
    /// Loggia area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub loggia_area: Option<f64>,
    /// Terrace area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
    pub terrace_area: Option<f64>,
    /// Garage area, m².
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "maybe_number"
    )]
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

#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn maybe_number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => number(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// Writes a whole number without a fraction (`4693000`, not `4693000.0`).
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
pub(crate) fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Below 2^53 every whole number is exact, and an i64 holds it.
    if value.fract() == 0.0 && value.abs() < 9e15 {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}
