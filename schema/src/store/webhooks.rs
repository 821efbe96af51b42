//! Addresses to which changes of records are sent, and the messages that were given up.
//!
//! A worker takes a webhook for a time. The worker that has it sends its changes in their order, and moves its position with each.

use futures::future::BoxFuture;

use super::columns::row;
use super::database::{Db, on_db};
use super::error::Result;
use super::rejects::without_nul;
use super::transaction::on_tx;
use crate::timestamp::Timestamp;

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its number.
    pub id: i64,
    /// The address.
    pub url: String,
    /// The query of a search that shows the records whose changes are sent; empty for all live records.
    pub filter: String,
    /// The key that signs the messages.
    pub secret: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// Changes up to this number are done with.
    pub position: i64,
    /// How often the next message was tried in vain.
    pub attempts: u32,
    /// Why the last attempt failed; `None` after a success.
    pub failure: Option<String>,
    /// Since when it has not had all changes; `None` if it has them.
    pub behind_since: Option<Timestamp>,
    /// Since when attempts fail; `None` after a success.
    pub failing_since: Option<Timestamp>,
    /// How many messages were given up.
    pub dead_letters: u64,
}

/// A webhook to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewWebhook<'a> {
    /// The address.
    pub url: &'a str,
    /// The query of a search.
    pub filter: &'a str,
    /// The key that signs the messages.
    pub secret: &'a str,
}

/// A message that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The webhook.
    pub webhook_id: i64,
    /// The number of the change.
    pub change: i64,
    /// The message as it was sent.
    pub message: Vec<u8>,
    /// Why the last attempt failed.
    pub reason: String,
    /// When it was given up.
    pub given_up_at: Timestamp,
}

const COLUMNS: &str = "id, url, filter, secret, created_at, position, attempts, failure, behind_since, failing_since, \
    (SELECT COUNT(*) FROM dead_letters WHERE webhook_id = webhooks.id) AS dead_letters";

/// Which webhooks are due at `$1`.
const DUE: &str =
    "webhooks.due_at <= $1 AND webhooks.position < (SELECT value FROM change_counter)";

/// Whether a table has a row for which a condition on `$1` holds; the condition begins with the table. It is asked often,
/// and reading does not wait for writers.
async fn exists(db: &Db, condition: &str, now: Timestamp) -> Result<bool> {
    let table = condition.split('.').next().unwrap_or_default();
    let text = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE {condition})");
    Ok(on_db!(db, current, pool => {
        sqlx::query_scalar(sqlx::AssertSqlSafe(text)).bind(now.millis()).fetch_one(pool).await?
    }))
}

/// Adds a webhook that is sent the changes from now on. Returns its number.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add<'a>(db: &'a Db, webhook: NewWebhook<'a>, now: Timestamp) -> BoxFuture<'a, Result<i64>> {
    Box::pin(async move {
        Ok(on_db!(db, write, pool => sqlx::query_scalar(
            "INSERT INTO webhooks (url, filter, secret, created_at, position, attempts, due_at) \
             SELECT $1, $2, $3, $4, value, 0, $4 FROM change_counter RETURNING id",
        )
        .bind(webhook.url)
        .bind(webhook.filter)
        .bind(webhook.secret)
        .bind(now.millis())
        .fetch_one(pool)
        .await?))
    })
}

/// All webhooks, by number.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn list(db: &Db) -> BoxFuture<'_, Result<Vec<Webhook>>> {
    Box::pin(async move {
        let text = format!("SELECT {COLUMNS} FROM webhooks ORDER BY id");
        let rows: Vec<WebhookRow> = on_db!(db, current, pool => {
            sqlx::query_as(sqlx::AssertSqlSafe(text)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(WebhookRow::into_webhook).collect())
    })
}

/// Deletes a webhook and its messages. Returns whether there was one.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn remove(db: &Db, id: i64) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let mut tx = db.begin().await?;
        let mut deleted = 0;
        for delete in [
            "DELETE FROM dead_letters WHERE webhook_id = $1",
            "DELETE FROM webhooks WHERE id = $1",
        ] {
            deleted = on_tx!(&mut tx, connection => {
                sqlx::query(delete).bind(id).execute(connection).await?.rows_affected()
            });
        }
        tx.commit().await?;
        Ok(deleted > 0)
    })
}

/// Takes the webhooks that are due and have changes to look at, until `until`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn take_due(db: &Db, now: Timestamp, until: Timestamp) -> BoxFuture<'_, Result<Vec<Webhook>>> {
    Box::pin(async move {
        if !exists(db, DUE, now).await? {
            return Ok(Vec::new());
        }
        let text = format!(
            "UPDATE webhooks SET due_at = $2, behind_since = COALESCE(behind_since, $1) WHERE {DUE} RETURNING {COLUMNS}"
        );
        let rows: Vec<WebhookRow> = on_db!(db, write, pool => {
            sqlx::query_as(sqlx::AssertSqlSafe(text))
                .bind(now.millis())
                .bind(until.millis())
                .fetch_all(pool)
                .await?
        });
        Ok(rows.into_iter().map(WebhookRow::into_webhook).collect())
    })
}

/// Moves a webhook to a later position and keeps it until `until`. Returns whether it was before that position: otherwise
/// it was removed, or another worker has it.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn advance(
    db: &Db,
    (id, position): (i64, i64),
    until: Timestamp,
) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let moved = on_db!(db, write, pool => {
            sqlx::query(
                "UPDATE webhooks \
                 SET position = $2, attempts = 0, failure = NULL, failing_since = NULL, due_at = $3 \
                 WHERE id = $1 AND position < $2",
            )
            .bind(id)
            .bind(position)
            .bind(until.millis())
            .execute(pool)
            .await?
            .rows_affected()
        });
        Ok(moved > 0)
    })
}

/// How a webhook is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenBack<'a> {
    /// It has all changes.
    UpToDate,
    /// It has not all of them, because the worker stops.
    Unfinished,
    /// An attempt has failed.
    Failed {
        /// When.
        at: Timestamp,
        /// Why.
        reason: &'a str,
    },
}

/// Gives a webhook back: it is due at `due_at`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn give_back<'a>(
    db: &'a Db,
    (id, position): (i64, i64),
    due_at: Timestamp,
    how: GivenBack<'a>,
) -> BoxFuture<'a, Result<()>> {
    let failure = match how {
        GivenBack::Failed { at, reason } => Some((at, reason)),
        GivenBack::UpToDate | GivenBack::Unfinished => None,
    };
    Box::pin(async move {
        on_db!(db, write, pool => {
            sqlx::query(
                "UPDATE webhooks SET due_at = $3, failure = COALESCE($4, failure), \
                 attempts = attempts + CASE WHEN $4 IS NULL THEN 0 ELSE 1 END, \
                 failing_since = COALESCE(failing_since, $5), \
                 behind_since = CASE WHEN $6 THEN NULL ELSE behind_since END \
                 WHERE id = $1 AND position = $2",
            )
            .bind(id)
            .bind(position)
            .bind(due_at.millis())
            .bind(failure.map(|(_, reason)| without_nul(reason)))
            .bind(failure.map(|(at, _)| at.millis()))
            .bind(how == GivenBack::UpToDate)
            .execute(pool)
            .await?;
        });
        Ok(())
    })
}

/// Gives a message up: stores it, and moves the webhook past it. Returns whether the webhook was before it.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn give_up<'a>(
    db: &'a Db,
    letter: &'a DeadLetter,
    until: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let mut tx = db.begin().await?;
        let moved = on_tx!(&mut tx, connection => {
            sqlx::query(
                "UPDATE webhooks SET position = $2, attempts = 0, failure = $3, due_at = $4, \
                 failing_since = COALESCE(failing_since, $5) \
                 WHERE id = $1 AND position < $2",
            )
            .bind(letter.webhook_id)
            .bind(letter.change)
            .bind(without_nul(&letter.reason))
            .bind(until.millis())
            .bind(letter.given_up_at.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        if moved == 0 {
            tx.rollback().await?;
            return Ok(false);
        }
        on_tx!(&mut tx, connection => {
            sqlx::query(
                "INSERT INTO dead_letters (webhook_id, change, message, reason, given_up_at) \
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(letter.webhook_id)
            .bind(letter.change)
            .bind(&letter.message)
            .bind(without_nul(&letter.reason))
            .bind(letter.given_up_at.millis())
            .execute(connection)
            .await?;
        });
        tx.commit().await?;
        Ok(true)
    })
}

/// The messages of a webhook that were given up, in the order of their changes.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn dead_letters(db: &Db, id: i64) -> BoxFuture<'_, Result<Vec<DeadLetter>>> {
    Box::pin(async move {
        let rows: Vec<LetterRow> = on_db!(db, current, pool => sqlx::query_as(
            "SELECT webhook_id, change, message, reason, given_up_at FROM dead_letters \
             WHERE webhook_id = $1 ORDER BY change",
        )
        .bind(id)
        .fetch_all(pool)
        .await?);
        Ok(rows.into_iter().map(LetterRow::into_letter).collect())
    })
}

/// Has the messages of a webhook that were given up sent once more. Returns how many.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn retry(db: &Db, id: i64, now: Timestamp) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        Ok(on_db!(db, write, pool => {
            sqlx::query("UPDATE dead_letters SET retry_at = $2 WHERE webhook_id = $1")
                .bind(id)
                .bind(now.millis())
                .execute(pool)
                .await?
                .rows_affected()
        }))
    })
}

/// Takes the messages that are to be sent once more, until `until`, in the order of their changes.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn take_letters(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
) -> BoxFuture<'_, Result<Vec<DeadLetter>>> {
    Box::pin(async move {
        if !exists(db, "dead_letters.retry_at <= $1", now).await? {
            return Ok(Vec::new());
        }
        let rows: Vec<LetterRow> = on_db!(db, write, pool => sqlx::query_as(
            "UPDATE dead_letters SET retry_at = $2 WHERE retry_at <= $1 \
             RETURNING webhook_id, change, message, reason, given_up_at",
        )
        .bind(now.millis())
        .bind(until.millis())
        .fetch_all(pool)
        .await?);
        let mut letters: Vec<DeadLetter> = rows.into_iter().map(LetterRow::into_letter).collect();
        letters.sort_by_key(|letter| (letter.webhook_id, letter.change));
        Ok(letters)
    })
}

/// Notes that a message was sent once more: it is deleted, or with a reason it stays given up.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn retried<'a>(
    db: &'a Db,
    (id, change): (i64, i64),
    failure: Option<&'a str>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        match failure {
            None => on_db!(db, write, pool => {
                sqlx::query("DELETE FROM dead_letters WHERE webhook_id = $1 AND change = $2")
                    .bind(id)
                    .bind(change)
                    .execute(pool)
                    .await?;
            }),
            Some(reason) => on_db!(db, write, pool => {
                sqlx::query(
                    "UPDATE dead_letters SET retry_at = NULL, reason = $3 \
                     WHERE webhook_id = $1 AND change = $2",
                )
                .bind(id)
                .bind(change)
                .bind(without_nul(reason))
                .execute(pool)
                .await?;
            }),
        }
        Ok(())
    })
}

row! {
    struct WebhookRow {
        id: i64,
        url: String,
        filter: String,
        secret: String,
        created_at: i64,
        position: i64,
        attempts: i64,
        failure: Option<String>,
        behind_since: Option<i64>,
        failing_since: Option<i64>,
        dead_letters: i64,
    }
}

impl WebhookRow {
    fn into_webhook(self) -> Webhook {
        Webhook {
            id: self.id,
            url: self.url,
            filter: self.filter,
            secret: self.secret,
            created_at: Timestamp(self.created_at),
            position: self.position,
            attempts: u32::try_from(self.attempts).unwrap_or(u32::MAX),
            failure: self.failure,
            behind_since: self.behind_since.map(Timestamp),
            failing_since: self.failing_since.map(Timestamp),
            dead_letters: self.dead_letters.unsigned_abs(),
        }
    }
}

row! {
    struct LetterRow {
        webhook_id: i64,
        change: i64,
        message: Vec<u8>,
        reason: String,
        given_up_at: i64,
    }
}

impl LetterRow {
    fn into_letter(self) -> DeadLetter {
        DeadLetter {
            webhook_id: self.webhook_id,
            change: self.change,
            message: self.message,
            reason: self.reason,
            given_up_at: Timestamp(self.given_up_at),
        }
    }
}
