//! The last outcome of each kind of job.

use futures::future::BoxFuture;

use super::super::database::{Db, on_db};
use super::super::error::Result;
use super::super::transaction::{Tx, on_tx};
use super::Task;
use crate::timestamp::Timestamp;

/// The last success and the last failure of one kind of job, for crawls of one portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The kind, as [`Task::kind`] names it.
    pub kind: String,
    /// The portal, for crawls.
    pub site_id: Option<String>,
    /// When one last succeeded.
    pub succeeded_at: Option<Timestamp>,
    /// When one was last given up.
    pub failed_at: Option<Timestamp>,
    /// Why it failed; `None` if one has succeeded since.
    pub reason: Option<String>,
}

/// Notes that a job succeeded. Clears the reason of an earlier failure.
///
/// # Errors
/// [`super::super::StoreError::Database`].
pub fn succeeded<'a>(tx: &'a mut Tx, task: &'a Task, at: Timestamp) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO job_outcomes (kind, subject, succeeded_at) VALUES ($1, $2, $3) \
                 ON CONFLICT (kind, subject) DO UPDATE SET succeeded_at = excluded.succeeded_at, reason = NULL",
            )
            .bind(task.kind())
            .bind(task.site_id().unwrap_or_default())
            .bind(at.millis())
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// Notes that a job was given up.
///
/// # Errors
/// [`super::super::StoreError::Database`].
pub fn failed<'a>(
    tx: &'a mut Tx,
    task: &'a Task,
    reason: &'a str,
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO job_outcomes (kind, subject, failed_at, reason) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (kind, subject) DO UPDATE SET failed_at = excluded.failed_at, reason = excluded.reason",
            )
            .bind(task.kind())
            .bind(task.site_id().unwrap_or_default())
            .bind(at.millis())
            .bind(reason)
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// The last outcome of every kind of job.
///
/// # Errors
/// [`super::super::StoreError::Database`].
pub fn outcomes(db: &Db) -> BoxFuture<'_, Result<Vec<Outcome>>> {
    Box::pin(async move {
        type Row = (String, String, Option<i64>, Option<i64>, Option<String>);
        let rows: Vec<Row> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT kind, subject, succeeded_at, failed_at, reason FROM job_outcomes ORDER BY kind, subject",
    )
    .fetch_all(pool)
    .await?);
        let outcome = |(kind, subject, succeeded_at, failed_at, reason): Row| Outcome {
            kind,
            site_id: Some(subject).filter(|subject| !subject.is_empty()),
            succeeded_at: succeeded_at.map(Timestamp),
            failed_at: failed_at.map(Timestamp),
            reason,
        };
        Ok(rows.into_iter().map(outcome).collect())
    })
}
