//! Every distinct content of a portal listing, exactly as it came. Append-only.

use std::collections::{HashMap, HashSet};

use super::columns::{Cell, row};
use super::error::{Result, StoreError, corrupt};
use super::lists;
use super::transaction::{Tx, many_rows, on_tx};
use crate::listing::{ListingId, ListingKey};
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

/// A content of a listing that was seen.
#[derive(Debug, Clone, Copy)]
pub struct NewContent<'a> {
    /// The listing.
    pub listing: ListingId,
    /// The content.
    pub raw: &'a RawListing,
    /// The content's hash ([`RawListing::content_hash`]).
    pub hash: [u8; 32],
    /// When it was seen.
    pub at: Timestamp,
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
    let hash = raw.content_hash();
    let content = NewContent {
        listing,
        raw,
        hash,
        at,
    };
    let stored = insert_all(tx, &[content]).await?;
    stored
        .first()
        .copied()
        .ok_or(StoreError::Database(sqlx::Error::RowNotFound))
}

/// [`insert`] for many contents at once; answers in the order given.
///
/// # Errors
/// [`StoreError::Database`], also when a listing does not exist.
pub async fn insert_all(tx: &mut Tx, seen: &[NewContent<'_>]) -> Result<Vec<(RawId, bool)>> {
    let mut stored = Vec::with_capacity(seen.len());
    for part in seen.chunks(lists::CHUNK) {
        stored.extend(insert_part(tx, part).await?);
    }
    Ok(stored)
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

/// The contents with these hashes, of listings named by portal and number; those that are not stored are left out.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn of_keys(
    tx: &mut Tx,
    contents: &[(ListingKey, [u8; 32])],
) -> Result<HashMap<ListingKey, RawListing>> {
    let text = format!(
        "SELECT site_id, site_offer_id, content_hash, raw_listings.id, form, url, body_size, body \
         FROM listings JOIN raw_listings ON raw_listings.listing_id = listings.id \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b",
        lists::text_pairs(tx.backend())
    );
    let mut found = HashMap::with_capacity(contents.len());
    // Bodies are large, and a listing may have many.
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
}

/// The content that each of these listings last showed.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn latest(tx: &mut Tx, listings: &[ListingId]) -> Result<HashMap<ListingId, RawListing>> {
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
            // Of several at one instant the last in the order of hashes counts, as in a timeline.
            found.insert(ListingId(listing_id), raw.into_raw_listing()?.1);
        }
    }
    Ok(found)
}

/// What names a content: the listing and the hash.
type Content = (i64, [u8; 32]);

/// Where a content is stored, and in which span it was seen.
#[derive(Clone, Copy)]
struct Known {
    id: RawId,
    first: i64,
    last: i64,
}

async fn insert_part(tx: &mut Tx, part: &[NewContent<'_>]) -> Result<Vec<(RawId, bool)>> {
    let contents: Vec<Content> = part
        .iter()
        .map(|seen| (seen.listing.0, seen.hash))
        .collect();
    let before = known(tx, &contents).await?;
    let mut named = HashSet::new();
    let new: Vec<(&Content, &RawListing, Timestamp)> = contents
        .iter()
        .zip(part)
        .filter(|(content, _)| !before.contains_key(*content) && named.insert(**content))
        .map(|(content, seen)| (content, seen.raw, seen.at))
        .collect();
    let mut inserted: HashSet<RawId> = insert_new(tx, &new).await?;
    // Those that another process stored in between are known by now.
    let after = if new.is_empty() {
        before
    } else {
        known(tx, &contents).await?
    };
    widen(tx, &after, &contents, part).await?;
    contents
        .iter()
        .map(|content| {
            let found = after
                .get(content)
                .ok_or(StoreError::Database(sqlx::Error::RowNotFound))?;
            // What is given twice is new once.
            Ok((found.id, inserted.remove(&found.id)))
        })
        .collect()
}

/// The stored contents of these listings.
async fn known(tx: &mut Tx, contents: &[Content]) -> Result<HashMap<Content, Known>> {
    let text = format!(
        "SELECT id, listing_id, content_hash, first_seen_at, last_seen_at FROM raw_listings \
         WHERE listing_id IN ({})",
        lists::integers(tx.backend())
    );
    let listings: Vec<i64> = contents.iter().map(|(listing, _)| *listing).collect();
    let rows: Vec<(i64, i64, Vec<u8>, i64, i64)> = lists::fetch(tx, &text, &listings).await?;
    let mut known = HashMap::with_capacity(rows.len());
    for (id, listing, hash, first, last) in rows {
        let hash = <[u8; 32]>::try_from(hash.as_slice())
            .map_err(|error| corrupt("raw_listings", "content_hash", id, error))?;
        known.insert(
            (listing, hash),
            Known {
                id: RawId(id),
                first,
                last,
            },
        );
    }
    Ok(known)
}

async fn insert_new(
    tx: &mut Tx,
    new: &[(&Content, &RawListing, Timestamp)],
) -> Result<HashSet<RawId>> {
    if new.is_empty() {
        return Ok(HashSet::new());
    }
    let mut rows = Vec::with_capacity(new.len());
    for (content, raw, at) in new {
        let body = zstd::bulk::compress(raw.body.as_bytes(), zstd::DEFAULT_COMPRESSION_LEVEL)
            .map_err(|error| StoreError::Unstorable {
                what: "a raw listing",
                reason: error.to_string(),
            })?;
        rows.push((content, raw, at.millis(), body));
    }
    let ids: Vec<i64> = on_tx!(tx, connection => {
        let mut insert = many_rows!(
            "INSERT INTO raw_listings \
             (listing_id, content_hash, form, url, body_size, body, first_seen_at, last_seen_at) ",
            &rows,
            |row, ((listing, hash), raw, at, body)| {
                row.push_bind(listing)
                    .push_bind(hash.as_slice())
                    .push_bind(raw.form.code())
                    .push_bind(&raw.url)
                    .push_bind(raw.body.len().cast_signed() as i64)
                    .push_bind(body.as_slice())
                    .push_bind(at)
                    .push_bind(at);
            },
            " ON CONFLICT DO NOTHING RETURNING id"
        );
        let insert = insert.build_query_scalar().persistent(lists::comes_again(rows.len()));
        insert.fetch_all(connection).await?
    });
    Ok(ids.into_iter().map(RawId).collect())
}

/// Widens the spans in which contents were seen.
async fn widen(
    tx: &mut Tx,
    known: &HashMap<Content, Known>,
    contents: &[Content],
    part: &[NewContent<'_>],
) -> Result<()> {
    let mut spans: HashMap<RawId, (i64, i64)> = HashMap::new();
    for (content, seen) in contents.iter().zip(part) {
        let Some(found) = known.get(content) else {
            continue;
        };
        let at = seen.at.millis();
        if at < found.first || at > found.last {
            let span = spans.entry(found.id).or_insert((found.first, found.last));
            *span = (span.0.min(at), span.1.max(at));
        }
    }
    if spans.is_empty() {
        return Ok(());
    }
    let text = format!(
        "UPDATE raw_listings \
         SET first_seen_at = CASE WHEN span.b < first_seen_at THEN span.b ELSE first_seen_at END, \
             last_seen_at = CASE WHEN span.c > last_seen_at THEN span.c ELSE last_seen_at END \
         FROM ({}) AS span WHERE raw_listings.id = span.a",
        lists::integer_triples(tx.backend())
    );
    let mut spans: Vec<(i64, i64, i64)> = spans
        .into_iter()
        .map(|(id, (first, last))| (id.0, first, last))
        .collect();
    spans.sort_unstable();
    lists::execute(tx, &text, &spans).await
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
        let form = RawForm::from_code(self.form)
            .ok_or_else(|| cell("form").corrupt(format_args!("{} is no form", self.form)))?;
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
