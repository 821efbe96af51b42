//! The tables of the queue: pushing jobs, looking at them, forgetting them.

use futures::future::BoxFuture;

use super::super::database::{Db, on_db};
use super::super::error::{Result, StoreError, corrupt};
use super::super::transaction::{Tx, on_tx};
use super::Job;
use crate::timestamp::Timestamp;

/// Queues a job that is to begin at `run_at` or later. Returns whether it is new: a job whose key and number of requeues are
/// already queued, or were done and are not forgotten yet, is not queued again.
///
/// # Errors
/// [`StoreError::Database`].
pub fn push<'a>(tx: &'a mut Tx, job: &'a Job, run_at: Timestamp) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let body = serde_json::to_vec(job).map_err(|error| StoreError::Unstorable {
            what: "a job",
            reason: error.to_string(),
        })?;
        let inserted = on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO queued_jobs (lane, name, job, run_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            )
            .bind(job.task.queue().name())
            .bind(format!("{}#{}", job.key, job.requeues))
            .bind(body)
            .bind(run_at.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        Ok(inserted > 0)
    })
}

/// A job that is not done yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The job.
    pub job: Job,
    /// When it is to begin at the earliest.
    pub run_at: Timestamp,
    /// The worker that runs it; `None` while it waits.
    pub worker: Option<String>,
}

/// Every job that is not done yet, ordered by when it is to begin.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn unfinished(db: &Db) -> BoxFuture<'_, Result<Vec<Unfinished>>> {
    Box::pin(async move {
        let rows: Vec<(String, Vec<u8>, i64, Option<String>)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT name, job, run_at, worker FROM queued_jobs WHERE done_at IS NULL ORDER BY run_at, name",
    )
    .fetch_all(pool)
    .await?);
        let unfinished = |(name, job, run_at, worker): (String, Vec<u8>, i64, Option<String>)| {
            let job = serde_json::from_slice(&job)
                .map_err(|error| corrupt("queued_jobs", "job", &name, error))?;
            Ok(Unfinished {
                job,
                run_at: Timestamp(run_at),
                worker,
            })
        };
        rows.into_iter().map(unfinished).collect()
    })
}

/// A worker that has sent heartbeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenWorker {
    /// Its name, different at each start of a process.
    pub name: String,
    /// The name of its [`Queue`](super::Queue).
    pub queue: String,
    /// Its last heartbeat.
    pub seen_at: Timestamp,
}

/// The workers whose last heartbeat was at `since` or later.
///
/// # Errors
/// [`StoreError::Database`].
pub fn workers(db: &Db, since: Timestamp) -> BoxFuture<'_, Result<Vec<SeenWorker>>> {
    Box::pin(async move {
        let rows: Vec<(String, String, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT name, lane, seen_at FROM job_workers WHERE seen_at >= $1 ORDER BY name",
    )
    .bind(since.millis())
    .fetch_all(pool)
    .await?);
        let seen = |(name, queue, seen_at)| SeenWorker {
            name,
            queue,
            seen_at: Timestamp(seen_at),
        };
        Ok(rows.into_iter().map(seen).collect())
    })
}

/// Forgets the jobs that ended before `before`, and the workers without a job and without a heartbeat since then.
/// Returns the number of jobs forgotten.
///
/// # Errors
/// [`StoreError::Database`].
pub fn prune(tx: &mut Tx, before: Timestamp) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let pruned = on_tx!(&mut *tx, connection => {
            sqlx::query("DELETE FROM queued_jobs WHERE done_at < $1")
                .bind(before.millis())
                .execute(connection)
                .await?
                .rows_affected()
        });
        on_tx!(tx, connection => {
            sqlx::query(
                "DELETE FROM job_workers WHERE seen_at < $1 \
                 AND name NOT IN (SELECT worker FROM queued_jobs WHERE worker IS NOT NULL)",
            )
            .bind(before.millis())
            .execute(connection)
            .await?;
        });
        Ok(pruned)
    })
}
