//! Every sighting of a portal listing and every word that it is gone: a set, whatever the order of recording.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;

use super::error::Result;
use super::lists;
use super::raw_listings::RawId;
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::timestamp::Timestamp;

/// One observation of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sighting {
    /// When.
    pub at: Timestamp,
    /// What the listing said; `None` when it was gone.
    pub raw: Option<RawId>,
}

/// Records that the listing showed this content at `at`, or was gone, and says whether that is new.
///
/// # Errors
/// [`super::StoreError::Database`], also when the listing or the content does not exist.
pub async fn record(tx: &mut Tx, listing: ListingId, at: Timestamp, raw: Option<RawId>) -> Result<bool> {
    let recorded = match raw {
        Some(raw) => on_tx!(tx, connection => sqlx::query(
            "INSERT INTO sightings (listing_id, at, raw_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(listing.0)
        .bind(at.millis())
        .bind(raw.0)
        .execute(connection)
        .await?
        .rows_affected()),
        None => on_tx!(tx, connection => sqlx::query(
            "INSERT INTO disappearances (listing_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        )
        .bind(listing.0)
        .bind(at.millis())
        .execute(connection)
        .await?
        .rows_affected()),
    };
    Ok(recorded > 0)
}

/// The observations of a listing by time; at one instant the contents in the order of their hash, "gone" last.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn of_listing(tx: &mut Tx, listing: ListingId) -> Result<Vec<Sighting>> {
    let rows: Vec<(i64, Option<i64>)> = on_tx!(tx, connection => sqlx::query_as(
        "SELECT at, raw_id FROM ( \
             SELECT sightings.at, sightings.raw_id, raw_listings.content_hash, 0 AS gone \
             FROM sightings JOIN raw_listings ON raw_listings.id = sightings.raw_id \
             WHERE sightings.listing_id = $1 \
             UNION ALL \
             SELECT at, NULL, NULL, 1 FROM disappearances WHERE listing_id = $1 \
         ) AS observed ORDER BY at, gone, content_hash",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
    Ok(rows.into_iter().map(|(at, raw)| Sighting { at: Timestamp(at), raw: raw.map(RawId) }).collect())
}

/// Records that a listing was gone at `at` of which nothing else is known, and says whether that is new. Once the
/// listing is stored, [`record`] is the place.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn record_early_disappearance(tx: &mut Tx, key: &ListingKey, at: Timestamp) -> Result<bool> {
    let recorded = on_tx!(tx, connection => sqlx::query(
        "INSERT INTO early_disappearances (site_id, site_offer_id, at) VALUES ($1, $2, $3) \
         ON CONFLICT DO NOTHING",
    )
    .bind(&key.site_id)
    .bind(&key.offer_id)
    .bind(at.millis())
    .execute(connection)
    .await?
    .rows_affected());
    Ok(recorded > 0)
}

/// What [`record_early_disappearance`] was told of these listings, by time; those it was told nothing of are left
/// out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn early_disappearances(
    tx: &mut Tx,
    keys: &[ListingKey],
) -> Result<HashMap<ListingKey, Vec<Timestamp>>> {
    let text = format!(
        "SELECT site_id, site_offer_id, at FROM early_disappearances \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b ORDER BY at",
        lists::text_pairs(tx.backend())
    );
    let mut early: HashMap<ListingKey, Vec<Timestamp>> = HashMap::new();
    for part in keys.chunks(lists::LIST) {
        let pairs: Vec<_> = part.iter().map(|key| (&key.site_id, &key.offer_id)).collect();
        let list = lists::json(&pairs)?;
        let rows: Vec<(String, String, i64)> = on_tx!(&mut *tx, connection => {
            sqlx::query_as(AssertSqlSafe(text.as_str())).bind(list).fetch_all(connection).await?
        });
        for (site_id, offer_id, at) in rows {
            early.entry(ListingKey { site_id, offer_id }).or_default().push(Timestamp(at));
        }
    }
    Ok(early)
}
