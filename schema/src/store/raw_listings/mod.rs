//! Every distinct content of a portal listing, byte for byte. A content is deleted by a purge only. Its body is also deleted
//! when its advert has been gone for as long as the operator keeps contents.
//!
//! `bodies` compresses them, with what the contents of a portal have in common, or with an earlier content of the same
//! advert. `rows` reads them.

mod bodies;
mod insert;
mod rows;

use std::collections::HashMap;

use futures::future::BoxFuture;

use self::rows::{Decoder, RawRow};
use super::columns::row;
use super::error::Result;
use super::lists;
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::observation::RawListing;
use crate::timestamp::Timestamp;

pub use bodies::{CompressedContent, compress_ahead};
pub use insert::{NewContent, insert_all};
pub(super) use rows::without_bases;

/// The row number of a raw listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawId(pub i64);

impl std::fmt::Display for RawId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The contents of a listing, in the order in which they were stored. Those whose body was deleted are left out.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_listing(
    tx: &mut Tx,
    listing: ListingId,
) -> BoxFuture<'_, Result<Vec<(RawId, RawListing)>>> {
    Box::pin(async move {
        let rows: Vec<RawRow> = on_tx!(&mut *tx, connection => sqlx::query_as(
        "SELECT id, form, url, body_size, dictionary, base, body FROM raw_listings \
         WHERE listing_id = $1 AND length(body) > 0 ORDER BY id",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        let decoder = Decoder::load(tx, rows.iter()).await?;
        rows.into_iter()
            .map(|row| row.into_raw_listing(&decoder))
            .collect()
    })
}

/// The contents of a listing whose body was deleted, because the advert had been gone for as long as the operator keeps
/// contents.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn without_body(tx: &mut Tx, listing: ListingId) -> BoxFuture<'_, Result<Vec<RawId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_tx!(tx, connection => sqlx::query_scalar(
        "SELECT id FROM raw_listings WHERE listing_id = $1 AND length(body) = 0 ORDER BY id",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        Ok(ids.into_iter().map(RawId).collect())
    })
}

/// How many listings lose their bodies in one transaction.
const DELETED_AT_ONCE: i64 = 500;

/// Deletes the bodies of up to 500 listings that have been gone since before `gone_before`. Returns how many bodies were
/// deleted; 0 if none is left.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn delete_bodies(tx: &mut Tx, gone_before: Timestamp) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let deleted = on_tx!(tx, connection => sqlx::query(
        "UPDATE raw_listings SET body = $1, dictionary = NULL, base = NULL WHERE length(body) > 0 AND listing_id IN ( \
             SELECT id FROM listings WHERE gone_at < $2 AND EXISTS ( \
                 SELECT 1 FROM raw_listings AS content \
                 WHERE content.listing_id = listings.id AND length(content.body) > 0) \
             ORDER BY id LIMIT $3)",
    )
    .bind(Vec::<u8>::new())
    .bind(gone_before.millis())
    .bind(DELETED_AT_ONCE)
    .execute(connection)
    .await?
    .rows_affected());
        Ok(deleted)
    })
}

/// The contents with these hashes. Contents that are not stored, or whose body was deleted, are left out.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_keys<'a>(
    tx: &'a mut Tx,
    contents: &'a [(ListingKey, [u8; 32])],
) -> BoxFuture<'a, Result<HashMap<ListingKey, RawListing>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT site_id, site_offer_id, content_hash, raw_listings.id, form, url, body_size, dictionary, base, body \
         FROM listings JOIN raw_listings ON raw_listings.listing_id = listings.id \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b WHERE length(body) > 0",
            lists::text_pairs(tx.backend())
        );
        let mut found = HashMap::with_capacity(contents.len());
        // In small parts, because bodies are large and a listing may have many.
        for part in contents.chunks(lists::CHUNK) {
            let wanted: HashMap<&ListingKey, &[u8; 32]> =
                part.iter().map(|(key, hash)| (key, hash)).collect();
            let pairs: Vec<_> = part
                .iter()
                .map(|(key, _)| (&key.site_id, &key.offer_id))
                .collect();
            let rows: Vec<KeyedRow> = lists::fetch(tx, &text, &pairs).await?;
            let decoder = Decoder::load(tx, rows.iter().map(|row| &row.raw)).await?;
            for KeyedRow {
                site_id,
                site_offer_id,
                content_hash,
                raw,
            } in rows
            {
                let key = ListingKey {
                    site_id,
                    offer_id: site_offer_id,
                };
                if wanted
                    .get(&key)
                    .is_some_and(|hash| hash.as_slice() == content_hash)
                {
                    found.insert(key, raw.into_raw_listing(&decoder)?.1);
                }
            }
        }
        Ok(found)
    })
}

/// The latest content of each of these listings. Contents whose body was deleted are left out.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn latest<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<HashMap<ListingId, RawListing>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT sightings.listing_id, raw_listings.id, form, url, body_size, dictionary, base, body \
         FROM (SELECT listing_id, MAX(last_at) AS last_at FROM sightings WHERE listing_id IN ({}) \
             GROUP BY listing_id) AS last \
         JOIN sightings ON sightings.listing_id = last.listing_id AND sightings.last_at = last.last_at \
         JOIN raw_listings ON raw_listings.id = sightings.raw_id WHERE length(body) > 0 \
         ORDER BY content_hash",
            lists::integers(tx.backend())
        );
        let mut found = HashMap::with_capacity(listings.len());
        for part in listings.chunks(lists::CHUNK) {
            let rows: Vec<LastRow> = lists::fetch(tx, &text, &lists::numbers(part)).await?;
            let decoder = Decoder::load(tx, rows.iter().map(|row| &row.raw)).await?;
            for LastRow { listing_id, raw } in rows {
                // Of several contents at one instant the last in the order of hashes counts, as in a timeline.
                found.insert(ListingId(listing_id), raw.into_raw_listing(&decoder)?.1);
            }
        }
        Ok(found)
    })
}

row! {
    struct KeyedRow {
        site_id: String,
        site_offer_id: String,
        content_hash: Vec<u8>,
        ; raw: RawRow
    }
}

row! {
    struct LastRow {
        listing_id: i64,
        ; raw: RawRow
    }
}
