//! The schedules by which portals are crawled.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::Result;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// The schedule of a portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The portal's id.
    pub site_id: String,
    /// The cron line.
    pub cron: String,
    /// Whether nothing is queued by it for now.
    pub paused: bool,
    /// When the portal was first scheduled.
    pub created_at: Timestamp,
    /// What was due up to then has been queued, or was not meant to be.
    pub considered_at: Timestamp,
    /// When only the portal's lists are walked.
    pub lists: Option<ListsSchedule>,
}

/// When only the lists of a portal are walked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListsSchedule {
    /// The cron line.
    pub cron: String,
    /// What was due up to then has been queued, or was not meant to be.
    pub considered_at: Timestamp,
}

/// Schedules a portal, or schedules it otherwise: what was due before `at` is not caught up. A pause stays.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn set<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    cron: &'a str,
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO schedules (site_id, cron, paused, created_at, considered_at) VALUES ($1, $2, $3, $4, $4) \
                 ON CONFLICT (site_id) DO UPDATE SET cron = excluded.cron, considered_at = excluded.considered_at",
            )
            .bind(site_id)
            .bind(cron)
            .bind(false)
            .bind(at.millis())
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// Sets when only the lists of a scheduled portal are walked; `None` stops that. What was due before `at` is not caught up.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn set_lists<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    cron: Option<&'a str>,
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query("UPDATE schedules SET lists_cron = $2, lists_considered_at = $3 WHERE site_id = $1")
                .bind(site_id)
                .bind(cron)
                .bind(at.millis())
                .execute(connection)
                .await?;
        });
        Ok(())
    })
}

/// Pauses a schedule, or takes it up again; what was due during a pause is not caught up. Says whether there is one.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn pause<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    paused: bool,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let found = on_tx!(tx, connection => {
            sqlx::query(
                "UPDATE schedules SET considered_at = CASE WHEN paused = $2 THEN considered_at ELSE $3 END, \
                 lists_considered_at = CASE WHEN paused = $2 THEN lists_considered_at ELSE $3 END, paused = $2 \
                 WHERE site_id = $1",
            )
            .bind(site_id)
            .bind(paused)
            .bind(at.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        Ok(found > 0)
    })
}

/// Takes a schedule away, and says whether there was one.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn remove<'a>(tx: &'a mut Tx, site_id: &'a str) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let found = on_tx!(tx, connection => {
            sqlx::query("DELETE FROM schedules WHERE site_id = $1")
                .bind(site_id)
                .execute(connection)
                .await?
                .rows_affected()
        });
        Ok(found > 0)
    })
}

/// Notes that everything due up to `until` has been queued. Never goes back; a schedule that is gone or paused stays
/// as it is.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn consider<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    until: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "UPDATE schedules SET considered_at = $2 WHERE site_id = $1 AND considered_at < $2 AND NOT paused",
            )
            .bind(site_id)
            .bind(until.millis())
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// As [`consider`], of the crawls that only walk lists.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn consider_lists<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    until: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "UPDATE schedules SET lists_considered_at = $2 \
                 WHERE site_id = $1 AND lists_considered_at < $2 AND NOT paused",
            )
            .bind(site_id)
            .bind(until.millis())
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// Every schedule, by portal.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn list(db: &Db) -> BoxFuture<'_, Result<Vec<Schedule>>> {
    Box::pin(async move {
        type Row = (String, String, bool, i64, i64, Option<String>, i64);
        let rows: Vec<Row> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, cron, paused, created_at, considered_at, lists_cron, lists_considered_at \
         FROM schedules ORDER BY site_id",
    )
    .fetch_all(pool)
    .await?);
        let schedule = |row: Row| {
            let (site_id, cron, paused, created_at, considered_at, lists_cron, lists_at) = row;
            Schedule {
                site_id,
                cron,
                paused,
                created_at: Timestamp(created_at),
                considered_at: Timestamp(considered_at),
                lists: lists_cron.map(|cron| ListsSchedule {
                    cron,
                    considered_at: Timestamp(lists_at),
                }),
            }
        };
        Ok(rows.into_iter().map(schedule).collect())
    })
}
