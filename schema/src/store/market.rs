//! The records with the prices and times of their adverts, page by page: what statistics are made of.

use std::collections::HashMap;

use futures::future::BoxFuture;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::Result;
use crate::enumerations::{OfferType, PropertyType};
use crate::listing::PricePoint;
use crate::timestamp::Timestamp;

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketRecord {
    /// The row number.
    pub row: i64,
    /// Kind of offer.
    pub offer_type: Option<OfferType>,
    /// Property type.
    pub property_type: Option<PropertyType>,
    /// District (okres).
    pub district: Option<String>,
    /// Municipality.
    pub city: Option<String>,
    /// City part or quarter.
    pub neighborhood: Option<String>,
    /// Asking price, CZK.
    pub price_total: Option<f64>,
    /// Living area, m².
    pub living_area: Option<f64>,
    /// Plot area, m².
    pub land_area: Option<f64>,
    /// When it was first seen on any portal.
    pub first_seen_at: Timestamp,
    /// When its last live link went; `None` while it is live, or if that is not known.
    pub expired_at: Option<Timestamp>,
    /// Whether at least one portal advertises it.
    pub is_live: bool,
    /// Its adverts.
    pub adverts: Vec<MarketAdvert>,
}

/// An advert of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketAdvert {
    /// The portal.
    pub site_id: String,
    /// When the portal first showed it.
    pub first_seen_at: Timestamp,
    /// When the portal ended it; `None` while it is live.
    pub gone_at: Option<Timestamp>,
    /// Its prices, oldest first.
    pub prices: Vec<PricePoint>,
}

row! {
    struct RecordRow {
        row: i64,
        offer_type: Option<i16>,
        property_type: Option<i16>,
        district: Option<String>,
        city: Option<String>,
        neighborhood: Option<String>,
        price_total: Option<f64>,
        living_area: Option<f64>,
        land_area: Option<f64>,
        first_seen_at: i64,
        expired_at: Option<i64>,
        is_live: bool,
    }
}

row! {
    struct AdvertRow {
        row: i64,
        id: i64,
        site_id: String,
        first_seen_at: i64,
        gone_at: Option<i64>,
    }
}

row! {
    struct PriceRow {
        listing_id: i64,
        at: i64,
        price_total: f64,
    }
}

impl RecordRow {
    fn into_record(self) -> Result<MarketRecord> {
        let cell = |column| Cell {
            table: "offers",
            column,
            id: &self.row,
        };
        Ok(MarketRecord {
            row: self.row,
            offer_type: cell("offer_type").value(self.offer_type)?,
            property_type: cell("property_type").value(self.property_type)?,
            district: self.district,
            city: self.city,
            neighborhood: self.neighborhood,
            price_total: self.price_total,
            living_area: self.living_area,
            land_area: self.land_area,
            first_seen_at: Timestamp(self.first_seen_at),
            expired_at: self.expired_at.map(Timestamp),
            is_live: self.is_live,
            adverts: Vec::new(),
        })
    }
}

/// Up to `limit` records after a row, in the order of their rows, each with its adverts.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn page(db: &Db, after: i64, limit: u32) -> BoxFuture<'_, Result<Vec<MarketRecord>>> {
    Box::pin(async move {
        let rows: Vec<RecordRow> = on_db!(db, replica, pool => sqlx::query_as(
            "SELECT row, offer_type, property_type, district, city, neighborhood, price_total, living_area, land_area, \
             first_seen_at, expired_at, is_live FROM offers WHERE row > $1 ORDER BY row LIMIT $2",
        )
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(pool)
        .await?);
        let mut records: Vec<MarketRecord> = rows
            .into_iter()
            .map(RecordRow::into_record)
            .collect::<Result<_>>()?;
        let Some(last) = records.last().map(|record| record.row) else {
            return Ok(records);
        };
        let mut prices: HashMap<i64, Vec<PricePoint>> = HashMap::new();
        for price in prices_between(db, after, last).await? {
            prices
                .entry(price.listing_id)
                .or_default()
                .push(PricePoint {
                    at: Timestamp(price.at),
                    price_total: price.price_total,
                });
        }
        for advert in adverts_between(db, after, last).await? {
            // Adverts of a record that came in between are left out with it.
            let Ok(index) = records.binary_search_by_key(&advert.row, |record| record.row) else {
                continue;
            };
            records[index].adverts.push(MarketAdvert {
                site_id: advert.site_id,
                first_seen_at: Timestamp(advert.first_seen_at),
                gone_at: advert.gone_at.map(Timestamp),
                prices: prices.remove(&advert.id).unwrap_or_default(),
            });
        }
        Ok(records)
    })
}

/// The adverts of the records of some rows, by row and number.
async fn adverts_between(db: &Db, after: i64, last: i64) -> Result<Vec<AdvertRow>> {
    Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT offers.row, listings.id, site_id, listings.first_seen_at, gone_at \
         FROM offers JOIN listings ON listings.offer_id = offers.id \
         WHERE offers.row > $1 AND offers.row <= $2 ORDER BY offers.row, listings.id",
    )
    .bind(after)
    .bind(last)
    .fetch_all(pool)
    .await?))
}

/// The prices of those adverts, each advert's oldest first. In this order SQLite begins with the records of the page; by
/// advert alone it would read all prices for each page.
async fn prices_between(db: &Db, after: i64, last: i64) -> Result<Vec<PriceRow>> {
    Ok(on_db!(db, replica, pool => sqlx::query_as(
        "SELECT listing_id, at, price_points.price_total \
         FROM offers JOIN listings ON listings.offer_id = offers.id \
         JOIN price_points ON listing_id = listings.id \
         WHERE offers.row > $1 AND offers.row <= $2 ORDER BY offers.row, listings.id, position",
    )
    .bind(after)
    .bind(last)
    .fetch_all(pool)
    .await?))
}
