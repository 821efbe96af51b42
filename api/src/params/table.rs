//! The parameters of a search (spec, GET /v1/offers), in the spec's order.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype,
};

/// A parameter of a search; as a number, its place in [`SEARCH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is described once, in the table below")]
pub enum Field {
    OfferType,
    Type,
    Subtype,
    Arrangement,
    Equipment,
    Ownership,
    PropertyState,
    BuildingType,
    District,
    Neighborhood,
    PriceMin,
    PriceMax,
    LivingAreaMin,
    LivingAreaMax,
    LandAreaMin,
    LandAreaMax,
    FloorMin,
    FloorMax,
    FloorCountMin,
    FloorCountMax,
    Lat,
    Lng,
    Address,
    RadiusMeters,
    IncludeInactive,
    Limit,
    Cursor,
}

impl Field {
    /// What the table says about the parameter.
    pub fn param(self) -> &'static Param {
        &SEARCH[self as usize]
    }

    /// The parameter's name.
    pub fn name(self) -> &'static str {
        self.param().name
    }
}

/// What values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// One of the listed texts, exactly.
    OneOf(&'static [&'static str]),
    /// A text of at most this many characters.
    Text {
        /// The longest that is read.
        max_length: usize,
    },
    /// A decimal number: an optional `-`, digits, optionally a point with digits, optionally a power of ten.
    Number {
        /// The least accepted, itself included; `None` where any will do.
        min: Option<f64>,
        /// The greatest accepted, itself included.
        max: Option<f64>,
    },
    /// A whole number without a sign.
    Integer {
        /// The least accepted.
        min: u32,
        /// The greatest accepted.
        max: u32,
    },
    /// `true` or `false`.
    Boolean,
    /// What the service itself handed out.
    Cursor,
}

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name, case-sensitive.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it means, for the OpenAPI description.
    pub meaning: &'static str,
    /// What holds where it is not sent, as it would be written; `None` where nothing does.
    pub default: Option<&'static str>,
    /// A value for the OpenAPI description's example.
    pub example: &'static str,
}

/// Metres around the centre where `radiusMeters` is not sent (spec, Limits 7).
pub const DEFAULT_RADIUS: f64 = 2000.0;
/// Offers a page where `limit` is not sent (spec, Limits 6).
pub const DEFAULT_LIMIT: u32 = 25;

const ANY_NUMBER: Kind = Kind::Number {
    min: None,
    max: None,
};
const NAME: Kind = Kind::Text { max_length: 200 };

const fn param(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    meaning: &'static str,
) -> Param {
    Param {
        name,
        kind,
        meaning,
        default: None,
        example,
    }
}

const fn with_default(param: Param, default: &'static str) -> Param {
    Param {
        default: Some(default),
        ..param
    }
}

/// Every parameter of a search, in the order of [`Field`].
pub const SEARCH: [Param; 27] = [
    param(
        "offerType",
        Kind::OneOf(OfferType::TEXTS),
        "sale",
        "Kind of offer.",
    ),
    param(
        "type",
        Kind::OneOf(PropertyType::TEXTS),
        "apartment",
        "Property type.",
    ),
    param(
        "subtype",
        Kind::OneOf(Subtype::TEXTS),
        "family",
        "Finer category within `type`.",
    ),
    param(
        "arrangement",
        Kind::OneOf(Arrangement::TEXTS),
        "2+kk",
        "Czech room layout. The `+` must be URL-encoded (`2%2Bkk`): a bare `+` is a space in a query string.",
    ),
    param(
        "equipment",
        Kind::OneOf(Equipment::TEXTS),
        "full",
        "How furnished the property is.",
    ),
    param(
        "ownership",
        Kind::OneOf(Ownership::TEXTS),
        "private",
        "Ownership form.",
    ),
    param(
        "propertyState",
        Kind::OneOf(PropertyState::TEXTS),
        "very_good",
        "Condition of the property.",
    ),
    param(
        "buildingType",
        Kind::OneOf(BuildingType::TEXTS),
        "brick",
        "Construction type.",
    ),
    param(
        "district",
        NAME,
        "Praha",
        "Exact name of the district (okres), as the field `district` writes it.",
    ),
    param(
        "neighborhood",
        NAME,
        "Vinohrady",
        "Exact name of the city part, as the field `neighborhood` writes it.",
    ),
    param(
        "priceMin",
        ANY_NUMBER,
        "3000000",
        "Least price in CZK, inclusive; the monthly rent for rentals.",
    ),
    param(
        "priceMax",
        ANY_NUMBER,
        "7500000",
        "Greatest price in CZK, inclusive; the monthly rent for rentals.",
    ),
    param(
        "livingAreaMin",
        ANY_NUMBER,
        "45",
        "Least living area in m², inclusive.",
    ),
    param(
        "livingAreaMax",
        ANY_NUMBER,
        "80.5",
        "Greatest living area in m², inclusive.",
    ),
    param(
        "landAreaMin",
        ANY_NUMBER,
        "500",
        "Least plot area in m², inclusive.",
    ),
    param(
        "landAreaMax",
        ANY_NUMBER,
        "1500",
        "Greatest plot area in m², inclusive.",
    ),
    param(
        "floorMin",
        ANY_NUMBER,
        "1",
        "Lowest floor, inclusive; 0 is the ground floor.",
    ),
    param(
        "floorMax",
        ANY_NUMBER,
        "4",
        "Highest floor, inclusive; 0 is the ground floor.",
    ),
    param(
        "floorCountMin",
        ANY_NUMBER,
        "2",
        "Fewest floors in the building, inclusive.",
    ),
    param(
        "floorCountMax",
        ANY_NUMBER,
        "8",
        "Most floors in the building, inclusive.",
    ),
    param(
        "lat",
        Kind::Number {
            min: Some(-90.0),
            max: Some(90.0),
        },
        "50.0755",
        "Latitude of the search centre in degrees (WGS 84). Sent together with `lng`, never with `address`.",
    ),
    param(
        "lng",
        Kind::Number {
            min: Some(-180.0),
            max: Some(180.0),
        },
        "14.4378",
        "Longitude of the search centre in degrees (WGS 84). Sent together with `lat`, never with `address`.",
    ),
    param(
        "address",
        Kind::Text { max_length: 300 },
        "Korunní 12, Praha",
        "Free-text address that the service geocodes to the centre. Sent instead of `lat` and `lng`. Where it fits \
         several places, the most important one is taken; where it fits none, the answer is 400 and says what was \
         understood. A walk keeps the centre found for its first page.",
    ),
    with_default(
        param(
            "radiusMeters",
            Kind::Number {
                min: Some(1.0),
                max: Some(100_000.0),
            },
            "1500",
            "Search radius in metres around the centre, inclusive, along the great circle; 2000 where a centre is sent \
             without it. Needs a centre: `lat` and `lng`, or `address`. Listings without a position never match.",
        ),
        "2000",
    ),
    with_default(
        param(
            "includeInactive",
            Kind::Boolean,
            "true",
            "Whether listings that are no longer live are included. `true` needs a plan with history, and reaches \
             listings that expired within the plan's calendar months before the walk's first page.",
        ),
        "false",
    ),
    with_default(
        param(
            "limit",
            Kind::Integer { min: 1, max: 50 },
            "25",
            "Offers per page.",
        ),
        "25",
    ),
    param(
        "cursor",
        Kind::Cursor,
        "AYk3…",
        "The `pagination.nextCursor` of the page before, unchanged, with the same filters; `limit` may differ.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_stands_at_its_own_place() {
        let names: Vec<&str> = SEARCH.iter().map(|param| param.name).collect();
        let fields = [
            (Field::OfferType, "offerType"),
            (Field::BuildingType, "buildingType"),
            (Field::District, "district"),
            (Field::PriceMin, "priceMin"),
            (Field::LandAreaMax, "landAreaMax"),
            (Field::FloorCountMax, "floorCountMax"),
            (Field::Lat, "lat"),
            (Field::Address, "address"),
            (Field::RadiusMeters, "radiusMeters"),
            (Field::IncludeInactive, "includeInactive"),
            (Field::Limit, "limit"),
            (Field::Cursor, "cursor"),
        ];
        for (field, name) in fields {
            assert_eq!(field.name(), name);
        }
        assert_eq!(Field::Cursor as usize + 1, names.len());
    }

    #[test]
    fn no_name_stands_twice() {
        for (place, param) in SEARCH.iter().enumerate() {
            assert!(
                SEARCH[..place].iter().all(|other| other.name != param.name),
                "{}",
                param.name
            );
        }
    }

    #[test]
    fn the_defaults_are_the_ones_applied() {
        assert_eq!(
            Field::RadiusMeters.param().default,
            Some(DEFAULT_RADIUS.to_string().as_str())
        );
        assert_eq!(
            Field::Limit.param().default,
            Some(DEFAULT_LIMIT.to_string().as_str())
        );
    }
}
