//! What needs a person and is sent to the operator's webhook, each occasion once.

use std::time::Duration;

use futures::future::BoxFuture;

use super::columns::row;
use super::error::Result;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// Something that needs a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about: a portal's id or a kind of job.
    pub about: String,
    /// Tells this occasion from others about the same: the alarm of one crawl, the end of one job.
    pub occasion: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub todo: String,
}

/// A notice that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueNotice {
    /// Its row number.
    pub id: i64,
    /// What it says.
    pub notice: Notice,
    /// When it was noticed.
    pub noticed_at: Timestamp,
    /// How often it has been tried, this attempt included.
    pub attempts: u32,
}

/// Stores a notice that is to be sent. Returns whether it is new.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn note<'a>(tx: &'a mut Tx, notice: &'a Notice, at: Timestamp) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let noted = on_tx!(tx, connection => sqlx::query(
        "INSERT INTO notices (about, occasion, what, todo, noticed_at, attempts, due_at) \
         VALUES ($1, $2, $3, $4, $5, 0, $5) ON CONFLICT DO NOTHING",
    )
    .bind(&notice.about)
    .bind(&notice.occasion)
    .bind(without_nul(&notice.what))
    .bind(without_nul(&notice.todo))
    .bind(at.millis())
    .execute(connection)
    .await?
    .rows_affected());
        Ok(noted > 0)
    })
}

/// Takes the notices that are due and have been tried fewer than `most` times. Each is due again after `wait` times two to
/// the power of its earlier attempts, but at most after an hour, unless it is delivered.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn take_due(
    tx: &mut Tx,
    now: Timestamp,
    (wait, most): (Duration, u32),
) -> BoxFuture<'_, Result<Vec<DueNotice>>> {
    Box::pin(async move {
        let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        let rows: Vec<NoticeRow> = on_tx!(tx, connection => sqlx::query_as(
        "UPDATE notices SET attempts = attempts + 1, \
             due_at = $1 + CASE WHEN attempts < 12 AND $2 * (1 << CAST(attempts AS INTEGER)) < 3600000 \
                 THEN $2 * (1 << CAST(attempts AS INTEGER)) ELSE 3600000 END \
         WHERE delivered_at IS NULL AND due_at <= $1 AND attempts < $3 \
         RETURNING id, about, occasion, what, todo, noticed_at, attempts",
    )
    .bind(now.millis())
    .bind(wait)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?);
        let mut due: Vec<DueNotice> = rows.into_iter().map(NoticeRow::into_due).collect();
        due.sort_by_key(|notice| notice.id);
        Ok(due)
    })
}

/// Notes that a notice was delivered.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn delivered(tx: &mut Tx, id: i64, at: Timestamp) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query("UPDATE notices SET delivered_at = $2 WHERE id = $1")
                .bind(id)
                .bind(at.millis())
                .execute(connection)
                .await?;
        });
        Ok(())
    })
}

/// Deletes the notices of before `noticed_before`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub(super) async fn prune(tx: &mut Tx, noticed_before: Timestamp) -> Result<()> {
    on_tx!(tx, connection => {
        sqlx::query("DELETE FROM notices WHERE noticed_at < $1")
            .bind(noticed_before.millis())
            .execute(connection)
            .await?;
    });
    Ok(())
}

row! {
    struct NoticeRow {
        id: i64,
        about: String,
        occasion: String,
        what: String,
        todo: String,
        noticed_at: i64,
        attempts: i64,
    }
}

impl NoticeRow {
    fn into_due(self) -> DueNotice {
        DueNotice {
            id: self.id,
            notice: Notice {
                about: self.about,
                occasion: self.occasion,
                what: self.what,
                todo: self.todo,
            },
            noticed_at: Timestamp(self.noticed_at),
            attempts: u32::try_from(self.attempts).unwrap_or(u32::MAX),
        }
    }
}
