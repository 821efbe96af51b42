//! Statistics for `jeden status` and the metrics, counted on request.

use std::collections::BTreeMap;

use futures::future::BoxFuture;

use super::compression::documents::Unpacker;
use super::database::{Db, Pools, on_db};
use super::error::{Result, corrupt};
use super::listings::ListingBody;
use super::transaction::on_tx;
use crate::account::Month;
use crate::plan::Plan;

/// The listings of a portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalListings {
    /// The portal's id.
    pub site_id: String,
    /// Live listings.
    pub live: u64,
    /// Listings that are gone.
    pub gone: u64,
    /// Listings that wait for deduplication.
    pub pending: u64,
}

/// The listings of every portal, by portal.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn listings(db: &Db) -> BoxFuture<'_, Result<Vec<PortalListings>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64, i64, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, COUNT(*), COUNT(gone_at), COUNT(CASE WHEN pending THEN 1 END) \
         FROM listings GROUP BY site_id ORDER BY site_id",
    )
    .fetch_all(pool)
    .await?);
        let portal = |(site_id, all, gone, pending): (String, i64, i64, i64)| PortalListings {
            site_id,
            live: (all - gone).unsigned_abs(),
            gone: gone.unsigned_abs(),
            pending: pending.unsigned_abs(),
        };
        Ok(rows.into_iter().map(portal).collect())
    })
}

/// How often live listings of a portal have each field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completeness {
    /// The size of the sample.
    pub listings: u64,
    /// How many of them have each field, by the field's name in the API. Fields that no listing has are left out.
    pub filled: BTreeMap<String, u64>,
}

/// How often the `sample` newest live listings of a portal have each field.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn completeness<'a>(
    db: &'a Db,
    site_id: &'a str,
    sample: u32,
) -> BoxFuture<'a, Result<Completeness>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let rows: Vec<(i64, Vec<u8>)> = on_tx!(&mut tx, connection => sqlx::query_as(
        "SELECT listing_id, document FROM listing_bodies WHERE listing_id IN (\
         SELECT id FROM listings WHERE site_id = $1 AND gone_at IS NULL ORDER BY id DESC LIMIT $2)",
    )
    .bind(site_id)
    .bind(i64::from(sample))
    .fetch_all(connection)
    .await?);
        let documents = rows.iter().map(|(_, document)| document.as_slice());
        let unpacker = Unpacker::load(&mut tx, documents).await?;
        tx.rollback().await?;
        let mut found = Completeness {
            listings: rows.len() as u64,
            ..Completeness::default()
        };
        for (id, document) in rows {
            let listing = ListingBody::read(&document, id, &unpacker)?.listing()?;
            let fields = serde_json::to_value(&listing.attributes)
                .map_err(|error| corrupt("listing_bodies", "document", id, error))?;
            for (name, value) in fields.as_object().into_iter().flatten() {
                if !value.is_null() {
                    *found.filled.entry(name.clone()).or_default() += 1;
                }
            }
        }
        Ok(found)
    })
}

/// How many values were rejected, by portal.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn value_rejects(db: &Db) -> BoxFuture<'_, Result<Vec<(String, u64)>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, COUNT(*) FROM value_rejects \
         JOIN value_reject_reasons ON value_reject_reasons.id = reason_id GROUP BY site_id ORDER BY site_id",
    )
    .fetch_all(pool)
    .await?);
        Ok(rows
            .into_iter()
            .map(|(site_id, count)| (site_id, count.unsigned_abs()))
            .collect())
    })
}

/// The accounts of a plan, and what they have used of their quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanUsage {
    /// The plan.
    pub plan: Plan,
    /// How many accounts are on it.
    pub accounts: u64,
    /// The sum of their monthly limits.
    pub limit: u64,
    /// The sum of their used requests.
    pub used: u64,
}

/// What the accounts of each plan used in a month. Plans without accounts are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn usage(db: &Db, month: Month) -> BoxFuture<'_, Result<Vec<PlanUsage>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64, i64, i64, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT plan, COUNT(*), COUNT(requests_override), CAST(COALESCE(SUM(requests_override), 0) AS BIGINT), \
         CAST(COALESCE(SUM(used), 0) AS BIGINT) \
         FROM accounts LEFT JOIN usage ON account_id = id AND month = $1 GROUP BY plan",
    )
    .bind(i64::from(month.ordinal()))
    .fetch_all(pool)
    .await?);
        let plan = |id: &str| Plan::ALL.into_iter().find(|plan| plan.id() == id);
        let usage = |(id, accounts, agreed, agreed_limit, used): (String, i64, i64, i64, i64)| {
            let plan = plan(&id)?;
            let limit = agreed_limit + (accounts - agreed) * i64::from(plan.requests_per_month());
            let [accounts, limit, used] = [accounts, limit, used].map(i64::unsigned_abs);
            Some(PlanUsage {
                plan,
                accounts,
                limit,
                used,
            })
        };
        Ok(rows.into_iter().filter_map(usage).collect())
    })
}

/// The space that a table takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSize {
    /// The table.
    pub table: String,
    /// The bytes of its rows and indexes.
    pub bytes: u64,
}

/// The space that each table takes with its indexes, largest first. On SQLite this reads the whole file.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn table_sizes(db: &Db) -> BoxFuture<'_, Result<Vec<TableSize>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64)> = match db.pools() {
            Pools::Sqlite(pools) => {
                sqlx::query_as(
                    "SELECT tbl_name, SUM(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) \
                     GROUP BY tbl_name ORDER BY bytes DESC, tbl_name",
                )
                .fetch_all(pools.current())
                .await?
            }
            Pools::Postgres(pools) => {
                sqlx::query_as(
                    "SELECT relname::text, pg_total_relation_size(oid) AS bytes FROM pg_class \
                     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY bytes DESC, relname",
                )
                .fetch_all(pools.current())
                .await?
            }
        };
        let size = |(table, bytes): (String, i64)| TableSize {
            table,
            bytes: bytes.unsigned_abs(),
        };
        Ok(rows.into_iter().map(size).collect())
    })
}
