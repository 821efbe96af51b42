//! One record with its portal links and prices.

use futures::future::BoxFuture;

use super::super::columns::row;
use super::bases::{PackedText, WITH_BASES};
use super::text::OfferText;
use crate::offer::OfferDetail;
use crate::offer_id::OfferId;
use crate::store::columns::Cell;
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
    let expired_at = row.expired_at.map(Timestamp);
    let packed = PackedText {
        row: row.row,
        document: row.document,
        base: row.base,
    };
    let unpacker = PackedText::unpacker(tx, &[&packed]).await?;
    let text = packed.unpack(&unpacker)?.into_text();
    let detail = OfferText::record(&text, packed.row)?;
    Ok(Some(FoundOffer { detail, expired_at }))
}

/// The record with this id, or else the record that this id was retired into.
async fn summary(tx: &mut Tx, id: &OfferId) -> Result<Option<SummaryRow>> {
    let text = format!(
        "SELECT offers.id, offers.row, expired_at, offer_documents.document, listing_bodies.document AS base \
         FROM offers {WITH_BASES} \
         WHERE offers.id = $1 OR (offers.id = (SELECT survivor_id FROM offer_aliases WHERE retired_id = $1) \
             AND NOT EXISTS (SELECT 1 FROM offers AS same WHERE same.id = $1))"
    );
    Ok(
        on_tx!(tx, connection => sqlx::query_as(sqlx::AssertSqlSafe(text.as_str()))
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?),
    )
}

row! {
    struct SummaryRow {
        id: String,
        row: i64,
        expired_at: Option<i64>,
        document: Vec<u8>,
        base: Option<Vec<u8>>,
    }
}
