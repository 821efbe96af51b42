//! What a search looks for.

use schema::Timestamp;

use crate::index::circle::Circle;
use crate::index::columns::Record;
use crate::index::names::Names;

/// Bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// The least accepted.
    pub min: Option<f64>,
    /// The greatest accepted.
    pub max: Option<f64>,
}

impl Range {
    /// Whether nothing is asked of the number, so that it may be absent.
    pub fn is_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Whether the number lies within the bounds. No number, written as NaN, lies within none.
    pub fn contains(self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }
}

/// The places of the wanted values in the spec's lists; `None` where any will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the fields of an offer, by their names")]
pub struct Codes {
    pub offer_type: Option<u8>,
    pub property_type: Option<u8>,
    pub subtype: Option<u8>,
    pub arrangement: Option<u8>,
    pub equipment: Option<u8>,
    pub ownership: Option<u8>,
    pub property_state: Option<u8>,
    pub building_type: Option<u8>,
}

impl Codes {
    /// The codes, in the order of the index's columns.
    pub fn in_order(self) -> [Option<u8>; 8] {
        [
            self.offer_type,
            self.property_type,
            self.subtype,
            self.arrangement,
            self.equipment,
            self.ownership,
            self.property_state,
            self.building_type,
        ]
    }
}

/// The filters on an offer's own facts. An offer without the fact does not match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Criteria {
    /// Enumerated values.
    pub codes: Codes,
    /// Exact name of the district.
    pub district: Option<String>,
    /// Exact name of the neighbourhood.
    pub neighborhood: Option<String>,
    /// CZK.
    pub price: Range,
    /// m².
    pub living_area: Range,
    /// m².
    pub land_area: Range,
    /// 0 is the ground floor.
    pub floor: Range,
    /// Floors of the building.
    pub floor_count: Range,
}

/// How far into the past a search reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Live offers only.
    Live,
    /// Live offers, and those whose last live link went at this instant or later.
    ExpiredSince(Timestamp),
}

/// Everything that decides whether an offer matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The filters on its facts.
    pub criteria: Criteria,
    /// Where it must lie.
    pub circle: Option<Circle>,
    /// Whether, and since when, it may have expired.
    pub reach: Reach,
}

/// A filter in the codes of an index.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// Codes by column.
    pub codes: [Option<u8>; 8],
    /// Code of the district.
    pub district: Option<u32>,
    /// Code of the neighbourhood.
    pub neighborhood: Option<u32>,
    /// Bounds of the three figures, by column.
    pub figures: [Range; 3],
    /// Bounds of the two floors, by column.
    pub floors: [Range; 2],
    /// Where it must lie.
    pub circle: Option<Circle>,
    /// The earliest expiry that still matches.
    pub expires_from: i64,
}

impl Filter {
    /// The filter in the codes of `names`; `None` where it asks for a name that no offer has, so that none can match.
    pub fn resolve(&self, names: &Names) -> Option<Resolved> {
        let criteria = &self.criteria;
        Some(Resolved {
            codes: criteria.codes.in_order(),
            district: criteria
                .district
                .as_deref()
                .map_or(Some(None), |name| names.district(name).map(Some))?,
            neighborhood: criteria
                .neighborhood
                .as_deref()
                .map_or(Some(None), |name| names.neighborhood(name).map(Some))?,
            figures: [criteria.price, criteria.living_area, criteria.land_area],
            floors: [criteria.floor, criteria.floor_count],
            circle: self.circle,
            expires_from: match self.reach {
                Reach::Live => Record::LIVE,
                Reach::ExpiredSince(instant) => instant.millis(),
            },
        })
    }
}
