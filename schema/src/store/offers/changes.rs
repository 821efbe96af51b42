//! The sequence of changes, which search indexes follow.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::index_row::{IndexColumns, IndexRow};
use crate::offer_id::OfferId;
use crate::store::database::{Db, on_db};
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

/// Up to `limit` records changed after `change`, in the order of their change numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn changes_since(db: &Db, change: i64, limit: u32) -> BoxFuture<'_, Result<Vec<IndexRow>>> {
    changes_between(db, (change, i64::MAX), limit)
}

/// As [`changes_since`], up to the second number and including it.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn changes_between(
    db: &Db,
    (after, to): (i64, i64),
    limit: u32,
) -> BoxFuture<'_, Result<Vec<IndexRow>>> {
    Box::pin(async move {
        let columns = IndexColumns::NAMES.join(", ");
        let text = format!(
            "SELECT {columns} FROM offers WHERE change > $1 AND change <= $2 ORDER BY change LIMIT $3"
        );
        let rows: Vec<IndexColumns> = on_db!(db, replica, pool => sqlx::query_as(AssertSqlSafe(text))
        .bind(after)
        .bind(to)
        .bind(i64::from(limit))
        .fetch_all(pool)
        .await?);
        rows.into_iter().map(IndexColumns::into_row).collect()
    })
}

/// The columns of those of the records that exist, in any order.
pub(in crate::store) async fn index_rows(tx: &mut Tx, ids: &[OfferId]) -> Result<Vec<IndexRow>> {
    let text = format!(
        "SELECT {} FROM offers WHERE id IN ({})",
        IndexColumns::NAMES.join(", "),
        lists::texts(tx.backend())
    );
    let ids: Vec<&str> = ids.iter().map(OfferId::as_str).collect();
    let rows: Vec<IndexColumns> = lists::fetch(tx, &text, &ids).await?;
    rows.into_iter().map(IndexColumns::into_row).collect()
}

/// Up to `limit` records that were retired or purged after `change`, in the order of their change numbers: the number and
/// the deleted row.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn retired_since(db: &Db, change: i64, limit: u32) -> BoxFuture<'_, Result<Vec<(i64, i64)>>> {
    Box::pin(async move {
        Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT change, retired_row FROM ( \
             SELECT change, retired_row FROM offer_aliases WHERE change > $1 \
             UNION ALL SELECT change, row FROM purged_offers WHERE change > $1 \
         ) AS deleted ORDER BY change LIMIT $2",
    )
    .bind(change)
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?))
    })
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
