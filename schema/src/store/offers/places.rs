//! Where each record is.

use futures::future::BoxFuture;

use super::super::columns::row;
use crate::offer_fields::{Attributes, Location};
use crate::store::database::{Db, on_db};
use crate::store::error::Result;

row! {
    /// The place fields of a record.
    #[derive(Debug, Clone, PartialEq)]
    pub struct RecordPlace {
        /// The id of the record.
        pub id: String,
        /// Whether at least one portal advertises it.
        pub is_live: bool,
        /// Municipality.
        pub city: Option<String>,
        /// District (okres).
        pub district: Option<String>,
        /// Region (kraj).
        pub region: Option<String>,
        /// City part or quarter.
        pub neighborhood: Option<String>,
        /// Street.
        pub street: Option<String>,
        /// Postal code.
        pub postal_code: Option<String>,
        /// Latitude.
        pub lat: Option<f64>,
        /// Longitude.
        pub lng: Option<f64>,
    }
}

/// The places of all records, in the order of their ids.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn places(db: &Db) -> BoxFuture<'_, Result<Vec<RecordPlace>>> {
    Box::pin(async move {
        Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT id, is_live, city, district, region, neighborhood, street, postal_code, lat, lng \
         FROM offers ORDER BY id",
    )
    .fetch_all(pool)
    .await?))
    })
}

impl RecordPlace {
    /// The place as the facts of an offer.
    pub fn into_facts(self) -> Attributes {
        Attributes {
            city: self.city,
            district: self.district,
            region: self.region,
            neighborhood: self.neighborhood,
            street: self.street,
            postal_code: self.postal_code,
            location: self
                .lat
                .zip(self.lng)
                .map(|(lat, lng)| Location { lat, lng }),
            ..Attributes::default()
        }
    }
}
