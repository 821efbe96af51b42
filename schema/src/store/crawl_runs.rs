//! The log of crawls: the progress and the outcome of each.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::{Result, StoreError};
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// The row number of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub i64);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// How a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunOutcome {
    /// It has not ended. If its process died, the next crawl continues it.
    Running,
    /// It walked every section to the end, and ended the listings that no section showed.
    Complete,
    /// It did all that it was asked to, but did not cover the whole portal. It ended no listing for being absent from a part
    /// that it did not cover.
    Partial,
    /// The portal's answers were implausible, and it stored nothing of them.
    Alarm,
    /// It could not read the portal to the end.
    Failed,
    /// It was stopped; the next crawl continues it.
    Stopped,
}

impl RunOutcome {
    const ALL: [Self; 6] = [
        Self::Running,
        Self::Complete,
        Self::Partial,
        Self::Alarm,
        Self::Failed,
        Self::Stopped,
    ];

    /// The text of the outcome.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Alarm => "alarm",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    fn code(self) -> i16 {
        match self {
            Self::Running => 0,
            Self::Complete => 1,
            Self::Partial => 2,
            Self::Alarm => 3,
            Self::Failed => 4,
            Self::Stopped => 5,
        }
    }
}

impl std::fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The counters of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// Listings that the portal's sections showed.
    pub seen: u64,
    /// Listings seen for the first time.
    pub new: u64,
    /// Listings with a changed value, and listings that came back.
    pub changed: u64,
    /// Listings that ended.
    pub gone: u64,
    /// Adverts that could not be read; they are stored as rejects.
    pub rejected: u64,
    /// Requests sent, retries included.
    pub requests: u64,
    /// Bytes of response bodies, after decompression.
    pub bytes: u64,
}

/// A crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlRun {
    /// Its row.
    pub id: RunId,
    /// The portal.
    pub site_id: String,
    /// When it began. Listings seen since then are still there.
    pub started_at: Timestamp,
    /// When it last stored something.
    pub alive_at: Timestamp,
    /// When it ended; `None` while it runs.
    pub finished_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: RunOutcome,
    /// Its progress, in the crawler's own format.
    pub position: String,
    /// Why it is not complete: the alarm or the error. Of a complete crawl, what the operator should know.
    pub trouble: Option<String>,
    /// Its counters.
    pub counts: RunCounts,
    /// Whether it only walks the portal's lists and reads no details.
    pub lists_only: bool,
}

/// Begins a crawl of a portal.
///
/// # Errors
/// [`StoreError::Database`].
pub fn begin<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    at: Timestamp,
    position: &'a str,
) -> BoxFuture<'a, Result<CrawlRun>> {
    Box::pin(async move {
        let id: i64 = on_tx!(tx, connection => sqlx::query_scalar(
        "INSERT INTO crawl_runs (site_id, started_at, alive_at, outcome, position, \
         seen, appeared, changed, gone, rejected, requests, bytes) \
         VALUES ($1, $2, $2, $4, $3, 0, 0, 0, 0, 0, 0, 0) RETURNING id",
    )
    .bind(site_id)
    .bind(at.millis())
    .bind(position)
    .bind(RunOutcome::Running.code())
    .fetch_one(connection)
    .await?);
        Ok(CrawlRun {
            id: RunId(id),
            site_id: site_id.to_owned(),
            started_at: at,
            alive_at: at,
            finished_at: None,
            outcome: RunOutcome::Running,
            position: position.to_owned(),
            trouble: None,
            counts: RunCounts::default(),
            lists_only: false,
        })
    })
}

/// Saves the progress or the outcome of a crawl. If the crawl has ended, this also clears a request to stop it.
///
/// # Errors
/// [`StoreError::Database`].
pub fn save<'a>(tx: &'a mut Tx, run: &'a CrawlRun) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let RunCounts {
            seen,
            new,
            changed,
            gone,
            rejected,
            requests,
            bytes,
        } = run.counts;
        on_tx!(tx, connection => {
            let mut update = sqlx::query(
                "UPDATE crawl_runs SET alive_at = $2, finished_at = $3, outcome = $4, position = $5, trouble = $6, \
                 seen = $7, appeared = $8, changed = $9, gone = $10, rejected = $11, requests = $12, bytes = $13, \
                 stop_asked_at = CASE WHEN $3 IS NULL THEN stop_asked_at END, lists_only = $14 WHERE id = $1",
            )
            .bind(run.id.0)
            .bind(run.alive_at.millis())
            .bind(run.finished_at.map(Timestamp::millis))
            .bind(run.outcome.code())
            .bind(&run.position)
            .bind(&run.trouble);
            for count in [seen, new, changed, gone, rejected, requests, bytes] {
                update = update.bind(count.cast_signed());
            }
            update.bind(run.lists_only).execute(connection).await?;
        });
        Ok(())
    })
}

/// Asks the running crawl of a portal to stop. Returns whether one is running.
///
/// # Errors
/// [`StoreError::Database`].
pub fn ask_to_stop<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let asked = on_tx!(tx, connection => sqlx::query(
        "UPDATE crawl_runs SET stop_asked_at = $2 WHERE outcome = $3 AND id = \
         (SELECT id FROM crawl_runs WHERE site_id = $1 ORDER BY started_at DESC, id DESC LIMIT 1)",
    )
    .bind(site_id)
    .bind(at.millis())
    .bind(RunOutcome::Running.code())
    .execute(connection)
    .await?
    .rows_affected());
        Ok(asked > 0)
    })
}

/// Whether a running crawl was asked to stop.
///
/// # Errors
/// [`StoreError::Database`].
pub fn is_asked_to_stop(db: &Db, id: RunId) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let asked: Option<i64> = on_db!(db, current, pool => sqlx::query_scalar(
        "SELECT stop_asked_at FROM crawl_runs WHERE id = $1",
    )
    .bind(id.0)
    .fetch_optional(pool)
    .await?
    .flatten());
        Ok(asked.is_some())
    })
}

/// The last crawl of a portal.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn latest<'a>(db: &'a Db, site_id: &'a str) -> BoxFuture<'a, Result<Option<CrawlRun>>> {
    Box::pin(async move { Ok(list(db, Some(site_id), 1).await?.pop()) })
}

/// The crawl of this row.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn get(db: &Db, id: RunId) -> BoxFuture<'_, Result<Option<CrawlRun>>> {
    Box::pin(async move {
        let text = format!("{SELECT} WHERE id = $1");
        let row: Option<RunRow> = on_db!(db, current, pool => sqlx::query_as(AssertSqlSafe(text))
    .bind(id.0)
    .fetch_optional(pool)
    .await?);
        row.map(RunRow::into_run).transpose()
    })
}

/// The last complete crawl of a portal.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn latest_complete<'a>(
    db: &'a Db,
    site_id: &'a str,
) -> BoxFuture<'a, Result<Option<CrawlRun>>> {
    Box::pin(latest_of(db, site_id, "TRUE"))
}

/// The last complete crawl of a portal that also read details.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn latest_with_details<'a>(
    db: &'a Db,
    site_id: &'a str,
) -> BoxFuture<'a, Result<Option<CrawlRun>>> {
    Box::pin(latest_of(db, site_id, "NOT lists_only"))
}

/// The last complete crawl of a portal for which the condition holds.
async fn latest_of(db: &Db, site_id: &str, condition: &str) -> Result<Option<CrawlRun>> {
    let text = format!(
        "{SELECT} WHERE site_id = $1 AND outcome = $2 AND {condition} ORDER BY started_at DESC, id DESC LIMIT 1"
    );
    let row: Option<RunRow> = on_db!(db, current, pool => sqlx::query_as(AssertSqlSafe(text))
    .bind(site_id)
    .bind(RunOutcome::Complete.code())
    .fetch_optional(pool)
    .await?);
    row.map(RunRow::into_run).transpose()
}

/// Up to `limit` crawls of one portal or of all, newest first.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn list<'a>(
    db: &'a Db,
    site_id: Option<&'a str>,
    limit: u32,
) -> BoxFuture<'a, Result<Vec<CrawlRun>>> {
    Box::pin(async move {
        let text = format!(
            "{SELECT} WHERE ($1 IS NULL OR site_id = $1) ORDER BY started_at DESC, id DESC LIMIT $2"
        );
        let rows: Vec<RunRow> = on_db!(db, current, pool => sqlx::query_as(AssertSqlSafe(text))
    .bind(site_id)
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?);
        rows.into_iter().map(RunRow::into_run).collect()
    })
}

/// The columns of a [`RunRow`].
const SELECT: &str = "SELECT id, site_id, started_at, alive_at, finished_at, outcome, position, trouble, \
     seen, appeared, changed, gone, rejected, requests, bytes, lists_only FROM crawl_runs";

row! {
    struct RunRow {
        id: i64,
        site_id: String,
        started_at: i64,
        alive_at: i64,
        finished_at: Option<i64>,
        outcome: i16,
        position: String,
        trouble: Option<String>,
        seen: i64,
        appeared: i64,
        changed: i64,
        gone: i64,
        rejected: i64,
        requests: i64,
        bytes: i64,
        lists_only: bool,
    }
}

impl RunRow {
    fn into_run(self) -> Result<CrawlRun, StoreError> {
        let cell = Cell {
            table: "crawl_runs",
            column: "outcome",
            id: &self.id,
        };
        let outcome = RunOutcome::ALL
            .into_iter()
            .find(|outcome| outcome.code() == self.outcome);
        let outcome = outcome.ok_or_else(|| {
            cell.corrupt(format_args!(
                "{} is not the code of an outcome",
                self.outcome
            ))
        })?;
        Ok(CrawlRun {
            id: RunId(self.id),
            site_id: self.site_id,
            started_at: Timestamp(self.started_at),
            alive_at: Timestamp(self.alive_at),
            finished_at: self.finished_at.map(Timestamp),
            outcome,
            position: self.position,
            trouble: self.trouble,
            lists_only: self.lists_only,
            counts: RunCounts {
                seen: self.seen.unsigned_abs(),
                new: self.appeared.unsigned_abs(),
                changed: self.changed.unsigned_abs(),
                gone: self.gone.unsigned_abs(),
                rejected: self.rejected.unsigned_abs(),
                requests: self.requests.unsigned_abs(),
                bytes: self.bytes.unsigned_abs(),
            },
        })
    }
}

/// The counters of a crawl, without its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFigures {
    /// The portal.
    pub site_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Listings seen for the first time.
    pub new: u64,
    /// Listings with a changed value, and listings that came back.
    pub changed: u64,
    /// Listings that ended.
    pub gone: u64,
    /// Adverts that could not be read.
    pub rejected: u64,
}

/// The counters of every crawl that began at `since` or later, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub fn figures_since(db: &Db, since: Timestamp) -> BoxFuture<'_, Result<Vec<RunFigures>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64, i64, i64, i64, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, started_at, appeared, changed, gone, rejected FROM crawl_runs \
         WHERE started_at >= $1 ORDER BY started_at, id",
    )
    .bind(since.millis())
    .fetch_all(pool)
    .await?);
        let figures =
            |(site_id, started_at, new, changed, gone, rejected): (_, _, i64, i64, i64, i64)| {
                RunFigures {
                    site_id,
                    started_at: Timestamp(started_at),
                    new: new.unsigned_abs(),
                    changed: changed.unsigned_abs(),
                    gone: gone.unsigned_abs(),
                    rejected: rejected.unsigned_abs(),
                }
            };
        Ok(rows.into_iter().map(figures).collect())
    })
}
