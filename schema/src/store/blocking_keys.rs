//! The blocking keys of each listing.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::error::Result;
use super::lists;
use super::transaction::{Tx, on_tx};
use crate::listing::ListingId;

/// Replaces the keys of a listing.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace<'a>(
    tx: &'a mut Tx,
    listing: ListingId,
    keys: &'a [i64],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { replace_all(tx, &[(listing, keys)]).await })
}

/// Replaces the keys of many listings, each given once. Much faster than [`replace`] for each; writes only differences.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace_all<'a>(
    tx: &'a mut Tx,
    listings: &'a [(ListingId, &'a [i64])],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let pairs = lists::integer_pairs(tx.backend());
        let delete = format!("DELETE FROM blocking_keys WHERE (key, listing_id) IN ({pairs})");
        let insert = format!(
            "INSERT INTO blocking_keys (key, listing_id) SELECT a, b FROM ({pairs}) AS given WHERE TRUE \
         ON CONFLICT DO NOTHING"
        );
        for part in listings.chunks(lists::LIST) {
            let ids: Vec<ListingId> = part.iter().map(|(id, _)| *id).collect();
            let before: HashSet<(i64, i64)> = of_listings(tx, &ids)
                .await?
                .into_iter()
                .map(|(id, key)| (key, id.0))
                .collect();
            let after: HashSet<(i64, i64)> = part
                .iter()
                .flat_map(|(id, keys)| keys.iter().map(|key| (*key, id.0)))
                .collect();
            write(tx, &delete, before.difference(&after)).await?;
            write(tx, &insert, after.difference(&before)).await?;
        }
        Ok(())
    })
}

/// The keys of these listings.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn of_listings<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<(ListingId, i64)>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT listing_id, key FROM blocking_keys WHERE listing_id IN ({}) ORDER BY listing_id, key",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, i64)> = lists::fetch(tx, &text, &lists::numbers(listings)).await?;
        Ok(rows
            .into_iter()
            .map(|(id, key)| (ListingId(id), key))
            .collect())
    })
}

/// The blocks of these keys: for each key its listings in the order of their row numbers, at most `cap` + 1 of them. A
/// block with `cap` + 1 listings is oversized; it is not read any further.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn members<'a>(
    tx: &'a mut Tx,
    keys: &'a [i64],
    cap: u32,
) -> BoxFuture<'a, Result<Vec<(i64, ListingId)>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT wanted.value, blocking_keys.listing_id FROM ({}) AS wanted \
         JOIN blocking_keys ON blocking_keys.key = wanted.value \
         AND blocking_keys.listing_id <= COALESCE( \
             (SELECT last.listing_id FROM blocking_keys AS last WHERE last.key = wanted.value \
              ORDER BY last.listing_id LIMIT 1 OFFSET $2), 9223372036854775807) \
         ORDER BY wanted.value, blocking_keys.listing_id",
            lists::integers(tx.backend())
        );
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        let mut members = Vec::new();
        for part in keys.chunks(lists::LIST) {
            let list = lists::json(&part)?;
            let rows: Vec<(i64, i64)> = on_tx!(&mut *tx, connection => sqlx::query_as(AssertSqlSafe(text.as_str()))
            .bind(list)
            .bind(i64::from(cap))
            .fetch_all(connection)
            .await?);
            members.extend(rows.into_iter().map(|(key, id)| (key, ListingId(id))));
        }
        Ok(members)
    })
}

/// How many listings have each of these keys. Keys without listings are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn sizes<'a>(tx: &'a mut Tx, keys: &'a [i64]) -> BoxFuture<'a, Result<HashMap<i64, usize>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT key, COUNT(*) FROM blocking_keys WHERE key IN ({}) GROUP BY key",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, i64)> = lists::fetch(tx, &text, keys).await?;
        Ok(rows
            .into_iter()
            .map(|(key, count)| (key, usize::try_from(count).unwrap_or_default()))
            .collect())
    })
}

/// Runs a statement for pairs of key and listing, in the order of the table, so that neighbours share pages.
async fn write(tx: &mut Tx, text: &str, pairs: impl Iterator<Item = &(i64, i64)>) -> Result<()> {
    let mut pairs: Vec<&(i64, i64)> = pairs.collect();
    pairs.sort_unstable();
    lists::execute(tx, text, &pairs).await
}
