//! The index entry of each advert, and the detail last read for it.

use std::collections::HashMap;

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::{Cell, millis, row};
use super::database::{Db, on_db};
use super::error::Result;
use super::lists;
use super::many_rows::many_rows;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// An advert on a portal's index pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The portal's number for it.
    pub offer_id: String,
    /// Its page.
    pub url: String,
    /// The hash of what the index page says about it: its URL and its teaser.
    pub teaser: [u8; 32],
    /// When an index page last showed it.
    pub seen_at: Timestamp,
    /// When its detail is due to be read.
    pub due_at: Timestamp,
    /// The detail last read; `None` if none was read, or if it said that the advert is gone.
    pub read: Option<ReadDetail>,
}

/// A detail that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDetail {
    /// When.
    pub at: Timestamp,
    /// The hash of the stored content ([`crate::RawListing::content_hash`]).
    pub content: [u8; 32],
    /// The hash of its payload without the parts that differ from response to response.
    pub stable: [u8; 32],
    /// The `ETag` of the response.
    pub etag: Option<String>,
    /// The `Last-Modified` of the response.
    pub last_modified: Option<String>,
}

/// The entries of these adverts, by number. Adverts that no index page has shown are left out.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn load<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    offer_ids: &'a [&'a str],
) -> BoxFuture<'a, Result<HashMap<String, StoredEntry>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT site_offer_id, url, teaser, seen_at, due_at, read_at, read_content, read_stable, etag, \
         last_modified FROM index_entries WHERE site_id = $2 AND site_offer_id IN ({})",
            lists::texts(tx.backend())
        );
        let mut entries = HashMap::with_capacity(offer_ids.len());
        for part in offer_ids.chunks(lists::LIST) {
            let list = lists::json(&part)?;
            let rows: Vec<EntryRow> = on_tx!(&mut *tx, connection => {
                sqlx::query_as(AssertSqlSafe(text.as_str())).bind(list).bind(site_id).fetch_all(connection).await?
            });
            for row in rows {
                let entry = row.into_entry()?;
                entries.insert(entry.offer_id.clone(), entry);
            }
        }
        Ok(entries)
    })
}

/// Saves these entries of a portal, each given once.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn save_all<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    entries: &'a [StoredEntry],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for part in entries.chunks(lists::CHUNK) {
            on_tx!(&mut *tx, connection => {
                let mut upsert = many_rows!(
                    "INSERT INTO index_entries (site_id, site_offer_id, url, teaser, seen_at, due_at, read_at, \
                     read_content, read_stable, etag, last_modified) ",
                    part,
                    |row, entry| {
                        let read = entry.read.as_ref();
                        row.push_bind(site_id)
                            .push_bind(&entry.offer_id)
                            .push_bind(&entry.url)
                            .push_bind(entry.teaser.as_slice())
                            .push_bind(entry.seen_at.millis())
                            .push_bind(entry.due_at.millis())
                            .push_bind(millis(read.map(|read| read.at)))
                            .push_bind(read.map(|read| read.content.as_slice()))
                            .push_bind(read.map(|read| read.stable.as_slice()))
                            .push_bind(read.and_then(|read| read.etag.as_deref()))
                            .push_bind(read.and_then(|read| read.last_modified.as_deref()));
                    },
                    " ON CONFLICT (site_id, site_offer_id) DO UPDATE SET url = excluded.url, \
                         teaser = excluded.teaser, seen_at = excluded.seen_at, due_at = excluded.due_at, \
                         read_at = excluded.read_at, read_content = excluded.read_content, \
                         read_stable = excluded.read_stable, etag = excluded.etag, \
                         last_modified = excluded.last_modified"
                );
                let upsert = upsert.build().persistent(lists::is_worth_caching(part.len()));
                upsert.execute(connection).await?.rows_affected()
            });
        }
        Ok(())
    })
}

/// Selects the adverts whose details a crawl has still to read.
#[derive(Debug, Clone, Copy)]
pub struct Due<'a> {
    /// The portal.
    pub site_id: &'a str,
    /// Only adverts that an index page has shown since this instant.
    pub seen_since: Timestamp,
    /// Only details that are due by this instant.
    pub by: Timestamp,
    /// Only adverts with numbers after this one, in the order of texts.
    pub after: &'a str,
    /// Only adverts that are new or have changed, or only the others, which are read again because of their age.
    pub fresh: Option<bool>,
}

/// Up to `limit` adverts whose details are due, in the order of their numbers.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn due<'a>(db: &'a Db, due: Due<'a>, limit: u32) -> BoxFuture<'a, Result<Vec<StoredEntry>>> {
    Box::pin(async move {
        let rows: Vec<EntryRow> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_offer_id, url, teaser, seen_at, due_at, read_at, read_content, read_stable, etag, \
         last_modified FROM index_entries \
         WHERE site_id = $1 AND seen_at >= $2 AND due_at <= $3 AND site_offer_id > $4 \
         AND ($6 IS NULL OR $6 = (read_at IS NULL OR due_at >= seen_at)) \
         ORDER BY site_offer_id LIMIT $5",
    )
    .bind(due.site_id)
    .bind(due.seen_since.millis())
    .bind(due.by.millis())
    .bind(due.after)
    .bind(i64::from(limit))
    .bind(due.fresh)
    .fetch_all(pool)
    .await?);
        rows.into_iter().map(EntryRow::into_entry).collect()
    })
}

/// How many adverts' details are due.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn due_count<'a>(db: &'a Db, due: Due<'a>) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => sqlx::query_scalar(
        "SELECT COUNT(*) FROM index_entries \
         WHERE site_id = $1 AND seen_at >= $2 AND due_at <= $3 AND site_offer_id > $4 \
         AND ($5 IS NULL OR $5 = (read_at IS NULL OR due_at >= seen_at))",
    )
    .bind(due.site_id)
    .bind(due.seen_since.millis())
    .bind(due.by.millis())
    .bind(due.after)
    .bind(due.fresh)
    .fetch_one(pool)
    .await?);
        Ok(count.unsigned_abs())
    })
}

row! {
    struct EntryRow {
        site_offer_id: String,
        url: String,
        teaser: Vec<u8>,
        seen_at: i64,
        due_at: i64,
        read_at: Option<i64>,
        read_content: Option<Vec<u8>>,
        read_stable: Option<Vec<u8>>,
        etag: Option<String>,
        last_modified: Option<String>,
    }
}

impl EntryRow {
    fn into_entry(self) -> Result<StoredEntry> {
        let hash = |column, bytes: &[u8]| {
            let cell = Cell {
                table: "index_entries",
                column,
                id: &self.site_offer_id,
            };
            <[u8; 32]>::try_from(bytes).map_err(|error| cell.corrupt(error))
        };
        let read = match (self.read_at, &self.read_content, &self.read_stable) {
            (Some(at), Some(content), Some(stable)) => Some(ReadDetail {
                at: Timestamp(at),
                content: hash("read_content", content)?,
                stable: hash("read_stable", stable)?,
                etag: self.etag,
                last_modified: self.last_modified,
            }),
            _ => None,
        };
        Ok(StoredEntry {
            teaser: hash("teaser", &self.teaser)?,
            offer_id: self.site_offer_id,
            url: self.url,
            seen_at: Timestamp(self.seen_at),
            due_at: Timestamp(self.due_at),
            read,
        })
    }
}
