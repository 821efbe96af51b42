//! Every sighting and every disappearance of a portal listing: a set, so that the order of recording does not matter.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures::future::BoxFuture;

use super::error::Result;
use super::lists;
use super::many_rows::insert_returning;
use super::raw_listings::RawId;
use super::rejects::without_nul;
use super::sightings::{self, SeenTimes};
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::timestamp::Timestamp;

/// One observation of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sighting {
    /// When.
    pub at: Timestamp,
    /// The content of the listing; `None` if it was gone.
    pub raw: Option<RawId>,
}

/// Records that the listing had this content at `at`, or was gone. Returns whether that is new.
///
/// # Errors
/// [`super::StoreError::Database`], also when the listing or the content does not exist.
pub fn record(
    tx: &mut Tx,
    listing: ListingId,
    at: Timestamp,
    raw: Option<RawId>,
) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let recorded = record_all(tx, &[(listing, Sighting { at, raw })]).await?;
        Ok(recorded.contains(&true))
    })
}

/// [`record`] for many observations at once. Returns for each whether it is new.
///
/// # Errors
/// [`super::StoreError::Database`], also when a listing or a content does not exist.
pub fn record_all<'a>(
    tx: &'a mut Tx,
    observed: &'a [(ListingId, Sighting)],
) -> BoxFuture<'a, Result<Vec<bool>>> {
    Box::pin(async move {
        let mut new = HashSet::new();
        for part in observed.chunks(lists::LIST) {
            new.extend(record_seen(tx, part).await?);
            new.extend(record_gone(tx, part).await?);
        }
        // An observation that is given twice is new only once.
        Ok(observed.iter().map(|one| new.remove(one)).collect())
    })
}

async fn record_seen(
    tx: &mut Tx,
    part: &[(ListingId, Sighting)],
) -> Result<Vec<(ListingId, Sighting)>> {
    let seen: Vec<_> = part
        .iter()
        .filter_map(|(listing, sighting)| Some((*listing, *sighting, sighting.raw?)))
        .collect();
    let raws: Vec<i64> = seen.iter().map(|(_, _, raw)| raw.0).collect();
    let mut known = sightings::of_contents(tx, &raws).await?;
    let (mut new, mut changed) = (Vec::new(), BTreeSet::new());
    for (listing, sighting, raw) in seen {
        let times = known
            .entry(raw.0)
            .or_insert_with(|| SeenTimes::none(raw.0, listing.0));
        if times.insert(sighting.at.millis()) {
            changed.insert(raw.0);
            new.push((listing, sighting));
        }
    }
    let changed: Vec<SeenTimes> = changed
        .into_iter()
        .filter_map(|raw| known.remove(&raw))
        .collect();
    sightings::save_all(tx, &changed).await?;
    Ok(new)
}

async fn record_gone(
    tx: &mut Tx,
    part: &[(ListingId, Sighting)],
) -> Result<Vec<(ListingId, Sighting)>> {
    let gone: Vec<(i64, i64)> = part
        .iter()
        .filter(|(_, sighting)| sighting.raw.is_none())
        .map(|(listing, sighting)| (listing.0, sighting.at.millis()))
        .collect();
    let mut rows: Vec<(i64, i64)> = Vec::new();
    for part in gone.chunks(lists::rows_at_once(tx.backend())) {
        let new: Vec<(i64, i64)> = insert_returning!(
            tx,
            "disappearances",
            part,
            |(listing, time)| (listing_id: i64 = *listing, at: i64 = *time),
            " ON CONFLICT DO NOTHING RETURNING listing_id, at"
        );
        rows.extend(new);
    }
    let gone = |(listing, at)| {
        (
            ListingId(listing),
            Sighting {
                at: Timestamp(at),
                raw: None,
            },
        )
    };
    Ok(rows.into_iter().map(gone).collect())
}

/// Notes the reason for a disappearance at `at`. Does nothing if no disappearance is recorded then.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn explain_disappearance<'a>(
    tx: &'a mut Tx,
    key: &'a ListingKey,
    at: Timestamp,
    reason: &'a str,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => sqlx::query(
        "UPDATE disappearances SET reason = $4 WHERE at = $3 AND listing_id = \
         (SELECT id FROM listings WHERE site_id = $1 AND site_offer_id = $2)",
    )
    .bind(&key.site_id)
    .bind(&key.offer_id)
    .bind(at.millis())
    .bind(without_nul(reason))
    .execute(connection)
    .await?
    .rows_affected());
        Ok(())
    })
}

/// The reasons for the disappearances of a listing, by instant. Disappearances without a reason are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn reasons_of_disappearances(
    tx: &mut Tx,
    listing: ListingId,
) -> BoxFuture<'_, Result<HashMap<Timestamp, String>>> {
    Box::pin(async move {
        let rows: Vec<(i64, String)> = on_tx!(tx, connection => sqlx::query_as(
        "SELECT at, reason FROM disappearances WHERE listing_id = $1 AND reason IS NOT NULL",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        Ok(rows
            .into_iter()
            .map(|(at, reason)| (Timestamp(at), reason))
            .collect())
    })
}

/// The observations of a listing in the order of time; at one instant by content hash, disappearances last.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_listing(tx: &mut Tx, listing: ListingId) -> BoxFuture<'_, Result<Vec<Sighting>>> {
    Box::pin(async move {
        let hashes: Vec<(i64, Vec<u8>)> = on_tx!(&mut *tx, connection => sqlx::query_as(
        "SELECT id, content_hash FROM raw_listings WHERE listing_id = $1",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        let hashes: HashMap<i64, Vec<u8>> = hashes.into_iter().collect();
        let gone: Vec<i64> = on_tx!(&mut *tx, connection => sqlx::query_scalar(
        "SELECT at FROM disappearances WHERE listing_id = $1",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        let contents = sightings::of_listings(tx, &[listing.0]).await?;
        let seen = contents.iter().flat_map(|content| {
            let hash = hashes.get(&content.raw);
            let times = content.times().iter();
            times.map(move |at| (*at, false, hash, Some(RawId(content.raw))))
        });
        let gone = gone.into_iter().map(|at| (at, true, None, None));
        let mut observed: Vec<_> = seen.chain(gone).collect();
        observed.sort_unstable();
        let sighting = |(at, _, _, raw)| Sighting {
            at: Timestamp(at),
            raw,
        };
        Ok(observed.into_iter().map(sighting).collect())
    })
}

/// The last disappearance of each of these listings. Listings without one are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn latest_disappearances<'a>(
    tx: &'a mut Tx,
    ids: &'a [ListingId],
) -> BoxFuture<'a, Result<HashMap<ListingId, Timestamp>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT listing_id, MAX(at) FROM disappearances WHERE listing_id IN ({}) GROUP BY listing_id",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, i64)> = lists::fetch(tx, &text, &lists::numbers(ids)).await?;
        Ok(rows
            .into_iter()
            .map(|(id, at)| (ListingId(id), Timestamp(at)))
            .collect())
    })
}

/// Records the disappearance of a listing that is not stored yet. Returns whether that is new. For a stored listing use
/// [`record`].
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn record_early_disappearance<'a>(
    tx: &'a mut Tx,
    key: &'a ListingKey,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
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
    })
}

/// The disappearances recorded by [`record_early_disappearance`] for these listings, in the order of time. Listings
/// without one are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn early_disappearances<'a>(
    tx: &'a mut Tx,
    keys: &'a [ListingKey],
) -> BoxFuture<'a, Result<HashMap<ListingKey, Vec<Timestamp>>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT site_id, site_offer_id, at FROM early_disappearances \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b ORDER BY at",
            lists::text_pairs(tx.backend())
        );
        let pairs: Vec<_> = keys
            .iter()
            .map(|key| (&key.site_id, &key.offer_id))
            .collect();
        let rows: Vec<(String, String, i64)> = lists::fetch(tx, &text, &pairs).await?;
        let mut early: HashMap<ListingKey, Vec<Timestamp>> = HashMap::new();
        for (site_id, offer_id, at) in rows {
            early
                .entry(ListingKey { site_id, offer_id })
                .or_default()
                .push(Timestamp(at));
        }
        Ok(early)
    })
}
