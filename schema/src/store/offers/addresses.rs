//! The addresses of the records, from which the gazetteer learns.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::super::columns::row;
use crate::store::database::{Db, on_db};
use crate::store::error::Result;
use crate::store::lists;

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

/// The normalised municipalities of the records, in their order. `None` stands for the records without one.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn municipalities(db: &Db) -> BoxFuture<'_, Result<Vec<Option<String>>>> {
    Box::pin(async move {
        Ok(on_db!(db, replica, pool => sqlx::query_scalar(
            "SELECT DISTINCT municipality FROM offers ORDER BY municipality NULLS FIRST",
        )
        .fetch_all(pool)
        .await?))
    })
}

/// The addresses of the records in these municipalities, one row for each combination of texts, in the order of the texts.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn addresses<'a>(
    db: &'a Db,
    municipalities: &'a [Option<String>],
) -> BoxFuture<'a, Result<Vec<AddressRow>>> {
    Box::pin(async move {
        let named: Vec<&String> = municipalities.iter().flatten().collect();
        let mut rows = Vec::new();
        if named.len() < municipalities.len() {
            let text = format!("{ADDRESSES} WHERE municipality IS NULL {GROUPED}");
            rows = on_db!(db, replica, pool => sqlx::query_as(AssertSqlSafe(text)).fetch_all(pool).await?);
        }
        let list = lists::texts(db.backend());
        let text = format!("{ADDRESSES} WHERE municipality IN ({list}) {GROUPED}");
        for part in named.chunks(lists::LIST) {
            let part = lists::json(&part)?;
            rows.append(&mut on_db!(db, replica, pool => {
                sqlx::query_as(AssertSqlSafe(text.as_str())).bind(part).fetch_all(pool).await?
            }));
        }
        Ok(rows)
    })
}

const ADDRESSES: &str = "SELECT city, district, region, neighborhood, street, postal_code, \
         AVG(lat) AS lat, AVG(lng) AS lng, COUNT(*) AS count FROM offers";
const GROUPED: &str = "GROUP BY city, district, region, neighborhood, street, postal_code \
     ORDER BY city NULLS FIRST, district NULLS FIRST, region NULLS FIRST, neighborhood NULLS FIRST, \
         street NULLS FIRST, postal_code NULLS FIRST";
