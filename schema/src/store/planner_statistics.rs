//! What PostgreSQL knows of the values in its tables. Without statistics it takes every reference to another table for one
//! of 200 values, and reads a table as a whole where an index would find a few rows. A running server collects them by
//! itself about once a minute, which is too late for a table that grows by a hundred thousand rows in that time.

use futures::future::BoxFuture;

use super::database::{Db, Pools};
use super::error::Result;

/// The tables that grow while observations are stored.
const GROWING: &str =
    "listings, raw_listings, sightings, price_points, listing_bodies, disappearances";

/// Collects statistics of the tables that grow while observations are stored. SQLite needs none: its plans for these
/// tables always use an index.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn collect(db: &Db) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        if let Pools::Postgres(pools) = db.pools() {
            let statement = format!("ANALYZE {GROWING}");
            sqlx::query(sqlx::AssertSqlSafe(statement))
                .execute(pools.write())
                .await?;
        }
        Ok(())
    })
}
