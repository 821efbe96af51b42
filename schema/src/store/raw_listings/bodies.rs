//! Compressing bodies, with the dictionary of their portal and form once there is one.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use super::dictionary::{self, Dictionary};
use crate::observation::RawListing;
use crate::store::error::{Result, StoreError, corrupt};
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

/// A dictionary is made from the contents of at least this many adverts.
const MIN_ADVERTS: usize = 8;

/// A dictionary is made from at least this many bytes of contents, so that it pays.
const MIN_BYTES: usize = 64 * 1024;

/// After this many stored contents a portal's contents are looked at again: its pages may have changed so much that a new
/// dictionary pays.
const LOOK_AGAIN: i64 = 10_000;

/// A compressed body.
pub(super) struct Body {
    /// The dictionary that it was compressed with.
    pub(super) dictionary: Option<i64>,
    /// The zstd frame.
    pub(super) bytes: Vec<u8>,
}

/// Compresses contents of these listings. The results are in the order given.
pub(super) async fn compress(tx: &mut Tx, contents: &[(i64, &RawListing)]) -> Result<Vec<Body>> {
    let portals = portals(tx, contents).await?;
    let mut groups: BTreeMap<(&str, i16), Vec<usize>> = BTreeMap::new();
    for (place, (listing, raw)) in contents.iter().enumerate() {
        let site_id = portals.get(listing).map_or("", String::as_str);
        groups
            .entry((site_id, raw.form.code()))
            .or_default()
            .push(place);
    }
    let mut bodies: Vec<Option<Body>> = Vec::new();
    bodies.resize_with(contents.len(), || None);
    for ((site_id, form), mut places) in groups {
        places.sort_by_key(|place| contents[*place].0);
        let texts: Vec<(i64, &str)> = places
            .iter()
            .map(|place| (contents[*place].0, contents[*place].1.body.as_str()))
            .collect();
        let dictionary = dictionary_for(tx, (site_id, form), &texts).await?;
        for (place, bytes) in places
            .into_iter()
            .zip(compress_with(dictionary.as_deref(), &texts)?)
        {
            let dictionary = dictionary.as_ref().map(|dictionary| dictionary.id);
            bodies[place] = Some(Body { dictionary, bytes });
        }
    }
    Ok(bodies.into_iter().flatten().collect())
}

/// The portal of each of these listings. Listings that do not exist are left out.
async fn portals(tx: &mut Tx, contents: &[(i64, &RawListing)]) -> Result<HashMap<i64, String>> {
    let text = format!(
        "SELECT id, site_id FROM listings WHERE id IN ({})",
        lists::integers(tx.backend())
    );
    let listings: Vec<i64> = contents.iter().map(|(listing, _)| *listing).collect();
    let rows: Vec<(i64, String)> = lists::fetch(tx, &text, &listings).await?;
    Ok(rows.into_iter().collect())
}

fn unstorable(error: &io::Error) -> StoreError {
    StoreError::Unstorable {
        what: "a raw listing",
        reason: error.to_string(),
    }
}

fn compress_with(dictionary: Option<&Dictionary>, texts: &[(i64, &str)]) -> Result<Vec<Vec<u8>>> {
    let samples: Vec<&[u8]> = texts.iter().map(|(_, text)| text.as_bytes()).collect();
    compress_samples(dictionary, &samples).map_err(|error| unstorable(&error))
}

fn compress_samples(
    dictionary: Option<&Dictionary>,
    samples: &[&[u8]],
) -> io::Result<Vec<Vec<u8>>> {
    let mut compressor = match dictionary {
        Some(dictionary) => dictionary.compressor()?,
        None => zstd::bulk::Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?,
    };
    samples
        .iter()
        .map(|sample| compressor.compress(sample))
        .collect()
}

/// The dictionary for contents of a portal in a form. It is made from them if the portal has none, or if it has a bad one.
/// `texts` are ordered by advert.
async fn dictionary_for(
    tx: &mut Tx,
    (site_id, form): (&str, i16),
    texts: &[(i64, &str)],
) -> Result<Option<Arc<Dictionary>>> {
    let newest: Option<(i64, i64)> = on_tx!(&mut *tx, connection => {
        sqlx::query_as(
            "SELECT id, generation FROM content_dictionaries WHERE site_id = $1 AND form = $2 \
             ORDER BY generation DESC LIMIT 1",
        )
        .bind(site_id)
        .bind(form)
        .fetch_optional(connection)
        .await?
    });
    let current = match newest {
        Some((id, _)) => load(tx, [id]).await?.remove(&id),
        None => None,
    };
    let samples = dictionary::samples(texts);
    let size: usize = samples.iter().map(|sample| sample.len()).sum();
    if samples.len() < MIN_ADVERTS || size < MIN_BYTES {
        return Ok(current);
    }
    if current.is_some() && !is_look_due(tx, texts.len()).await? {
        return Ok(current);
    }
    let pays = pays(current.as_deref(), &samples).map_err(|error| unstorable(&error))?;
    if !pays {
        return Ok(current);
    }
    let generation = newest.map_or(1, |(_, generation)| generation + 1);
    let bytes = dictionary::common_text(&samples);
    store(tx, (site_id, form, generation), bytes)
        .await
        .map(Some)
}

/// Whether storing this many contents passes a multiple of [`LOOK_AGAIN`].
async fn is_look_due(tx: &mut Tx, contents: usize) -> Result<bool> {
    let last: Option<i64> = on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT MAX(id) FROM raw_listings").fetch_one(connection).await?
    });
    let last = last.unwrap_or(0);
    Ok((last + contents.cast_signed() as i64) / LOOK_AGAIN > last / LOOK_AGAIN)
}

/// Whether a dictionary made from every other sample makes the others smaller by a quarter than they are now.
fn pays(current: Option<&Dictionary>, samples: &[&[u8]]) -> io::Result<bool> {
    let tried: Vec<&[u8]> = samples.iter().skip(1).step_by(2).copied().collect();
    let made_from: Vec<&[u8]> = samples.iter().step_by(2).copied().collect();
    let candidate = dictionary::common_text(&made_from);
    if candidate.is_empty() {
        return Ok(false);
    }
    let candidate = Dictionary::new(0, candidate)?;
    let size = |bodies: Vec<Vec<u8>>| bodies.iter().map(Vec::len).sum::<usize>();
    let now = size(compress_samples(current, &tried)?);
    let then = size(compress_samples(Some(&candidate), &tried)?);
    Ok(then < now / 4 * 3)
}

async fn store(
    tx: &mut Tx,
    (site_id, form, generation): (&str, i16, i64),
    bytes: Vec<u8>,
) -> Result<Arc<Dictionary>> {
    let id = dictionary::id_of(site_id, form, &bytes);
    let content = zstd::bulk::compress(&bytes, zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|error| unstorable(&error))?;
    on_tx!(tx, connection => {
        sqlx::query(
            "INSERT INTO content_dictionaries (id, site_id, form, generation, size, content) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(site_id)
        .bind(form)
        .bind(generation)
        .bind(bytes.len().cast_signed() as i64)
        .bind(content)
        .execute(connection)
        .await?;
    });
    let dictionary = Dictionary::new(id, bytes).map_err(|error| unstorable(&error))?;
    Ok(dictionary::keep(dictionary))
}

/// The dictionaries with these ids.
pub(super) async fn load(
    tx: &mut Tx,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Arc<Dictionary>>> {
    let mut loaded = HashMap::new();
    for id in ids {
        if loaded.contains_key(&id) {
            continue;
        }
        let dictionary = match dictionary::used(id) {
            Some(dictionary) => dictionary,
            None => dictionary::keep(read(tx, id).await?),
        };
        loaded.insert(id, dictionary);
    }
    Ok(loaded)
}

async fn read(tx: &mut Tx, id: i64) -> Result<Dictionary> {
    let (size, content): (i64, Vec<u8>) = on_tx!(tx, connection => {
        sqlx::query_as("SELECT size, content FROM content_dictionaries WHERE id = $1")
            .bind(id)
            .fetch_one(connection)
            .await?
    });
    let bad = |reason: String| corrupt("content_dictionaries", "content", id, reason);
    let size = usize::try_from(size).map_err(|error| bad(error.to_string()))?;
    zstd::bulk::decompress(&content, size)
        .and_then(|bytes| Dictionary::new(id, bytes))
        .map_err(|error| bad(error.to_string()))
}

/// The body of a row: `size` bytes, compressed to `body` with a dictionary or without one.
pub(super) fn decompress(
    (body, size): (&[u8], usize),
    dictionary: Option<&Dictionary>,
) -> io::Result<Vec<u8>> {
    match dictionary {
        Some(dictionary) => dictionary.decompress(body, size),
        None => zstd::bulk::decompress(body, size),
    }
}
