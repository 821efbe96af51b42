//! The portal's code tables, as its import interface (version 4.0.0 of 2026-02-02) publishes them.
//!
//! A row is (code, name, meaning). API v1 sends codes, and the older v2 sends names. An earlier name that v2 used has a
//! row of its own under the same code. Code 0 means "not given" everywhere, so no table lists it.

use schema::PropertyType::{Apartment, Commercial, House, Land, Other};
use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype, Taken,
};

use crate::notation::heating::Heating;

/// A code table: (code, name, meaning).
pub(crate) type Table<T> = &'static [(i64, &'static str, T)];

/// Returns the meaning of a code.
pub(crate) fn by_code<T: Copy>(table: Table<T>, code: i64) -> Option<T> {
    table.iter().find(|row| row.0 == code).map(|row| row.2)
}

/// Returns the meaning of a name.
pub(crate) fn by_name<T: Copy>(table: Table<T>, name: &str) -> Option<T> {
    table.iter().find(|row| row.1 == name).map(|row| row.2)
}

/// `category_type_cb`: the kind of offer, and its word in URLs of the site. A share (4) is the sale of a part.
pub(crate) const OFFERS: Table<(OfferType, &str)> = &[
    (1, "Prodej", (OfferType::Sale, "prodej")),
    (2, "Pronájem", (OfferType::Rent, "pronajem")),
    (3, "Dražby", (OfferType::Auction, "drazby")),
    (SHARES, "Podíly", (OfferType::Sale, "podily")),
];

/// The code of a share in [`OFFERS`].
pub(crate) const SHARES: i64 = 4;

/// `category_main_cb`: the property type, and its word in URLs of the site.
pub(crate) const TYPES: Table<(PropertyType, &str)> = &[
    (1, "Byty", (Apartment, "byt")),
    (2, "Domy", (House, "dum")),
    (3, "Pozemky", (Land, "pozemek")),
    (4, "Komerční", (Commercial, "komercni")),
    (5, "Ostatní", (Other, "ostatni")),
];

/// What a subcategory says: the layout of a flat, or the subtype of any other property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finer {
    /// The layout of a flat.
    Layout(Arrangement),
    /// The subtype of any other property.
    Subtype(Subtype),
}

use Finer::{Layout, Subtype as Kind};

/// `category_sub_cb`: the property type that it belongs to, what it says, and its word in URLs of the site, which
/// answers 404 to a wrong word.
pub(crate) const SUBCATEGORIES: Table<(PropertyType, Finer, &str)> = &[
    (2, "1+kk", (Apartment, Layout(Arrangement::R1Kk), "1+kk")),
    (3, "1+1", (Apartment, Layout(Arrangement::R1P1), "1+1")),
    (4, "2+kk", (Apartment, Layout(Arrangement::R2Kk), "2+kk")),
    (5, "2+1", (Apartment, Layout(Arrangement::R2P1), "2+1")),
    (6, "3+kk", (Apartment, Layout(Arrangement::R3Kk), "3+kk")),
    (7, "3+1", (Apartment, Layout(Arrangement::R3P1), "3+1")),
    (8, "4+kk", (Apartment, Layout(Arrangement::R4Kk), "4+kk")),
    (9, "4+1", (Apartment, Layout(Arrangement::R4P1), "4+1")),
    (10, "5+kk", (Apartment, Layout(Arrangement::R5Kk), "5+kk")),
    (11, "5+1", (Apartment, Layout(Arrangement::R5P1), "5+1")),
    (
        12,
        "6 a více",
        (Apartment, Layout(Arrangement::SixAndMore), "6-a-vice"),
    ),
    (
        16,
        "Atypický",
        (Apartment, Layout(Arrangement::Other), "atypicky"),
    ),
    (
        47,
        "Pokoj",
        (Apartment, Layout(Arrangement::Other), "pokoj"),
    ),
    (33, "Chata", (House, Kind(Subtype::Holiday), "chata")),
    (
        35,
        "Památka/jiné",
        (House, Kind(Subtype::Historical), "pamatka"),
    ),
    (37, "Rodinný", (House, Kind(Subtype::Family), "rodinny")),
    (39, "Vila", (House, Kind(Subtype::Villa), "vila")),
    (40, "Na klíč", (House, Kind(Subtype::Planned), "na-klic")),
    (43, "Chalupa", (House, Kind(Subtype::Cottage), "chalupa")),
    (
        44,
        "Zemědělská usedlost",
        (House, Kind(Subtype::Farm), "zemedelska-usedlost"),
    ),
    (
        54,
        "Vícegenerační dům",
        (House, Kind(Subtype::Family), "vicegeneracni-dum"),
    ),
    (
        25,
        "Kanceláře",
        (Commercial, Kind(Subtype::Office), "kancelare"),
    ),
    (
        26,
        "Sklady",
        (Commercial, Kind(Subtype::Warehouse), "sklad"),
    ),
    (
        27,
        "Výroba",
        (Commercial, Kind(Subtype::Production), "vyrobni-prostor"),
    ),
    (
        28,
        "Obchodní prostory",
        (Commercial, Kind(Subtype::ShoppingSpace), "obchodni-prostor"),
    ),
    (
        29,
        "Ubytování",
        (Commercial, Kind(Subtype::Accommodation), "ubytovani"),
    ),
    (
        30,
        "Restaurace",
        (Commercial, Kind(Subtype::Restaurant), "restaurace"),
    ),
    (
        31,
        "Zemědělský",
        (Commercial, Kind(Subtype::Agricultural), "zemedelsky"),
    ),
    (
        32,
        "Ostatní",
        (
            Commercial,
            Kind(Subtype::Other),
            "ostatni-komercni-prostory",
        ),
    ),
    (
        38,
        "Činžovní dům",
        (Commercial, Kind(Subtype::Building), "cinzovni-dum"),
    ),
    (
        49,
        "Virtuální kancelář",
        (Commercial, Kind(Subtype::Office), "virtualni-kancelar"),
    ),
    (
        56,
        "Ordinace",
        (Commercial, Kind(Subtype::Other), "ordinace"),
    ),
    (
        57,
        "Apartmány",
        (Commercial, Kind(Subtype::Accommodation), "apartman"),
    ),
    (
        18,
        "Komerční",
        (Land, Kind(Subtype::Commercial), "komercni"),
    ),
    (19, "Bydlení", (Land, Kind(Subtype::Housing), "bydleni")),
    (20, "Pole", (Land, Kind(Subtype::Agricultural), "pole")),
    (21, "Lesy", (Land, Kind(Subtype::Forest), "les")),
    (22, "Louky", (Land, Kind(Subtype::Meadow), "louka")),
    (23, "Zahrady", (Land, Kind(Subtype::Garden), "zahrada")),
    (
        24,
        "Ostatní",
        (Land, Kind(Subtype::Other), "ostatni-pozemky"),
    ),
    (46, "Rybníky", (Land, Kind(Subtype::Fishpond), "rybnik")),
    (
        48,
        "Sady/vinice",
        (Land, Kind(Subtype::Orchard), "sady-vinice"),
    ),
    (34, "Garáž", (Other, Kind(Subtype::GarageFull), "garaz")),
    (
        36,
        "Ostatní",
        (Other, Kind(Subtype::Other), "jine-nemovitosti"),
    ),
    (
        50,
        "Vinný sklep",
        (Other, Kind(Subtype::WineCellar), "vinny-sklep"),
    ),
    (
        51,
        "Půdní prostor",
        (Other, Kind(Subtype::Attic), "pudni-prostor"),
    ),
    (
        52,
        "Garážové stání",
        (Other, Kind(Subtype::GarageSpace), "garazove-stani"),
    ),
    (
        53,
        "Mobilheim",
        (Other, Kind(Subtype::MobileHome), "mobilni-domek"),
    ),
];

/// `building_condition`. The spec has no value for a house under renovation; "in construction" comes closest.
pub(crate) const CONDITIONS: Table<PropertyState> = &[
    (1, "Velmi dobrý", PropertyState::VeryGood),
    (2, "Dobrý", PropertyState::Good),
    (3, "Špatný", PropertyState::Bad),
    (4, "Ve výstavbě", PropertyState::InConstruction),
    (5, "Projekt", PropertyState::InPlanning),
    (6, "Novostavba", PropertyState::NewlyConstructed),
    (7, "K demolici", PropertyState::ForDemolition),
    (8, "Před rekonstrukcí", PropertyState::BeforeRenovation),
    (9, "Po rekonstrukci", PropertyState::AfterRenovation),
    (10, "V rekonstrukci", PropertyState::InConstruction),
];

/// `building_type`.
pub(crate) const BUILDINGS: Table<BuildingType> = &[
    (1, "Dřevostavba", BuildingType::Wood),
    (1, "Dřevěná", BuildingType::Wood),
    (2, "Cihlová", BuildingType::Brick),
    (3, "Kamenná", BuildingType::Stone),
    (4, "Montovaná", BuildingType::Assemble),
    (5, "Panelová", BuildingType::Panel),
    (6, "Skeletová", BuildingType::Skeleton),
    (7, "Smíšená", BuildingType::Mix),
    (8, "Modulární", BuildingType::Assemble),
];

/// `ownership`. The portal does not distinguish the state from a municipality.
pub(crate) const OWNERSHIPS: Table<Ownership> = &[
    (1, "Osobní", Ownership::Private),
    (2, "Družstevní", Ownership::Communal),
    (3, "Státní/obecní", Ownership::State),
];

/// `furnished`.
pub(crate) const FURNISHINGS: Table<Equipment> = &[
    (1, "Ano", Equipment::Full),
    (2, "Ne", Equipment::None),
    (3, "Částečně", Equipment::Partial),
];

/// `elevator` and `easy_access`.
pub(crate) const ANSWERS: Table<bool> = &[(1, "Ano", true), (2, "Ne", false)];

/// `energy_efficiency_rating_cb`: the label that the portal shows. API v2 sends the letter.
pub(crate) const ENERGY_CLASSES: Table<&str> = &[
    (1, "A", "A - Mimořádně úsporná"),
    (2, "B", "B - Velmi úsporná"),
    (3, "C", "C - Úsporná"),
    (4, "D", "D - Méně úsporná"),
    (5, "E", "E - Nehospodárná"),
    (6, "F", "F - Velmi nehospodárná"),
    (7, "G", "G - Mimořádně nehospodárná"),
];

/// `heating_source_set`.
pub(crate) const HEATING_SOURCES: Table<Heating> = &[
    (1, "WAW", Heating::new(Some("gas"), Some("local"))),
    (
        2,
        "Plynový kondenzační kotel",
        Heating::new(Some("gas"), None),
    ),
    (3, "Plynový kotel", Heating::new(Some("gas"), None)),
    (4, "Elektrokotel", Heating::new(Some("electric"), None)),
    (5, "Tepelné čerpadlo", Heating::new(Some("heat-pump"), None)),
    (6, "Přímotop", Heating::new(Some("electric"), Some("local"))),
    (
        7,
        "Infrapanel",
        Heating::new(Some("electric"), Some("local")),
    ),
    (
        8,
        "Krbová kamna",
        Heating::new(Some("solid-fuel"), Some("local")),
    ),
    (9, "Krb", Heating::new(Some("solid-fuel"), Some("local"))),
    (
        10,
        "Kotel na tuhá paliva",
        Heating::new(Some("solid-fuel"), None),
    ),
    (11, "Kamna", Heating::new(Some("solid-fuel"), Some("local"))),
    (
        12,
        "Ústřední dálkové",
        Heating::new(Some("other"), Some("communal")),
    ),
    (
        13,
        "Centrální dálkové",
        Heating::new(Some("other"), Some("communal")),
    ),
    (
        14,
        "Pára s výměníkem",
        Heating::new(Some("other"), Some("communal")),
    ),
    (
        15,
        "Akumulační kamna",
        Heating::new(Some("electric"), Some("local")),
    ),
    (16, "Jiné", Heating::new(Some("other"), None)),
];

/// `heating_set`. It was replaced by separate fields for source, element and water heating, but old adverts and v2 still
/// have it.
pub(crate) const HEATINGS: Table<Heating> = &[
    (
        1,
        "Lokální plynové",
        Heating::new(Some("gas"), Some("local")),
    ),
    (
        2,
        "Lokální tuhá paliva",
        Heating::new(Some("solid-fuel"), Some("local")),
    ),
    (
        3,
        "Lokální elektrické",
        Heating::new(Some("electric"), Some("local")),
    ),
    (
        4,
        "Ústřední plynové",
        Heating::new(Some("gas"), Some("communal")),
    ),
    (
        5,
        "Ústřední tuhá paliva",
        Heating::new(Some("solid-fuel"), Some("communal")),
    ),
    (
        6,
        "Ústřední elektrické",
        Heating::new(Some("electric"), Some("communal")),
    ),
    (
        7,
        "Ústřední dálkové",
        Heating::new(Some("other"), Some("communal")),
    ),
    (8, "Jiné", Heating::new(Some("other"), None)),
    (9, "Podlahové", Heating::new(None, None)),
];

/// `gully_set`. The interface has no word for a treatment plant of one's own nor for a leach drain.
pub(crate) const SEWERS: Table<Option<&str>> = &[
    (1, "Veřejná kanalizace", Some("communal")),
    (2, "ČOV pro celý objekt", None),
    (3, "Septik", Some("septic-tank")),
    (4, "Jímka", Some("septic-tank")),
    (5, "Trativod", None),
];

/// `object_kind`. The spec has no value for a corner house. "Semi-detached" comes closest, because one side is free.
pub(crate) const POSITIONS: Table<&str> = &[
    (1, "Řadový", "terraced"),
    (2, "Rohový", "semi_detached"),
    (3, "V bloku", "terraced"),
    (4, "Samostatný", "free_standing"),
];

/// `state_cb`. The same words can replace the names of condition and construction.
pub(crate) const STATES: Table<Taken> = &[
    (1, "Rezervováno", Taken::Reserved),
    (2, "Prodáno", Taken::Sold),
];

/// What a price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriceUnit {
    /// The whole property.
    Whole,
    /// A month of the whole property.
    Month,
    /// A year of the whole property.
    Year,
    /// A day or an hour of the whole property.
    Stay,
    /// A square metre, bought or rented.
    Area,
}

/// `price_unit_cb`.
pub(crate) const PRICE_UNITS: Table<PriceUnit> = &[
    (1, "za nemovitost", PriceUnit::Whole),
    (2, "za měsíc", PriceUnit::Month),
    (3, "za m2", PriceUnit::Area),
    (4, "za m2/měsíc", PriceUnit::Area),
    (5, "za m2/rok", PriceUnit::Area),
    (6, "za rok", PriceUnit::Year),
    (7, "za den", PriceUnit::Stay),
    (8, "za hodinu", PriceUnit::Stay),
    (9, "za m2/den", PriceUnit::Area),
    (10, "za m2/hodinu", PriceUnit::Area),
];

/// The code of the Czech crown in `price_currency_cb` (2 is the dollar, 3 the euro).
pub(crate) const CROWN: i64 = 1;
