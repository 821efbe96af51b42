//! Storing records, and retiring them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::offer::{Offer, OfferId, PortalLink, PriceSeries};
use crate::store::columns::{Cell, code, millis};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::offers::detail::Behind;
use crate::store::transaction::{Tx, many_rows, on_tx};
use crate::timestamp::Timestamp;

/// A record as dedup hands it over.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    /// What a search answers.
    pub offer: Offer,
    /// The portal listings behind it, in the order in which a detail shows them.
    pub portal_links: Vec<PortalLink>,
    /// Their prices, in the same order.
    pub price_history: Vec<PriceSeries>,
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
    save_all(tx, &[(offer, change)]).await
}

/// [`save`] for many records at once, each of them once.
///
/// # Errors
/// [`StoreError::Unstorable`] when a record is given twice, [`StoreError::Database`].
pub async fn save_all(tx: &mut Tx, offers: &[(&OfferRow, i64)]) -> Result<()> {
    let mut named = HashSet::new();
    if let Some((twice, _)) = offers.iter().find(|(row, _)| !named.insert(&row.offer.id)) {
        let reason = format!("offer {} is in it twice", twice.offer.id);
        return Err(StoreError::Unstorable {
            what: "a batch",
            reason,
        });
    }
    for part in offers.chunks(lists::CHUNK) {
        let rows = save_columns(tx, part).await?;
        save_bodies(tx, part, &rows).await?;
    }
    Ok(())
}

const COLUMNS: &str = "INSERT INTO offers (id, change, issued_at, first_seen_at, last_changed_at, is_live, \
     expired_at, lat, lng, offer_type, property_type, subtype, arrangement, equipment, ownership, property_state, \
     building_type, region, district, city, neighborhood, street, postal_code, price_total, living_area, \
     land_area, floor, floor_count, municipality) ";

const OVER_BEFORE: &str = " ON CONFLICT (id) DO UPDATE SET change = excluded.change, \
     issued_at = excluded.issued_at, first_seen_at = excluded.first_seen_at, \
     last_changed_at = excluded.last_changed_at, is_live = excluded.is_live, expired_at = excluded.expired_at, \
     lat = excluded.lat, lng = excluded.lng, offer_type = excluded.offer_type, \
     property_type = excluded.property_type, subtype = excluded.subtype, arrangement = excluded.arrangement, \
     equipment = excluded.equipment, ownership = excluded.ownership, property_state = excluded.property_state, \
     building_type = excluded.building_type, region = excluded.region, district = excluded.district, \
     city = excluded.city, neighborhood = excluded.neighborhood, street = excluded.street, \
     postal_code = excluded.postal_code, price_total = excluded.price_total, living_area = excluded.living_area, \
     land_area = excluded.land_area, floor = excluded.floor, floor_count = excluded.floor_count, \
     municipality = excluded.municipality RETURNING id, row";

/// Stores the narrow columns, and returns the row of each id.
async fn save_columns(tx: &mut Tx, part: &[(&OfferRow, i64)]) -> Result<HashMap<String, i64>> {
    let rows: Vec<(String, i64)> = on_tx!(tx, connection => {
        let mut upsert = many_rows!(COLUMNS, part, |row, (stored, change)| {
            let offer = &stored.offer;
            let facts = &offer.attributes;
            row.push_bind(offer.id.as_str())
                .push_bind(change)
                .push_bind(stored.issued_at.millis())
                .push_bind(offer.first_seen_at.millis())
                .push_bind(offer.last_changed_at.millis())
                .push_bind(offer.is_live)
                .push_bind(millis(stored.expired_at))
                .push_bind(facts.location.map(|location| location.lat))
                .push_bind(facts.location.map(|location| location.lng))
                .push_bind(code(facts.offer_type))
                .push_bind(code(facts.property_type))
                .push_bind(code(facts.subtype))
                .push_bind(code(facts.arrangement))
                .push_bind(code(facts.equipment))
                .push_bind(code(facts.ownership))
                .push_bind(code(facts.property_state))
                .push_bind(code(facts.building_type))
                .push_bind(&facts.region)
                .push_bind(&facts.district)
                .push_bind(&facts.city)
                .push_bind(&facts.neighborhood)
                .push_bind(&facts.street)
                .push_bind(&facts.postal_code)
                .push_bind(facts.price_total)
                .push_bind(facts.living_area)
                .push_bind(facts.land_area)
                .push_bind(facts.floor)
                .push_bind(facts.floor_count)
                .push_bind(&stored.municipality);
        }, OVER_BEFORE);
        let upsert = upsert.build_query_as().persistent(lists::comes_again(part.len()));
        upsert.fetch_all(connection).await?
    });
    Ok(rows.into_iter().collect())
}

/// Stores what searches and details answer, as ready JSON.
async fn save_bodies(
    tx: &mut Tx,
    part: &[(&OfferRow, i64)],
    rows: &HashMap<String, i64>,
) -> Result<()> {
    let (mut summaries, mut details) = (
        Vec::with_capacity(part.len()),
        Vec::with_capacity(part.len()),
    );
    for (stored, _) in part {
        let row = rows.get(stored.offer.id.as_str()).copied();
        let row = row.ok_or(StoreError::Database(sqlx::Error::RowNotFound))?;
        let behind = Behind {
            portal_links: Cow::Borrowed(&stored.portal_links),
            price_history: Cow::Borrowed(&stored.price_history),
        };
        summaries.push((row, json("an offer", &stored.offer)?));
        details.push((row, json("what stands behind an offer", &behind)?));
    }
    save_table(tx, "INSERT INTO offer_summaries (row, body) ", &summaries).await?;
    save_table(tx, "INSERT INTO offer_details (row, body) ", &details).await
}

fn json(what: &'static str, value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| StoreError::Unstorable {
        what,
        reason: error.to_string(),
    })
}

async fn save_table(tx: &mut Tx, insert: &'static str, bodies: &[(i64, Vec<u8>)]) -> Result<()> {
    on_tx!(tx, connection => {
        let mut upsert = many_rows!(
            insert,
            bodies,
            |row, (number, body)| {
                row.push_bind(number).push_bind(body.as_slice());
            },
            " ON CONFLICT (row) DO UPDATE SET body = excluded.body"
        );
        let upsert = upsert.build().persistent(lists::comes_again(bodies.len()));
        upsert.execute(connection).await?.rows_affected()
    });
    Ok(())
}

/// Retires a record into another, which has to be stored by the end of the transaction. Row and summary go; the id,
/// and every id retired into it before, answer with the survivor from then on.
///
/// # Errors
/// [`StoreError::NoOffer`], [`StoreError::RetiredIntoItself`], [`StoreError::Database`].
pub async fn retire(tx: &mut Tx, retired: &OfferId, into: &OfferId, change: i64) -> Result<()> {
    if retired == into {
        return Err(StoreError::RetiredIntoItself {
            id: retired.to_string(),
        });
    }
    let row: Option<i64> = on_tx!(&mut *tx, connection => {
        sqlx::query_scalar("SELECT row FROM offers WHERE id = $1")
            .bind(retired.as_str())
            .fetch_optional(connection)
            .await?
    });
    let Some(row) = row else {
        return Err(StoreError::NoOffer {
            id: retired.to_string(),
        });
    };
    for delete in [
        "DELETE FROM offer_summaries WHERE row = $1",
        "DELETE FROM offer_details WHERE row = $1",
        "DELETE FROM offers WHERE row = $1",
    ] {
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
    let rows: Vec<(String, i64, i64)> = lists::fetch(tx, &text, &ids).await?;
    let header = |(id, issued_at, first_seen_at): (String, i64, i64)| {
        Ok(OfferHeader {
            id: Cell {
                table: "offers",
                column: "id",
                id: &id,
            }
            .offer_id(&id)?,
            issued_at: Timestamp(issued_at),
            first_seen_at: Timestamp(first_seen_at),
        })
    };
    rows.into_iter().map(header).collect()
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
    ids.iter()
        .map(|id| {
            Cell {
                table: "offers",
                column: "id",
                id,
            }
            .offer_id(id)
        })
        .collect()
}
