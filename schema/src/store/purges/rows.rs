//! Deleting everything that is stored about listings.

use std::collections::BTreeSet;

use futures::future::BoxFuture;
use serde::Deserialize;

use super::Blocked;
use crate::listing::{ListingId, ListingKey};
use crate::record_event::RecordEvent;
use crate::store::columns::Cell;
use crate::store::error::Result;
use crate::store::offers::ChangedListing;
use crate::store::record_events::{self, LoggedEvents};
use crate::store::transaction::{Tx, on_tx};
use crate::store::{blocking_keys, listings, lists, lock, offers, rejects};

/// With more deleted listings than this, every listing is deduplicated again instead of their neighbours.
const MOST_NEIGHBOURHOODS: usize = 500;

/// The tables with rows of a listing, each with the column of its row number, in an order that no reference forbids.
const OF_LISTING: [(&str, &str); 8] = [
    ("sightings", "listing_id"),
    ("disappearances", "listing_id"),
    ("price_points", "listing_id"),
    ("listing_bodies", "listing_id"),
    ("matches", "left_id"),
    ("matches", "right_id"),
    ("municipality_votes", "listing_id"),
    ("raw_listings", "listing_id"),
];

/// The tables with rows of a portal besides those of its listings.
const OF_SITE: [&str; 8] = [
    "content_dictionaries",
    "value_reject_reasons",
    "early_disappearances",
    "crawls",
    "crawl_runs",
    "crawl_lines",
    "index_entries",
    "schedules",
];

/// What was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deleted {
    /// Listings, with all that was stored about them.
    pub listings: u64,
    /// Records of which no listing is left.
    pub offers: u64,
}

/// The listings of a portal.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn listings_of_site<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT id FROM listings WHERE site_id = $1 ORDER BY id")
                .bind(site_id)
                .fetch_all(connection)
                .await?
        });
        Ok(ids.into_iter().map(ListingId).collect())
    })
}

/// Deletes listings with everything that is stored about them. The listings that could match them, and those of their
/// records, wait for deduplication afterwards; a record of which no listing is left is deleted.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_listings<'a>(tx: &'a mut Tx, ids: &'a [ListingId]) -> BoxFuture<'a, Result<Deleted>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        let doomed = lists::numbers(ids);
        let records = records_of(tx, &doomed).await?;
        if doomed.len() > MOST_NEIGHBOURHOODS {
            listings::requeue_all(tx).await?;
        } else {
            let neighbours = neighbours_of(tx, &doomed).await?;
            listings::requeue(tx, &neighbours).await?;
        }
        delete_index_entries(tx, &doomed).await?;
        let of_contents = format!(
            "DELETE FROM value_rejects WHERE raw_id IN \
         (SELECT id FROM raw_listings WHERE listing_id IN ({}))",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &of_contents, &doomed).await?;
        for part in doomed.chunks(lists::LIST) {
            let deleted = part.iter().map(|id| ChangedListing { id: *id, new: None });
            let based = offers::based_on(tx, &deleted.collect::<Vec<_>>()).await?;
            offers::save_again(tx, based).await?;
        }
        blocking_keys::delete(tx, ids).await?;
        for (table, column) in OF_LISTING.into_iter().chain([("listings", "id")]) {
            let text = format!(
                "DELETE FROM {table} WHERE {column} IN ({})",
                lists::integers(tx.backend())
            );
            lists::execute(tx, &text, &doomed).await?;
        }
        Ok(Deleted {
            listings: doomed.len() as u64,
            offers: delete_empty_records(tx, &records).await?,
        })
    })
}

/// Deletes what is stored of a listing by its number, before it was ever seen.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_unstored<'a>(tx: &'a mut Tx, key: &'a ListingKey) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for delete in [
            "DELETE FROM index_entries WHERE site_id = $1 AND site_offer_id = $2",
            "DELETE FROM early_disappearances WHERE site_id = $1 AND site_offer_id = $2",
        ] {
            on_tx!(&mut *tx, connection => {
                sqlx::query(delete)
                    .bind(&key.site_id)
                    .bind(&key.offer_id)
                    .execute(connection)
                    .await?;
            });
        }
        Ok(())
    })
}

/// Deletes what is stored about a portal besides its listings.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_site<'a>(tx: &'a mut Tx, site_id: &'a str) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        offers::without_dictionaries_of(tx, site_id).await?;
        for table in OF_SITE {
            let text = format!("DELETE FROM {table} WHERE site_id = $1");
            on_tx!(&mut *tx, connection => {
                sqlx::query(sqlx::AssertSqlSafe(text.as_str())).bind(site_id).execute(connection).await?;
            });
        }
        Ok(())
    })
}

/// The records of these listings.
async fn records_of(tx: &mut Tx, doomed: &[i64]) -> Result<BTreeSet<String>> {
    let text = format!(
        "SELECT DISTINCT offer_id FROM listings WHERE offer_id IS NOT NULL AND id IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<(String,)> = lists::fetch(tx, &text, doomed).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The listings that share a blocking key or a record with these.
async fn neighbours_of(tx: &mut Tx, doomed: &[i64]) -> Result<Vec<ListingId>> {
    let ids: Vec<ListingId> = doomed.iter().copied().map(ListingId).collect();
    let sharing = blocking_keys::sharing(tx, &ids).await?;
    let mut found: BTreeSet<i64> = sharing.into_iter().collect();
    let text = format!(
        "SELECT DISTINCT other.id FROM listings AS mine \
         JOIN listings AS other ON other.offer_id = mine.offer_id WHERE mine.id IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<(i64,)> = lists::fetch(tx, &text, doomed).await?;
    found.extend(rows.into_iter().map(|(id,)| id));
    for id in doomed {
        found.remove(id);
    }
    Ok(found.into_iter().map(ListingId).collect())
}

async fn delete_index_entries(tx: &mut Tx, doomed: &[i64]) -> Result<()> {
    for table in ["index_entries", "early_disappearances"] {
        let text = format!(
            "DELETE FROM {table} WHERE (site_id, site_offer_id) IN \
             (SELECT site_id, site_offer_id FROM listings WHERE id IN ({}))",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &text, doomed).await?;
    }
    Ok(())
}

/// Deletes those of the records that have no listing any more, with the ids that lead to them.
async fn delete_empty_records(tx: &mut Tx, ids: &BTreeSet<String>) -> Result<u64> {
    let mut deleted = 0;
    for id in ids {
        let row: Option<i64> = on_tx!(&mut *tx, connection => {
            sqlx::query_scalar(
                "SELECT row FROM offers WHERE id = $1 \
                 AND NOT EXISTS (SELECT 1 FROM listings WHERE offer_id = $1)",
            )
            .bind(id)
            .fetch_optional(connection)
            .await?
        });
        let Some(row) = row else { continue };
        for delete in [
            "DELETE FROM offer_documents WHERE row = $1",
            "DELETE FROM offer_aliases WHERE survivor_id IN (SELECT id FROM offers WHERE row = $1)",
            "DELETE FROM offers WHERE row = $1",
        ] {
            on_tx!(&mut *tx, connection => {
                sqlx::query(delete).bind(row).execute(connection).await?;
            });
        }
        let change = offers::next_change(tx, 1).await?;
        on_tx!(&mut *tx, connection => {
            sqlx::query("INSERT INTO purged_offers (id, row, change) VALUES ($1, $2, $3)")
                .bind(id)
                .bind(row)
                .bind(change)
                .execute(connection)
                .await?;
        });
        log_removal(tx, id, change).await?;
        deleted += 1;
    }
    Ok(deleted)
}

/// Stores that a record was deleted.
async fn log_removal(tx: &mut Tx, id: &String, change: i64) -> Result<()> {
    let cell = Cell {
        table: "offers",
        column: "id",
        id,
    };
    let removed = LoggedEvents {
        change,
        id: cell.offer_id(id)?,
        events: vec![RecordEvent::Removed],
    };
    record_events::log(tx, &[removed]).await
}

/// Deletes the rejects whose lines name a blocked listing or portal. Returns how many.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn delete_rejects_of<'a>(tx: &'a mut Tx, blocked: &'a Blocked) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let rows: Vec<(i64, Vec<u8>)> = on_tx!(&mut *tx, connection => {
            sqlx::query_as("SELECT id, content FROM rejects").fetch_all(connection).await?
        });
        let ids: Vec<i64> = rows
            .into_iter()
            .filter(|(_, content)| blocked.names(content))
            .map(|(id, _)| id)
            .collect();
        rejects::delete(tx, &ids).await?;
        Ok(ids.len() as u64)
    })
}

/// The part of a dump's line that names the listing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    site_id: String,
    offer_id: Option<String>,
}

impl Blocked {
    /// Whether a line of a dump names a blocked listing or portal. A line that is not JSON names none.
    pub fn names(&self, line: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let Ok(Named { site_id, offer_id }) = serde_json::from_slice(line) else {
            return false;
        };
        match offer_id {
            Some(offer_id) => self.has(&ListingKey { site_id, offer_id }),
            None => self.has_site(&site_id),
        }
    }
}
