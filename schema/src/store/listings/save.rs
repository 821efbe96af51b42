//! Storing a listing's state, and what dedup decided about it.

use sqlx::{AssertSqlSafe, QueryBuilder};

use super::row::prices_of;
use crate::listing::{ListingId, ListingKey, ListingState, PricePoint};
use crate::offer::OfferId;
use crate::store::columns::{code, millis};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

/// Stores the state of a listing. With `changed` its version rises and dedup has to look at it; a new listing counts
/// as changed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn save(tx: &mut Tx, key: &ListingKey, state: &ListingState, changed: bool) -> Result<ListingId> {
    let attributes = &state.listing.attributes;
    let (id, version): (i64, i64) = on_tx!(&mut *tx, connection => sqlx::query_as(
        "INSERT INTO listings (site_id, site_offer_id, offer_type, property_type, first_seen_at, last_seen_at, \
             last_changed_at, gone_at, version, pending) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, TRUE) \
         ON CONFLICT (site_id, site_offer_id) DO UPDATE SET \
             offer_type = excluded.offer_type, property_type = excluded.property_type, \
             first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, \
             last_changed_at = excluded.last_changed_at, gone_at = excluded.gone_at, \
             version = listings.version + CASE WHEN $9 THEN 1 ELSE 0 END, \
             pending = listings.pending OR $9 \
         RETURNING id, version",
    )
    .bind(&key.site_id)
    .bind(&key.offer_id)
    .bind(code(attributes.offer_type))
    .bind(code(attributes.property_type))
    .bind(state.first_seen_at.millis())
    .bind(state.last_seen_at.millis())
    .bind(state.last_changed_at.millis())
    .bind(millis(state.gone_at))
    .bind(changed)
    .fetch_one(connection)
    .await?);
    save_body(tx, id, state).await?;
    if version > 1 || !changed {
        let stored = prices_of(tx, &[id]).await?.remove(&id).unwrap_or_default();
        if stored == state.prices {
            return Ok(ListingId(id));
        }
        on_tx!(&mut *tx, connection => {
            sqlx::query("DELETE FROM price_points WHERE listing_id = $1").bind(id).execute(connection).await?;
        });
    }
    insert_prices(tx, id, &state.prices).await?;
    Ok(ListingId(id))
}

/// No longer pending, unless the version has moved on since dedup looked.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn settle(tx: &mut Tx, looked_at: &[(ListingId, i64)]) -> Result<()> {
    let text = format!(
        "UPDATE listings SET pending = FALSE FROM ({}) AS looked_at \
         WHERE listings.id = looked_at.a AND listings.version = looked_at.b AND listings.pending",
        lists::integer_pairs(tx.backend())
    );
    for part in looked_at.chunks(lists::LIST) {
        let pairs: Vec<_> = part.iter().map(|(id, version)| (id.0, version)).collect();
        let list = lists::json(&pairs)?;
        on_tx!(&mut *tx, connection => {
            sqlx::query(AssertSqlSafe(text.as_str())).bind(list).execute(connection).await?;
        });
    }
    Ok(())
}

/// Has dedup look again at every listing that votes on a municipality's district: the district of their records has
/// changed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn requeue_municipality(tx: &mut Tx, municipality: &str) -> Result<()> {
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
}

/// Says which record each listing belongs to.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn assign(tx: &mut Tx, offers: &[(ListingId, &OfferId)]) -> Result<()> {
    let text = format!(
        "UPDATE listings SET offer_id = given.b FROM ({}) AS given \
         WHERE listings.id = given.a AND listings.offer_id IS DISTINCT FROM given.b",
        lists::integer_text_pairs(tx.backend())
    );
    for part in offers.chunks(lists::LIST) {
        let pairs: Vec<_> = part.iter().map(|(id, offer)| (id.0, offer.as_str())).collect();
        let list = lists::json(&pairs)?;
        on_tx!(&mut *tx, connection => {
            sqlx::query(AssertSqlSafe(text.as_str())).bind(list).execute(connection).await?;
        });
    }
    Ok(())
}

async fn save_body(tx: &mut Tx, id: i64, state: &ListingState) -> Result<()> {
    let listing = serde_json::to_string(&state.listing)
        .map_err(|error| StoreError::Unstorable { what: "a listing", reason: error.to_string() })?;
    on_tx!(tx, connection => sqlx::query(
        "INSERT INTO listing_bodies (listing_id, url, listing) VALUES ($1, $2, $3) \
         ON CONFLICT (listing_id) DO UPDATE SET url = excluded.url, listing = excluded.listing \
         WHERE listing_bodies.listing <> excluded.listing OR listing_bodies.url IS DISTINCT FROM excluded.url",
    )
    .bind(id)
    .bind(&state.url)
    .bind(listing)
    .execute(connection)
    .await?.rows_affected());
    Ok(())
}

async fn insert_prices(tx: &mut Tx, id: i64, prices: &[PricePoint]) -> Result<()> {
    let numbered: Vec<(i64, &PricePoint)> = (0..).zip(prices).collect();
    for part in numbered.chunks(lists::CHUNK) {
        on_tx!(&mut *tx, connection => {
            let mut insert =
                QueryBuilder::new("INSERT INTO price_points (listing_id, position, at, price_total) ");
            insert.push_values(part, |mut row, (position, point)| {
                row.push_bind(id).push_bind(position).push_bind(point.at.millis()).push_bind(point.price_total);
            });
            insert.build().execute(connection).await?;
        });
    }
    Ok(())
}
