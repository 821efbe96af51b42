//! The sequence of changes, and what a search index reads along it.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;

use super::index_row::{IndexColumns, IndexRow, SELECT};
use crate::store::database::{Db, on_db};
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

/// How many records there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferCounts {
    /// All of them.
    pub offers: u64,
    /// Those that some portal advertises.
    pub live: u64,
}

/// Takes `count` numbers for changes and returns the first. The counter stays locked until the transaction ends, so
/// that numbers are committed in their order: whoever has seen one will never meet a smaller one.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn next_change(tx: &mut Tx, count: u64) -> Result<i64> {
    let last: i64 = on_tx!(tx, connection => {
        sqlx::query_scalar("UPDATE change_counter SET value = value + $1 RETURNING value")
            .bind(count.cast_signed())
            .fetch_one(connection)
            .await?
    });
    Ok(last - count.cast_signed() + 1)
}

/// Up to `limit` records changed after `change`, in the order of their changes.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub async fn changes_since(db: &Db, change: i64, limit: u32) -> Result<Vec<IndexRow>> {
    let text = format!("{SELECT} WHERE change > $1 ORDER BY change LIMIT $2");
    let rows: Vec<IndexColumns> = on_db!(db, replica, pool => sqlx::query_as(AssertSqlSafe(text))
        .bind(change)
        .bind(i64::from(limit))
        .fetch_all(pool)
        .await?);
    rows.into_iter().map(IndexColumns::into_row).collect()
}

/// Up to `limit` retirements after `change`, in the order of their changes: the change, and the row that went.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn retired_since(db: &Db, change: i64, limit: u32) -> Result<Vec<(i64, i64)>> {
    Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT change, retired_row FROM offer_aliases WHERE change > $1 ORDER BY change LIMIT $2",
    )
    .bind(change)
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?))
}

/// The last number given to a change that is committed; 0 before the first.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn last_change(db: &Db) -> Result<i64> {
    Ok(on_db!(db, replica, pool => {
        sqlx::query_scalar("SELECT value FROM change_counter").fetch_one(pool).await?
    }))
}

/// As [`last_change`], of the primary: a replica may lag behind.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn newest_change(db: &Db) -> Result<i64> {
    Ok(on_db!(db, current, pool => {
        sqlx::query_scalar("SELECT value FROM change_counter").fetch_one(pool).await?
    }))
}

/// The ready JSON of these rows, in the order asked, all of one moment; `None` for a row that is no more.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn summaries(db: &Db, rows: &[i64]) -> Result<Vec<Option<Vec<u8>>>> {
    // One statement reads one moment.
    let text = format!(
        "SELECT row, body FROM offer_summaries WHERE row IN ({})",
        lists::integers(db.backend())
    );
    let list = lists::json(&rows)?;
    let found: Vec<(i64, Vec<u8>)> = on_db!(db, replica, pool => {
        sqlx::query_as(AssertSqlSafe(text)).bind(list).fetch_all(pool).await?
    });
    let bodies: HashMap<i64, Vec<u8>> = found.into_iter().collect();
    Ok(rows.iter().map(|row| bodies.get(row).cloned()).collect())
}

/// How many records there are, and how many of them are live.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub async fn count(db: &Db) -> Result<OfferCounts> {
    let (offers, live): (i64, i64) = on_db!(db, replica, pool => {
        sqlx::query_as("SELECT COUNT(*), COUNT(CASE WHEN is_live THEN 1 END) FROM offers").fetch_one(pool).await?
    });
    Ok(OfferCounts {
        offers: offers.unsigned_abs(),
        live: live.unsigned_abs(),
    })
}
