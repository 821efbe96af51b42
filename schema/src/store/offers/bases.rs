//! Storing the text of a record as what it differs in from one of its listings, its base.
//!
//! A record says most of what one of its listings says, the description above all. Compressed with the document of that
//! listing, it takes a fifth of the space. So the document of a listing may only be changed or deleted together with those
//! of the records that are based on it: [`based_on`] reads them before, [`save_again`] stores them after. All transactions
//! that do one or the other hold [`crate::store::lock::listings`].

use std::collections::HashMap;

use rayon::prelude::*;

use super::save::OfferRow;
use super::text::{OfferText, cell};
use crate::store::columns::Cell;
use crate::store::compression::Kind;
use crate::store::compression::documents::{self, Base, Text, Unpacker};
use crate::store::error::Result;
use crate::store::lists;
use crate::store::many_rows::insert_rows;
use crate::store::transaction::Tx;

/// Joins the documents of `offers`, and those of their bases.
pub(super) const WITH_BASES: &str = "JOIN offer_documents ON offer_documents.row = offers.row \
     LEFT JOIN listing_bodies ON listing_bodies.listing_id = offer_documents.base";

/// The document of a record as it is stored, with that of its base.
pub(super) struct PackedText {
    /// The row of the record.
    pub(super) row: i64,
    /// Its document.
    pub(super) document: Vec<u8>,
    /// The document of its base, if it has one.
    pub(super) base: Option<Vec<u8>>,
}

impl PackedText {
    /// What reads these documents.
    pub(super) async fn unpacker(tx: &mut Tx, packed: &[&Self]) -> Result<Unpacker> {
        let mut documents: Vec<&[u8]> = Vec::with_capacity(packed.len() * 2);
        for one in packed {
            documents.push(&one.document);
            documents.extend(one.base.as_deref());
        }
        Unpacker::load(tx, documents.into_iter()).await
    }

    /// The text.
    pub(super) fn unpack(&self, unpacker: &Unpacker) -> Result<OfferText> {
        let of_base = Cell {
            table: "listing_bodies of offer_documents",
            column: "document",
            id: &self.row,
        };
        let base = self.base.as_ref();
        let base = base.map(|base| unpacker.unpack(base, of_base));
        let base = base.transpose()?;
        let text = unpacker.unpack_on(&self.document, base.as_deref(), cell(&self.row))?;
        OfferText::from_text(text, self.row)
    }
}

/// The documents of these listings, on which records may be based. Those that are not stored are left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub async fn read_bases(tx: &mut Tx, keys: &[(&str, &str)]) -> Result<Bases> {
    let text = format!(
        "SELECT id, site_id, site_offer_id, document FROM listings \
         JOIN listing_bodies ON listing_bodies.listing_id = listings.id \
         JOIN ({}) AS wanted ON site_id = wanted.a AND site_offer_id = wanted.b",
        lists::text_pairs(tx.backend())
    );
    let rows: Vec<(i64, String, String, Vec<u8>)> = lists::fetch(tx, &text, keys).await?;
    let packed = rows.iter().map(|(_, _, _, document)| document.as_slice());
    let unpacker = Unpacker::load(tx, packed).await?;
    let read = |(listing, site_id, number, document): &'_ (i64, String, String, Vec<u8>)| {
        let of_listing = Cell {
            table: "listing_bodies",
            column: "document",
            id: listing,
        };
        let text = unpacker.unpack(document, of_listing)?;
        let listing = *listing;
        let key = (site_id.clone(), number.clone());
        Ok((key, Base { listing, text }))
    };
    let rows = rows.par_iter().with_min_len(TEXTS_TOGETHER);
    Ok(Bases(rows.map(read).collect::<Result<_>>()?))
}

/// The base of each of these records: the first of its listings that has its description, or else its first listing.
/// `None` if none of its listings is stored. `read` are the documents of its listings, if they are known.
pub(super) async fn choose(
    tx: &mut Tx,
    part: &[(&OfferRow, i64)],
    read: Option<&Bases>,
) -> Result<Vec<Option<Base>>> {
    let part_of = |listings: &Bases| {
        let part = part.par_iter().with_min_len(TEXTS_TOGETHER);
        part.map(|(stored, _)| base(stored, listings)).collect()
    };
    if let Some(listings) = read {
        return Ok(part_of(listings));
    }
    let links = part.iter().flat_map(|(stored, _)| &stored.portal_links);
    let keys: Vec<(&str, &str)> = links
        .map(|link| (link.site_id.as_str(), link.offer_id.as_str()))
        .collect();
    Ok(part_of(&read_bases(tx, &keys).await?))
}

/// How many texts a core reads together.
const TEXTS_TOGETHER: usize = 16;

/// The documents of listings, by portal and number.
#[derive(Debug)]
pub struct Bases(HashMap<(String, String), Base>);

/// The base of a record among these.
fn base(stored: &OfferRow, listings: &Bases) -> Option<Base> {
    let links = stored.portal_links.iter();
    let known = links.filter_map(|link| {
        listings
            .0
            .get(&(link.site_id.clone(), link.offer_id.clone()))
    });
    let known: Vec<&Base> = known.collect();
    if let [only] = known.as_slice() {
        return Some(Base::clone(only));
    }
    let description = stored.offer.attributes.description.as_ref();
    let description = description.and_then(|text| serde_json::to_string(text).ok());
    let says_it = |base: &&&Base| {
        let text = str::from_utf8(&base.text).unwrap_or_default();
        description
            .as_ref()
            .is_some_and(|words| text.contains(words))
    };
    let found = known.iter().find(says_it).or_else(|| known.first());
    found.map(|base| Base::clone(base))
}

/// A listing whose document changes.
pub(in crate::store) struct ChangedListing<'a> {
    /// Its row.
    pub(in crate::store) id: i64,
    /// The new document and its text; `None` if it is deleted.
    pub(in crate::store) new: Option<(&'a [u8], &'a [u8])>,
}

/// The text of a record that has to be stored again.
pub(in crate::store) struct BasedText {
    row: i64,
    site_id: String,
    text: Vec<u8>,
    base: Option<Base>,
}

/// The texts of the records that are based on these listings, with what they are based on afterwards. Listings whose
/// document stays the same are left out.
pub(in crate::store) async fn based_on(
    tx: &mut Tx,
    listings: &[ChangedListing<'_>],
) -> Result<Vec<BasedText>> {
    let text = format!(
        "SELECT row, base, offer_documents.document, listing_bodies.document FROM offer_documents \
         JOIN listing_bodies ON listing_bodies.listing_id = base WHERE base IN ({})",
        lists::integers(tx.backend())
    );
    let by_id: HashMap<i64, &ChangedListing<'_>> = listings
        .iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let ids: Vec<i64> = listings.iter().map(|listing| listing.id).collect();
    let rows: Vec<(i64, i64, Vec<u8>, Vec<u8>)> = lists::fetch(tx, &text, &ids).await?;
    let changed = rows
        .into_iter()
        .filter_map(|(row, listing, document, base)| {
            let new = by_id.get(&listing)?.new;
            let is_same = new.is_some_and(|(document, _)| document == base);
            let packed = PackedText {
                row,
                document,
                base: Some(base),
            };
            let base = new.map(|(_, text)| Base {
                listing,
                text: text.to_vec(),
            });
            (!is_same).then_some((packed, base))
        });
    let changed: Vec<(PackedText, Option<Base>)> = changed.collect();
    let packed: Vec<&PackedText> = changed.iter().map(|(packed, _)| packed).collect();
    let unpacker = PackedText::unpacker(tx, &packed).await?;
    let texts = changed.into_iter().map(|(packed, base)| {
        let text = packed.unpack(&unpacker)?.into_text();
        let links = OfferText::record(&text, packed.row)?.portal_links;
        let first = links.into_iter().next();
        Ok(BasedText {
            row: packed.row,
            site_id: first.map_or_else(String::new, |link| link.site_id),
            text,
            base,
        })
    });
    texts.collect()
}

/// Stores the texts of records again.
pub(in crate::store) async fn save_again(tx: &mut Tx, records: Vec<BasedText>) -> Result<()> {
    let (site_ids, texts): (Vec<_>, Vec<_>) = records
        .into_iter()
        .map(|one| (one.site_id, (one.row, one.text, one.base)))
        .unzip();
    let texts = site_ids.iter().zip(texts);
    let texts = texts.map(|(site_id, (row, bytes, base))| Text {
        site_id,
        row,
        bytes,
        base,
        ahead: None,
    });
    save(tx, &texts.collect::<Vec<_>>()).await
}

/// Stores the texts of records.
pub(super) async fn save(tx: &mut Tx, texts: &[Text<'_>]) -> Result<()> {
    for part in texts.chunks(lists::CHUNK) {
        let packed = documents::pack(tx, Kind::Record, part).await?;
        let bodies: Vec<_> = part.iter().zip(&packed).collect();
        insert_rows!(
            tx,
            "offer_documents",
            &bodies,
            |(text, packed)| (
                row: i64 = text.row,
                base: Option<i64> = text.base.as_ref().map(|base| base.listing),
                document: &[u8] = packed.as_slice(),
            ),
            " ON CONFLICT (row) DO UPDATE SET base = excluded.base, document = excluded.document"
        );
    }
    Ok(())
}
