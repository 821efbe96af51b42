//! Compressing bodies, with the dictionary of their portal and form once there is one.

use std::collections::BTreeMap;
use std::io;

use crate::observation::RawListing;
use crate::store::compression::{self, Ahead, Dictionaries, Group, Kind};
use crate::store::error::{Result, StoreError};
use crate::store::transaction::Tx;

/// A compressed body.
pub(super) struct Body {
    /// The dictionary that it was compressed with.
    pub(super) dictionary: Option<i64>,
    /// The content of the same advert that it was compressed with instead.
    pub(super) base: Option<i64>,
    /// The zstd frame.
    pub(super) bytes: Vec<u8>,
}

/// A content to compress.
#[derive(Clone, Copy)]
pub(super) struct Uncompressed<'a> {
    /// Its listing.
    pub(super) listing: i64,
    /// The portal of the listing.
    pub(super) site_id: &'a str,
    /// The content.
    pub(super) raw: &'a RawListing,
    /// The content as it was compressed before the transaction began.
    pub(super) ahead: Option<&'a CompressedContent>,
}

/// Compresses contents on all cores. The results are in the order given.
pub(super) async fn compress(tx: &mut Tx, contents: &[Uncompressed<'_>]) -> Result<Vec<Body>> {
    let mut groups: BTreeMap<(&str, Kind), Vec<usize>> = BTreeMap::new();
    for (place, content) in contents.iter().enumerate() {
        groups
            .entry((content.site_id, Kind::of_contents(content.raw.form)))
            .or_default()
            .push(place);
    }
    let mut bodies: Vec<Option<Body>> = Vec::new();
    bodies.resize_with(contents.len(), || None);
    let (mut waiting, mut places_of) = (Vec::new(), Vec::new());
    let mut dictionaries = Dictionaries::find(tx).await?;
    for (group, mut places) in groups {
        places.sort_by_key(|place| contents[*place].listing);
        let texts: Vec<(i64, &[u8])> = places
            .iter()
            .map(|place| {
                (
                    contents[*place].listing,
                    contents[*place].raw.body.as_bytes(),
                )
            })
            .collect();
        let dictionary = dictionaries.of_group(tx, group, &texts).await?;
        let id = dictionary.as_ref().map(|dictionary| dictionary.id);
        for place in &places {
            bodies[*place] = contents[*place].ahead.and_then(|ahead| ahead.body(id));
        }
        places.retain(|place| bodies[*place].is_none());
        let texts = places
            .iter()
            .map(|place| contents[*place].raw.body.as_bytes());
        waiting.push(Group {
            dictionary,
            texts: texts.collect(),
        });
        places_of.push(places);
    }
    let compressed = compression::compress_all(&waiting).map_err(|error| unstorable(&error))?;
    for ((group, frames), places) in waiting.iter().zip(compressed).zip(places_of) {
        let dictionary = group.dictionary.as_ref().map(|dictionary| dictionary.id);
        for (bytes, place) in frames.into_iter().zip(places) {
            bodies[place] = Some(Body {
                dictionary,
                base: None,
                bytes,
            });
        }
    }
    Ok(bodies.into_iter().flatten().collect())
}

fn unstorable(error: &io::Error) -> StoreError {
    StoreError::Unstorable {
        what: "a raw listing",
        reason: error.to_string(),
    }
}

/// A content that was compressed before its transaction began, with the dictionary that was used last.
#[derive(Debug, Clone)]
pub struct CompressedContent(Ahead);

impl CompressedContent {
    /// The body, if this is the dictionary to use.
    fn body(&self, dictionary: Option<i64>) -> Option<Body> {
        Some(Body {
            dictionary,
            base: None,
            bytes: self.0.frame(dictionary)?.to_vec(),
        })
    }
}

/// Compresses contents on all cores, to be stored by a later transaction ([`super::NewContent::ahead`]), while another one is
/// waiting for the database. The results are in the order given. `None` for those of portals of which this process has
/// stored nothing yet.
pub fn compress_ahead(contents: &[(&str, &RawListing)]) -> Vec<Option<CompressedContent>> {
    let grouped = contents.iter().map(|(site_id, raw)| {
        let group = (*site_id, Kind::of_contents(raw.form));
        (group, raw.body.as_bytes())
    });
    let ahead = compression::compress_ahead(&grouped.collect::<Vec<_>>());
    ahead
        .into_iter()
        .map(|ahead| ahead.map(CompressedContent))
        .collect()
}

/// Compresses a content again with an earlier one of the same advert, if that makes it a quarter smaller: most changes
/// are small.
pub(super) fn rebase(body: &mut Body, raw: &RawListing, (base, text): (i64, &str)) -> Result<()> {
    let bytes = compression::compress_on(text.as_bytes(), raw.body.as_bytes());
    let bytes = bytes.map_err(|error| unstorable(&error))?;
    if bytes.len() < body.bytes.len() / 4 * 3 {
        *body = Body {
            dictionary: None,
            base: Some(base),
            bytes,
        };
    }
    Ok(())
}
