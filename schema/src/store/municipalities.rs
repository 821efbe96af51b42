//! The district (okres) of each municipality, by the votes of the listings.

use std::collections::HashMap;

use super::error::Result;
use super::lists;
use super::transaction::{Tx, many_rows, on_tx};
use crate::listing::ListingId;

/// Records the municipality of a listing, and its district if known. A listing has one vote; a later one replaces it.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn vote(
    tx: &mut Tx,
    listing: ListingId,
    municipality: &str,
    district: Option<&str>,
) -> Result<()> {
    vote_all(tx, &[(listing, municipality, district)]).await
}

/// [`vote`] for many listings at once, each of them once.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn vote_all(tx: &mut Tx, votes: &[(ListingId, &str, Option<&str>)]) -> Result<()> {
    for part in votes.chunks(lists::CHUNK) {
        on_tx!(&mut *tx, connection => {
            let mut insert = many_rows!(
                "INSERT INTO municipality_votes (listing_id, municipality, district) ",
                part,
                |row, (listing, municipality, district)| {
                    row.push_bind(listing.0).push_bind(*municipality).push_bind(*district);
                },
                " ON CONFLICT (listing_id) DO UPDATE SET \
                     municipality = excluded.municipality, district = excluded.district \
                 WHERE municipality_votes.municipality <> excluded.municipality \
                     OR municipality_votes.district IS DISTINCT FROM excluded.district"
            );
            let insert = insert.build().persistent(lists::is_worth_caching(part.len()));
            insert.execute(connection).await?.rows_affected()
        });
    }
    Ok(())
}

/// Removes the vote of a listing.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn withdraw(tx: &mut Tx, listing: ListingId) -> Result<()> {
    on_tx!(tx, connection => sqlx::query("DELETE FROM municipality_votes WHERE listing_id = $1")
        .bind(listing.0)
        .execute(connection)
        .await?.rows_affected());
    Ok(())
}

/// The number of votes for each district of a municipality, most votes first, then by name.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn tally(tx: &mut Tx, municipality: &str) -> Result<Vec<(String, i64)>> {
    Ok(on_tx!(tx, connection => sqlx::query_as(
        "SELECT district, COUNT(*) AS votes FROM municipality_votes \
         WHERE municipality = $1 AND district IS NOT NULL GROUP BY district ORDER BY votes DESC, district",
    )
    .bind(municipality)
    .fetch_all(connection)
    .await?))
}

/// The districts decided for these municipalities. Municipalities without one are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn settled(tx: &mut Tx, municipalities: &[String]) -> Result<HashMap<String, String>> {
    let text = format!(
        "SELECT municipality, district FROM municipality_districts WHERE municipality IN ({})",
        lists::texts(tx.backend())
    );
    let rows: Vec<(String, String)> = lists::fetch(tx, &text, municipalities).await?;
    Ok(rows.into_iter().collect())
}

/// Sets or clears the decided district of a municipality.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn settle(tx: &mut Tx, municipality: &str, district: Option<&str>) -> Result<()> {
    match district {
        Some(district) => on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO municipality_districts (municipality, district) VALUES ($1, $2) \
                 ON CONFLICT (municipality) DO UPDATE SET district = excluded.district",
            )
            .bind(municipality)
            .bind(district)
            .execute(connection)
            .await?;
        }),
        None => on_tx!(tx, connection => {
            sqlx::query("DELETE FROM municipality_districts WHERE municipality = $1")
                .bind(municipality)
                .execute(connection)
                .await?;
        }),
    }
    Ok(())
}

/// The municipalities that these listings voted in.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn votes_of(tx: &mut Tx, listings: &[ListingId]) -> Result<Vec<(ListingId, String)>> {
    let text = format!(
        "SELECT listing_id, municipality FROM municipality_votes WHERE listing_id IN ({}) ORDER BY listing_id",
        lists::integers(tx.backend())
    );
    let rows: Vec<(i64, String)> = lists::fetch(tx, &text, &lists::numbers(listings)).await?;
    Ok(rows
        .into_iter()
        .map(|(id, municipality)| (ListingId(id), municipality))
        .collect())
}
