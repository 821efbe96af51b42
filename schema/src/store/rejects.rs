//! Input lines that could not be read.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::{Result, corrupt};
use super::lists;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// The file or other source.
    pub source: String,
    /// The line, counted from 1.
    pub line: u64,
    /// Why it could not be read.
    pub reason: String,
    /// The line itself.
    pub content: Vec<u8>,
}

/// Stores a reject. Returns whether it is new: rejects differ by source, line and content.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn insert<'a>(
    tx: &'a mut Tx,
    reject: &'a Reject,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let inserted = on_tx!(tx, connection => sqlx::query(
        "INSERT INTO rejects (source, line, content_hash, reason, content, rejected_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    )
    .bind(&reject.source)
    .bind(reject.line.cast_signed())
    .bind(blake3::hash(&reject.content).as_bytes().as_slice())
    .bind(without_nul(&reject.reason))
    .bind(&reject.content)
    .bind(at.millis())
    .execute(connection)
    .await?
    .rows_affected());
        Ok(inserted > 0)
    })
}

/// Up to `limit` rejects after row `after`, with their row numbers, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn list(db: &Db, after: Option<i64>, limit: u32) -> BoxFuture<'_, Result<Vec<(i64, Reject)>>> {
    Box::pin(async move {
        let rows: Vec<(i64, String, i64, String, Vec<u8>)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, source, line, reason, content FROM rejects WHERE id > $1 ORDER BY id LIMIT $2",
    )
    .bind(after.unwrap_or(i64::MIN))
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?);
        rows.into_iter()
            .map(|(id, source, line, reason, content)| {
                let line =
                    u64::try_from(line).map_err(|error| corrupt("rejects", "line", id, error))?;
                Ok((
                    id,
                    Reject {
                        source,
                        line,
                        reason,
                        content,
                    },
                ))
            })
            .collect()
    })
}

/// Deletes the rejects of these lines of a source that are out of date: what stands on the lines now was read, apart from
/// the lines in `still`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn clear_mended<'a>(
    tx: &'a mut Tx,
    source: &'a str,
    lines: RangeInclusive<u64>,
    still: &'a [Reject],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let rows: Vec<(i64, i64, Vec<u8>)> = on_tx!(&mut *tx, connection => sqlx::query_as(
        "SELECT id, line, content_hash FROM rejects WHERE source = $1 AND line >= $2 AND line <= $3",
    )
    .bind(source)
    .bind(lines.start().cast_signed())
    .bind(lines.end().cast_signed())
    .fetch_all(connection)
    .await?);
        if rows.is_empty() {
            return Ok(());
        }
        let still: HashSet<(i64, [u8; 32])> = still
            .iter()
            .filter(|reject| reject.source == source)
            .map(|reject| {
                (
                    reject.line.cast_signed(),
                    *blake3::hash(&reject.content).as_bytes(),
                )
            })
            .collect();
        let is_mended = |line: i64, hash: &[u8]| {
            let hash = <[u8; 32]>::try_from(hash).unwrap_or_default();
            !still.contains(&(line, hash))
        };
        let mended: Vec<i64> = rows
            .into_iter()
            .filter(|(_, line, hash)| is_mended(*line, hash))
            .map(|(id, ..)| id)
            .collect();
        delete(tx, &mended).await
    })
}

/// Deletes rejects by their row numbers, after their lines were read.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn delete<'a>(tx: &'a mut Tx, ids: &'a [i64]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let text = format!(
            "DELETE FROM rejects WHERE id IN ({})",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &text, ids).await
    })
}

/// The number of rejects.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn count(db: &Db) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT COUNT(*) FROM rejects").fetch_one(pool).await?
        });
        Ok(count.unsigned_abs())
    })
}

/// Replaces NUL characters. PostgreSQL cannot store them in texts, and rejected input may contain them.
pub(super) fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{FFFD}")
}
