//! Converting rows to listings.

use std::collections::HashMap;

use rayon::prelude::*;

use super::super::columns::row;
use super::Save;
use crate::listing::{Listing, ListingId, ListingKey, ListingState, PricePoint, StoredListing};
use crate::store::columns::Cell;
use crate::store::compression::documents::{Text, Unpacker};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::transaction::Tx;
use crate::timestamp::Timestamp;

/// The columns of a [`ListingRow`].
pub(super) const SELECT: &str = "SELECT listings.id, site_id, site_offer_id, document, first_seen_at, \
     last_seen_at, last_changed_at, gone_at, version, offer_id \
     FROM listings JOIN listing_bodies ON listing_bodies.listing_id = listings.id";

row! {
    /// A listing without its prices.
    pub(super) struct ListingRow {
        id: i64,
        site_id: String,
        site_offer_id: String,
        document: Vec<u8>,
        first_seen_at: i64,
        last_seen_at: i64,
        last_changed_at: i64,
        gone_at: Option<i64>,
        version: i64,
        offer_id: Option<String>,
    }
}

impl ListingRow {
    fn into_stored(self, prices: Vec<PricePoint>, unpacker: &Unpacker) -> Result<StoredListing> {
        let id = self.id;
        let body = ListingBody::read(&self.document, id, unpacker)?;
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
                listing: body.listing()?,
                url: body.url,
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

/// What `listing_bodies` holds of a listing: a line with its page on the portal, empty if it is unknown, and a line with
/// the listing as JSON.
pub(in crate::store) struct ListingBody {
    id: i64,
    /// Its page on the portal.
    pub(in crate::store) url: Option<String>,
    /// The listing.
    json: Vec<u8>,
}

impl ListingBody {
    /// The text to store.
    pub(super) fn text<'a>(row: i64, save: &Save<'a>) -> Result<Text<'a>> {
        let ahead = save.ahead.and_then(|ahead| ahead.of_state(save.state));
        let bytes = match ahead {
            Some((text, _)) => text.to_vec(),
            None => Self::bytes(&save.state.listing, save.state.url.as_deref())?,
        };
        Ok(Text {
            site_id: &save.key.site_id,
            row,
            bytes,
            base: None,
            ahead: ahead.map(|(_, ahead)| ahead),
        })
    }

    /// The bytes of the text to store.
    pub(super) fn bytes(listing: &Listing, url: Option<&str>) -> Result<Vec<u8>> {
        let mut text = url.unwrap_or_default().as_bytes().to_vec();
        // A page address has no line breaks.
        text.retain(|byte| *byte != b'\n');
        text.push(b'\n');
        serde_json::to_writer(&mut text, listing).map_err(|error| StoreError::Unstorable {
            what: "a listing",
            reason: error.to_string(),
        })?;
        Ok(text)
    }

    /// The body of a listing.
    pub(in crate::store) fn read(document: &[u8], id: i64, unpacker: &Unpacker) -> Result<Self> {
        let cell = Self::cell(&id);
        let mut text = unpacker.unpack(document, cell)?;
        let end = text.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or_else(|| cell.corrupt("it has only one line"))?;
        let json = text.split_off(end + 1);
        text.truncate(end);
        let url = String::from_utf8(text).map_err(|error| cell.corrupt(error))?;
        Ok(Self {
            id,
            url: (!url.is_empty()).then_some(url),
            json,
        })
    }

    /// The listing.
    pub(in crate::store) fn listing(&self) -> Result<Listing> {
        Self::cell(&self.id).json(&self.json)
    }

    fn cell(id: &i64) -> Cell<'_, i64> {
        Cell {
            table: "listing_bodies",
            column: "document",
            id,
        }
    }
}

/// How many rows a core converts together.
const ROWS_TOGETHER: usize = 32;

/// Adds the prices and converts the rows on all cores, in the same order.
pub(super) async fn with_prices(tx: &mut Tx, rows: Vec<ListingRow>) -> Result<Vec<StoredListing>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut prices = prices_of(tx, &ids).await?;
    let mut points = |row: &ListingRow| prices.remove(&row.id).unwrap_or_default();
    let points: Vec<Vec<PricePoint>> = rows.iter().map(&mut points).collect();
    let documents = rows.iter().map(|row| row.document.as_slice());
    let unpacker = Unpacker::load(tx, documents).await?;
    let stored = |(row, points): (ListingRow, _)| row.into_stored(points, &unpacker);
    if rows.len() <= ROWS_TOGETHER {
        return rows.into_iter().zip(points).map(stored).collect();
    }
    let rows = rows.into_par_iter().zip(points);
    rows.with_min_len(ROWS_TOGETHER).map(stored).collect()
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
