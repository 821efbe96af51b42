//! The addresses of the records, from which the gazetteer learns.

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::AssertSqlSafe;

use super::super::columns::row;
use crate::store::database::{Db, on_db};
use crate::store::error::{Result, StoreError};
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
/// Records without a municipality come first.
///
/// # Errors
/// The last item may be [`StoreError::Database`].
pub fn addresses<'a>(
    db: &'a Db,
    municipalities: &[Option<String>],
) -> BoxStream<'a, Result<AddressRow>> {
    let named: Vec<&String> = municipalities.iter().flatten().collect();
    let mut parts = Vec::new();
    if named.len() < municipalities.len() {
        parts.push(Ok(None));
    }
    parts.extend(
        named
            .chunks(lists::LIST)
            .map(|part| lists::json(&part).map(Some)),
    );
    stream::iter(parts)
        .map_ok(|list| addresses_in(db, list))
        .try_flatten()
        .boxed()
}

/// The addresses in the municipalities of a list; without one, those of records without a municipality.
fn addresses_in(db: &Db, list: Option<String>) -> BoxStream<'_, Result<AddressRow>> {
    let Some(list) = list else {
        let text = format!("{ADDRESSES} WHERE municipality IS NULL {GROUPED}");
        return on_db!(db, replica, pool => {
            let rows = sqlx::query_as(AssertSqlSafe(text)).fetch(pool);
            rows.map_err(StoreError::from).boxed()
        });
    };
    let text = format!(
        "{ADDRESSES} WHERE municipality IN ({}) {GROUPED}",
        lists::texts(db.backend())
    );
    on_db!(db, replica, pool => {
        let rows = sqlx::query_as(AssertSqlSafe(text)).bind(list).fetch(pool);
        rows.map_err(StoreError::from).boxed()
    })
}

const ADDRESSES: &str = "SELECT city, district, region, neighborhood, street, postal_code, \
         AVG(lat) AS lat, AVG(lng) AS lng, COUNT(*) AS count FROM offers";
const GROUPED: &str = "GROUP BY city, district, region, neighborhood, street, postal_code \
     ORDER BY city NULLS FIRST, district NULLS FIRST, region NULLS FIRST, neighborhood NULLS FIRST, \
         street NULLS FIRST, postal_code NULLS FIRST";
