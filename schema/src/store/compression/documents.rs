//! Derived JSON, compressed with a dictionary of its portal.
//!
//! The first byte of a document says how it is stored:
//!
//! | first byte | what follows |
//! |---|---|
//! | `p` | the text |
//! | `z` | the id of the dictionary in eight bytes, the lowest first, or zeros; then a zstd frame |
//! | `b` | nine bytes as above, without a dictionary; then a zstd frame that was compressed with another text, the base |

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use rayon::prelude::*;
use zstd::zstd_safe::get_frame_content_size;

use super::dictionary::{self, Dictionary, Group};
use super::{Ahead, Dictionaries, Kind, dictionaries};
use crate::store::columns::Cell;
use crate::store::error::{Result, StoreError};
use crate::store::transaction::Tx;

const PLAIN: u8 = b'p';
const COMPRESSED: u8 = b'z';
const BASED: u8 = b'b';

/// The first byte and the id of the dictionary.
const HEAD: usize = 9;

/// The id that stands for no dictionary.
const NONE: i64 = 0;

/// A text longer than this is not one that the store has written.
const MAX_SIZE: usize = 256 * 1024 * 1024;

/// A text to store.
pub(in crate::store) struct Text<'a> {
    /// The portal whose dictionary it is compressed with.
    pub(in crate::store) site_id: &'a str,
    /// The row of its advert or record.
    pub(in crate::store) row: i64,
    /// Its bytes.
    pub(in crate::store) bytes: Vec<u8>,
    /// The text of another document, of which it repeats so much that it is compressed with it. A reader must give
    /// the same text.
    pub(in crate::store) base: Option<Base>,
    /// Its bytes as they were compressed before the transaction began.
    pub(in crate::store) ahead: Option<&'a Ahead>,
}

impl Text<'_> {
    /// Its document, if it was compressed ahead with the dictionary to use.
    fn document_ahead(&self, dictionary: Option<i64>) -> Option<Vec<u8>> {
        let frame = self.ahead?.frame(dictionary)?;
        Some(document(COMPRESSED, dictionary?, frame))
    }
}

/// The document that another one is compressed with.
#[derive(Debug, Clone)]
pub(in crate::store) struct Base {
    /// The listing of which it is the document.
    pub(in crate::store) listing: i64,
    /// Its text.
    pub(in crate::store) text: Vec<u8>,
}

/// Compresses texts on all cores. The results are in the order given.
pub(in crate::store) async fn pack(
    tx: &mut Tx,
    kind: Kind,
    texts: &[Text<'_>],
) -> Result<Vec<Vec<u8>>> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, text) in texts.iter().enumerate() {
        places.entry(text.site_id).or_default().push(place);
    }
    let mut groups = Vec::with_capacity(places.len());
    let mut packed = compress_based(texts).map_err(|error| unstorable(&error))?;
    let mut dictionaries = Dictionaries::find(tx).await?;
    for (site_id, places) in &mut places {
        places.sort_by_key(|place| texts[*place].row);
        let samples: Vec<(i64, &[u8])> = places
            .iter()
            .map(|place| (texts[*place].row, texts[*place].bytes.as_slice()))
            .collect();
        let dictionary = dictionaries.of_group(tx, (site_id, kind), &samples).await?;
        let id = dictionary.as_ref().map(|found| found.id);
        places.retain(|place| {
            let text = &texts[*place];
            let ahead = text.document_ahead(id);
            let is_alone = text.base.is_none();
            let waits = is_alone && ahead.is_none();
            if let Some(ahead) = ahead.filter(|_| is_alone) {
                packed[*place] = ahead;
            }
            waits
        });
        let alone = places.iter().map(|place| texts[*place].bytes.as_slice());
        groups.push(Group {
            dictionary,
            texts: alone.collect(),
        });
    }
    let compressed = dictionary::compress_all(&groups).map_err(|error| unstorable(&error))?;
    for ((group, frames), places) in groups.iter().zip(compressed).zip(places.values()) {
        let id = group.dictionary.as_ref().map_or(NONE, |found| found.id);
        for (frame, place) in frames.iter().zip(places) {
            packed[*place] = document(COMPRESSED, id, frame);
        }
    }
    Ok(packed)
}

fn unstorable(error: &io::Error) -> StoreError {
    StoreError::Unstorable {
        what: "a document",
        reason: error.to_string(),
    }
}

fn document(kind: u8, id: i64, frame: &[u8]) -> Vec<u8> {
    [&[kind], id.to_le_bytes().as_slice(), frame].concat()
}

/// How many texts a core compresses together.
const TEXTS_TOGETHER: usize = 16;

/// The documents of the texts that have a base; nothing for the others.
fn compress_based(texts: &[Text<'_>]) -> io::Result<Vec<Vec<u8>>> {
    let mut packed = vec![Vec::new(); texts.len()];
    let based = (0..).zip(texts);
    let based = based.filter_map(|(place, text)| Some((place, text, text.base.as_ref()?)));
    let based: Vec<(usize, &Text<'_>, &Base)> = based.collect();
    let compressed = based
        .par_iter()
        .with_min_len(TEXTS_TOGETHER)
        .map(|(_, text, base)| {
            let frame = dictionary::compress_on(&base.text, &text.bytes)?;
            Ok(document(BASED, NONE, &frame))
        });
    let compressed: Vec<Vec<u8>> = compressed.collect::<io::Result<_>>()?;
    for ((place, ..), document) in based.iter().zip(compressed) {
        packed[*place] = document;
    }
    Ok(packed)
}

/// How the documents begin that were compressed with the dictionaries of a portal.
pub(in crate::store) async fn beginnings(tx: &mut Tx, group: (&str, Kind)) -> Result<Vec<Vec<u8>>> {
    let ids = dictionaries::ids(tx, group).await?;
    let beginning = |id: i64| [&[COMPRESSED], id.to_le_bytes().as_slice()].concat();
    Ok(ids.into_iter().map(beginning).collect())
}

/// A document that is stored as it is.
pub(in crate::store) fn plain(text: &[u8]) -> Vec<u8> {
    [&[PLAIN], text].concat()
}

/// The id of the dictionary that a stored document was compressed with.
fn dictionary_of(document: &[u8]) -> Option<i64> {
    let (&COMPRESSED, rest) = document.split_first()? else {
        return None;
    };
    let id = i64::from_le_bytes(*rest.first_chunk()?);
    (id != NONE).then_some(id)
}

/// Reads stored documents.
pub(in crate::store) struct Unpacker {
    dictionaries: HashMap<i64, Arc<Dictionary>>,
}

impl Unpacker {
    /// Loads the dictionaries that these documents were compressed with.
    pub(in crate::store) async fn load<'a>(
        tx: &mut Tx,
        documents: impl Iterator<Item = &'a [u8]>,
    ) -> Result<Self> {
        let mut ids: Vec<i64> = documents.filter_map(dictionary_of).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(Self {
            dictionaries: dictionaries::load(tx, ids).await?,
        })
    }

    /// The text of a document; the cell says where it is stored.
    pub(in crate::store) fn unpack<Id: std::fmt::Display>(
        &self,
        document: &[u8],
        cell: Cell<'_, Id>,
    ) -> Result<Vec<u8>> {
        self.read(document, None)
            .map_err(|error| cell.corrupt(error))
    }

    /// As [`Unpacker::unpack`], with the text of its base if it has one.
    pub(in crate::store) fn unpack_on<Id: std::fmt::Display>(
        &self,
        document: &[u8],
        base: Option<&[u8]>,
        cell: Cell<'_, Id>,
    ) -> Result<Vec<u8>> {
        self.read(document, base)
            .map_err(|error| cell.corrupt(error))
    }

    fn read(&self, document: &[u8], base: Option<&[u8]>) -> io::Result<Vec<u8>> {
        let bad = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason.to_owned());
        match document.split_first() {
            Some((&PLAIN, text)) => Ok(text.to_vec()),
            Some((&kind @ (COMPRESSED | BASED), _)) => {
                let frame = document.get(HEAD..).unwrap_or_default();
                let size = get_frame_content_size(frame).ok().flatten();
                let size = size.and_then(|size| usize::try_from(size).ok());
                let size = size.filter(|size| *size <= MAX_SIZE);
                let size = size.ok_or_else(|| bad("its length is unknown"))?;
                if kind == BASED {
                    let missing = || bad("the document that it is based on is missing");
                    return dictionary::decompress_on(base.ok_or_else(missing)?, (frame, size));
                }
                let dictionary = dictionary_of(document)
                    .map(|id| {
                        self.dictionaries
                            .get(&id)
                            .ok_or_else(|| bad("its dictionary is missing"))
                    })
                    .transpose()?;
                dictionary::decompress((frame, size), dictionary.map(Arc::as_ref))
            }
            _ => Err(bad("it is neither a text nor compressed")),
        }
    }
}
