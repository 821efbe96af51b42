//! The scored pairs. Their evidence is not stored; explanations are computed on request.

use futures::future::BoxFuture;

use super::columns::row;
use super::error::Result;
use super::lists;
use super::many_rows::insert_rows;
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::match_evidence::StoredMatch;

/// Deletes every match of the listings, then stores `matches`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace_around<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
    matches: &'a [StoredMatch],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let numbers = lists::numbers(listings);
        for side in ["left_id", "right_id"] {
            let text = format!(
                "DELETE FROM matches WHERE {side} IN ({})",
                lists::integers(tx.backend())
            );
            lists::execute(tx, &text, &numbers).await?;
        }
        insert_all(tx, matches).await
    })
}

/// The matches of the listings, each once, in the order of their listings.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn around<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<StoredMatch>>> {
    Box::pin(async move {
        let list = lists::integers(tx.backend());
        let text = format!(
            "SELECT left_id, right_id, weight, vetoed FROM matches WHERE left_id IN ({list}) \
         UNION ALL SELECT left_id, right_id, weight, vetoed FROM matches WHERE right_id IN ({list})"
        );
        let rows: Vec<MatchRow> = lists::fetch(tx, &text, &lists::numbers(listings)).await?;
        let mut matches: Vec<StoredMatch> = rows.into_iter().map(MatchRow::into_match).collect();
        matches.sort_unstable_by_key(|found| (found.left, found.right));
        matches.dedup_by_key(|found| (found.left, found.right));
        Ok(matches)
    })
}

/// Stores matches. A match that exists takes the new values.
///
/// # Errors
/// [`super::StoreError::Database`], also if the left listing of a match is not the one with the smaller number.
pub fn insert_all<'a>(tx: &'a mut Tx, matches: &'a [StoredMatch]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for part in matches.chunks(lists::rows_at_once(tx.backend())) {
            insert_rows!(
                tx,
                "matches",
                part,
                |found| (
                    left_id: i64 = found.left.0,
                    right_id: i64 = found.right.0,
                    weight: f64 = found.weight,
                    vetoed: bool = found.vetoed,
                ),
                " ON CONFLICT (left_id, right_id) DO UPDATE SET \
                 weight = excluded.weight, vetoed = excluded.vetoed"
            );
        }
        Ok(())
    })
}

/// Every match, in the order of listings.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn all(tx: &mut Tx) -> BoxFuture<'_, Result<Vec<StoredMatch>>> {
    Box::pin(async move {
        let rows: Vec<MatchRow> = on_tx!(tx, connection => {
            sqlx::query_as("SELECT left_id, right_id, weight, vetoed FROM matches ORDER BY left_id, right_id")
                .fetch_all(connection)
                .await?
        });
        Ok(rows.into_iter().map(MatchRow::into_match).collect())
    })
}

/// A stored match with the names of its listings and their records.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMatch {
    /// The match.
    pub found: StoredMatch,
    /// The left listing.
    pub left: NamedListing,
    /// The right listing.
    pub right: NamedListing,
}

/// A listing's portal and number, and the record that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedListing {
    /// Its portal and number.
    pub key: ListingKey,
    /// The id of its record; `None` while it waits for deduplication.
    pub offer_id: Option<String>,
}

/// Up to `limit` matches after a pair of listings, in their order, with names.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn named_after(
    tx: &mut Tx,
    after: (ListingId, ListingId),
    limit: u32,
) -> BoxFuture<'_, Result<Vec<NamedMatch>>> {
    Box::pin(async move {
        let rows: Vec<NamedMatchRow> = on_tx!(tx, connection => {
            sqlx::query_as(
                "SELECT left_id, right_id, weight, vetoed, \
                     one.site_id AS left_site_id, one.site_offer_id AS left_number, one.offer_id AS left_offer_id, \
                     two.site_id AS right_site_id, two.site_offer_id AS right_number, two.offer_id AS right_offer_id \
                 FROM matches \
                 JOIN listings AS one ON one.id = left_id JOIN listings AS two ON two.id = right_id \
                 WHERE (left_id, right_id) > ($1, $2) ORDER BY left_id, right_id LIMIT $3",
            )
            .bind(after.0.0)
            .bind(after.1.0)
            .bind(i64::from(limit))
            .fetch_all(connection)
            .await?
        });
        Ok(rows.into_iter().map(NamedMatchRow::into_match).collect())
    })
}

/// Deletes every match.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn clear(tx: &mut Tx) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query("DELETE FROM matches").execute(connection).await?;
        });
        Ok(())
    })
}

row! {
    struct MatchRow {
        left_id: i64,
        right_id: i64,
        weight: f64,
        vetoed: bool,
    }
}

impl MatchRow {
    fn into_match(self) -> StoredMatch {
        StoredMatch {
            left: ListingId(self.left_id),
            right: ListingId(self.right_id),
            weight: self.weight,
            vetoed: self.vetoed,
        }
    }
}

row! {
    struct NamedMatchRow {
        left_site_id: String,
        left_number: String,
        left_offer_id: Option<String>,
        right_site_id: String,
        right_number: String,
        right_offer_id: Option<String>,
        ; found: MatchRow
    }
}

impl NamedMatchRow {
    fn into_match(self) -> NamedMatch {
        let listing = |site_id, offer_id, record| NamedListing {
            key: ListingKey { site_id, offer_id },
            offer_id: record,
        };
        NamedMatch {
            found: self.found.into_match(),
            left: listing(self.left_site_id, self.left_number, self.left_offer_id),
            right: listing(self.right_site_id, self.right_number, self.right_offer_id),
        }
    }
}
