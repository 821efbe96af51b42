//! The addresses of the records, from which the gazetteer learns.

use futures::future::BoxFuture;

use super::super::columns::row;
use crate::store::database::{Db, on_db};
use crate::store::error::Result;

row! {
    /// Address texts that one or more records share, and the position of those records.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AddressRow {
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
        /// Mean latitude of those records that have a position.
        pub lat: Option<f64>,
        /// Mean longitude of those records that have a position.
        pub lng: Option<f64>,
        /// How many records share the texts.
        pub count: i64,
    }
}

/// The addresses of all records, one row for each combination of texts, in the order of the texts.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn addresses(db: &Db) -> BoxFuture<'_, Result<Vec<AddressRow>>> {
    Box::pin(async move {
        Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT city, district, region, neighborhood, street, postal_code, \
             AVG(lat) AS lat, AVG(lng) AS lng, COUNT(*) AS count \
         FROM offers GROUP BY city, district, region, neighborhood, street, postal_code \
         ORDER BY city NULLS FIRST, district NULLS FIRST, region NULLS FIRST, neighborhood NULLS FIRST, \
             street NULLS FIRST, postal_code NULLS FIRST",
    )
    .fetch_all(pool)
    .await?))
    })
}
