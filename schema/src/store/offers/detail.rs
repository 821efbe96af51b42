//! One record with its portal links and prices.

use futures::future::BoxFuture;

use super::super::columns::row;
use super::text::OfferText;
use crate::offer::OfferDetail;
use crate::offer_id::OfferId;
use crate::store::columns::Cell;
use crate::store::compression::documents::Unpacker;
use crate::store::database::Db;
use crate::store::error::Result;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A record that was found by its id, or by an id retired into it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundOffer {
    /// The record, its links and its prices.
    pub detail: OfferDetail,
    /// When its last live link went; `None` while it is live.
    pub expired_at: Option<Timestamp>,
}

/// The record with this id, or the one that this id was retired into, as last merged.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn detail<'a>(db: &'a Db, id: &'a OfferId) -> BoxFuture<'a, Result<Option<FoundOffer>>> {
    Box::pin(async move {
        let mut tx = db.begin_replica().await?;
        let found = find(&mut tx, id).await?;
        tx.commit().await?;
        Ok(found)
    })
}

/// The current id of the record with this id; `None` if there never was such a record.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn resolve<'a>(db: &'a Db, id: &'a OfferId) -> BoxFuture<'a, Result<Option<OfferId>>> {
    Box::pin(async move {
        let mut tx = db.begin_replica().await?;
        let found = summary(&mut tx, id).await?;
        tx.commit().await?;
        found
            .map(|row| {
                Cell {
                    table: "offers",
                    column: "id",
                    id: &row.id,
                }
                .offer_id(&row.id)
            })
            .transpose()
    })
}

async fn find(tx: &mut Tx, id: &OfferId) -> Result<Option<FoundOffer>> {
    let Some(row) = summary(tx, id).await? else {
        return Ok(None);
    };
    let unpacker = Unpacker::load(tx, std::iter::once(row.document.as_slice())).await?;
    let text = OfferText::read(&row.document, row.row, &unpacker)?.into_text();
    let detail = OfferText::record(&text, row.row)?;
    Ok(Some(FoundOffer {
        detail,
        expired_at: row.expired_at.map(Timestamp),
    }))
}

/// The record with this id, or else the record that this id was retired into.
async fn summary(tx: &mut Tx, id: &OfferId) -> Result<Option<SummaryRow>> {
    Ok(on_tx!(tx, connection => sqlx::query_as(
        "SELECT offers.id, offers.row, expired_at, document \
         FROM offers JOIN offer_documents ON offer_documents.row = offers.row \
         WHERE offers.id = $1 OR (offers.id = (SELECT survivor_id FROM offer_aliases WHERE retired_id = $1) \
             AND NOT EXISTS (SELECT 1 FROM offers AS same WHERE same.id = $1))",
    )
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?))
}

row! {
    struct SummaryRow {
        id: String,
        row: i64,
        expired_at: Option<i64>,
        document: Vec<u8>,
    }
}
