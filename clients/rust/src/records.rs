//! The records of the API. Generated from api/openapi.json by clients/generate.py. Do not edit.
//!
//! Instants are texts in ISO 8601, in UTC.

use serde::{Deserialize, Serialize};

/// `Location` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Latitude, WGS 84.
    pub lat: f64,
    /// Longitude, WGS 84.
    pub lng: f64,
}

/// Property type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PropertyType {
    /// `apartment`
    #[serde(rename = "apartment")]
    Apartment,
    /// `house`
    #[serde(rename = "house")]
    House,
    /// `commercial`
    #[serde(rename = "commercial")]
    Commercial,
    /// `other`
    #[serde(rename = "other")]
    Other,
    /// `land`
    #[serde(rename = "land")]
    Land,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Finer property type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Subtype {
    /// `family`
    #[serde(rename = "family")]
    Family,
    /// `villa`
    #[serde(rename = "villa")]
    Villa,
    /// `cottage`
    #[serde(rename = "cottage")]
    Cottage,
    /// `holiday`
    #[serde(rename = "holiday")]
    Holiday,
    /// `planned`
    #[serde(rename = "planned")]
    Planned,
    /// `farm`
    #[serde(rename = "farm")]
    Farm,
    /// `historical`
    #[serde(rename = "historical")]
    Historical,
    /// `office`
    #[serde(rename = "office")]
    Office,
    /// `warehouse`
    #[serde(rename = "warehouse")]
    Warehouse,
    /// `production`
    #[serde(rename = "production")]
    Production,
    /// `shopping_space`
    #[serde(rename = "shopping_space")]
    ShoppingSpace,
    /// `accommodation`
    #[serde(rename = "accommodation")]
    Accommodation,
    /// `restaurant`
    #[serde(rename = "restaurant")]
    Restaurant,
    /// `agricultural`
    #[serde(rename = "agricultural")]
    Agricultural,
    /// `building`
    #[serde(rename = "building")]
    Building,
    /// `garage_full`
    #[serde(rename = "garage_full")]
    GarageFull,
    /// `garage_space`
    #[serde(rename = "garage_space")]
    GarageSpace,
    /// `mobile_home`
    #[serde(rename = "mobile_home")]
    MobileHome,
    /// `wine_cellar`
    #[serde(rename = "wine_cellar")]
    WineCellar,
    /// `attic`
    #[serde(rename = "attic")]
    Attic,
    /// `housing`
    #[serde(rename = "housing")]
    Housing,
    /// `commercial`
    #[serde(rename = "commercial")]
    Commercial,
    /// `meadow`
    #[serde(rename = "meadow")]
    Meadow,
    /// `forest`
    #[serde(rename = "forest")]
    Forest,
    /// `fishpond`
    #[serde(rename = "fishpond")]
    Fishpond,
    /// `orchard`
    #[serde(rename = "orchard")]
    Orchard,
    /// `garden`
    #[serde(rename = "garden")]
    Garden,
    /// `other`
    #[serde(rename = "other")]
    Other,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Kind of offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum OfferType {
    /// `sale`
    #[serde(rename = "sale")]
    Sale,
    /// `rent`
    #[serde(rename = "rent")]
    Rent,
    /// `exchange`
    #[serde(rename = "exchange")]
    Exchange,
    /// `auction`
    #[serde(rename = "auction")]
    Auction,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Arrangement {
    /// `1+0`
    #[serde(rename = "1+0")]
    Rooms1Plus0,
    /// `1+1`
    #[serde(rename = "1+1")]
    Rooms1Plus1,
    /// `1+kk`
    #[serde(rename = "1+kk")]
    Rooms1PlusKk,
    /// `2+0`
    #[serde(rename = "2+0")]
    Rooms2Plus0,
    /// `2+1`
    #[serde(rename = "2+1")]
    Rooms2Plus1,
    /// `2+kk`
    #[serde(rename = "2+kk")]
    Rooms2PlusKk,
    /// `3+0`
    #[serde(rename = "3+0")]
    Rooms3Plus0,
    /// `3+1`
    #[serde(rename = "3+1")]
    Rooms3Plus1,
    /// `3+kk`
    #[serde(rename = "3+kk")]
    Rooms3PlusKk,
    /// `4+0`
    #[serde(rename = "4+0")]
    Rooms4Plus0,
    /// `4+1`
    #[serde(rename = "4+1")]
    Rooms4Plus1,
    /// `4+kk`
    #[serde(rename = "4+kk")]
    Rooms4PlusKk,
    /// `5+0`
    #[serde(rename = "5+0")]
    Rooms5Plus0,
    /// `5+1`
    #[serde(rename = "5+1")]
    Rooms5Plus1,
    /// `5+kk`
    #[serde(rename = "5+kk")]
    Rooms5PlusKk,
    /// `6+0`
    #[serde(rename = "6+0")]
    Rooms6Plus0,
    /// `6+1`
    #[serde(rename = "6+1")]
    Rooms6Plus1,
    /// `6+kk`
    #[serde(rename = "6+kk")]
    Rooms6PlusKk,
    /// `7+0`
    #[serde(rename = "7+0")]
    Rooms7Plus0,
    /// `7+1`
    #[serde(rename = "7+1")]
    Rooms7Plus1,
    /// `7+kk`
    #[serde(rename = "7+kk")]
    Rooms7PlusKk,
    /// `6++`
    #[serde(rename = "6++")]
    Rooms6PlusPlus,
    /// `other`
    #[serde(rename = "other")]
    Other,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Condition of the property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PropertyState {
    /// `very_good`
    #[serde(rename = "very_good")]
    VeryGood,
    /// `good`
    #[serde(rename = "good")]
    Good,
    /// `bad`
    #[serde(rename = "bad")]
    Bad,
    /// `in_construction`
    #[serde(rename = "in_construction")]
    InConstruction,
    /// `in_planning`
    #[serde(rename = "in_planning")]
    InPlanning,
    /// `newly_constructed`
    #[serde(rename = "newly_constructed")]
    NewlyConstructed,
    /// `development_project`
    #[serde(rename = "development_project")]
    DevelopmentProject,
    /// `before_renovation`
    #[serde(rename = "before_renovation")]
    BeforeRenovation,
    /// `after_renovation`
    #[serde(rename = "after_renovation")]
    AfterRenovation,
    /// `for_demolition`
    #[serde(rename = "for_demolition")]
    ForDemolition,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Ownership {
    /// `private`
    #[serde(rename = "private")]
    Private,
    /// `communal`
    #[serde(rename = "communal")]
    Communal,
    /// `local`
    #[serde(rename = "local")]
    Local,
    /// `state`
    #[serde(rename = "state")]
    State,
    /// `other`
    #[serde(rename = "other")]
    Other,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Construction type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum BuildingType {
    /// `brick`
    #[serde(rename = "brick")]
    Brick,
    /// `panel`
    #[serde(rename = "panel")]
    Panel,
    /// `wood`
    #[serde(rename = "wood")]
    Wood,
    /// `eco`
    #[serde(rename = "eco")]
    Eco,
    /// `skeleton`
    #[serde(rename = "skeleton")]
    Skeleton,
    /// `mix`
    #[serde(rename = "mix")]
    Mix,
    /// `assemble`
    #[serde(rename = "assemble")]
    Assemble,
    /// `stone`
    #[serde(rename = "stone")]
    Stone,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// How furnished the property is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Equipment {
    /// `full`
    #[serde(rename = "full")]
    Full,
    /// `none`
    #[serde(rename = "none")]
    None,
    /// `partial`
    #[serde(rename = "partial")]
    Partial,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// `OfferSummary` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferSummary {
    /// Stable id of the listing, used in the path of the detail.
    pub id: String,
    /// When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`.
    pub first_seen_at: String,
    /// When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`.
    pub last_changed_at: String,
    /// True while at least one portal advertises it.
    pub is_live: bool,
    /// Geocoded position; null if no portal gave one.
    pub location: Option<Location>,
    /// Listing title as written by the portal, in Czech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Full listing text as written by the portal, in Czech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Municipality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// Street name without the house number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    /// Region (kraj).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// City part or quarter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighborhood: Option<String>,
    /// District (okres).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// Czech postal code, usually with a space between the groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// Address line as published; precision differs between portals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Apartment or unit number; rarely present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_number: Option<String>,
    /// Property type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<PropertyType>,
    /// Finer property type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    /// Kind of offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer_type: Option<OfferType>,
    /// Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<Arrangement>,
    /// Condition of the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property_state: Option<PropertyState>,
    /// Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Construction type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building_type: Option<BuildingType>,
    /// Asking price in CZK: the total for a sale, the monthly amount for a rent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_total: Option<f64>,
    /// Living (usable) floor area in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub living_area: Option<f64>,
    /// Plot area in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub land_area: Option<f64>,
    /// Floor of the unit; 0 is the ground floor, negative is below ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// Number of floors in the building.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_count: Option<f64>,
    /// How furnished the property is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equipment: Option<Equipment>,
    /// Garden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garden: Option<bool>,
    /// Storage room or cellar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<bool>,
    /// Balcony.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balcony: Option<bool>,
    /// Loggia.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loggia: Option<bool>,
    /// Terrace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrace: Option<bool>,
    /// Garage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garage: Option<bool>,
    /// Elevator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevator: Option<bool>,
    /// Parking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parking: Option<bool>,
    /// Wheelchair access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier_free: Option<bool>,
    /// Swimming pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swimming_pool: Option<bool>,
    /// Area of the garden in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garden_area: Option<f64>,
    /// Area of the storage room or cellar in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<f64>,
    /// Area of the balcony in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balcony_area: Option<f64>,
    /// Area of the loggia in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loggia_area: Option<f64>,
    /// Area of the terrace in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrace_area: Option<f64>,
    /// Area of the garage in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garage_area: Option<f64>,
    /// Energy class as published: usually a letter A to G. Not an enumeration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_class: Option<String>,
    /// Heating source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heating_source: Option<String>,
    /// Heating type: `communal` is central.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heating_type: Option<String>,
    /// Sewerage: `communal` is the public sewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sewerage: Option<String>,
    /// Position of the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house_position: Option<String>,
}

/// `PortalLink` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PortalLink {
    /// Id of the portal listing.
    pub offer_id: String,
    /// Id of the portal.
    pub site_id: String,
    /// Page of the listing on the portal, an http or https URL; null if none is known.
    pub url: Option<String>,
    /// True while that portal advertises it.
    pub is_live: bool,
    /// When it was first seen on that portal. ISO 8601 in UTC, with the suffix `Z`.
    pub first_seen_at: String,
}

/// `PricePoint` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PricePoint {
    /// When that price was first seen. ISO 8601 in UTC, with the suffix `Z`.
    pub at: String,
    /// CZK.
    pub price_total: f64,
}

/// `PriceSeries` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceSeries {
    /// Id of the portal listing.
    pub offer_id: String,
    /// Id of the portal.
    pub site_id: String,
    /// Oldest first. Each price differs from the one before.
    pub points: Vec<PricePoint>,
}

/// `OfferDetail` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferDetail {
    /// Stable id of the listing, used in the path of the detail.
    pub id: String,
    /// When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`.
    pub first_seen_at: String,
    /// When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`.
    pub last_changed_at: String,
    /// True while at least one portal advertises it.
    pub is_live: bool,
    /// Geocoded position; null if no portal gave one.
    pub location: Option<Location>,
    /// Listing title as written by the portal, in Czech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Full listing text as written by the portal, in Czech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Municipality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// Street name without the house number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    /// Region (kraj).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// City part or quarter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighborhood: Option<String>,
    /// District (okres).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// Czech postal code, usually with a space between the groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// Address line as published; precision differs between portals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Apartment or unit number; rarely present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_number: Option<String>,
    /// Property type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<PropertyType>,
    /// Finer property type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    /// Kind of offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer_type: Option<OfferType>,
    /// Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<Arrangement>,
    /// Condition of the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property_state: Option<PropertyState>,
    /// Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Construction type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building_type: Option<BuildingType>,
    /// Asking price in CZK: the total for a sale, the monthly amount for a rent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_total: Option<f64>,
    /// Living (usable) floor area in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub living_area: Option<f64>,
    /// Plot area in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub land_area: Option<f64>,
    /// Floor of the unit; 0 is the ground floor, negative is below ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// Number of floors in the building.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_count: Option<f64>,
    /// How furnished the property is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equipment: Option<Equipment>,
    /// Garden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garden: Option<bool>,
    /// Storage room or cellar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<bool>,
    /// Balcony.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balcony: Option<bool>,
    /// Loggia.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loggia: Option<bool>,
    /// Terrace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrace: Option<bool>,
    /// Garage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garage: Option<bool>,
    /// Elevator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevator: Option<bool>,
    /// Parking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parking: Option<bool>,
    /// Wheelchair access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier_free: Option<bool>,
    /// Swimming pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swimming_pool: Option<bool>,
    /// Area of the garden in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garden_area: Option<f64>,
    /// Area of the storage room or cellar in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<f64>,
    /// Area of the balcony in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balcony_area: Option<f64>,
    /// Area of the loggia in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loggia_area: Option<f64>,
    /// Area of the terrace in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terrace_area: Option<f64>,
    /// Area of the garage in m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garage_area: Option<f64>,
    /// Energy class as published: usually a letter A to G. Not an enumeration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_class: Option<String>,
    /// Heating source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heating_source: Option<String>,
    /// Heating type: `communal` is central.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heating_type: Option<String>,
    /// Sewerage: `communal` is the public sewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sewerage: Option<String>,
    /// Position of the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house_position: Option<String>,
    /// One entry for each portal listing of the property.
    pub portal_links: Vec<PortalLink>,
    /// One series for each portal listing. Portals often disagree, so the series are not merged.
    pub price_history: Vec<PriceSeries>,
}

/// `Pagination` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Page size in effect.
    pub limit: u64,
    /// Number of items on this page.
    pub count: u64,
    /// False on the last page.
    pub has_more: bool,
    /// Opaque cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// `SearchResponse` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// `data`
    pub data: Vec<OfferSummary>,
    /// `pagination`
    pub pagination: Pagination,
}

/// `MeToken` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeToken {
    /// Public id of the token.
    pub id: String,
    /// Leading characters of the token: `jdn_` and six more.
    pub prefix: String,
}

/// Plan id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MePlanId {
    /// `free`
    #[serde(rename = "free")]
    Free,
    /// `basicV2`
    #[serde(rename = "basicV2")]
    BasicV2,
    /// `proV2`
    #[serde(rename = "proV2")]
    ProV2,
    /// `investor`
    #[serde(rename = "investor")]
    Investor,
    /// `customV2`
    #[serde(rename = "customV2")]
    CustomV2,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// Display name of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MePlanName {
    /// `Free`
    #[serde(rename = "Free")]
    Free,
    /// `Basic`
    #[serde(rename = "Basic")]
    Basic,
    /// `Pro`
    #[serde(rename = "Pro")]
    Pro,
    /// `Investor`
    #[serde(rename = "Investor")]
    Investor,
    /// `Custom`
    #[serde(rename = "Custom")]
    Custom,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// `MePlan` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MePlan {
    /// Plan id.
    pub id: MePlanId,
    /// Display name of the plan.
    pub name: MePlanName,
    /// Requests per month.
    pub requests_per_month: u64,
    /// Calendar months of history; 0 if only live listings are included.
    pub history_months: u64,
}

/// `MeUsage` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeUsage {
    /// The calendar month in UTC.
    pub month: String,
    /// Requests counted this month, over all tokens of the account.
    pub requests_used: u64,
    /// Requests left this month.
    pub requests_remaining: u64,
    /// When the quota renews. ISO 8601 in UTC, with the suffix `Z`.
    pub resets_at: String,
}

/// `Me` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// `token`
    pub token: MeToken,
    /// `plan`
    pub plan: MePlan,
    /// `usage`
    pub usage: MeUsage,
}

/// What clients branch on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorCode {
    /// `unauthorized`
    #[serde(rename = "unauthorized")]
    Unauthorized,
    /// `forbidden`
    #[serde(rename = "forbidden")]
    Forbidden,
    /// `plan-limit-exceeded`
    #[serde(rename = "plan-limit-exceeded")]
    PlanLimitExceeded,
    /// `not-found`
    #[serde(rename = "not-found")]
    NotFound,
    /// `invalid-request`
    #[serde(rename = "invalid-request")]
    InvalidRequest,
    /// `payload-too-large`
    #[serde(rename = "payload-too-large")]
    PayloadTooLarge,
    /// `quota-exceeded`
    #[serde(rename = "quota-exceeded")]
    QuotaExceeded,
    /// `query-timeout`
    #[serde(rename = "query-timeout")]
    QueryTimeout,
    /// `internal-error`
    #[serde(rename = "internal-error")]
    InternalError,
    /// A value that this version does not know.
    #[serde(untagged)]
    Unknown(String),
}

/// `ErrorDetail` of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// The invalid query parameter.
    pub path: String,
    /// Which values it accepts, or that it is unknown and which names are accepted.
    pub message: String,
}

/// The filters of a search.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Filters {
    /// Kind of offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer_type: Option<OfferType>,
    /// Property type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<PropertyType>,
    /// Finer category within `type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<Subtype>,
    /// Czech room layout. Encode the `+` as `%2B` (`2%2Bkk`): a plain `+` is a space in a query string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<Arrangement>,
    /// How furnished the property is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equipment: Option<Equipment>,
    /// Ownership form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Condition of the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property_state: Option<PropertyState>,
    /// Construction type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building_type: Option<BuildingType>,
    /// Exact name of the district (okres), as written in the field `district`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `okres Kladno`, `Hlavní město Praha`, `Brno`. An unknown name finds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// Exact name of the city part, as written in the field `neighborhood`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `Praha 5 - Smíchov`. An unknown name finds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighborhood: Option<String>,
    /// Lowest price in CZK, inclusive; the monthly rent for rentals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_min: Option<f64>,
    /// Highest price in CZK, inclusive; the monthly rent for rentals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_max: Option<f64>,
    /// Smallest living area in m², inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub living_area_min: Option<f64>,
    /// Largest living area in m², inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub living_area_max: Option<f64>,
    /// Smallest plot area in m², inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub land_area_min: Option<f64>,
    /// Largest plot area in m², inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub land_area_max: Option<f64>,
    /// Lowest floor, inclusive; 0 is the ground floor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_min: Option<f64>,
    /// Highest floor, inclusive; 0 is the ground floor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_max: Option<f64>,
    /// Fewest floors in the building, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_count_min: Option<f64>,
    /// Most floors in the building, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_count_max: Option<f64>,
    /// Latitude of the search centre in degrees (WGS 84). Send it together with `lng`, and without `address`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Longitude of the search centre in degrees (WGS 84). Send it together with `lat`, and without `address`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lng: Option<f64>,
    /// Free-text address that the service geocodes to the centre. Send it instead of `lat` and `lng`. If it matches several places, the most important one is used if it is clearly that. If nothing decides between them, if the parts contradict each other, if it is a number alone, or if it only resembles a name, the answer is 400; it says which parts were understood and which places may be meant. The headers `X-Address-Place`, `X-Address-Level`, `X-Address-Fit` and `X-Address-Centre` say which place is used. All pages of a search use the centre found for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Search radius around the centre in metres, inclusive, measured along the great circle; 2000 if a centre is sent without it. Needs a centre: `lat` and `lng`, or `address`. Listings without a position never match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius_meters: Option<f64>,
    /// Whether listings that are no longer live are included. `true` needs a plan with history. It includes listings that expired within the plan's calendar months before the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_inactive: Option<bool>,
}
