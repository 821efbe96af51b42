//! Which listings are pending for deduplication, and which records it assigned.

use futures::future::BoxFuture;

use crate::listing::ListingId;
use crate::offer_id::OfferId;
use crate::store::database::Backend;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::lock;
use crate::store::transaction::{Tx, on_tx};

/// What deduplication did with a listing.
#[derive(Debug, Clone, Copy)]
pub struct Processed<'a> {
    /// The listing.
    pub listing: ListingId,
    /// Its record; `None` if that stays.
    pub offer: Option<&'a OfferId>,
    /// The version that was matched; `None` if it was not.
    pub version: Option<i64>,
}

/// Sets the record of listings, and marks those that were matched as processed, unless their version has increased since
/// deduplication read them.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn process<'a>(tx: &'a mut Tx, processed: &'a [Processed<'a>]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        lock::listings(tx).await?;
        let given = match tx.backend() {
            Backend::Sqlite => {
                "SELECT value ->> 0 AS id, value ->> 1 AS offer_id, value ->> 2 AS version FROM json_each($1)"
            }
            Backend::Postgres => {
                "SELECT CAST(one ->> 0 AS BIGINT) AS id, one ->> 1 AS offer_id, CAST(one ->> 2 AS BIGINT) AS version \
                 FROM json_array_elements(CAST($1 AS JSON)) AS list (one)"
            }
        };
        // One statement, because PostgreSQL writes a row and its entries in all indexes again with each.
        let text = format!(
            "UPDATE listings SET offer_id = COALESCE(given.offer_id, listings.offer_id), \
                 pending = listings.pending AND listings.version IS DISTINCT FROM given.version \
             FROM ({given}) AS given WHERE listings.id = given.id AND ( \
                 listings.offer_id IS DISTINCT FROM COALESCE(given.offer_id, listings.offer_id) \
                 OR (listings.pending AND listings.version = given.version))"
        );
        let rows: Vec<_> = processed
            .iter()
            .map(|one| (one.listing.0, one.offer.map(OfferId::as_str), one.version))
            .collect();
        lists::execute(tx, &text, &rows).await
    })
}

/// [`process`] for listings that were matched and stay in their records.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn settle<'a>(tx: &'a mut Tx, looked_at: &'a [(ListingId, i64)]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let processed = looked_at.iter().map(|(listing, version)| Processed {
            listing: *listing,
            offer: None,
            version: Some(*version),
        });
        process(tx, &processed.collect::<Vec<_>>()).await
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

/// Makes the listings of municipalities pending for deduplication, after their decided districts changed.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn requeue_municipalities<'a>(
    tx: &'a mut Tx,
    municipalities: &'a [&'a str],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        if municipalities.is_empty() {
            return Ok(());
        }
        lock::listings(tx).await?;
        let text = format!(
            "UPDATE listings SET pending = TRUE WHERE NOT pending \
             AND id IN (SELECT listing_id FROM municipality_votes WHERE municipality IN ({}))",
            lists::texts(tx.backend())
        );
        lists::execute(tx, &text, municipalities).await
    })
}

/// [`process`] for listings that were not matched: sets the record of each.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn assign<'a>(
    tx: &'a mut Tx,
    offers: &'a [(ListingId, &'a OfferId)],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let processed = offers.iter().map(|(listing, offer)| Processed {
            listing: *listing,
            offer: Some(offer),
            version: None,
        });
        process(tx, &processed.collect::<Vec<_>>()).await
    })
}
