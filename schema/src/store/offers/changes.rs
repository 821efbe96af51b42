//! The sequence of changes, which search indexes follow.

use futures::future::BoxFuture;

use super::index_row::{IndexRow, read_entries, read_entry};
use crate::offer_id::OfferId;
use crate::store::database::{Backend, Db, on_db};
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

/// The numbers of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferCounts {
    /// All records.
    pub offers: u64,
    /// Live records.
    pub live: u64,
}

/// Takes `count` change numbers and returns the first. The counter stays locked until the transaction ends, so that numbers
/// are committed in their order: a reader that has seen a number never meets a smaller new one.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn next_change(tx: &mut Tx, count: u64) -> BoxFuture<'_, Result<i64>> {
    Box::pin(async move {
        let last: i64 = on_tx!(tx, connection => {
            sqlx::query_scalar("UPDATE change_counter SET value = value + $1 RETURNING value")
                .bind(count.cast_signed())
                .fetch_one(connection)
                .await?
        });
        Ok(last - count.cast_signed() + 1)
    })
}

/// The entries of a page as one value. The index has them in their order; without its name, the planner would compute each
/// entry again.
const PAGE_OF_SQLITE: &str = "SELECT group_concat(change || char(31) || row || char(31) || entry, char(30)) \
     FROM (SELECT change, row, entry FROM offers INDEXED BY offers_change_entry \
         WHERE change > $1 AND change <= $2 ORDER BY change LIMIT $3) AS page";
const PAGE_OF_POSTGRES: &str = "SELECT string_agg(change || chr(31) || row || chr(31) || entry, chr(30)) \
     FROM (SELECT change, row, entry FROM offers \
         WHERE change > $1 AND change <= $2 ORDER BY change LIMIT $3) AS page";

fn page_of(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => PAGE_OF_SQLITE,
        Backend::Postgres => PAGE_OF_POSTGRES,
    }
}

/// Up to `limit` records that changed after the first number and not after the second, in the order of their change
/// numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn changes_between(
    db: &Db,
    (after, to): (i64, i64),
    limit: u32,
) -> BoxFuture<'_, Result<Vec<IndexRow>>> {
    Box::pin(async move {
        let text = page_of(db.backend());
        let page: Option<String> = on_db!(db, replica, pool => sqlx::query_scalar(text)
            .bind(after)
            .bind(to)
            .bind(i64::from(limit))
            .fetch_one(pool)
            .await?);
        page.map_or_else(|| Ok(Vec::new()), |page| read_entries(&page))
    })
}

/// The columns of those of the records that exist, in any order.
pub(in crate::store) async fn index_rows(tx: &mut Tx, ids: &[OfferId]) -> Result<Vec<IndexRow>> {
    let entry = match tx.backend() {
        Backend::Sqlite => "change || char(31) || row || char(31) || entry",
        Backend::Postgres => "change || chr(31) || row || chr(31) || entry",
    };
    let list = lists::texts(tx.backend());
    let text = format!("SELECT {entry} FROM offers WHERE id IN ({list})");
    let ids: Vec<&str> = ids.iter().map(OfferId::as_str).collect();
    let rows: Vec<(String,)> = lists::fetch(tx, &text, &ids).await?;
    rows.iter().map(|(entry,)| read_entry(entry)).collect()
}

/// The last committed change number; 0 before the first.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn last_change(db: &Db) -> BoxFuture<'_, Result<i64>> {
    Box::pin(async move {
        Ok(on_db!(db, replica, pool => {
            sqlx::query_scalar("SELECT value FROM change_counter").fetch_one(pool).await?
        }))
    })
}

/// The last change number of the state that a transaction reads.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn last_change_in(tx: &mut Tx) -> BoxFuture<'_, Result<i64>> {
    Box::pin(async move {
        Ok(on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT value FROM change_counter").fetch_one(connection).await?
        }))
    })
}

/// Up to `limit` records that changed after a number, in the state that a transaction reads: page by page, all records of
/// one state.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn changes_in(tx: &mut Tx, after: i64, limit: u32) -> BoxFuture<'_, Result<Vec<IndexRow>>> {
    Box::pin(async move {
        let text = page_of(tx.backend());
        let page: Option<String> = on_tx!(tx, connection => sqlx::query_scalar(text)
            .bind(after)
            .bind(i64::MAX)
            .bind(i64::from(limit))
            .fetch_one(connection)
            .await?);
        page.map_or_else(|| Ok(Vec::new()), |page| read_entries(&page))
    })
}

/// Up to `limit` records that were retired or purged after `change`, in the order of their change numbers: the number and
/// the deleted row.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn retired_in(tx: &mut Tx, change: i64, limit: u32) -> BoxFuture<'_, Result<Vec<(i64, i64)>>> {
    Box::pin(async move {
        Ok(on_tx!(tx, connection => sqlx::query_as(
        "SELECT change, retired_row FROM ( \
             SELECT change, retired_row FROM offer_aliases WHERE change > $1 \
             UNION ALL SELECT change, row FROM purged_offers WHERE change > $1 \
         ) AS deleted ORDER BY change LIMIT $2",
    )
    .bind(change)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?))
    })
}

/// The numbers of all records and of live records.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn count(db: &Db) -> BoxFuture<'_, Result<OfferCounts>> {
    Box::pin(async move {
        let (offers, live): (i64, i64) = on_db!(db, replica, pool => {
            sqlx::query_as("SELECT COUNT(*), COUNT(CASE WHEN is_live THEN 1 END) FROM offers").fetch_one(pool).await?
        });
        Ok(OfferCounts {
            offers: offers.unsigned_abs(),
            live: live.unsigned_abs(),
        })
    })
}
