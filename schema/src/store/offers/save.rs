//! Storing records, and retiring them.

use sqlx::AssertSqlSafe;

use crate::offer::{Offer, OfferId};
use crate::store::columns::{Cell, code, millis};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A record as dedup hands it over.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    /// What a search answers.
    pub offer: Offer,
    /// When its last live link went; `None` while it is live.
    pub expired_at: Option<Timestamp>,
    /// When the id was issued: of two records that become one, the older id stays.
    pub issued_at: Timestamp,
    /// The municipality as dedup folds it, to find a neighbourhood's records by.
    pub municipality: Option<String>,
}

/// What decides which id stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferHeader {
    /// The id.
    pub id: OfferId,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When the property was first seen on any portal.
    pub first_seen_at: Timestamp,
}

/// Stores a record under a number of [`super::next_change`] that no other record has. The row of a known id stays.
///
/// # Errors
/// [`StoreError::Database`], also when the number is taken.
pub async fn save(tx: &mut Tx, offer: &OfferRow, change: i64) -> Result<()> {
    let body = serde_json::to_vec(&offer.offer)
        .map_err(|error| StoreError::Unstorable { what: "an offer", reason: error.to_string() })?;
    let row = save_columns(tx, offer, change).await?;
    on_tx!(tx, connection => {
        sqlx::query(
            "INSERT INTO offer_summaries (row, body) VALUES ($1, $2) \
             ON CONFLICT (row) DO UPDATE SET body = excluded.body",
        )
        .bind(row)
        .bind(body)
        .execute(connection)
        .await?;
    });
    Ok(())
}

const SAVE: &str = "INSERT INTO offers (id, change, issued_at, first_seen_at, last_changed_at, is_live, \
         expired_at, lat, lng, offer_type, property_type, subtype, arrangement, equipment, ownership, \
         property_state, building_type, region, district, city, neighborhood, street, postal_code, price_total, \
         living_area, land_area, floor, floor_count, municipality) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
         $22, $23, $24, $25, $26, $27, $28, $29) \
     ON CONFLICT (id) DO UPDATE SET change = excluded.change, issued_at = excluded.issued_at, \
         first_seen_at = excluded.first_seen_at, last_changed_at = excluded.last_changed_at, \
         is_live = excluded.is_live, expired_at = excluded.expired_at, lat = excluded.lat, lng = excluded.lng, \
         offer_type = excluded.offer_type, property_type = excluded.property_type, subtype = excluded.subtype, \
         arrangement = excluded.arrangement, equipment = excluded.equipment, ownership = excluded.ownership, \
         property_state = excluded.property_state, building_type = excluded.building_type, \
         region = excluded.region, district = excluded.district, city = excluded.city, \
         neighborhood = excluded.neighborhood, street = excluded.street, postal_code = excluded.postal_code, \
         price_total = excluded.price_total, living_area = excluded.living_area, land_area = excluded.land_area, \
         floor = excluded.floor, floor_count = excluded.floor_count, municipality = excluded.municipality \
     RETURNING row";

async fn save_columns(tx: &mut Tx, stored: &OfferRow, change: i64) -> Result<i64> {
    let offer = &stored.offer;
    let facts = &offer.attributes;
    Ok(on_tx!(tx, connection => sqlx::query_scalar(SAVE)
        .bind(offer.id.as_str())
        .bind(change)
        .bind(stored.issued_at.millis())
        .bind(offer.first_seen_at.millis())
        .bind(offer.last_changed_at.millis())
        .bind(offer.is_live)
        .bind(millis(stored.expired_at))
        .bind(facts.location.map(|location| location.lat))
        .bind(facts.location.map(|location| location.lng))
        .bind(code(facts.offer_type))
        .bind(code(facts.property_type))
        .bind(code(facts.subtype))
        .bind(code(facts.arrangement))
        .bind(code(facts.equipment))
        .bind(code(facts.ownership))
        .bind(code(facts.property_state))
        .bind(code(facts.building_type))
        .bind(&facts.region)
        .bind(&facts.district)
        .bind(&facts.city)
        .bind(&facts.neighborhood)
        .bind(&facts.street)
        .bind(&facts.postal_code)
        .bind(facts.price_total)
        .bind(facts.living_area)
        .bind(facts.land_area)
        .bind(facts.floor)
        .bind(facts.floor_count)
        .bind(&stored.municipality)
        .fetch_one(connection)
        .await?))
}

/// Retires a record into another, which has to be stored by the end of the transaction. Row and summary go; the id,
/// and every id retired into it before, answer with the survivor from then on.
///
/// # Errors
/// [`StoreError::NoOffer`], [`StoreError::RetiredIntoItself`], [`StoreError::Database`].
pub async fn retire(tx: &mut Tx, retired: &OfferId, into: &OfferId, change: i64) -> Result<()> {
    if retired == into {
        return Err(StoreError::RetiredIntoItself { id: retired.to_string() });
    }
    let row: Option<i64> = on_tx!(&mut *tx, connection => {
        sqlx::query_scalar("SELECT row FROM offers WHERE id = $1")
            .bind(retired.as_str())
            .fetch_optional(connection)
            .await?
    });
    let Some(row) = row else { return Err(StoreError::NoOffer { id: retired.to_string() }) };
    for delete in ["DELETE FROM offer_summaries WHERE row = $1", "DELETE FROM offers WHERE row = $1"] {
        on_tx!(&mut *tx, connection => sqlx::query(delete).bind(row).execute(connection).await?.rows_affected());
    }
    on_tx!(&mut *tx, connection => {
        sqlx::query("UPDATE offer_aliases SET survivor_id = $2 WHERE survivor_id = $1")
            .bind(retired.as_str())
            .bind(into.as_str())
            .execute(connection)
            .await?.rows_affected()
    });
    on_tx!(tx, connection => {
        sqlx::query(
            "INSERT INTO offer_aliases (retired_id, survivor_id, retired_row, change) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (retired_id) DO UPDATE SET survivor_id = excluded.survivor_id, \
                 retired_row = excluded.retired_row, change = excluded.change",
        )
        .bind(retired.as_str())
        .bind(into.as_str())
        .bind(row)
        .bind(change)
        .execute(connection)
        .await?.rows_affected()
    });
    Ok(())
}

/// The headers of these records; those that do not exist, or are retired, are left out.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn headers(tx: &mut Tx, ids: &[OfferId]) -> Result<Vec<OfferHeader>> {
    let text = format!(
        "SELECT id, issued_at, first_seen_at FROM offers WHERE id IN ({}) ORDER BY id",
        lists::texts(tx.backend())
    );
    let ids: Vec<&str> = ids.iter().map(OfferId::as_str).collect();
    let mut headers = Vec::new();
    for part in ids.chunks(lists::LIST) {
        let list = lists::json(&part)?;
        let rows: Vec<(String, i64, i64)> = on_tx!(&mut *tx, connection => {
            sqlx::query_as(AssertSqlSafe(text.as_str())).bind(list).fetch_all(connection).await?
        });
        for (id, issued_at, first_seen_at) in rows {
            headers.push(OfferHeader {
                id: Cell { table: "offers", column: "id", id: &id }.offer_id(&id)?,
                issued_at: Timestamp(issued_at),
                first_seen_at: Timestamp(first_seen_at),
            });
        }
    }
    Ok(headers)
}

/// The records in a municipality, by id.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn in_municipality(tx: &mut Tx, municipality: &str) -> Result<Vec<OfferId>> {
    let ids: Vec<String> = on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT id FROM offers WHERE municipality = $1 ORDER BY id")
            .bind(municipality)
            .fetch_all(connection)
            .await?
    });
    ids.iter().map(|id| Cell { table: "offers", column: "id", id }.offer_id(id)).collect()
}
