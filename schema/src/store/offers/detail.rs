//! One record with all that stands behind it.

use crate::listing::PricePoint;
use crate::offer::{OfferDetail, OfferId, PortalLink, PriceSeries};
use crate::store::columns::Cell;
use crate::store::database::Db;
use crate::store::error::Result;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A record that was asked for by its id, or by one retired into it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundOffer {
    /// The record, its links and its prices.
    pub detail: OfferDetail,
    /// When its last live link went; `None` while it is live.
    pub expired_at: Option<Timestamp>,
}

/// The record with this id, or the one that this id was retired into, as it was at one moment. Links and price
/// series stand in the order in which the listings were first seen, then by portal and number.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub async fn detail(db: &Db, id: &OfferId) -> Result<Option<FoundOffer>> {
    let mut tx = db.begin_replica().await?;
    let found = read(&mut tx, id).await?;
    tx.commit().await?;
    Ok(found)
}

/// The id that the record asked for answers to now; `None` where there never was such a record.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub async fn resolve(db: &Db, id: &OfferId) -> Result<Option<OfferId>> {
    let mut tx = db.begin_replica().await?;
    let found = summary(&mut tx, id).await?;
    tx.commit().await?;
    found.map(|row| Cell { table: "offers", column: "id", id: &row.id }.offer_id(&row.id)).transpose()
}

async fn read(tx: &mut Tx, id: &OfferId) -> Result<Option<FoundOffer>> {
    let Some(row) = summary(tx, id).await? else { return Ok(None) };
    let offer = Cell { table: "offer_summaries", column: "body", id: &row.id }.json(&row.body)?;
    let links = links(tx, &row.id).await?;
    let mut points = points(tx, &row.id).await?.into_iter().peekable();
    let mut detail = OfferDetail { offer, portal_links: Vec::new(), price_history: Vec::new() };
    for link in links {
        let mut series = PriceSeries {
            offer_id: link.site_offer_id.clone(),
            site_id: link.site_id.clone(),
            points: Vec::new(),
        };
        while let Some(point) = points.next_if(|point| point.listing_id == link.id) {
            series.points.push(PricePoint { at: Timestamp(point.at), price_total: point.price_total });
        }
        detail.price_history.push(series);
        detail.portal_links.push(link.into_link());
    }
    Ok(Some(FoundOffer { detail, expired_at: row.expired_at.map(Timestamp) }))
}

/// The record of this id, else the survivor of the retired record of this id.
async fn summary(tx: &mut Tx, id: &OfferId) -> Result<Option<SummaryRow>> {
    Ok(on_tx!(tx, connection => sqlx::query_as(
        "SELECT offers.id, offers.expired_at, offer_summaries.body \
         FROM offers JOIN offer_summaries ON offer_summaries.row = offers.row \
         WHERE offers.id = $1 OR (offers.id = (SELECT survivor_id FROM offer_aliases WHERE retired_id = $1) \
             AND NOT EXISTS (SELECT 1 FROM offers AS same WHERE same.id = $1))",
    )
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?))
}

/// The order in which both queries below walk the listings.
macro_rules! in_order {
    () => {
        "ORDER BY listings.first_seen_at, listings.site_id, listings.site_offer_id"
    };
}

async fn links(tx: &mut Tx, offer_id: &str) -> Result<Vec<LinkRow>> {
    Ok(on_tx!(tx, connection => sqlx::query_as(concat!(
        "SELECT listings.id, listings.site_id, listings.site_offer_id, listing_bodies.url, listings.gone_at, \
             listings.first_seen_at \
         FROM listings JOIN listing_bodies ON listing_bodies.listing_id = listings.id \
         WHERE listings.offer_id = $1 ",
        in_order!(),
    ))
    .bind(offer_id)
    .fetch_all(connection)
    .await?))
}

async fn points(tx: &mut Tx, offer_id: &str) -> Result<Vec<PointRow>> {
    Ok(on_tx!(tx, connection => sqlx::query_as(concat!(
        "SELECT price_points.listing_id, price_points.at, price_points.price_total \
         FROM listings JOIN price_points ON price_points.listing_id = listings.id \
         WHERE listings.offer_id = $1 ",
        in_order!(),
        ", price_points.position",
    ))
    .bind(offer_id)
    .fetch_all(connection)
    .await?))
}

#[derive(sqlx::FromRow)]
struct SummaryRow {
    id: String,
    expired_at: Option<i64>,
    body: Vec<u8>,
}

#[derive(sqlx::FromRow)]
struct LinkRow {
    id: i64,
    site_id: String,
    site_offer_id: String,
    url: Option<String>,
    gone_at: Option<i64>,
    first_seen_at: i64,
}

impl LinkRow {
    fn into_link(self) -> PortalLink {
        PortalLink {
            offer_id: self.site_offer_id,
            site_id: self.site_id,
            url: self.url,
            is_live: self.gone_at.is_none(),
            first_seen_at: Timestamp(self.first_seen_at),
        }
    }
}

#[derive(sqlx::FromRow)]
struct PointRow {
    listing_id: i64,
    at: i64,
    price_total: f64,
}
