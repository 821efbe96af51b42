//! Queries of a crawl about the listings of its portal.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::row::{ListingBody, ListingRow, SELECT, with_prices};
use crate::enumerations::{OfferType, PropertyType};
use crate::listing::{ListingId, StoredListing};
use crate::store::columns::Cell;
use crate::store::compression::documents::Unpacker;
use crate::store::database::{Db, on_db};
use crate::store::error::Result;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A live listing that a crawl of its portal has not seen so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// Its row number.
    pub id: ListingId,
    /// The portal's number for it.
    pub offer_id: String,
    /// Its page on the portal.
    pub url: Option<String>,
    /// Its kind of offer.
    pub offer_type: Option<OfferType>,
    /// Its property type.
    pub property_type: Option<PropertyType>,
}

type UnseenRow = (i64, String, Vec<u8>, Option<i16>, Option<i16>);

/// The live listings of a portal that were last seen before `since`, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn unseen_since<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    since: Timestamp,
) -> BoxFuture<'a, Result<Vec<Unseen>>> {
    Box::pin(async move {
        let rows: Vec<UnseenRow> = on_tx!(&mut *tx, connection => {
            sqlx::query_as(
                "SELECT id, site_offer_id, document, offer_type, property_type \
                 FROM listings JOIN listing_bodies ON listing_bodies.listing_id = listings.id \
                 WHERE site_id = $1 AND last_seen_at < $2 AND gone_at IS NULL ORDER BY id",
            )
            .bind(site_id)
            .bind(since.millis())
            .fetch_all(connection)
            .await?
        });
        let documents = rows.iter().map(|row| row.2.as_slice());
        let unpacker = Unpacker::load(tx, documents).await?;
        rows.into_iter()
            .map(|(id, offer_id, document, offer_type, property_type)| {
                let cell = |column| Cell {
                    table: "listings",
                    column,
                    id: &id,
                };
                Ok(Unseen {
                    id: ListingId(id),
                    offer_id,
                    url: ListingBody::read(&document, id, &unpacker)?.url,
                    offer_type: cell("offer_type").value(offer_type)?,
                    property_type: cell("property_type").value(property_type)?,
                })
            })
            .collect()
    })
}

/// The number of live listings of a portal.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn live_count<'a>(db: &'a Db, site_id: &'a str) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT COUNT(*) FROM listings WHERE site_id = $1 AND gone_at IS NULL")
                .bind(site_id)
                .fetch_one(pool)
                .await?
        });
        Ok(count.unsigned_abs())
    })
}

/// Up to `limit` live listings of a portal, most recently changed first.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn live_sample<'a>(
    db: &'a Db,
    site_id: &'a str,
    limit: u32,
) -> BoxFuture<'a, Result<Vec<StoredListing>>> {
    Box::pin(async move {
        let text = format!(
            "{SELECT} WHERE listings.id IN (SELECT id FROM listings WHERE site_id = $1 AND gone_at IS NULL \
         ORDER BY last_changed_at DESC, id LIMIT $2) ORDER BY last_changed_at DESC, listings.id"
        );
        let mut tx = db.begin_read().await?;
        let rows: Vec<ListingRow> = on_tx!(&mut tx, connection => sqlx::query_as(AssertSqlSafe(text.as_str()))
        .bind(site_id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?);
        let listings = with_prices(&mut tx, rows).await?;
        tx.commit().await?;
        Ok(listings)
    })
}
