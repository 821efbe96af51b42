//! Storing contents.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;
use rayon::prelude::*;

use super::bodies::{self, CompressedContent, Uncompressed};
use super::rows::of_rows;
use super::{RawId, RawListing};
use crate::listing::ListingId;
use crate::store::error::{Result, StoreError, corrupt};
use crate::store::lists;
use crate::store::many_rows::insert_returning;
use crate::store::transaction::{Tx, on_tx};

/// A content of a listing that was seen.
#[derive(Debug, Clone, Copy)]
pub struct NewContent<'a> {
    /// The listing.
    pub listing: ListingId,
    /// Its portal, whose contents are compressed with what they have in common.
    pub site_id: &'a str,
    /// The content.
    pub raw: &'a RawListing,
    /// The content's hash ([`RawListing::content_hash`]).
    pub hash: [u8; 32],
    /// The content as [`super::compress_ahead`] compressed it, if it did.
    pub ahead: Option<&'a CompressedContent>,
}

impl<'a> NewContent<'a> {
    fn uncompressed(&self) -> Uncompressed<'a> {
        Uncompressed {
            listing: self.listing.0,
            site_id: self.site_id,
            raw: self.raw,
            ahead: self.ahead,
        }
    }
}

/// Stores contents of listings. Returns for each whether it is new: contents differ by listing, form, page and body. If the
/// body of a stored one was deleted meanwhile, it is stored again. The results are in the order given.
///
/// # Errors
/// [`StoreError::Database`], also when a listing does not exist.
pub fn insert_all<'a>(
    tx: &'a mut Tx,
    seen: &'a [NewContent<'a>],
) -> BoxFuture<'a, Result<Vec<(RawId, bool)>>> {
    Box::pin(async move {
        let mut stored = Vec::with_capacity(seen.len());
        for part in seen.chunks(lists::rows_at_once(tx.backend())) {
            stored.extend(insert_part(tx, part).await?);
        }
        Ok(stored)
    })
}

/// Identifies a content: the listing and the hash.
type Content = (i64, [u8; 32]);

/// The row of a stored content.
#[derive(Clone, Copy)]
struct Known {
    id: RawId,
    form: i16,
    has_body: bool,
    is_based: bool,
}

async fn insert_part(tx: &mut Tx, part: &[NewContent<'_>]) -> Result<Vec<(RawId, bool)>> {
    let contents: Vec<Content> = part
        .iter()
        .map(|seen| (seen.listing.0, seen.hash))
        .collect();
    let before = known(tx, &contents).await?;
    let mut named = HashSet::new();
    let (mut new, mut deleted) = (Vec::new(), Vec::new());
    for (content, seen) in contents.iter().zip(part) {
        match before.get(content) {
            Some(known) if known.has_body => {}
            _ if !named.insert(*content) => {}
            Some(known) => deleted.push((known.id, seen)),
            None => new.push((content, seen)),
        }
    }
    restore(tx, &deleted).await?;
    let inserted = insert_new(tx, &new, &before).await?;
    let after = if inserted.len() == new.len() {
        before
    } else {
        // Another process has stored some of them in between.
        known(tx, &contents).await?
    };
    let mut told = HashSet::new();
    contents
        .iter()
        .map(|content| {
            // A content that is given twice is new only once.
            if let Some(id) = inserted.get(content) {
                return Ok((*id, told.insert(content)));
            }
            let found = after.get(content).map(|known| (known.id, false));
            found.ok_or(StoreError::Database(sqlx::Error::RowNotFound))
        })
        .collect()
}

type KnownRow = (i64, i64, Vec<u8>, i16, i64, Option<i64>);

/// The stored contents of these listings.
async fn known(tx: &mut Tx, contents: &[Content]) -> Result<HashMap<Content, Known>> {
    let text = format!(
        "SELECT id, listing_id, content_hash, form, CAST(length(body) AS BIGINT), base FROM raw_listings \
         WHERE listing_id IN ({})",
        lists::integers(tx.backend())
    );
    let listings: Vec<i64> = contents.iter().map(|(listing, _)| *listing).collect();
    let rows: Vec<KnownRow> = lists::fetch(tx, &text, &listings).await?;
    let mut known = HashMap::with_capacity(rows.len());
    for (id, listing, hash, form, size, base) in rows {
        let found = Known {
            id: RawId(id),
            form,
            has_body: size > 0,
            is_based: base.is_some(),
        };
        known.insert((listing, as_hash(id, &hash)?), found);
    }
    Ok(known)
}

fn as_hash(id: i64, bytes: &[u8]) -> Result<[u8; 32]> {
    <[u8; 32]>::try_from(bytes).map_err(|error| corrupt("raw_listings", "content_hash", id, error))
}

/// For each of these contents the latest stored one of the same listing and form that it can be compressed with: one that
/// is not itself compressed with another content.
async fn bases(
    tx: &mut Tx,
    new: &[(&Content, &NewContent<'_>)],
    before: &HashMap<Content, Known>,
) -> Result<Vec<Option<(i64, RawListing)>>> {
    let mut latest: HashMap<(i64, i16), RawId> = HashMap::new();
    for ((listing, _), known) in before {
        if known.has_body && !known.is_based {
            let found = latest.entry((*listing, known.form)).or_insert(known.id);
            *found = known.id.max(*found);
        }
    }
    let wanted: Vec<Option<i64>> = new
        .iter()
        .map(|((listing, _), seen)| Some(latest.get(&(*listing, seen.raw.form.code()))?.0))
        .collect();
    let ids: Vec<i64> = wanted.iter().copied().flatten().collect();
    if ids.is_empty() {
        return Ok(vec![None; new.len()]);
    }
    let texts = of_rows(tx, &ids).await?;
    let with_text = |id: i64| Some((id, texts.get(&id)?.clone()));
    Ok(wanted
        .into_iter()
        .map(|id| id.and_then(with_text))
        .collect())
}

/// Stores contents, apart from those that are stored meanwhile. Returns the rows of the others.
async fn insert_new(
    tx: &mut Tx,
    new: &[(&Content, &NewContent<'_>)],
    before: &HashMap<Content, Known>,
) -> Result<HashMap<Content, RawId>> {
    if new.is_empty() {
        return Ok(HashMap::new());
    }
    let contents: Vec<Uncompressed<'_>> = new.iter().map(|(_, seen)| seen.uncompressed()).collect();
    let mut bodies = bodies::compress(tx, &contents).await?;
    let bases = bases(tx, new, before).await?;
    bodies.par_iter_mut().zip(bases).zip(new).try_for_each(
        |((body, base), (_, seen))| match base {
            Some((base, text)) => bodies::rebase(body, seen.raw, (base, &text.body)),
            None => Ok(()),
        },
    )?;
    let rows: Vec<_> = new.iter().zip(&bodies).collect();
    let inserted: Vec<(i64, i64, Vec<u8>)> = insert_returning!(
        tx,
        "raw_listings",
        &rows,
        |(((listing, hash), seen), packed)| (
            listing_id: i64 = *listing,
            content_hash: &[u8] = hash.as_slice(),
            form: i16 = seen.raw.form.code(),
            url: Option<&str> = seen.raw.url.as_deref(),
            body_size: i64 = seen.raw.body.len().cast_signed() as i64,
            dictionary: Option<i64> = packed.dictionary,
            base: Option<i64> = packed.base,
            body: &[u8] = packed.bytes.as_slice(),
        ),
        " ON CONFLICT DO NOTHING RETURNING id, listing_id, content_hash"
    );
    let content = |(id, listing, hash): &(i64, i64, Vec<u8>)| {
        Ok(((*listing, as_hash(*id, hash)?), RawId(*id)))
    };
    inserted.iter().map(content).collect()
}

/// Stores bodies again that were deleted because their adverts had been gone for long: the adverts are back, or a dump
/// brings them again.
async fn restore(tx: &mut Tx, deleted: &[(RawId, &NewContent<'_>)]) -> Result<()> {
    if deleted.is_empty() {
        return Ok(());
    }
    let contents = deleted.iter().map(|(_, seen)| seen.uncompressed());
    let contents: Vec<Uncompressed<'_>> = contents.collect();
    let bodies = bodies::compress(tx, &contents).await?;
    for ((id, _), body) in deleted.iter().zip(bodies) {
        on_tx!(&mut *tx, connection => {
            sqlx::query(
                "UPDATE raw_listings SET body = $2, dictionary = $3, base = NULL WHERE id = $1 AND length(body) = 0",
            )
            .bind(id.0)
            .bind(body.bytes)
            .bind(body.dictionary)
            .execute(connection)
            .await?;
        });
    }
    Ok(())
}
