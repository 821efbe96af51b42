//! Converting rows to listings.

use std::collections::HashMap;

use super::super::columns::row;
use crate::listing::{ListingId, ListingKey, ListingState, PricePoint, StoredListing};
use crate::store::columns::Cell;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::Tx;
use crate::timestamp::Timestamp;

/// The columns of a [`ListingRow`].
pub(super) const SELECT: &str = "SELECT listings.id, site_id, site_offer_id, url, listing, first_seen_at, \
     last_seen_at, last_changed_at, gone_at, version, offer_id \
     FROM listings JOIN listing_bodies ON listing_bodies.listing_id = listings.id";

row! {
    /// A listing without its prices.
    pub(super) struct ListingRow {
        id: i64,
        site_id: String,
        site_offer_id: String,
        url: Option<String>,
        listing: String,
        first_seen_at: i64,
        last_seen_at: i64,
        last_changed_at: i64,
        gone_at: Option<i64>,
        version: i64,
        offer_id: Option<String>,
    }
}

impl ListingRow {
    fn into_stored(self, prices: Vec<PricePoint>) -> Result<StoredListing> {
        let id = self.id;
        let listing = Cell {
            table: "listing_bodies",
            column: "listing",
            id: &id,
        };
        let offer_id = Cell {
            table: "listings",
            column: "offer_id",
            id: &id,
        };
        Ok(StoredListing {
            id: ListingId(id),
            key: ListingKey {
                site_id: self.site_id,
                offer_id: self.site_offer_id,
            },
            state: ListingState {
                listing: listing.json(self.listing.as_bytes())?,
                url: self.url,
                first_seen_at: Timestamp(self.first_seen_at),
                last_seen_at: Timestamp(self.last_seen_at),
                last_changed_at: Timestamp(self.last_changed_at),
                gone_at: self.gone_at.map(Timestamp),
                prices,
            },
            version: self.version,
            offer_id: self
                .offer_id
                .map(|text| offer_id.offer_id(&text))
                .transpose()?,
        })
    }
}

/// Adds the prices and converts the rows, in the same order.
pub(super) async fn with_prices(tx: &mut Tx, rows: Vec<ListingRow>) -> Result<Vec<StoredListing>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut prices = prices_of(tx, &ids).await?;
    rows.into_iter()
        .map(|row| {
            let points = prices.remove(&row.id).unwrap_or_default();
            row.into_stored(points)
        })
        .collect()
}

/// The prices of these listings, oldest first.
pub(super) async fn prices_of(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, Vec<PricePoint>>> {
    let text = format!(
        "SELECT listing_id, at, price_total FROM price_points WHERE listing_id IN ({}) \
         ORDER BY listing_id, position",
        lists::integers(tx.backend())
    );
    let mut prices: HashMap<i64, Vec<PricePoint>> = HashMap::new();
    let rows: Vec<(i64, i64, f64)> = lists::fetch(tx, &text, ids).await?;
    for (listing, at, price_total) in rows {
        prices.entry(listing).or_default().push(PricePoint {
            at: Timestamp(at),
            price_total,
        });
    }
    Ok(prices)
}
