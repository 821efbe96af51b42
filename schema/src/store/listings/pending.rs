//! Which listings are pending for deduplication, and which records it assigned.

use futures::future::BoxFuture;

use crate::listing::ListingId;
use crate::offer_id::OfferId;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::lock;
use crate::store::transaction::{Tx, on_tx};

/// Marks listings as processed, unless their version has increased since deduplication read them.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn settle<'a>(tx: &'a mut Tx, looked_at: &'a [(ListingId, i64)]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        let text = format!(
            "UPDATE listings SET pending = FALSE WHERE pending AND (id, version) IN ({})",
            lists::integer_pairs(tx.backend())
        );
        let pairs: Vec<_> = looked_at
            .iter()
            .map(|(id, version)| (id.0, version))
            .collect();
        lists::execute(tx, &text, &pairs).await
    })
}

/// Makes listings pending for deduplication, after a person decided about them. Their version increases, so that a run
/// under way that does not know of the decision does not mark them as processed.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn requeue<'a>(tx: &'a mut Tx, ids: &'a [ListingId]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        let text = format!(
            "UPDATE listings SET pending = TRUE, version = version + 1 WHERE id IN ({})",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &text, &lists::numbers(ids)).await
    })
}

/// Makes every listing pending for deduplication, after its rules changed.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn requeue_all(tx: &mut Tx) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        on_tx!(tx, connection => {
            sqlx::query("UPDATE listings SET pending = TRUE WHERE NOT pending").execute(connection).await?;
        });
        Ok(())
    })
}

/// Makes the listings of a municipality pending for deduplication, after its decided district changed.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn requeue_municipality<'a>(
    tx: &'a mut Tx,
    municipality: &'a str,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        on_tx!(tx, connection => {
            sqlx::query(
                "UPDATE listings SET pending = TRUE WHERE NOT pending \
                 AND id IN (SELECT listing_id FROM municipality_votes WHERE municipality = $1)",
            )
            .bind(municipality)
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// Sets the record of each listing.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn assign<'a>(
    tx: &'a mut Tx,
    offers: &'a [(ListingId, &'a OfferId)],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        let text = format!(
            "UPDATE listings SET offer_id = given.b FROM ({}) AS given \
         WHERE listings.id = given.a AND listings.offer_id IS DISTINCT FROM given.b",
            lists::integer_text_pairs(tx.backend())
        );
        let pairs: Vec<_> = offers
            .iter()
            .map(|(id, offer)| (id.0, offer.as_str()))
            .collect();
        lists::execute(tx, &text, &pairs).await
    })
}
