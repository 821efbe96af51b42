//! The lines of a crawl's log that are kept with it: its steps, and what was noted on the way.

use futures::future::BoxFuture;

use super::crawl_runs::{CrawlRun, RunId};
use super::database::{Db, on_db};
use super::error::Result;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A line of a crawl's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlLine {
    /// When.
    pub at: Timestamp,
    /// What the crawl did or noted.
    pub line: String,
    /// How many listings it had seen by then.
    pub seen: u64,
    /// How many requests it had sent by then.
    pub requests: u64,
}

/// Adds lines to those of a crawl, of which `stored` are stored already.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add<'a>(
    tx: &'a mut Tx,
    run: &'a CrawlRun,
    stored: u32,
    lines: &'a [CrawlLine],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for (number, line) in (i64::from(stored)..).zip(lines) {
            on_tx!(&mut *tx, connection => sqlx::query(
            "INSERT INTO crawl_lines (run_id, number, site_id, at, line, seen, requests) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(run.id.0)
        .bind(number)
        .bind(&run.site_id)
        .bind(line.at.millis())
        .bind(without_nul(&line.line))
        .bind(line.seen.cast_signed())
        .bind(line.requests.cast_signed())
        .execute(connection)
        .await?
        .rows_affected());
        }
        Ok(())
    })
}

/// How many lines of a crawl are stored.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn count(db: &Db, id: RunId) -> BoxFuture<'_, Result<u32>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => sqlx::query_scalar(
        "SELECT COUNT(*) FROM crawl_lines WHERE run_id = $1",
    )
    .bind(id.0)
    .fetch_one(pool)
    .await?);
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    })
}

/// The lines of a crawl, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn of_run(db: &Db, id: RunId) -> BoxFuture<'_, Result<Vec<CrawlLine>>> {
    Box::pin(async move {
        let rows: Vec<(i64, String, i64, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT at, line, seen, requests FROM crawl_lines WHERE run_id = $1 ORDER BY number",
    )
    .bind(id.0)
    .fetch_all(pool)
    .await?);
        let line = |(at, line, seen, requests): (i64, String, i64, i64)| CrawlLine {
            at: Timestamp(at),
            line,
            seen: seen.unsigned_abs(),
            requests: requests.unsigned_abs(),
        };
        Ok(rows.into_iter().map(line).collect())
    })
}
