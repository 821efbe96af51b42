//! What happened to the merged records, in the order of commit. Saving, retiring and purging records write it; followers
//! read it.
//!
//! Each row has the number of the change that wrote it. Numbers are committed in their order (`next_change` of
//! [`super::offers`]), so a reader that has seen a number never meets a smaller new one. A reader asks for a state first
//! ([`begin`]), and everything that it reads then is of that state.

use futures::future::BoxFuture;

use super::columns::{Cell, row};
use super::database::Db;
use super::error::{Result, StoreError};
use super::lists;
use super::many_rows::insert_rows;
use super::offers::{IndexRow, StoredDocument, documents_in, index_rows};
use super::transaction::{Tx, on_tx};
use crate::offer_id::OfferId;
use crate::record_event::RecordEvent;
use crate::timestamp::Timestamp;

/// What one change did to a record.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvents {
    /// The number of the change.
    pub change: i64,
    /// The record.
    pub id: OfferId,
    /// What happened to it.
    pub events: Vec<RecordEvent>,
}

/// The changes of which it is known what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownChanges {
    /// Everything after this change is known.
    pub after: i64,
    /// The last change.
    pub newest: i64,
}

/// Stores events; nothing for an empty list.
pub(super) async fn log(tx: &mut Tx, all: &[LoggedEvents]) -> Result<()> {
    for part in all.chunks(lists::CHUNK) {
        let texts = part.iter().map(|one| {
            serde_json::to_string(&one.events).map_err(|error| StoreError::Unstorable {
                what: "the events of a record",
                reason: error.to_string(),
            })
        });
        let texts: Vec<String> = texts.collect::<Result<_>>()?;
        let rows: Vec<_> = part.iter().zip(&texts).collect();
        insert_rows!(
            tx,
            "record_events",
            &rows,
            |(one, text)| (change: i64 = one.change, id: &str = one.id.as_str(), events: &str = text.as_str()),
            ""
        );
    }
    Ok(())
}

/// Begins to read one state, of the replica if there is one.
///
/// # Errors
/// [`StoreError::Database`].
pub fn begin(db: &Db) -> BoxFuture<'_, Result<Tx>> {
    db.begin_replica()
}

/// Which changes are known.
///
/// # Errors
/// [`StoreError::Database`].
pub fn known(tx: &mut Tx) -> BoxFuture<'_, Result<KnownChanges>> {
    Box::pin(async move {
        let (after, newest): (i64, i64) = on_tx!(tx, connection => sqlx::query_as(
            "SELECT (SELECT MIN(change) FROM event_marks), value FROM change_counter",
        )
        .fetch_one(connection)
        .await?);
        Ok(KnownChanges { after, newest })
    })
}

/// The events of up to `limit` changes after a change, in their order.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn after(tx: &mut Tx, change: i64, limit: u32) -> BoxFuture<'_, Result<Vec<LoggedEvents>>> {
    Box::pin(async move {
        let rows: Vec<EventRow> = on_tx!(tx, connection => sqlx::query_as(
            "SELECT change, id, events FROM record_events WHERE change > $1 ORDER BY change LIMIT $2",
        )
        .bind(change)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?);
        rows.into_iter().map(EventRow::into_events).collect()
    })
}

/// The columns of those of the records that exist.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn records<'a>(tx: &'a mut Tx, ids: &'a [OfferId]) -> BoxFuture<'a, Result<Vec<IndexRow>>> {
    Box::pin(index_rows(tx, ids))
}

/// The documents of these rows, in any order. A row that does not exist is left out.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn documents<'a>(
    tx: &'a mut Tx,
    rows: &'a [i64],
) -> BoxFuture<'a, Result<Vec<StoredDocument>>> {
    Box::pin(documents_in(tx, rows))
}

/// Notes which change is the last at `now`, and deletes the events that are older than `kept_since`. Returns how many.
///
/// # Errors
/// [`StoreError::Database`].
pub fn delete_old(db: &Db, now: Timestamp, kept_since: Timestamp) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let mut tx = db.begin().await?;
        on_tx!(&mut tx, connection => {
            sqlx::query(
                "INSERT INTO event_marks (at, change) SELECT $1, value FROM change_counter WHERE true \
                 ON CONFLICT (at) DO UPDATE SET change = excluded.change",
            )
            .bind(now.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        // The newest mark that is old enough becomes the first.
        on_tx!(&mut tx, connection => {
            sqlx::query(
                "DELETE FROM event_marks WHERE at < (SELECT MAX(at) FROM event_marks WHERE at <= $1)",
            )
            .bind(kept_since.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        let deleted = on_tx!(&mut tx, connection => {
            sqlx::query(
                "DELETE FROM record_events WHERE change <= (SELECT MIN(change) FROM event_marks)",
            )
            .execute(connection)
            .await?
            .rows_affected()
        });
        tx.commit().await?;
        Ok(deleted)
    })
}

row! {
    struct EventRow {
        change: i64,
        id: String,
        events: String,
    }
}

impl EventRow {
    fn into_events(self) -> Result<LoggedEvents> {
        let cell = |column| Cell {
            table: "record_events",
            column,
            id: &self.change,
        };
        Ok(LoggedEvents {
            change: self.change,
            id: cell("id").offer_id(&self.id)?,
            events: cell("events").json(self.events.as_bytes())?,
        })
    }
}
