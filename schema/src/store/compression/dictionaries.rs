//! The stored dictionaries: finding the one to compress with, making a new one when that pays.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::Kind;
use super::dictionary::{self, Dictionary};
use crate::store::error::{Result, StoreError, corrupt};
use crate::store::transaction::{Tx, on_tx};

/// After this many stored contents a portal's texts are looked at again: its pages may have changed so much that a new
/// dictionary pays.
const LOOK_AGAIN: i64 = 10_000;

/// The dictionaries to compress with, as they are in a transaction. They are found with one statement for all groups.
pub(in crate::store) struct Dictionaries {
    /// The id and the generation of the newest of each portal and kind.
    newest: HashMap<(String, i16), (i64, i64)>,
    /// The number of the last stored content, once it is known.
    last_content: Option<i64>,
}

impl Dictionaries {
    /// Finds the newest dictionary of each group.
    pub(in crate::store) async fn find(tx: &mut Tx) -> Result<Self> {
        let rows: Vec<(String, i16, i64, i64)> = on_tx!(tx, connection => {
            sqlx::query_as("SELECT site_id, form, id, generation FROM content_dictionaries ORDER BY generation")
                .fetch_all(connection)
                .await?
        });
        let newest = rows
            .into_iter()
            .map(|(site_id, form, id, generation)| ((site_id, form), (id, generation)));
        Ok(Self {
            newest: newest.collect(),
            last_content: None,
        })
    }

    /// The dictionary for texts of a group. It is made from them if the group has none, or if it has a bad one. `texts`
    /// are ordered by advert, whose row number is beside them.
    pub(in crate::store) async fn of_group(
        &mut self,
        tx: &mut Tx,
        group: (&str, Kind),
        texts: &[(i64, &[u8])],
    ) -> Result<Option<Arc<Dictionary>>> {
        let found = self.find_or_make(tx, group, texts).await?;
        if let Some(dictionary) = &found {
            dictionary::remember(group, dictionary.id);
        }
        Ok(found)
    }

    async fn find_or_make(
        &mut self,
        tx: &mut Tx,
        group: (&str, Kind),
        texts: &[(i64, &[u8])],
    ) -> Result<Option<Arc<Dictionary>>> {
        let (site_id, kind) = group;
        let newest = self.newest.get(&(site_id.to_owned(), kind.code())).copied();
        let current = match newest {
            Some((id, _)) => load(tx, [id]).await?.remove(&id),
            None => None,
        };
        let samples = dictionary::samples(texts);
        let size: usize = samples.iter().map(|sample| sample.len()).sum();
        if samples.len() < kind.least_adverts() || size < kind.least_bytes() {
            return Ok(current);
        }
        if current.is_some() && !self.is_look_due(tx, texts.len()).await? {
            return Ok(current);
        }
        let pays = pays(current.as_deref(), &samples).map_err(|error| unstorable(&error))?;
        if !pays {
            return Ok(current);
        }
        let generation = newest.map_or(1, |(_, generation)| generation + 1);
        let bytes = dictionary::common_text(&samples);
        store(tx, group, generation, bytes).await.map(Some)
    }

    /// Whether storing this many contents passes a multiple of [`LOOK_AGAIN`].
    async fn is_look_due(&mut self, tx: &mut Tx, contents: usize) -> Result<bool> {
        let last = match self.last_content {
            Some(last) => last,
            None => last_content(tx).await?,
        };
        self.last_content = Some(last);
        Ok((last + contents.cast_signed() as i64) / LOOK_AGAIN > last / LOOK_AGAIN)
    }
}

/// The number of the last stored content; 0 before the first.
async fn last_content(tx: &mut Tx) -> Result<i64> {
    let last: Option<i64> = on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT MAX(id) FROM raw_listings").fetch_one(connection).await?
    });
    Ok(last.unwrap_or(0))
}

/// Whether a dictionary made from every other sample makes the others smaller than they are now: by a tenth, or by a
/// quarter if it would replace another one.
fn pays(current: Option<&Dictionary>, samples: &[&[u8]]) -> io::Result<bool> {
    let tried: Vec<&[u8]> = samples.iter().skip(1).step_by(2).copied().collect();
    let made_from: Vec<&[u8]> = samples.iter().step_by(2).copied().collect();
    let candidate = dictionary::common_text(&made_from);
    if candidate.is_empty() {
        return Ok(false);
    }
    let candidate = Dictionary::new(0, candidate)?;
    let size = |bodies: Vec<Vec<u8>>| bodies.iter().map(Vec::len).sum::<usize>();
    let now = size(dictionary::compress(current, &tried)?);
    let then = size(dictionary::compress(Some(&candidate), &tried)?);
    Ok(if current.is_some() {
        then < now / 4 * 3
    } else {
        then < now / 10 * 9
    })
}

async fn store(
    tx: &mut Tx,
    (site_id, kind): (&str, Kind),
    generation: i64,
    bytes: Vec<u8>,
) -> Result<Arc<Dictionary>> {
    let id = dictionary::id_of(site_id, kind.code(), &bytes);
    let content = zstd::bulk::compress(&bytes, zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|error| unstorable(&error))?;
    on_tx!(tx, connection => {
        sqlx::query(
            "INSERT INTO content_dictionaries (id, site_id, form, generation, size, content) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(site_id)
        .bind(kind.code())
        .bind(generation)
        .bind(bytes.len().cast_signed() as i64)
        .bind(content)
        .execute(connection)
        .await?;
    });
    let dictionary = Dictionary::new(id, bytes).map_err(|error| unstorable(&error))?;
    Ok(dictionary::keep(dictionary))
}

/// The ids of a group's dictionaries.
pub(super) async fn ids(tx: &mut Tx, (site_id, kind): (&str, Kind)) -> Result<Vec<i64>> {
    Ok(on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT id FROM content_dictionaries WHERE site_id = $1 AND form = $2")
            .bind(site_id)
            .bind(kind.code())
            .fetch_all(connection)
            .await?
    }))
}

/// The dictionaries with these ids.
pub(in crate::store) async fn load(
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
            None => dictionary::keep(read_dictionary(tx, id).await?),
        };
        loaded.insert(id, dictionary);
    }
    Ok(loaded)
}

async fn read_dictionary(tx: &mut Tx, id: i64) -> Result<Dictionary> {
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

/// The error if a text cannot be compressed.
fn unstorable(error: &io::Error) -> StoreError {
    StoreError::Unstorable {
        what: "a text",
        reason: error.to_string(),
    }
}
