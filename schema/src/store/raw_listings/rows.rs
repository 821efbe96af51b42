//! Reading rows of contents.

use std::collections::HashMap;
use std::sync::Arc;

use super::bodies::Uncompressed;
use super::{RawId, bodies};
use crate::listing::ListingId;
use crate::observation::{RawForm, RawListing};
use crate::store::columns::{Cell, row};
use crate::store::compression::{self, Dictionary};
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

row! {
    /// A content as it is stored.
    pub(super) struct RawRow {
        id: i64,
        form: i16,
        url: Option<String>,
        body_size: i64,
        dictionary: Option<i64>,
        base: Option<i64>,
        body: Vec<u8>,
    }
}

/// What contents were compressed with.
pub(super) struct Decoder {
    dictionaries: HashMap<i64, Arc<Dictionary>>,
    bases: HashMap<i64, Dictionary>,
}

impl Decoder {
    /// What these rows were compressed with.
    pub(super) async fn load<'a>(
        tx: &mut Tx,
        rows: impl Iterator<Item = &'a RawRow> + Clone,
    ) -> Result<Self> {
        let mut bases: Vec<i64> = rows.clone().filter_map(|row| row.base).collect();
        bases.sort_unstable();
        bases.dedup();
        let texts = if bases.is_empty() {
            HashMap::new()
        } else {
            of_rows(tx, &bases).await?
        };
        let mut decoder = Self::with_dictionaries(tx, rows).await?;
        for (id, raw) in texts {
            let text =
                Dictionary::of_text(&raw.body).map_err(|error| cell("body", &id).corrupt(error))?;
            decoder.bases.insert(id, text);
        }
        Ok(decoder)
    }

    /// The dictionaries of these rows, without the contents that they were compressed with.
    async fn with_dictionaries<'a>(
        tx: &mut Tx,
        rows: impl Iterator<Item = &'a RawRow>,
    ) -> Result<Self> {
        let mut ids: Vec<i64> = rows.filter_map(|row| row.dictionary).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(Self {
            dictionaries: compression::load(tx, ids).await?,
            bases: HashMap::new(),
        })
    }
}

/// The contents of these rows, which are compressed with no other content. Rows that do not exist are left out.
pub(super) async fn of_rows(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, RawListing>> {
    let text = format!(
        "SELECT id, form, url, body_size, dictionary, base, body FROM raw_listings WHERE id IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<RawRow> = lists::fetch(tx, &text, ids).await?;
    let decoder = Decoder::with_dictionaries(tx, rows.iter()).await?;
    rows.into_iter()
        .map(|row| {
            let (id, raw) = row.into_raw_listing(&decoder)?;
            Ok((id.0, raw))
        })
        .collect()
}

/// Compresses the contents of these listings that were compressed with another content once more, without it. Some of the
/// listings' contents are to be deleted.
pub(in crate::store) async fn without_bases(tx: &mut Tx, listings: &[ListingId]) -> Result<()> {
    let text = format!(
        "SELECT listing_id, site_id, raw_listings.id, form, url, body_size, dictionary, base, body \
         FROM raw_listings JOIN listings ON listings.id = listing_id \
         WHERE base IS NOT NULL AND listing_id IN ({})",
        lists::integers(tx.backend())
    );
    for part in listings.chunks(lists::CHUNK) {
        let rows: Vec<BasedRow> = lists::fetch(tx, &text, &lists::numbers(part)).await?;
        let decoder = Decoder::load(tx, rows.iter().map(|row| &row.raw)).await?;
        for BasedRow {
            listing_id,
            site_id,
            raw,
        } in rows
        {
            let (id, raw) = raw.into_raw_listing(&decoder)?;
            let alone = Uncompressed {
                listing: listing_id,
                site_id: &site_id,
                raw: &raw,
                ahead: None,
            };
            for body in bodies::compress(tx, &[alone]).await? {
                on_tx!(&mut *tx, connection => {
                    sqlx::query(
                        "UPDATE raw_listings SET body = $2, dictionary = $3, base = NULL \
                         WHERE id = $1 AND base IS NOT NULL",
                    )
                    .bind(id.0)
                    .bind(body.bytes)
                    .bind(body.dictionary)
                    .execute(connection)
                    .await?;
                });
            }
        }
    }
    Ok(())
}

row! {
    struct BasedRow {
        listing_id: i64,
        site_id: String,
        ; raw: RawRow
    }
}

fn cell<'a>(column: &'static str, id: &'a i64) -> Cell<'a, i64> {
    Cell {
        table: "raw_listings",
        column,
        id,
    }
}

impl RawRow {
    /// The content.
    pub(super) fn into_raw_listing(self, decoder: &Decoder) -> Result<(RawId, RawListing)> {
        let id = self.id;
        let cell = |column| cell(column, &id);
        let form = RawForm::from_code(self.form).ok_or_else(|| {
            cell("form").corrupt(format_args!("{} is not the code of a form", self.form))
        })?;
        let size =
            usize::try_from(self.body_size).map_err(|error| cell("body_size").corrupt(error))?;
        let base = self.base.map(|base| {
            let text = decoder.bases.get(&base);
            text.ok_or_else(|| cell("base").corrupt(format_args!("content {base} is missing")))
        });
        let dictionary = self.dictionary.and_then(|id| decoder.dictionaries.get(&id));
        let dictionary = base.transpose()?.or(dictionary.map(Arc::as_ref));
        let body = compression::decompress((&self.body, size), dictionary)
            .map_err(|error| cell("body").corrupt(error))?;
        let body = String::from_utf8(body).map_err(|error| cell("body").corrupt(error))?;
        Ok((
            RawId(id),
            RawListing {
                form,
                url: self.url,
                body,
            },
        ))
    }
}
