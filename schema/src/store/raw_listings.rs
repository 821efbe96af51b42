//! Every distinct content of a portal listing, exactly as it came. Append-only.

use super::columns::Cell;
use super::error::{Result, StoreError};
use super::transaction::{Tx, on_tx};
use crate::listing::ListingId;
use crate::observation::{RawForm, RawListing};
use crate::timestamp::Timestamp;

/// The row number of a raw listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawId(pub i64);

impl std::fmt::Display for RawId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Stores a content of a listing seen at `at`, and says whether it is new. Contents are distinct by listing, form,
/// page and body; for one seen before only the span in which it was seen grows.
///
/// # Errors
/// [`StoreError::Database`], also when the listing does not exist.
pub async fn insert(
    tx: &mut Tx,
    listing: ListingId,
    raw: &RawListing,
    at: Timestamp,
) -> Result<(RawId, bool)> {
    let hash = content_hash(raw);
    if let Some(known) = seen_again(tx, listing, &hash, at).await? {
        return Ok((known, false));
    }
    let body = zstd::bulk::compress(raw.body.as_bytes(), zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|error| StoreError::Unstorable { what: "a raw listing", reason: error.to_string() })?;
    let id: Option<i64> = on_tx!(tx, connection => sqlx::query_scalar(
        "INSERT INTO raw_listings \
             (listing_id, content_hash, form, url, body_size, body, first_seen_at, last_seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING RETURNING id",
    )
    .bind(listing.0)
    .bind(hash.as_slice())
    .bind(form_code(raw.form))
    .bind(&raw.url)
    .bind(raw.body.len().cast_signed() as i64)
    .bind(body)
    .bind(at.millis())
    .fetch_optional(connection)
    .await?);
    match id {
        Some(id) => Ok((RawId(id), true)),
        // Another process stored the same content in between.
        None => match seen_again(tx, listing, &hash, at).await? {
            Some(known) => Ok((known, false)),
            None => Err(StoreError::Database(sqlx::Error::RowNotFound)),
        },
    }
}

/// The contents of a listing, in the order in which they were stored.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn of_listing(tx: &mut Tx, listing: ListingId) -> Result<Vec<(RawId, RawListing)>> {
    let rows: Vec<RawRow> = on_tx!(tx, connection => sqlx::query_as(
        "SELECT id, form, url, body_size, body FROM raw_listings WHERE listing_id = $1 ORDER BY id",
    )
    .bind(listing.0)
    .fetch_all(connection)
    .await?);
    rows.into_iter().map(RawRow::into_raw_listing).collect()
}

async fn seen_again(tx: &mut Tx, listing: ListingId, hash: &[u8], at: Timestamp) -> Result<Option<RawId>> {
    let id: Option<i64> = on_tx!(tx, connection => sqlx::query_scalar(
        "UPDATE raw_listings \
         SET first_seen_at = CASE WHEN $3 < first_seen_at THEN $3 ELSE first_seen_at END, \
             last_seen_at = CASE WHEN $3 > last_seen_at THEN $3 ELSE last_seen_at END \
         WHERE listing_id = $1 AND content_hash = $2 RETURNING id",
    )
    .bind(listing.0)
    .bind(hash)
    .bind(at.millis())
    .fetch_optional(connection)
    .await?);
    Ok(id.map(RawId))
}

/// The page belongs to the content: were it kept from whichever sighting came first, the order of a replay would
/// show.
fn content_hash(raw: &RawListing) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let url = raw.url.as_deref();
    hasher.update(&form_code(raw.form).to_le_bytes());
    hasher.update(&url.map_or(u64::MAX, |url| url.len() as u64).to_le_bytes());
    hasher.update(url.unwrap_or_default().as_bytes());
    hasher.update(raw.body.as_bytes());
    *hasher.finalize().as_bytes()
}

fn form_code(form: RawForm) -> i16 {
    match form {
        RawForm::Payload => 0,
        RawForm::Listing => 1,
    }
}

#[derive(sqlx::FromRow)]
struct RawRow {
    id: i64,
    form: i16,
    url: Option<String>,
    body_size: i64,
    body: Vec<u8>,
}

impl RawRow {
    fn into_raw_listing(self) -> Result<(RawId, RawListing)> {
        let id = self.id;
        let cell = |column| Cell { table: "raw_listings", column, id: &id };
        let form = match self.form {
            0 => RawForm::Payload,
            1 => RawForm::Listing,
            other => return Err(cell("form").corrupt(format_args!("{other} is no form"))),
        };
        let size = usize::try_from(self.body_size).map_err(|error| cell("body_size").corrupt(error))?;
        let body = zstd::bulk::decompress(&self.body, size).map_err(|error| cell("body").corrupt(error))?;
        let body = String::from_utf8(body).map_err(|error| cell("body").corrupt(error))?;
        Ok((RawId(self.id), RawListing { form, url: self.url, body }))
    }
}
