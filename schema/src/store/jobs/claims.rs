//! The jobs that one worker has claimed, and its heartbeats.

use sqlx::{PgPool, SqlitePool};

use super::super::database::{Db, Pools};
use super::super::error::Result;
use super::worker::{MISSED_HEARTBEATS, WorkerSettings};
use super::{Job, Queue};

/// A worker's side of the queue.
#[derive(Debug)]
pub(super) struct Claims {
    pool: Pool,
    worker: String,
    queue: Queue,
    /// A worker without a heartbeat for this many milliseconds has lost its jobs.
    dead_after: i64,
}

#[derive(Debug)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// The statements that need a lock on rows, or the database's own clock, which is the only one that all workers share.
/// Their text is the same for both databases except for these two expressions.
struct Statements {
    heartbeat: &'static str,
    take_over: &'static str,
    claim: &'static str,
    finish: &'static str,
}

macro_rules! statements {
    (now: $now:literal, lock: $lock:literal) => {
        Statements {
            heartbeat: concat!(
                "INSERT INTO job_workers (name, lane, seen_at) VALUES ($1, $2, ",
                $now,
                ") ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at"
            ),
            take_over: concat!(
                "UPDATE queued_jobs SET worker = NULL \
                 WHERE worker IN (SELECT name FROM job_workers WHERE seen_at <= ",
                $now,
                " - $1)"
            ),
            claim: concat!(
                "UPDATE queued_jobs SET worker = $1 WHERE lane = $2 AND name = (\
                 SELECT name FROM queued_jobs \
                 WHERE lane = $2 AND run_at <= ",
                $now,
                " AND worker IS NULL AND done_at IS NULL ORDER BY run_at, name LIMIT 1",
                $lock,
                ") RETURNING name, job"
            ),
            finish: concat!(
                "UPDATE queued_jobs SET worker = NULL, done_at = ",
                $now,
                " WHERE lane = $1 AND name = $2 AND worker = $3"
            ),
        }
    };
}

const SQLITE: Statements = statements!(
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    lock: "" // a file has one writer
);
const POSTGRES: Statements = statements!(
    now: "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)",
    lock: " FOR UPDATE SKIP LOCKED"
);

/// Runs one statement on the pool: `on_pool!(self, pool, statements => …)`.
macro_rules! on_pool {
    ($claims:expr, $pool:ident, $statements:ident => $body:expr) => {
        match &$claims.pool {
            Pool::Sqlite($pool) => {
                let $statements = &SQLITE;
                $body
            }
            Pool::Postgres($pool) => {
                let $statements = &POSTGRES;
                $body
            }
        }
    };
}

impl Claims {
    /// The claims of a worker, none at first.
    pub(super) async fn open(db: &Db, settings: &WorkerSettings) -> Result<Self> {
        let pool = match db.pools() {
            Pools::Sqlite(pools) => Pool::Sqlite(pools.queue().await?),
            Pools::Postgres(pools) => Pool::Postgres(pools.write().clone()),
        };
        let dead_after = settings.heartbeat.saturating_mul(MISSED_HEARTBEATS);
        Ok(Self {
            pool,
            worker: settings.name.clone(),
            queue: settings.queue,
            dead_after: i64::try_from(dead_after.as_millis()).unwrap_or(i64::MAX),
        })
    }

    /// Signals that the worker is alive, and frees the jobs of workers that have not done so for too long.
    pub(super) async fn heartbeat(&self) -> Result<()> {
        on_pool!(self, pool, statements => {
            sqlx::query(statements.heartbeat)
                .bind(&self.worker)
                .bind(self.queue.name())
                .execute(pool)
                .await?;
            sqlx::query(statements.take_over)
                .bind(self.dead_after)
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// Claims the next job that is due: its name, and the job or the reason why it cannot be read.
    pub(super) async fn claim(&self) -> Result<Option<(String, Result<Job, String>)>> {
        let claimed: Option<(String, Vec<u8>)> = on_pool!(self, pool, statements => {
            sqlx::query_as(statements.claim)
                .bind(&self.worker)
                .bind(self.queue.name())
                .fetch_optional(pool)
                .await?
        });
        Ok(claimed.map(|(name, job)| {
            let job = serde_json::from_slice(&job).map_err(|error| error.to_string());
            (name, job)
        }))
    }

    /// Notes that a claimed job is done, unless another worker has taken it over.
    pub(super) async fn finish(&self, name: &str) -> Result<()> {
        on_pool!(self, pool, statements => {
            sqlx::query(statements.finish)
                .bind(self.queue.name())
                .bind(name)
                .bind(&self.worker)
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// Frees the jobs that are still claimed and forgets the worker.
    pub(super) async fn release_all(&self) -> Result<()> {
        on_pool!(self, pool, _statements => {
            sqlx::query("UPDATE queued_jobs SET worker = NULL WHERE worker = $1")
                .bind(&self.worker)
                .execute(pool)
                .await?;
            sqlx::query("DELETE FROM job_workers WHERE name = $1")
                .bind(&self.worker)
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// Closes the connection that only this worker has.
    pub(super) async fn close(self) {
        if let Pool::Sqlite(pool) = self.pool {
            pool.close().await;
        }
    }
}
