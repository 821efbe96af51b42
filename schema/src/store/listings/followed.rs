//! What a process asks that keeps the result of matching in memory: what others have done meanwhile, and the few columns
//! of listings that decide about records.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::super::columns::row;
use crate::listing::{ListingId, ListingKey};
use crate::offer_id::OfferId;
use crate::store::columns::Cell;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// How far a database has come in what decides about matching. Every number only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchingState {
    /// The last change of a record. Every run of deduplication that matches a listing makes one.
    pub change: i64,
    /// The last decision of a reviewer.
    pub review: i64,
    /// The last purge.
    pub purge: i64,
}

/// How far the database has come.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn matching_state(tx: &mut Tx) -> BoxFuture<'_, Result<MatchingState>> {
    Box::pin(async move {
        let (change, review, purge): (i64, i64, i64) = on_tx!(tx, connection => sqlx::query_as(
            "SELECT value, COALESCE((SELECT MAX(id) FROM reviews), 0), COALESCE((SELECT MAX(id) FROM purges), 0) \
             FROM change_counter",
        )
        .fetch_one(connection)
        .await?);
        Ok(MatchingState {
            change,
            review,
            purge,
        })
    })
}

/// Up to `limit` listings of the records that were written after this change.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn of_changes_after(
    tx: &mut Tx,
    change: i64,
    limit: u32,
) -> BoxFuture<'_, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_tx!(tx, connection => sqlx::query_scalar(
            "SELECT listings.id FROM offers JOIN listings ON listings.offer_id = offers.id \
             WHERE offers.change > $1 ORDER BY offers.change LIMIT $2",
        )
        .bind(change)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?);
        Ok(ids.into_iter().map(ListingId).collect())
    })
}

/// Those of the listings that are pending for deduplication.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn pending_among<'a>(
    tx: &'a mut Tx,
    ids: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT id FROM listings WHERE pending AND id IN ({}) ORDER BY id",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64,)> = lists::fetch(tx, &text, &lists::numbers(ids)).await?;
        Ok(rows.into_iter().map(|(id,)| ListingId(id)).collect())
    })
}

/// Up to `limit` listings that are pending for deduplication, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn pending_in(tx: &mut Tx, limit: u32) -> BoxFuture<'_, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_tx!(tx, connection => sqlx::query_scalar(
            "SELECT id FROM listings WHERE pending ORDER BY id LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?);
        Ok(ids.into_iter().map(ListingId).collect())
    })
}

/// A listing without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingHead {
    /// Its row number.
    pub id: ListingId,
    /// Portal and number.
    pub key: ListingKey,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// When it was gone; `None` while it is live.
    pub gone_at: Option<Timestamp>,
    /// Its version.
    pub version: i64,
    /// The record that it is in; `None` until deduplication has processed it.
    pub offer_id: Option<OfferId>,
}

/// These listings, in the order of their row numbers. Numbers without a listing are left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn heads<'a>(tx: &'a mut Tx, ids: &'a [ListingId]) -> BoxFuture<'a, Result<Vec<ListingHead>>> {
    Box::pin(async move {
        let text = format!(
            "{HEAD} WHERE id IN ({}) ORDER BY id",
            lists::integers(tx.backend())
        );
        let rows: Vec<HeadRow> = lists::fetch(tx, &text, &lists::numbers(ids)).await?;
        rows.into_iter().map(HeadRow::into_head).collect()
    })
}

/// The listings of these records, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn heads_of_offers<'a>(
    tx: &'a mut Tx,
    offers: &'a [&'a OfferId],
) -> BoxFuture<'a, Result<Vec<ListingHead>>> {
    Box::pin(async move {
        let text = format!(
            "{HEAD} WHERE offer_id IN ({}) ORDER BY id",
            lists::texts(tx.backend())
        );
        let offers: Vec<&str> = offers.iter().map(|offer| offer.as_str()).collect();
        let rows: Vec<HeadRow> = lists::fetch(tx, &text, &offers).await?;
        rows.into_iter().map(HeadRow::into_head).collect()
    })
}

/// What the listings of a portal show about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedPortal {
    /// The portal.
    pub site_id: String,
    /// When its first listing was first seen.
    pub first_seen_at: Timestamp,
    /// When the listing was first seen that has the asked number in the order of their first sightings, from 1. `None` if
    /// there are fewer.
    pub nth_seen_at: Option<Timestamp>,
    /// Whether at least one of its listings is known to be gone.
    pub is_watched: bool,
}

/// The portals with at least one listing, in their order. `$1` is how many listings precede the one that is asked for.
/// One statement, and in it a few look-ups in an index for each portal, because there are few portals and many listings.
const PORTALS: &str = "WITH RECURSIVE sites (site) AS ( \
         SELECT MIN(site_id) FROM listings \
         UNION ALL \
         SELECT (SELECT MIN(site_id) FROM listings WHERE site_id > site) FROM sites WHERE site IS NOT NULL) \
     SELECT site, (SELECT MIN(first_seen_at) FROM listings WHERE site_id = site), \
         (SELECT first_seen_at FROM listings WHERE site_id = site ORDER BY first_seen_at LIMIT 1 OFFSET $1), \
         CASE WHEN EXISTS (SELECT 1 FROM listings WHERE site_id = site AND gone_at IS NOT NULL) THEN 1 ELSE 0 END \
     FROM sites WHERE site IS NOT NULL ORDER BY site";

/// What the listings of each portal show about it, with the first sighting of its listing number `nth`, from 1.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn portals(tx: &mut Tx, nth: u32) -> BoxFuture<'_, Result<Vec<WatchedPortal>>> {
    Box::pin(async move {
        let before = i64::from(nth.saturating_sub(1));
        let rows: Vec<(String, i64, Option<i64>, i32)> = on_tx!(tx, connection => {
            sqlx::query_as(AssertSqlSafe(PORTALS)).bind(before).fetch_all(connection).await?
        });
        let portal =
            |(site_id, first, nth, watched): (String, i64, Option<i64>, i32)| WatchedPortal {
                site_id,
                first_seen_at: Timestamp(first),
                nth_seen_at: nth.map(Timestamp),
                is_watched: watched != 0,
            };
        Ok(rows.into_iter().map(portal).collect())
    })
}

/// The columns of a [`HeadRow`].
const HEAD: &str = "SELECT id, site_id, site_offer_id, first_seen_at, last_seen_at, gone_at, version, \
     offer_id FROM listings";

row! {
    struct HeadRow {
        id: i64,
        site_id: String,
        site_offer_id: String,
        first_seen_at: i64,
        last_seen_at: i64,
        gone_at: Option<i64>,
        version: i64,
        offer_id: Option<String>,
    }
}

impl HeadRow {
    fn into_head(self) -> Result<ListingHead> {
        let cell = Cell {
            table: "listings",
            column: "offer_id",
            id: &self.id,
        };
        let offer_id = self.offer_id.map(|text| cell.offer_id(&text)).transpose()?;
        Ok(ListingHead {
            id: ListingId(self.id),
            key: ListingKey {
                site_id: self.site_id,
                offer_id: self.site_offer_id,
            },
            first_seen_at: Timestamp(self.first_seen_at),
            last_seen_at: Timestamp(self.last_seen_at),
            gone_at: self.gone_at.map(Timestamp),
            version: self.version,
            offer_id,
        })
    }
}
