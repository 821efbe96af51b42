//! Compressing bodies, with the dictionary of their portal and form once there is one.

use std::collections::{BTreeMap, HashMap};

use crate::observation::RawListing;
use crate::store::compression::{self, Dictionary, Kind};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
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

/// Compresses contents of these listings. The results are in the order given.
pub(super) async fn compress(tx: &mut Tx, contents: &[(i64, &RawListing)]) -> Result<Vec<Body>> {
    let portals = portals(tx, contents).await?;
    let mut groups: BTreeMap<(&str, Kind), Vec<usize>> = BTreeMap::new();
    for (place, (listing, raw)) in contents.iter().enumerate() {
        let site_id = portals.get(listing).map_or("", String::as_str);
        groups
            .entry((site_id, Kind::of_contents(raw.form)))
            .or_default()
            .push(place);
    }
    let mut bodies: Vec<Option<Body>> = Vec::new();
    bodies.resize_with(contents.len(), || None);
    for (group, mut places) in groups {
        places.sort_by_key(|place| contents[*place].0);
        let texts: Vec<(i64, &[u8])> = places
            .iter()
            .map(|place| (contents[*place].0, contents[*place].1.body.as_bytes()))
            .collect();
        let dictionary = compression::dictionary_for(tx, group, &texts).await?;
        let texts: Vec<&[u8]> = texts.into_iter().map(|(_, text)| text).collect();
        let compressed = compression::compress(dictionary.as_deref(), &texts);
        let compressed = compressed.map_err(|error| StoreError::Unstorable {
            what: "a raw listing",
            reason: error.to_string(),
        })?;
        for (place, bytes) in places.into_iter().zip(compressed) {
            let dictionary = dictionary.as_ref().map(|dictionary| dictionary.id);
            bodies[place] = Some(Body {
                dictionary,
                base: None,
                bytes,
            });
        }
    }
    Ok(bodies.into_iter().flatten().collect())
}

/// Compresses a content again with an earlier one of the same advert, if that makes it a quarter smaller: most changes
/// are small.
pub(super) fn rebase(body: &mut Body, raw: &RawListing, (base, text): (i64, &str)) -> Result<()> {
    let based = Dictionary::of_text(text)
        .and_then(|text| compression::compress(Some(&text), &[raw.body.as_bytes()]));
    let based = based.map_err(|error| StoreError::Unstorable {
        what: "a raw listing",
        reason: error.to_string(),
    })?;
    if let Some(bytes) = based.into_iter().next()
        && bytes.len() < body.bytes.len() / 4 * 3
    {
        *body = Body {
            dictionary: None,
            base: Some(base),
            bytes,
        };
    }
    Ok(())
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
