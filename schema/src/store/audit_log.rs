//! What people did in the console.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::Result;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// An action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub person: String,
    /// What was done: `pause`, `same`, `log in`.
    pub action: String,
    /// To what: a portal, two listings, nothing.
    pub subject: String,
    /// The rest: a reason, a cron line.
    pub detail: Option<String>,
}

/// Adds an action to the log, in the transaction that does it.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add<'a>(tx: &'a mut Tx, entry: &'a AuditEntry) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => sqlx::query(
        "INSERT INTO audit_log (at, person, action, subject, detail) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(entry.at.millis())
    .bind(without_nul(&entry.person))
    .bind(&entry.action)
    .bind(without_nul(&entry.subject))
    .bind(entry.detail.as_deref().map(without_nul))
    .execute(connection)
    .await?
    .rows_affected());
        Ok(())
    })
}

/// Up to `limit` actions before row `before`, newest first, each with its row.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn list(
    db: &Db,
    before: Option<i64>,
    limit: u32,
) -> BoxFuture<'_, Result<Vec<(i64, AuditEntry)>>> {
    Box::pin(async move {
        type Row = (i64, i64, String, String, String, Option<String>);
        let rows: Vec<Row> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, at, person, action, subject, detail FROM audit_log WHERE id < $1 ORDER BY id DESC LIMIT $2",
    )
    .bind(before.unwrap_or(i64::MAX))
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?);
        let entry = |(id, at, person, action, subject, detail): Row| {
            let entry = AuditEntry {
                at: Timestamp(at),
                person,
                action,
                subject,
                detail,
            };
            (id, entry)
        };
        Ok(rows.into_iter().map(entry).collect())
    })
}
