//! A record as a search index keeps it.

use super::super::columns::row;
use crate::attributes::Location;
use crate::enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype,
};
use crate::store::columns::Cell;
use crate::store::error::Result;
use crate::timestamp::Timestamp;

/// What a search filters and sorts by.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexRow {
    /// The row: names the record within this database, for good.
    pub row: i64,
    /// The number of its latest change.
    pub change: i64,
    /// Its id.
    pub id: String,
    /// When any portal listing last changed.
    pub last_changed_at: Timestamp,
    /// Whether some portal advertises it.
    pub is_live: bool,
    /// When its last live link went; `None` while it is live.
    pub expired_at: Option<Timestamp>,
    /// Where it is.
    pub location: Option<Location>,
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
    /// District (okres).
    pub district: Option<String>,
    /// City part or quarter.
    pub neighborhood: Option<String>,
    /// Asking price, CZK.
    pub price_total: Option<f64>,
    /// Living area, m².
    pub living_area: Option<f64>,
    /// Plot area, m².
    pub land_area: Option<f64>,
    /// Floor; 0 is the ground floor.
    pub floor: Option<i16>,
    /// Floors of the building.
    pub floor_count: Option<i16>,
}

/// The columns of [`IndexColumns`].
pub(super) const SELECT: &str = "SELECT row, change, id, last_changed_at, is_live, expired_at, lat, lng, \
     offer_type, property_type, subtype, arrangement, equipment, ownership, property_state, building_type, \
     district, neighborhood, price_total, living_area, land_area, floor, floor_count FROM offers";

row! {
    pub(super) struct IndexColumns {
        row: i64,
        change: i64,
        id: String,
        last_changed_at: i64,
        is_live: bool,
        expired_at: Option<i64>,
        lat: Option<f64>,
        lng: Option<f64>,
        offer_type: Option<i16>,
        property_type: Option<i16>,
        subtype: Option<i16>,
        arrangement: Option<i16>,
        equipment: Option<i16>,
        ownership: Option<i16>,
        property_state: Option<i16>,
        building_type: Option<i16>,
        district: Option<String>,
        neighborhood: Option<String>,
        price_total: Option<f64>,
        living_area: Option<f64>,
        land_area: Option<f64>,
        floor: Option<i16>,
        floor_count: Option<i16>,
    }
}

impl IndexColumns {
    pub(super) fn into_row(self) -> Result<IndexRow> {
        let id = &self.id;
        let cell = |column| Cell {
            table: "offers",
            column,
            id,
        };
        Ok(IndexRow {
            row: self.row,
            change: self.change,
            last_changed_at: Timestamp(self.last_changed_at),
            is_live: self.is_live,
            expired_at: self.expired_at.map(Timestamp),
            location: self
                .lat
                .zip(self.lng)
                .map(|(lat, lng)| Location { lat, lng }),
            offer_type: cell("offer_type").value(self.offer_type)?,
            property_type: cell("property_type").value(self.property_type)?,
            subtype: cell("subtype").value(self.subtype)?,
            arrangement: cell("arrangement").value(self.arrangement)?,
            equipment: cell("equipment").value(self.equipment)?,
            ownership: cell("ownership").value(self.ownership)?,
            property_state: cell("property_state").value(self.property_state)?,
            building_type: cell("building_type").value(self.building_type)?,
            district: self.district,
            neighborhood: self.neighborhood,
            price_total: self.price_total,
            living_area: self.living_area,
            land_area: self.land_area,
            floor: self.floor,
            floor_count: self.floor_count,
            id: self.id,
        })
    }
}
