//! Deleting observations.

use crate::listing::{ListingId, ListingKey};
use crate::observation::Crawl;
use crate::store::columns::code;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;
use futures::future::BoxFuture;

/// An observation of a listing that is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withdrawn {
    /// The listing.
    pub listing: ListingId,
    /// When it was observed.
    pub at: Timestamp,
    /// The hash of the content that was seen; `None` for a disappearance.
    pub content: Option<[u8; 32]>,
}

/// Deletes an observation. Returns whether it was stored.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_observation(tx: &mut Tx, withdrawn: Withdrawn) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let Withdrawn {
            listing,
            at,
            content,
        } = withdrawn;
        let deleted = match content {
            Some(hash) => on_tx!(tx, connection => {
                sqlx::query(
                    "DELETE FROM sightings WHERE listing_id = $1 AND at = $2 AND raw_id IN \
                     (SELECT id FROM raw_listings WHERE listing_id = $1 AND content_hash = $3)",
                )
                .bind(listing.0)
                .bind(at.millis())
                .bind(hash.as_slice())
                .execute(connection)
                .await?
                .rows_affected()
            }),
            None => on_tx!(tx, connection => {
                sqlx::query("DELETE FROM disappearances WHERE listing_id = $1 AND at = $2")
                    .bind(listing.0)
                    .bind(at.millis())
                    .execute(connection)
                    .await?
                    .rows_affected()
            }),
        };
        Ok(deleted > 0)
    })
}

/// Deletes a disappearance that arrived before any sighting of its listing. Returns whether it was stored.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_early_disappearance<'a>(
    tx: &'a mut Tx,
    key: &'a ListingKey,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let deleted = on_tx!(tx, connection => {
            sqlx::query(
                "DELETE FROM early_disappearances WHERE site_id = $1 AND site_offer_id = $2 AND at = $3",
            )
            .bind(&key.site_id)
            .bind(&key.offer_id)
            .bind(at.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        Ok(deleted > 0)
    })
}

/// Deletes a complete crawl. Returns whether it was stored.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_crawl<'a>(tx: &'a mut Tx, crawl: &'a Crawl) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let deleted = on_tx!(tx, connection => {
            sqlx::query(
                "DELETE FROM crawls WHERE site_id = $1 AND observed_at = $2 AND started_at = $3 \
                 AND COALESCE(offer_type, -1) = COALESCE($4, -1) \
                 AND COALESCE(property_type, -1) = COALESCE($5, -1)",
            )
            .bind(&crawl.site_id)
            .bind(crawl.observed_at.millis())
            .bind(crawl.started_at.millis())
            .bind(code(crawl.scope.offer_type))
            .bind(code(crawl.scope.property_type))
            .execute(connection)
            .await?
            .rows_affected()
        });
        Ok(deleted > 0)
    })
}

/// The listings of a portal that ended at this instant.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn ended_at<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    at: Timestamp,
) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT id FROM listings WHERE site_id = $1 AND gone_at = $2 ORDER BY id")
                .bind(site_id)
                .bind(at.millis())
                .fetch_all(connection)
                .await?
        });
        Ok(ids.into_iter().map(ListingId).collect())
    })
}

/// Deletes what was observed of the listings of a portal from `from` to `to`. Returns those listings.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_between<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    (from, to): (Timestamp, Timestamp),
) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let observed: Vec<i64> = on_tx!(&mut *tx, connection => {
            sqlx::query_scalar(
                "SELECT id FROM listings WHERE site_id = $1 AND ( \
                 EXISTS (SELECT 1 FROM sightings WHERE listing_id = listings.id AND at BETWEEN $2 AND $3) \
                 OR EXISTS (SELECT 1 FROM disappearances WHERE listing_id = listings.id AND at BETWEEN $2 AND $3)) \
                 ORDER BY id",
            )
            .bind(site_id)
            .bind(from.millis())
            .bind(to.millis())
            .fetch_all(connection)
            .await?
        });
        for delete in [
            "DELETE FROM sightings WHERE at BETWEEN $2 AND $3 \
         AND listing_id IN (SELECT id FROM listings WHERE site_id = $1)",
            "DELETE FROM disappearances WHERE at BETWEEN $2 AND $3 \
         AND listing_id IN (SELECT id FROM listings WHERE site_id = $1)",
            "DELETE FROM early_disappearances WHERE at BETWEEN $2 AND $3 AND site_id = $1",
        ] {
            on_tx!(&mut *tx, connection => {
                sqlx::query(delete)
                    .bind(site_id)
                    .bind(from.millis())
                    .bind(to.millis())
                    .execute(connection)
                    .await?;
            });
        }
        Ok(observed.into_iter().map(ListingId).collect())
    })
}

/// Deletes the contents of these listings that no sighting shows any more, with the values that were left out of them.
/// The span in which each of the others was seen is computed again.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_unseen_contents<'a>(
    tx: &'a mut Tx,
    ids: &'a [ListingId],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let list = lists::integers(tx.backend());
        let unseen = format!(
            "SELECT id FROM raw_listings WHERE listing_id IN ({list}) AND NOT EXISTS \
         (SELECT 1 FROM sightings WHERE sightings.listing_id = raw_listings.listing_id \
          AND sightings.raw_id = raw_listings.id)"
        );
        let spans = format!(
            "UPDATE raw_listings SET \
         first_seen_at = (SELECT MIN(at) FROM sightings WHERE sightings.listing_id = raw_listings.listing_id \
             AND sightings.raw_id = raw_listings.id), \
         last_seen_at = (SELECT MAX(at) FROM sightings WHERE sightings.listing_id = raw_listings.listing_id \
             AND sightings.raw_id = raw_listings.id) \
         WHERE listing_id IN ({list})"
        );
        let ids = lists::numbers(ids);
        for text in [
            format!("DELETE FROM value_rejects WHERE raw_id IN ({unseen})"),
            format!("DELETE FROM raw_listings WHERE id IN ({unseen})"),
            spans,
        ] {
            lists::execute(tx, &text, &ids).await?;
        }
        Ok(())
    })
}
