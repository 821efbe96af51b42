//! What a search looks for.

use schema::offer_fields::names;
use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype, Timestamp,
};

use crate::index::circle::Circle;
use crate::index::columns::NEVER;
use crate::index::names::Names;

/// The bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// The smallest accepted number.
    pub min: Option<f64>,
    /// The largest accepted number.
    pub max: Option<f64>,
}

impl Range {
    /// Whether there are no bounds, so that offers without the number match too.
    pub(crate) fn is_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Whether the number is within the bounds. NaN is within none.
    pub(crate) fn contains(self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }
}

/// The filters on the fields of an offer. An offer without the field does not match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Criteria {
    /// Kind of offer.
    pub offer_type: Option<OfferType>,
    /// Property type.
    pub property_type: Option<PropertyType>,
    /// Finer property type.
    pub subtype: Option<Subtype>,
    /// Room layout.
    pub arrangement: Option<Arrangement>,
    /// How furnished.
    pub equipment: Option<Equipment>,
    /// Ownership form.
    pub ownership: Option<Ownership>,
    /// Condition.
    pub property_state: Option<PropertyState>,
    /// Construction type.
    pub building_type: Option<BuildingType>,
    /// Name of the district, official or usual.
    pub district: Option<String>,
    /// Name of the neighbourhood, official or usual.
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

/// Which expired offers match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// None: live offers only.
    Live,
    /// Those whose last live link ended at this instant or later.
    ExpiredSince(Timestamp),
}

/// Everything that decides whether an offer matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The filters on its fields.
    pub criteria: Criteria,
    /// The circle that it must be in.
    pub circle: Option<Circle>,
    /// Which expired offers match.
    pub reach: Reach,
}

/// A filter with the codes of an index in place of names.
#[derive(Debug, Clone)]
pub(crate) struct ResolvedFilter<'a> {
    /// The filters on fields.
    pub criteria: &'a Criteria,
    /// The code of the district.
    pub district: Option<u32>,
    /// The code of the neighbourhood.
    pub neighborhood: Option<u32>,
    /// The circle that an offer must be in.
    pub circle: Option<Circle>,
    /// The earliest expiry that matches.
    pub expires_from: i64,
}

impl Filter {
    /// The filter of everything that `reach` includes.
    pub fn everything(reach: Reach) -> Self {
        Self {
            criteria: Criteria::default(),
            circle: None,
            reach,
        }
    }

    /// The names of the fields that decide whether an offer matches; none if only being live does.
    pub fn fields(&self) -> Vec<&'static str> {
        let it = &self.criteria;
        let is_filtered = [
            (names::offer_type, it.offer_type.is_some()),
            (names::property_type, it.property_type.is_some()),
            (names::subtype, it.subtype.is_some()),
            (names::arrangement, it.arrangement.is_some()),
            (names::equipment, it.equipment.is_some()),
            (names::ownership, it.ownership.is_some()),
            (names::property_state, it.property_state.is_some()),
            (names::building_type, it.building_type.is_some()),
            (names::district, it.district.is_some()),
            (names::neighborhood, it.neighborhood.is_some()),
            (names::price_total, !it.price.is_open()),
            (names::living_area, !it.living_area.is_open()),
            (names::land_area, !it.land_area.is_open()),
            (names::floor, !it.floor.is_open()),
            (names::floor_count, !it.floor_count.is_open()),
            (names::location, self.circle.is_some()),
        ];
        let filtered = is_filtered.into_iter().filter(|(_, is)| *is);
        filtered.map(|(name, _)| name).collect()
    }

    /// The filter with the codes of `names`; `None` if no offer has the district or neighbourhood, so that none matches.
    pub(crate) fn resolve(&self, names: &Names) -> Option<ResolvedFilter<'_>> {
        let criteria = &self.criteria;
        let district = match &criteria.district {
            Some(name) => Some(names.district(name)?),
            None => None,
        };
        let neighborhood = match &criteria.neighborhood {
            Some(name) => Some(names.neighborhood(name)?),
            None => None,
        };
        Some(ResolvedFilter {
            criteria,
            district,
            neighborhood,
            circle: self.circle,
            expires_from: match self.reach {
                Reach::Live => NEVER,
                Reach::ExpiredSince(instant) => instant.millis(),
            },
        })
    }
}
