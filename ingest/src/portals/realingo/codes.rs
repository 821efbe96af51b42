//! The portal's enumerations.

use schema::PropertyType::{Apartment, Commercial, House, Land, Other};
use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype,
};

use crate::notation::Meaning::{self, Unexpressed, Value};
use crate::notation::heating::Heating;

/// An enumeration: (value, meaning).
pub(crate) type Table<T> = &'static [(&'static str, T)];

/// `purpose`.
pub(crate) const PURPOSES: Table<OfferType> =
    &[("SELL", OfferType::Sale), ("RENT", OfferType::Rent)];

/// `property`. The category is finer, and sometimes contradicts it.
pub(crate) const PROPERTIES: Table<PropertyType> = &[
    ("FLAT", Apartment),
    ("HOUSE", House),
    ("LAND", Land),
    ("COMMERCIAL", Commercial),
    ("OTHERS", Other),
];

/// What a category says besides the property type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finer {
    /// The layout of a flat.
    Layout(Arrangement),
    /// The subtype of any other property.
    Kind(Subtype),
}

use Finer::{Kind, Layout};

/// `category`.
pub(crate) const CATEGORIES: Table<(PropertyType, Finer)> = &[
    ("FLAT1_KK", (Apartment, Layout(Arrangement::R1Kk))),
    ("FLAT11", (Apartment, Layout(Arrangement::R1P1))),
    ("FLAT2_KK", (Apartment, Layout(Arrangement::R2Kk))),
    ("FLAT21", (Apartment, Layout(Arrangement::R2P1))),
    ("FLAT3_KK", (Apartment, Layout(Arrangement::R3Kk))),
    ("FLAT31", (Apartment, Layout(Arrangement::R3P1))),
    ("FLAT4_KK", (Apartment, Layout(Arrangement::R4Kk))),
    ("FLAT41", (Apartment, Layout(Arrangement::R4P1))),
    ("FLAT5_KK", (Apartment, Layout(Arrangement::R5Kk))),
    ("FLAT51", (Apartment, Layout(Arrangement::R5P1))),
    (
        "FLAT6_AND_MORE",
        (Apartment, Layout(Arrangement::SixAndMore)),
    ),
    ("OTHERS_FLAT", (Apartment, Layout(Arrangement::Other))),
    ("HOUSE_FAMILY", (House, Kind(Subtype::Family))),
    ("HOUSE_MANSION", (House, Kind(Subtype::Villa))),
    ("HOUSE_APARTMENT", (Commercial, Kind(Subtype::Building))),
    ("OTHERS_HUT", (House, Kind(Subtype::Holiday))),
    ("OTHERS_COTTAGE", (House, Kind(Subtype::Cottage))),
    ("OTHERS_FARMHOUSE", (House, Kind(Subtype::Farm))),
    ("OTHERS_MONUMENTS", (House, Kind(Subtype::Historical))),
    ("LAND_HOUSING", (Land, Kind(Subtype::Housing))),
    ("LAND_COMMERCIAL", (Land, Kind(Subtype::Commercial))),
    ("LAND_GARDEN", (Land, Kind(Subtype::Garden))),
    ("LAND_AGRICULTURAL", (Land, Kind(Subtype::Agricultural))),
    ("LAND_MEADOW", (Land, Kind(Subtype::Meadow))),
    ("LAND_FOREST", (Land, Kind(Subtype::Forest))),
    ("OTHERS_POND", (Land, Kind(Subtype::Fishpond))),
    ("COMMERCIAL_OFFICE", (Commercial, Kind(Subtype::Office))),
    ("COMMERCIAL_STORAGE", (Commercial, Kind(Subtype::Warehouse))),
    (
        "COMMERCIAL_MANUFACTURING",
        (Commercial, Kind(Subtype::Production)),
    ),
    (
        "COMMERCIAL_BUSINESS",
        (Commercial, Kind(Subtype::ShoppingSpace)),
    ),
    (
        "COMMERCIAL_ACCOMMODATION",
        (Commercial, Kind(Subtype::Accommodation)),
    ),
    (
        "COMMERCIAL_RESTAURANT",
        (Commercial, Kind(Subtype::Restaurant)),
    ),
    (
        "COMMERCIAL_AGRICULTURAL",
        (Commercial, Kind(Subtype::Agricultural)),
    ),
    ("OTHERS_GARAGE", (Other, Kind(Subtype::GarageFull))),
    ("OTHERS_OTHERS", (Other, Kind(Subtype::Other))),
];

/// `houseType`, which is read if the category says only that it is a house.
pub(crate) const HOUSES: Table<Subtype> = &[
    ("FAMILY", Subtype::Family),
    ("BUNGALOW", Subtype::Family),
    ("VILLA", Subtype::Villa),
    ("FARMHOUSE", Subtype::Farm),
];

/// `buildingStatus`.
pub(crate) const CONDITIONS: Table<PropertyState> = &[
    ("NEW", PropertyState::NewlyConstructed),
    ("VERY_GOOD", PropertyState::VeryGood),
    ("GOOD", PropertyState::Good),
    ("POOR", PropertyState::Bad),
    ("AFTER_RECONSTRUCTION", PropertyState::AfterRenovation),
    ("UNDER_CONSTRUCTION", PropertyState::InConstruction),
];

/// `buildingType`.
pub(crate) const CONSTRUCTIONS: Table<Meaning<BuildingType>> = &[
    ("BRICK", Value(BuildingType::Brick)),
    ("PANEL", Value(BuildingType::Panel)),
    ("WOOD", Value(BuildingType::Wood)),
    ("PREFAB", Value(BuildingType::Assemble)),
    ("STONE", Value(BuildingType::Stone)),
    ("MIXED", Value(BuildingType::Mix)),
    ("OTHER", Unexpressed),
];

/// `buildingPosition`.
pub(crate) const POSITIONS: Table<&str> = &[
    ("DETACHED", "free_standing"),
    ("SEMI_DETACHED", "semi_detached"),
    ("TERRACED", "terraced"),
];

/// `ownership`.
pub(crate) const OWNERSHIPS: Table<Ownership> = &[
    ("PRIVATE", Ownership::Private),
    ("COOPERATIVE", Ownership::Communal),
    ("STATE", Ownership::State),
    ("OTHER", Ownership::Other),
];

/// `furniture`.
pub(crate) const FURNISHINGS: Table<Equipment> = &[
    ("FURNISHED", Equipment::Full),
    ("PARTIALLY_FURNISHED", Equipment::Partial),
    ("UNFURNISHED", Equipment::None),
];

/// `parking`, and whether it is a garage.
pub(crate) const PARKINGS: Table<bool> = &[
    ("GARAGE", true),
    ("GARAGE_PLACE", false),
    ("OUTDOOR", false),
];

/// The types of heating, as prefixes of a value of `heating`.
const HEATED_FROM: [(&str, &str); 2] = [("CENTRAL_", "communal"), ("LOCAL_", "local")];

/// The sources of heating, behind the prefix.
const HEATED_BY: Table<Heating> = &[
    ("DISTRICT", Heating::new(Some("other"), Some("communal"))),
    ("NATURAL_GAS", Heating::new(Some("gas"), None)),
    ("GAS", Heating::new(Some("gas"), None)),
    ("ELECTRIC", Heating::new(Some("electric"), None)),
    ("HEAT_PUMP", Heating::new(Some("heat-pump"), None)),
    ("GEOTHERMAL", Heating::new(Some("heat-pump"), None)),
    ("SOLID", Heating::new(Some("solid-fuel"), None)),
    ("BIOMASS", Heating::new(Some("solid-fuel"), None)),
    ("SOLAR", Heating::new(Some("other"), None)),
    ("OTHER", Heating::new(Some("other"), None)),
];

/// Reads a value of `heating`: `CENTRAL_NATURAL_GAS` names type and source, `GAS` the source alone.
pub(crate) fn heating(value: &str) -> Option<Heating> {
    let from = HEATED_FROM
        .iter()
        .find_map(|(prefix, kind)| Some((value.strip_prefix(prefix)?, *kind)));
    let (by, kind) = from.map_or((value, None), |(by, kind)| (by, Some(kind)));
    let (_, heating) = HEATED_BY.iter().find(|(name, _)| *name == by)?;
    Some(Heating {
        kind: kind.or(heating.kind),
        ..*heating
    })
}

/// Reads the letter of a value of `energyPerformance`, such as `B_VERY_EFFICIENT` or `E`.
pub(crate) fn energy_class(value: &str) -> Option<String> {
    let letter = value.split('_').next()?;
    let is_class = letter.len() == 1 && ("A"..="G").contains(&letter);
    is_class.then(|| letter.to_owned())
}

/// `price.type` of an offer without a price.
pub(crate) const NEGOTIABLE: &str = "NEGOTIABLE";
