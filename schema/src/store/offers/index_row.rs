//! The columns of a record that a search index holds.

use crate::enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    Subtype,
};
use crate::offer_fields::Location;
use crate::store::columns::{Cell, row};
use crate::store::error::Result;
use crate::timestamp::Timestamp;

/// Defines [`IndexRow`] and the columns that it is read from. Members are named as their columns.
macro_rules! index_row {
    (
        enumerated { $($(#[$enumerated_doc:meta])* $enumerated:ident: $enumeration:ty,)+ }
        plain { $($(#[$plain_doc:meta])* $plain:ident: $type:ty,)+ }
    ) => {
        /// The columns that a search filters and sorts by.
        #[derive(Debug, Clone, PartialEq)]
        pub struct IndexRow {
            /// The row number, which identifies the record in this database for good.
            pub row: i64,
            /// The number of its latest change.
            pub change: i64,
            /// Its id.
            pub id: String,
            /// When it was first seen on any portal.
            pub first_seen_at: Timestamp,
            /// When any portal listing last changed.
            pub last_changed_at: Timestamp,
            /// Whether at least one portal advertises it.
            pub is_live: bool,
            /// When its last live link went; `None` while it is live.
            pub expired_at: Option<Timestamp>,
            /// Its position.
            pub location: Option<Location>,
            $($(#[$enumerated_doc])* pub $enumerated: Option<$enumeration>,)+
            $($(#[$plain_doc])* pub $plain: Option<$type>,)+
        }

        row! {
            pub(super) struct IndexColumns {
                row: i64,
                change: i64,
                id: String,
                first_seen_at: i64,
                last_changed_at: i64,
                is_live: bool,
                expired_at: Option<i64>,
                lat: Option<f64>,
                lng: Option<f64>,
                $($enumerated: Option<i16>,)+
                $($plain: Option<$type>,)+
            }
        }

        impl IndexColumns {
            /// The names of the columns.
            pub(super) const NAMES: &[&str] = &[
                "row",
                "change",
                "id",
                "first_seen_at",
                "last_changed_at",
                "is_live",
                "expired_at",
                "lat",
                "lng",
                $(stringify!($enumerated),)+
                $(stringify!($plain),)+
            ];

            pub(super) fn into_row(self) -> Result<IndexRow> {
                let cell = |column| Cell {
                    table: "offers",
                    column,
                    id: &self.id,
                };
                Ok(IndexRow {
                    row: self.row,
                    change: self.change,
                    first_seen_at: Timestamp(self.first_seen_at),
                    last_changed_at: Timestamp(self.last_changed_at),
                    is_live: self.is_live,
                    expired_at: self.expired_at.map(Timestamp),
                    location: self.lat.zip(self.lng).map(|(lat, lng)| Location { lat, lng }),
                    $($enumerated: cell(stringify!($enumerated)).value(self.$enumerated)?,)+
                    $($plain: self.$plain,)+
                    id: self.id,
                })
            }
        }
    };
}

index_row! {
    enumerated {
        /// Kind of offer.
        offer_type: OfferType,
        /// Property type.
        property_type: PropertyType,
        /// Finer property type.
        subtype: Subtype,
        /// Room layout.
        arrangement: Arrangement,
        /// How furnished.
        equipment: Equipment,
        /// Ownership form.
        ownership: Ownership,
        /// Condition.
        property_state: PropertyState,
        /// Construction type.
        building_type: BuildingType,
    }
    plain {
        /// District (okres).
        district: String,
        /// City part or quarter.
        neighborhood: String,
        /// Asking price, CZK.
        price_total: f64,
        /// Living area, m².
        living_area: f64,
        /// Plot area, m².
        land_area: f64,
        /// Floor; 0 is the ground floor.
        floor: i16,
        /// Floors of the building.
        floor_count: i16,
    }
}
