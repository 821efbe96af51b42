//! The portal's enumerations. `UNDEFINED` means "not given" everywhere, so no table lists it.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype,
};

/// The value for "not given".
pub(crate) const UNDEFINED: &str = "UNDEFINED";

/// An enumeration: (value, meaning).
pub(crate) type Table<T> = &'static [(&'static str, T)];

/// `offerType`.
pub(crate) const OFFERS: Table<OfferType> =
    &[("PRODEJ", OfferType::Sale), ("PRONAJEM", OfferType::Rent)];

/// `estateType`. A leisure building is a holiday house.
pub(crate) const ESTATES: Table<(PropertyType, Option<Subtype>)> = &[
    ("BYT", (PropertyType::Apartment, None)),
    ("DUM", (PropertyType::House, None)),
    ("POZEMEK", (PropertyType::Land, None)),
    ("GARAZ", (PropertyType::Other, Some(Subtype::GarageFull))),
    (
        "KANCELAR",
        (PropertyType::Commercial, Some(Subtype::Office)),
    ),
    (
        "NEBYTOVY_PROSTOR",
        (PropertyType::Commercial, Some(Subtype::Other)),
    ),
    ("KOMERCNI", (PropertyType::Commercial, None)),
    (
        "REKREACNI_OBJEKT",
        (PropertyType::House, Some(Subtype::Holiday)),
    ),
];

/// `disposition`.
pub(crate) const DISPOSITIONS: Table<Arrangement> = &[
    ("GARSONIERA", Arrangement::R1P0),
    ("DISP_1_KK", Arrangement::R1Kk),
    ("DISP_1_1", Arrangement::R1P1),
    ("DISP_2_KK", Arrangement::R2Kk),
    ("DISP_2_1", Arrangement::R2P1),
    ("DISP_3_KK", Arrangement::R3Kk),
    ("DISP_3_1", Arrangement::R3P1),
    ("DISP_4_KK", Arrangement::R4Kk),
    ("DISP_4_1", Arrangement::R4P1),
    ("DISP_5_KK", Arrangement::R5Kk),
    ("DISP_5_1", Arrangement::R5P1),
    ("DISP_6_KK", Arrangement::R6Kk),
    ("DISP_6_1", Arrangement::R6P1),
    ("DISP_7_KK", Arrangement::R7Kk),
    ("DISP_7_1", Arrangement::R7P1),
    ("DISP_ATYP", Arrangement::Other),
    ("OSTATNI", Arrangement::Other),
];

/// `condition`.
pub(crate) const CONDITIONS: Table<PropertyState> = &[
    ("VERY_GOOD", PropertyState::VeryGood),
    ("NEW", PropertyState::NewlyConstructed),
    ("GOOD", PropertyState::Good),
    ("AFTER_RECONSTRUCTION", PropertyState::AfterRenovation),
    (
        "AFTER_PARTIAL_RECONSTRUCTION",
        PropertyState::AfterRenovation,
    ),
    ("BEFORE_RECONSTRUCTION", PropertyState::BeforeRenovation),
    ("BAD", PropertyState::Bad),
    ("CONSTRUCTION", PropertyState::InConstruction),
    ("IN_RECONSTRUCTION", PropertyState::InConstruction),
    ("PROJECT", PropertyState::InPlanning),
    ("DEMOLITION", PropertyState::ForDemolition),
];

/// `construction`.
pub(crate) const CONSTRUCTIONS: Table<BuildingType> = &[
    ("BRICK", BuildingType::Brick),
    ("PANEL", BuildingType::Panel),
    ("MIXED", BuildingType::Mix),
    ("WOOD", BuildingType::Wood),
    ("SKELET", BuildingType::Skeleton),
    ("STONE", BuildingType::Stone),
    ("PREFAB", BuildingType::Assemble),
];

/// `ownership`.
pub(crate) const OWNERSHIPS: Table<Ownership> = &[
    ("OSOBNI", Ownership::Private),
    ("DRUZSTEVNI", Ownership::Communal),
    ("OBECNI", Ownership::Local),
    ("OSTATNI", Ownership::Other),
];

/// `equipped`.
pub(crate) const FURNISHINGS: Table<Equipment> = &[
    ("VYBAVENY", Equipment::Full),
    ("NEVYBAVENY", Equipment::None),
    ("CASTECNE", Equipment::Partial),
];

/// `penb`: the letter is also the label.
pub(crate) const ENERGY_CLASSES: Table<&str> = &[
    ("A", "A"),
    ("B", "B"),
    ("C", "C"),
    ("D", "D"),
    ("E", "E"),
    ("F", "F"),
    ("G", "G"),
];
