//! Storing contents, and the time spans in which they were seen.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;

use super::RawId;
use crate::listing::ListingId;
use crate::observation::RawListing;
use crate::store::error::{Result, StoreError, corrupt};
use crate::store::lists;
use crate::store::transaction::{Tx, many_rows, on_tx};
use crate::timestamp::Timestamp;

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

/// Stores a content of a listing seen at `at`. Returns whether it is new: contents differ by listing, form, page and body.
/// For a known content only the time span in which it was seen is extended.
///
/// # Errors
/// [`StoreError::Database`], also if the listing does not exist.
pub fn insert<'a>(
    tx: &'a mut Tx,
    listing: ListingId,
    raw: &'a RawListing,
    at: Timestamp,
) -> BoxFuture<'a, Result<(RawId, bool)>> {
    Box::pin(async move {
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
    })
}

/// [`insert`] for many contents at once; the results are in the order given.
///
/// # Errors
/// [`StoreError::Database`], also when a listing does not exist.
pub fn insert_all<'a>(
    tx: &'a mut Tx,
    seen: &'a [NewContent<'a>],
) -> BoxFuture<'a, Result<Vec<(RawId, bool)>>> {
    Box::pin(async move {
        let mut stored = Vec::with_capacity(seen.len());
        for part in seen.chunks(lists::CHUNK) {
            stored.extend(insert_part(tx, part).await?);
        }
        Ok(stored)
    })
}

/// Identifies a content: the listing and the hash.
type Content = (i64, [u8; 32]);

/// The row of a stored content, and the span in which it was seen.
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
    // Another process may have stored some of them in between.
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
            // A content that is given twice is new only once.
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
        let insert = insert.build_query_scalar().persistent(lists::is_worth_caching(rows.len()));
        insert.fetch_all(connection).await?
    });
    Ok(ids.into_iter().map(RawId).collect())
}

/// Extends the spans in which contents were seen.
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
