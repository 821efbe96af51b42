//! Deleting observations.

use std::collections::BTreeSet;

use futures::future::BoxFuture;

use crate::listing::{ListingId, ListingKey};
use crate::observation::Crawl;
use crate::store::columns::code;
use crate::store::error::Result;
use crate::store::transaction::{Tx, on_tx};
use crate::store::{lists, raw_listings, sightings};
use crate::timestamp::Timestamp;

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
            Some(hash) => u64::from(delete_sighting(tx, (listing, at), hash).await?),
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

/// Deletes the sighting of the content with this hash. Returns whether it was stored.
async fn delete_sighting(
    tx: &mut Tx,
    (listing, at): (ListingId, Timestamp),
    hash: [u8; 32],
) -> Result<bool> {
    let raw: Option<i64> = on_tx!(&mut *tx, connection => {
        sqlx::query_scalar("SELECT id FROM raw_listings WHERE listing_id = $1 AND content_hash = $2")
            .bind(listing.0)
            .bind(hash.as_slice())
            .fetch_optional(connection)
            .await?
    });
    let Some(raw) = raw else { return Ok(false) };
    let Some(mut seen) = sightings::of_contents(tx, &[raw]).await?.remove(&raw) else {
        return Ok(false);
    };
    let is_stored = seen.remove(at.millis(), at.millis());
    if is_stored {
        sightings::save_all(tx, &[seen]).await?;
    }
    Ok(is_stored)
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
        let gone: Vec<i64> = on_tx!(&mut *tx, connection => {
            sqlx::query_scalar(
                "SELECT id FROM listings WHERE site_id = $1 AND \
                 EXISTS (SELECT 1 FROM disappearances WHERE listing_id = listings.id AND at BETWEEN $2 AND $3)",
            )
            .bind(site_id)
            .bind(from.millis())
            .bind(to.millis())
            .fetch_all(connection)
            .await?
        });
        let span = (from.millis(), to.millis());
        let mut seen = sightings::of_site_between(tx, site_id, span).await?;
        for content in &mut seen {
            content.remove(span.0, span.1);
        }
        sightings::save_all(tx, &seen).await?;
        let observed: BTreeSet<i64> = seen
            .iter()
            .map(|content| content.listing)
            .chain(gone)
            .collect();
        for delete in [
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
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn delete_unseen_contents<'a>(
    tx: &'a mut Tx,
    ids: &'a [ListingId],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let unseen = format!(
            "SELECT id FROM raw_listings WHERE listing_id IN ({}) AND NOT EXISTS \
         (SELECT 1 FROM sightings WHERE sightings.raw_id = raw_listings.id)",
            lists::integers(tx.backend())
        );
        raw_listings::without_bases(tx, ids).await?;
        let ids = lists::numbers(ids);
        for text in [
            format!("DELETE FROM value_rejects WHERE raw_id IN ({unseen})"),
            format!("DELETE FROM raw_listings WHERE id IN ({unseen})"),
        ] {
            lists::execute(tx, &text, &ids).await?;
        }
        Ok(())
    })
}
