//! The parameters of a search (spec, GET /v1/offers), in the spec's order.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype,
};

use crate::params::param::{Param, ParamName, ParamType};

impl ParamName {
    /// The parameter's entry in the table.
    pub(crate) fn param(self) -> &'static Param {
        &SEARCH_PARAMS[self as usize]
    }

    /// The name as it is written in a query.
    pub(crate) fn name(self) -> &'static str {
        self.param().name
    }
}

/// The search radius if `radiusMeters` is not sent, in metres (spec, Limits 7).
pub(crate) const DEFAULT_RADIUS: f64 = 2000.0;
/// The page size if `limit` is not sent (spec, Limits 6).
pub(crate) const DEFAULT_LIMIT: u32 = 25;

const ANY_NUMBER: ParamType = ParamType::Number {
    min: None,
    max: None,
};
const NAME: ParamType = ParamType::Text { max_length: 200 };

const fn param(
    name: &'static str,
    value_type: ParamType,
    example: &'static str,
    description: &'static str,
) -> Param {
    Param {
        name,
        value_type,
        description,
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

/// Every parameter of a search, in the order of [`crate::params::ParamName`].
pub const SEARCH_PARAMS: [Param; 27] = [
    param(
        "offerType",
        ParamType::OneOf(OfferType::TEXTS),
        "sale",
        "Kind of offer.",
    ),
    param(
        "type",
        ParamType::OneOf(PropertyType::TEXTS),
        "apartment",
        "Property type.",
    ),
    param(
        "subtype",
        ParamType::OneOf(Subtype::TEXTS),
        "family",
        "Finer category within `type`.",
    ),
    param(
        "arrangement",
        ParamType::OneOf(Arrangement::TEXTS),
        "2+kk",
        "Czech room layout. Encode the `+` as `%2B` (`2%2Bkk`): a plain `+` is a space in a query string.",
    ),
    param(
        "equipment",
        ParamType::OneOf(Equipment::TEXTS),
        "full",
        "How furnished the property is.",
    ),
    param(
        "ownership",
        ParamType::OneOf(Ownership::TEXTS),
        "private",
        "Ownership form.",
    ),
    param(
        "propertyState",
        ParamType::OneOf(PropertyState::TEXTS),
        "very_good",
        "Condition of the property.",
    ),
    param(
        "buildingType",
        ParamType::OneOf(BuildingType::TEXTS),
        "brick",
        "Construction type.",
    ),
    param(
        "district",
        NAME,
        "Praha",
        "Exact name of the district (okres), as written in the field `district`. Its usual forms are accepted too: without \
         diacritics, in any Unicode normal form, `okres Kladno`, `Hlavní město Praha`, `Brno`. An unknown name finds nothing.",
    ),
    param(
        "neighborhood",
        NAME,
        "Vinohrady",
        "Exact name of the city part, as written in the field `neighborhood`. Its usual forms are accepted too: without \
         diacritics, in any Unicode normal form, `Praha 5 - Smíchov`. An unknown name finds nothing.",
    ),
    param(
        "priceMin",
        ANY_NUMBER,
        "3000000",
        "Lowest price in CZK, inclusive; the monthly rent for rentals.",
    ),
    param(
        "priceMax",
        ANY_NUMBER,
        "7500000",
        "Highest price in CZK, inclusive; the monthly rent for rentals.",
    ),
    param(
        "livingAreaMin",
        ANY_NUMBER,
        "45",
        "Smallest living area in m², inclusive.",
    ),
    param(
        "livingAreaMax",
        ANY_NUMBER,
        "80.5",
        "Largest living area in m², inclusive.",
    ),
    param(
        "landAreaMin",
        ANY_NUMBER,
        "500",
        "Smallest plot area in m², inclusive.",
    ),
    param(
        "landAreaMax",
        ANY_NUMBER,
        "1500",
        "Largest plot area in m², inclusive.",
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
        ParamType::Number {
            min: Some(-90.0),
            max: Some(90.0),
        },
        "50.0755",
        "Latitude of the search centre in degrees (WGS 84). Send it together with `lng`, and without `address`.",
    ),
    param(
        "lng",
        ParamType::Number {
            min: Some(-180.0),
            max: Some(180.0),
        },
        "14.4378",
        "Longitude of the search centre in degrees (WGS 84). Send it together with `lat`, and without `address`.",
    ),
    param(
        "address",
        ParamType::Text { max_length: 300 },
        "Korunní 12, Praha",
        "Free-text address that the service geocodes to the centre. Send it instead of `lat` and `lng`. If it matches \
         several places, the most important one is used. If it matches none, the answer is 400 and says which parts \
         were understood. All pages of a search use the centre found for the first page.",
    ),
    with_default(
        param(
            "radiusMeters",
            ParamType::Number {
                min: Some(1.0),
                max: Some(100_000.0),
            },
            "1500",
            "Search radius around the centre in metres, inclusive, measured along the great circle; 2000 if a centre is \
             sent without it. Needs a centre: `lat` and `lng`, or `address`. Listings without a position never match.",
        ),
        "2000",
    ),
    with_default(
        param(
            "includeInactive",
            ParamType::Boolean,
            "true",
            "Whether listings that are no longer live are included. `true` needs a plan with history. It includes \
             listings that expired within the plan's calendar months before the first page.",
        ),
        "false",
    ),
    with_default(
        param(
            "limit",
            ParamType::Integer { min: 1, max: 50 },
            "25",
            "Offers per page.",
        ),
        "25",
    ),
    param(
        "cursor",
        ParamType::Cursor,
        "AYk3…",
        "The `pagination.nextCursor` of the previous page, unchanged, with the same filters; `limit` may differ.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_at_the_index_of_its_name() {
        let names: Vec<&str> = SEARCH_PARAMS.iter().map(|param| param.name).collect();
        let fields = [
            (ParamName::OfferType, "offerType"),
            (ParamName::BuildingType, "buildingType"),
            (ParamName::District, "district"),
            (ParamName::PriceMin, "priceMin"),
            (ParamName::LandAreaMax, "landAreaMax"),
            (ParamName::FloorCountMax, "floorCountMax"),
            (ParamName::Lat, "lat"),
            (ParamName::Address, "address"),
            (ParamName::RadiusMeters, "radiusMeters"),
            (ParamName::IncludeInactive, "includeInactive"),
            (ParamName::Limit, "limit"),
            (ParamName::Cursor, "cursor"),
        ];
        for (field, name) in fields {
            assert_eq!(field.name(), name);
        }
        assert_eq!(ParamName::Cursor as usize + 1, names.len());
    }

    #[test]
    fn no_name_occurs_twice() {
        for (index, param) in SEARCH_PARAMS.iter().enumerate() {
            assert!(
                SEARCH_PARAMS[..index]
                    .iter()
                    .all(|other| other.name != param.name),
                "{}",
                param.name
            );
        }
    }

    #[test]
    fn the_described_defaults_are_the_ones_applied() {
        assert_eq!(
            ParamName::RadiusMeters.param().default,
            Some(DEFAULT_RADIUS.to_string().as_str())
        );
        assert_eq!(
            ParamName::Limit.param().default,
            Some(DEFAULT_LIMIT.to_string().as_str())
        );
    }
}
