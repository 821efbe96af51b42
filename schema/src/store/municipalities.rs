//! The district (okres) of each municipality, by the votes of the listings.

use std::collections::HashMap;

use futures::future::BoxFuture;

use super::error::Result;
use super::lists;
use super::many_rows::insert_rows;
use super::transaction::{Tx, on_tx};
use crate::listing::ListingId;

/// Records the municipality of a listing, and its district if known. A listing has one vote; a later one replaces it.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn vote<'a>(
    tx: &'a mut Tx,
    listing: ListingId,
    municipality: &'a str,
    district: Option<&'a str>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { vote_all(tx, &[(listing, municipality, district)]).await })
}

/// [`vote`] for many listings at once, each of them once.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn vote_all<'a>(
    tx: &'a mut Tx,
    votes: &'a [(ListingId, &'a str, Option<&'a str>)],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for part in votes.chunks(lists::rows_at_once(tx.backend())) {
            insert_rows!(
                tx,
                "municipality_votes",
                part,
                |(listing, name, stated)| (
                    listing_id: i64 = listing.0,
                    municipality: &str = *name,
                    district: Option<&str> = *stated,
                ),
                " ON CONFLICT (listing_id) DO UPDATE SET \
                     municipality = excluded.municipality, district = excluded.district \
                 WHERE municipality_votes.municipality <> excluded.municipality \
                     OR municipality_votes.district IS DISTINCT FROM excluded.district"
            );
        }
        Ok(())
    })
}

/// Removes the vote of a listing.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn withdraw(tx: &mut Tx, listing: ListingId) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => sqlx::query("DELETE FROM municipality_votes WHERE listing_id = $1")
        .bind(listing.0)
        .execute(connection)
        .await?.rows_affected());
        Ok(())
    })
}

/// The number of votes for each district of a municipality.
pub type Tally = Vec<(String, i64)>;

/// The votes of these municipalities, most votes first, then by name. Municipalities without one are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn tallies<'a>(
    tx: &'a mut Tx,
    municipalities: &'a [String],
) -> BoxFuture<'a, Result<HashMap<String, Tally>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT municipality, district, COUNT(*) AS votes FROM municipality_votes \
             WHERE municipality IN ({}) AND district IS NOT NULL \
             GROUP BY municipality, district ORDER BY votes DESC, district",
            lists::texts(tx.backend())
        );
        let rows: Vec<(String, String, i64)> = lists::fetch(tx, &text, municipalities).await?;
        let mut tallies: HashMap<String, Tally> = HashMap::new();
        for (municipality, district, votes) in rows {
            tallies
                .entry(municipality)
                .or_default()
                .push((district, votes));
        }
        Ok(tallies)
    })
}

/// The districts decided for these municipalities. Municipalities without one are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn settled<'a>(
    tx: &'a mut Tx,
    municipalities: &'a [String],
) -> BoxFuture<'a, Result<HashMap<String, String>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT municipality, district FROM municipality_districts WHERE municipality IN ({})",
            lists::texts(tx.backend())
        );
        let rows: Vec<(String, String)> = lists::fetch(tx, &text, municipalities).await?;
        Ok(rows.into_iter().collect())
    })
}

/// Sets or clears the decided districts of municipalities, each given once.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn settle<'a>(
    tx: &'a mut Tx,
    decided: &'a [(&'a str, Option<&'a str>)],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let set = decided
            .iter()
            .filter_map(|(name, found)| Some((*name, (*found)?)));
        let set: Vec<(&str, &str)> = set.collect();
        for part in set.chunks(lists::rows_at_once(tx.backend())) {
            insert_rows!(
                tx,
                "municipality_districts",
                part,
                |(name, found)| (municipality: &str = *name, district: &str = *found),
                " ON CONFLICT (municipality) DO UPDATE SET district = excluded.district"
            );
        }
        let cleared = decided.iter().filter(|(_, found)| found.is_none());
        let cleared: Vec<&str> = cleared.map(|(name, _)| *name).collect();
        let text = format!(
            "DELETE FROM municipality_districts WHERE municipality IN ({})",
            lists::texts(tx.backend())
        );
        lists::execute(tx, &text, &cleared).await
    })
}

/// A listing's vote: its municipality, and the district if it states one.
pub type StoredVote = (ListingId, String, Option<String>);

/// The votes of those of the listings that have one.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn votes_of<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<StoredVote>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT listing_id, municipality, district FROM municipality_votes WHERE listing_id IN ({}) ORDER BY listing_id",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, String, Option<String>)> =
            lists::fetch(tx, &text, &lists::numbers(listings)).await?;
        Ok(rows
            .into_iter()
            .map(|(id, municipality, district)| (ListingId(id), municipality, district))
            .collect())
    })
}
