//! The log of people's decisions about two listings. It is append-only; the last entry about a pair counts.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::Result;
use super::lists;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::review::{ListingPair, LoggedReview, Review, Verdict};
use crate::timestamp::Timestamp;

const COLUMNS: &str = "id, left_site_id, left_offer_id, right_site_id, right_offer_id, verdict, reason, decided_at, person";

/// The last decision about two stored listings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The listing with the smaller key.
    pub left: ListingId,
    /// The other.
    pub right: ListingId,
    /// The decision; [`Verdict::Forgotten`] if it was withdrawn.
    pub verdict: Verdict,
}

/// Adds an entry to the log, without a person.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add<'a>(tx: &'a mut Tx, review: &'a Review) -> BoxFuture<'a, Result<()>> {
    add_by(tx, review, None)
}

/// Adds an entry to the log, with the person who decided, if known.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add_by<'a>(
    tx: &'a mut Tx,
    review: &'a Review,
    person: Option<&'a str>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => sqlx::query(
        "INSERT INTO reviews \
         (left_site_id, left_offer_id, right_site_id, right_offer_id, verdict, reason, decided_at, person) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&review.pair.left.site_id)
    .bind(&review.pair.left.offer_id)
    .bind(&review.pair.right.site_id)
    .bind(&review.pair.right.offer_id)
    .bind(review.verdict.as_str())
    .bind(review.reason.as_deref().map(without_nul))
    .bind(review.decided_at.millis())
    .bind(person.map(without_nul))
    .execute(connection)
    .await?
    .rows_affected());
        Ok(())
    })
}

/// Every entry of the log, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn log(db: &Db) -> BoxFuture<'_, Result<Vec<LoggedReview>>> {
    Box::pin(async move {
        let text = format!("SELECT {COLUMNS} FROM reviews ORDER BY id");
        let rows: Vec<ReviewRow> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text.as_str())).fetch_all(pool).await?
        });
        let logged = |mut row: ReviewRow| {
            Ok(LoggedReview {
                person: row.person.take(),
                review: row.into_review()?,
            })
        };
        rows.into_iter().map(logged).collect()
    })
}

/// The decisions in force, ordered by pair.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn in_force(tx: &mut Tx) -> BoxFuture<'_, Result<Vec<Review>>> {
    Box::pin(async move {
        let text = format!("SELECT {COLUMNS} FROM reviews ORDER BY id");
        let rows: Vec<ReviewRow> = on_tx!(tx, connection => {
            sqlx::query_as(AssertSqlSafe(text.as_str())).fetch_all(connection).await?
        });
        let mut last = BTreeMap::new();
        for row in rows {
            let review = row.into_review()?;
            last.insert(review.pair.clone(), review);
        }
        Ok(last
            .into_values()
            .filter(|review| review.verdict != Verdict::Forgotten)
            .collect())
    })
}

/// The last decision about each pair with one of these listings, withdrawn decisions included.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn around<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<Decided>>> {
    Box::pin(async move {
        let text = around_text(lists::integers(tx.backend()));
        let mut newest: BTreeMap<(ListingId, ListingId), (i64, Verdict)> = BTreeMap::new();
        let rows: Vec<(i64, i64, i64, String)> =
            lists::fetch(tx, &text, &lists::numbers(listings)).await?;
        for (id, left, right, verdict) in rows {
            let entry = (id, verdict_of(id, &verdict)?);
            let known = newest
                .entry((ListingId(left), ListingId(right)))
                .or_insert(entry);
            if known.0 < id {
                *known = entry;
            }
        }
        Ok(newest
            .into_iter()
            .map(|((left, right), (_, verdict))| Decided {
                left,
                right,
                verdict,
            })
            .collect())
    })
}

/// The query of decisions with one of the listings on either side.
fn around_text(list: &str) -> String {
    let from = |given: &str, other: &str| {
        format!(
            "SELECT reviews.id, left_listing.id, right_listing.id, verdict \
             FROM listings AS {given}_listing \
             JOIN reviews ON {given}_site_id = {given}_listing.site_id \
                 AND {given}_offer_id = {given}_listing.site_offer_id \
             JOIN listings AS {other}_listing ON {other}_listing.site_id = {other}_site_id \
                 AND {other}_listing.site_offer_id = {other}_offer_id \
             WHERE {given}_listing.id IN ({list})"
        )
    };
    format!(
        "{} UNION ALL {}",
        from("left", "right"),
        from("right", "left")
    )
}

fn verdict_of(id: i64, text: &str) -> Result<Verdict> {
    let cell = Cell {
        table: "reviews",
        column: "verdict",
        id: &id,
    };
    text.parse().map_err(|error| cell.corrupt(error))
}

row! {
    struct ReviewRow {
        id: i64,
        left_site_id: String,
        left_offer_id: String,
        right_site_id: String,
        right_offer_id: String,
        verdict: String,
        reason: Option<String>,
        decided_at: i64,
        person: Option<String>,
    }
}

impl ReviewRow {
    fn into_review(self) -> Result<Review> {
        Ok(Review {
            verdict: verdict_of(self.id, &self.verdict)?,
            pair: ListingPair {
                left: ListingKey {
                    site_id: self.left_site_id,
                    offer_id: self.left_offer_id,
                },
                right: ListingKey {
                    site_id: self.right_site_id,
                    offer_id: self.right_offer_id,
                },
            },
            reason: self.reason,
            decided_at: Timestamp(self.decided_at),
        })
    }
}
