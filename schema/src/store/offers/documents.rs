//! The stored JSON of records, summary and detail together.

use futures::future::BoxFuture;

use super::bases::{PackedText, WITH_BASES};
use super::text::cell;
use crate::store::compression::Kind;
use crate::store::compression::documents::{self as packed, Unpacker};
use crate::store::database::Db;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::transaction::{Tx, on_tx};

/// The stored JSON of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// The row of the record.
    pub row: i64,
    /// The number of its latest change.
    pub change: i64,
    /// The summary: an object.
    pub summary: Vec<u8>,
    /// What a detail adds to the summary: an object with the portal links and the price history.
    pub detail_only: Vec<u8>,
}

/// Stores the documents that need a dictionary of this portal without it, before its dictionaries are deleted.
pub(in crate::store) async fn without_dictionaries_of(tx: &mut Tx, site_id: &str) -> Result<()> {
    for beginning in packed::beginnings(tx, (site_id, Kind::Record)).await? {
        let length = beginning.len().cast_signed() as i64;
        let stored: Vec<(i64, Vec<u8>)> = on_tx!(&mut *tx, connection => sqlx::query_as(
            "SELECT row, document FROM offer_documents \
             WHERE substr(document, 1, CAST($2 AS INTEGER)) = $1",
        )
        .bind(beginning)
        .bind(length)
        .fetch_all(connection)
        .await?);
        let unpacker = Unpacker::load(tx, stored.iter().map(|(_, text)| text.as_slice())).await?;
        for (row, document) in stored {
            let text = unpacker.unpack(&document, cell(&row))?;
            let text = packed::plain(&text);
            on_tx!(&mut *tx, connection => {
                sqlx::query("UPDATE offer_documents SET document = $2 WHERE row = $1")
                    .bind(row)
                    .bind(text)
                    .execute(connection)
                    .await?;
            });
        }
    }
    Ok(())
}

/// The documents of these rows, in any order, from one consistent state. A row that no longer exists is left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn documents<'a>(db: &'a Db, rows: &'a [i64]) -> BoxFuture<'a, Result<Vec<StoredDocument>>> {
    Box::pin(async move {
        let mut tx = db.begin_replica().await?;
        let packed = PackedDocuments::read(&mut tx, rows).await?;
        tx.commit().await?;
        packed.unpack()
    })
}

/// As [`documents`], in a transaction.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn documents_in<'a>(
    tx: &'a mut Tx,
    rows: &'a [i64],
) -> BoxFuture<'a, Result<Vec<StoredDocument>>> {
    Box::pin(async move { PackedDocuments::read(tx, rows).await?.unpack() })
}

/// Documents as they are stored, each with its change number.
struct PackedDocuments {
    stored: Vec<(i64, PackedText)>,
    unpacker: Unpacker,
}

impl PackedDocuments {
    async fn read(tx: &mut Tx, rows: &[i64]) -> Result<Self> {
        type Row = (i64, i64, Vec<u8>, Option<Vec<u8>>);
        // One statement reads one consistent state.
        let text = format!(
            "SELECT change, offers.row, offer_documents.document, listing_bodies.document FROM offers \
             {WITH_BASES} WHERE offers.row IN ({})",
            lists::integers(tx.backend())
        );
        let stored: Vec<Row> = lists::fetch(tx, &text, rows).await?;
        let packed = |(change, row, document, base): Row| {
            let text = PackedText {
                row,
                document,
                base,
            };
            (change, text)
        };
        let stored: Vec<(i64, PackedText)> = stored.into_iter().map(packed).collect();
        let packed: Vec<&PackedText> = stored.iter().map(|(_, text)| text).collect();
        let unpacker = PackedText::unpacker(tx, &packed).await?;
        Ok(Self { stored, unpacker })
    }

    fn unpack(self) -> Result<Vec<StoredDocument>> {
        let documents = self.stored.into_iter().map(|(change, text)| {
            let (summary, detail_only) = text.unpack(&self.unpacker)?.into_parts();
            Ok(StoredDocument {
                row: text.row,
                change,
                summary,
                detail_only,
            })
        });
        documents.collect()
    }
}
