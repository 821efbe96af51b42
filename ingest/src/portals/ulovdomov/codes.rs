//! The portal's enumerations.

use schema::{Arrangement, Equipment, OfferType, PropertyType, Subtype};

/// An enumeration: (value, meaning).
pub(crate) type Table<T> = &'static [(&'static str, T)];

/// `offerType`. A place in a shared flat is a rent like any other.
pub(crate) const OFFERS: Table<OfferType> = &[
    ("sale", OfferType::Sale),
    ("rent", OfferType::Rent),
    ("coliving", OfferType::Rent),
];

/// `propertyType`, with the layout that follows from it.
pub(crate) const PROPERTIES: Table<(PropertyType, Option<Arrangement>)> = &[
    ("flat", (PropertyType::Apartment, None)),
    ("room", (PropertyType::Apartment, Some(Arrangement::Other))),
    ("house", (PropertyType::House, None)),
    ("land", (PropertyType::Land, None)),
    ("commercial", (PropertyType::Commercial, None)),
    ("other", (PropertyType::Other, None)),
];

/// `disposition`.
pub(crate) const DISPOSITIONS: Table<Arrangement> = &[
    ("studio", Arrangement::R1P0),
    ("onePlusKk", Arrangement::R1Kk),
    ("onePlusOne", Arrangement::R1P1),
    ("twoPlusKk", Arrangement::R2Kk),
    ("twoPlusOne", Arrangement::R2P1),
    ("threePlusKk", Arrangement::R3Kk),
    ("threePlusOne", Arrangement::R3P1),
    ("fourPlusKk", Arrangement::R4Kk),
    ("fourPlusOne", Arrangement::R4P1),
    ("fivePlusKk", Arrangement::R5Kk),
    ("fivePlusOne", Arrangement::R5P1),
    ("sixPlusKk", Arrangement::R6Kk),
    ("sixPlusOne", Arrangement::R6P1),
    ("sixAndMore", Arrangement::SixAndMore),
    ("atypical", Arrangement::Other),
    ("atelier", Arrangement::Other),
    ("other", Arrangement::Other),
];

/// `houseType`.
pub(crate) const HOUSES: Table<Subtype> = &[
    ("familyHouse", Subtype::Family),
    ("villa", Subtype::Villa),
    ("cottage", Subtype::Cottage),
    ("chalet", Subtype::Holiday),
];

/// What a price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriceUnit {
    /// The whole property.
    Whole,
    /// A month of it.
    Month,
}

/// `priceUnit`.
pub(crate) const PRICE_UNITS: Table<PriceUnit> = &[
    ("perRealEstate", PriceUnit::Whole),
    ("perMonth", PriceUnit::Month),
];

/// What a convenience says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convenience {
    /// A balcony.
    Balcony,
    /// A terrace.
    Terrace,
    /// A loggia.
    Loggia,
    /// A cellar.
    Cellar,
    /// A lift.
    Lift,
    /// A garage.
    Garage,
    /// Parking.
    Parking,
    /// A pool.
    Pool,
    /// How furnished the flat is.
    Furnished(Equipment),
    /// Something that the spec has no field for, or that cannot be trusted.
    Ignored,
}

/// `convenience` and `houseConvenience`. Nearly every advert has the garden ticked, even flats on the ninth floor.
pub(crate) const CONVENIENCES: Table<Convenience> = &[
    ("balcony", Convenience::Balcony),
    ("terrace", Convenience::Terrace),
    ("loggia", Convenience::Loggia),
    ("cellar", Convenience::Cellar),
    ("lift", Convenience::Lift),
    ("elevator", Convenience::Lift),
    ("garage", Convenience::Garage),
    ("parking", Convenience::Parking),
    ("pool", Convenience::Pool),
    ("furnished", Convenience::Furnished(Equipment::Full)),
    (
        "partiallyFurnished",
        Convenience::Furnished(Equipment::Partial),
    ),
    ("unfurnished", Convenience::Furnished(Equipment::None)),
    ("garden", Convenience::Ignored),
    ("fridge", Convenience::Ignored),
    ("dishwasher", Convenience::Ignored),
    ("washingMachine", Convenience::Ignored),
];
