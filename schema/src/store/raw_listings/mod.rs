//! Every distinct content of a portal listing, byte for byte. Append-only, except for purges.

mod insert;

use std::collections::HashMap;

use futures::future::BoxFuture;

use super::columns::{Cell, row};
use super::error::Result;
use super::lists;
use super::transaction::{Tx, on_tx};
use crate::listing::{ListingId, ListingKey};
use crate::observation::{RawForm, RawListing};

pub use insert::{NewContent, insert, insert_all};

/// The row number of a raw listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawId(pub i64);

impl std::fmt::Display for RawId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The contents of a listing, in the order in which they were stored.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_listing(
    tx: &mut Tx,
    listing: ListingId,
) -> BoxFuture<'_, Result<Vec<(RawId, RawListing)>>> {
    Box::pin(async move {
        let rows: Vec<RawRow> = on_tx!(tx, connection => sqlx::query_as(
        "SELECT id, form, url, body_size, body FROM raw_listings WHERE listing_id = $1 ORDER BY id",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
        rows.into_iter().map(RawRow::into_raw_listing).collect()
    })
}

/// The contents with these hashes. Contents that are not stored are left out.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_keys<'a>(
    tx: &'a mut Tx,
    contents: &'a [(ListingKey, [u8; 32])],
) -> BoxFuture<'a, Result<HashMap<ListingKey, RawListing>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT site_id, site_offer_id, content_hash, raw_listings.id, form, url, body_size, body \
         FROM listings JOIN raw_listings ON raw_listings.listing_id = listings.id \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b",
            lists::text_pairs(tx.backend())
        );
        let mut found = HashMap::with_capacity(contents.len());
        // In small parts, because bodies are large and a listing may have many.
        for part in contents.chunks(lists::CHUNK) {
            let wanted: HashMap<&ListingKey, &[u8; 32]> =
                part.iter().map(|(key, hash)| (key, hash)).collect();
            let pairs: Vec<_> = part
                .iter()
                .map(|(key, _)| (&key.site_id, &key.offer_id))
                .collect();
            let rows: Vec<KeyedRow> = lists::fetch(tx, &text, &pairs).await?;
            for KeyedRow {
                site_id,
                site_offer_id,
                content_hash,
                raw,
            } in rows
            {
                let key = ListingKey {
                    site_id,
                    offer_id: site_offer_id,
                };
                if wanted
                    .get(&key)
                    .is_some_and(|hash| hash.as_slice() == content_hash)
                {
                    found.insert(key, raw.into_raw_listing()?.1);
                }
            }
        }
        Ok(found)
    })
}

/// The latest content of each of these listings.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn latest<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<HashMap<ListingId, RawListing>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT sightings.listing_id, raw_listings.id, form, url, body_size, body \
         FROM (SELECT listing_id, MAX(at) AS at FROM sightings WHERE listing_id IN ({}) GROUP BY listing_id) \
             AS last \
         JOIN sightings ON sightings.listing_id = last.listing_id AND sightings.at = last.at \
         JOIN raw_listings ON raw_listings.id = sightings.raw_id \
         ORDER BY content_hash",
            lists::integers(tx.backend())
        );
        let mut found = HashMap::with_capacity(listings.len());
        for part in listings.chunks(lists::CHUNK) {
            let rows: Vec<LastRow> = lists::fetch(tx, &text, &lists::numbers(part)).await?;
            for LastRow { listing_id, raw } in rows {
                // Of several contents at one instant the last in the order of hashes counts, as in a timeline.
                found.insert(ListingId(listing_id), raw.into_raw_listing()?.1);
            }
        }
        Ok(found)
    })
}

row! {
    struct KeyedRow {
        site_id: String,
        site_offer_id: String,
        content_hash: Vec<u8>,
        ; raw: RawRow
    }
}

row! {
    struct LastRow {
        listing_id: i64,
        ; raw: RawRow
    }
}

row! {
    struct RawRow {
        id: i64,
        form: i16,
        url: Option<String>,
        body_size: i64,
        body: Vec<u8>,
    }
}

impl RawRow {
    fn into_raw_listing(self) -> Result<(RawId, RawListing)> {
        let id = self.id;
        let cell = |column| Cell {
            table: "raw_listings",
            column,
            id: &id,
        };
        let form = RawForm::from_code(self.form).ok_or_else(|| {
            cell("form").corrupt(format_args!("{} is not the code of a form", self.form))
        })?;
        let size =
            usize::try_from(self.body_size).map_err(|error| cell("body_size").corrupt(error))?;
        let body = zstd::bulk::decompress(&self.body, size)
            .map_err(|error| cell("body").corrupt(error))?;
        let body = String::from_utf8(body).map_err(|error| cell("body").corrupt(error))?;
        Ok((
            RawId(self.id),
            RawListing {
                form,
                url: self.url,
                body,
            },
        ))
    }
}
