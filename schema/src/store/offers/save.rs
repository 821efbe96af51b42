//! Storing and retiring records.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use futures::future::BoxFuture;
use rayon::prelude::*;

use crate::offer::{Offer, PortalLink, PriceSeries};
use crate::offer_fields::{FIELDS, FieldKind};
use crate::offer_id::OfferId;
use crate::record_event::RecordEvent;
use crate::store::columns::{Cell, millis};
use crate::store::compression::documents::{Base, Text};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::lock;
use crate::store::many_rows::many_rows;
use crate::store::offers::bases::{self, Bases};
use crate::store::offers::compare::{FoundChanges, stored_texts};
use crate::store::offers::text::OfferText;
use crate::store::record_events::{self, LoggedEvents};
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// A record as deduplication made it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    /// The summary.
    pub offer: Offer,
    /// Its portal listings, in the order of the detail.
    pub portal_links: Vec<PortalLink>,
    /// Their prices, in the same order.
    pub price_history: Vec<PriceSeries>,
    /// When its last live link went; `None` while it is live.
    pub expired_at: Option<Timestamp>,
    /// When the id was issued. If two records become one, the older id stays.
    pub issued_at: Timestamp,
    /// The normalised municipality, by which deduplication finds records.
    pub municipality: Option<String>,
}

/// The facts that decide which id stays if records become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferHeader {
    /// The id.
    pub id: OfferId,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When the property was first seen on any portal.
    pub first_seen_at: Timestamp,
}

/// Stores a record with a change number from [`super::next_change`]. A known id keeps its row number.
///
/// # Errors
/// [`StoreError::Database`], also if another record has the change number.
pub fn save<'a>(tx: &'a mut Tx, offer: &'a OfferRow, change: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { save_all(tx, &[(offer, change)]).await })
}

/// [`save`] for many records at once, each given once. What happened to them is stored too: records that take portal
/// listings from each other must be saved together.
///
/// # Errors
/// [`StoreError::Unstorable`] when a record is given twice, [`StoreError::Database`].
pub fn save_all<'a>(
    tx: &'a mut Tx,
    offers: &'a [(&'a OfferRow, i64)],
) -> BoxFuture<'a, Result<()>> {
    save_all_on(tx, offers, None)
}

/// [`save_all`] with the documents of all listings of the records as they were read before. They must be as they are now.
///
/// # Errors
/// As [`save_all`].
pub fn save_all_on<'a>(
    tx: &'a mut Tx,
    offers: &'a [(&'a OfferRow, i64)],
    bases: Option<&'a Bases>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let mut named = HashSet::new();
        if let Some((twice, _)) = offers.iter().find(|(row, _)| !named.insert(&row.offer.id)) {
            let reason = format!("it contains offer {} twice", twice.offer.id);
            return Err(StoreError::Unstorable {
                what: "a batch",
                reason,
            });
        }
        // So that the listings that the records are based on stay as they are.
        lock::listings(tx).await?;
        let mut found = FoundChanges::default();
        for part in offers.chunks(lists::CHUNK) {
            let before = stored_texts(tx, part).await?;
            let rows = save_columns(tx, part).await?;
            let bases = bases::choose(tx, part, bases).await?;
            let texts = texts(part, &rows, bases)?;
            bases::save(tx, &texts).await?;
            for ((stored, change), text) in part.iter().zip(&texts) {
                let before = before.get(stored.offer.id.as_str());
                found.compare((stored, *change), before, text)?;
            }
        }
        record_events::log(tx, &found.into_events()).await
    })
}

/// The statement that stores the narrow columns, and what follows its rows.
static UPSERT: LazyLock<(String, String)> = LazyLock::new(|| {
    let fixed = [
        "change",
        "issued_at",
        "first_seen_at",
        "last_changed_at",
        "is_live",
        "expired_at",
        "municipality",
        "lat",
        "lng",
    ];
    let columns: Vec<&str> = fixed
        .into_iter()
        .chain(FIELDS.iter().filter_map(|field| field.column))
        .collect();
    let updates: Vec<String> = columns
        .iter()
        .map(|column| format!("{column} = excluded.{column}"))
        .collect();
    (
        format!("INSERT INTO offers (id, {}) ", columns.join(", ")),
        format!(
            " ON CONFLICT (id) DO UPDATE SET {} RETURNING id, row",
            updates.join(", ")
        ),
    )
});

/// Stores the columns, and returns the row number of each id.
async fn save_columns(tx: &mut Tx, part: &[(&OfferRow, i64)]) -> Result<HashMap<String, i64>> {
    let rows: Vec<(String, i64)> = on_tx!(tx, connection => {
        let mut upsert = many_rows!(&UPSERT.0, part, |row, (stored, change)| {
            let offer = &stored.offer;
            let facts = &offer.attributes;
            row.push_bind(offer.id.as_str())
                .push_bind(change)
                .push_bind(stored.issued_at.millis())
                .push_bind(offer.first_seen_at.millis())
                .push_bind(offer.last_changed_at.millis())
                .push_bind(offer.is_live)
                .push_bind(millis(stored.expired_at))
                .push_bind(&stored.municipality)
                .push_bind(facts.location.map(|location| location.lat))
                .push_bind(facts.location.map(|location| location.lng));
            for field in FIELDS.iter().filter(|field| field.column.is_some()) {
                match &field.kind {
                    // It has two columns, bound above.
                    FieldKind::Location(_) => &mut row,
                    FieldKind::Text { access, .. } => row.push_bind((access.get)(facts)),
                    FieldKind::Number(access) => row.push_bind(*(access.get)(facts)),
                    FieldKind::WholeNumber(access) => row.push_bind(*(access.get)(facts)),
                    FieldKind::Flag(access) => row.push_bind(*(access.get)(facts)),
                    FieldKind::Enumerated { access, .. } => {
                        row.push_bind((access.code)(facts).map(i16::from))
                    }
                };
            }
        }, &UPSERT.1);
        let upsert = upsert.build_query_as().persistent(lists::is_worth_caching(part.len()));
        upsert.fetch_all(connection).await?
    });
    Ok(rows.into_iter().collect())
}

/// How many records a core writes as JSON together.
const RECORDS_TOGETHER: usize = 32;

/// The JSON of the records, written on all cores.
fn texts<'a>(
    part: &[(&'a OfferRow, i64)],
    rows: &HashMap<String, i64>,
    bases: Vec<Option<Base>>,
) -> Result<Vec<Text<'a>>> {
    let text = |((stored, _), base): (&(&'a OfferRow, i64), Option<Base>)| {
        let row = rows.get(stored.offer.id.as_str()).copied();
        let row = row.ok_or(StoreError::Database(sqlx::Error::RowNotFound))?;
        let detail = (
            stored.portal_links.as_slice(),
            stored.price_history.as_slice(),
        );
        OfferText::to_store((row, base), &stored.offer, detail)
    };
    if part.len() <= RECORDS_TOGETHER {
        return part.iter().zip(bases).map(text).collect();
    }
    let part = part.par_iter().zip(bases);
    part.with_min_len(RECORDS_TOGETHER).map(text).collect()
}

/// Retires a record into another, which must be stored by the end of the transaction. Deletes the rows of the retired
/// record. Its id, and every id retired into it before, then leads to the survivor.
///
/// # Errors
/// [`StoreError::NoOffer`], [`StoreError::RetiredIntoItself`], [`StoreError::Database`].
pub fn retire<'a>(
    tx: &'a mut Tx,
    retired: &'a OfferId,
    into: &'a OfferId,
    change: i64,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        if retired == into {
            return Err(StoreError::RetiredIntoItself {
                id: retired.to_string(),
            });
        }
        let row: Option<i64> = on_tx!(&mut *tx, connection => {
            sqlx::query_scalar("SELECT row FROM offers WHERE id = $1")
                .bind(retired.as_str())
                .fetch_optional(connection)
                .await?
        });
        let Some(row) = row else {
            return Err(StoreError::NoOffer {
                id: retired.to_string(),
            });
        };
        for delete in [
            "DELETE FROM offer_documents WHERE row = $1",
            "DELETE FROM offers WHERE row = $1",
        ] {
            on_tx!(&mut *tx, connection => sqlx::query(delete).bind(row).execute(connection).await?.rows_affected());
        }
        on_tx!(&mut *tx, connection => {
            sqlx::query("UPDATE offer_aliases SET survivor_id = $2 WHERE survivor_id = $1")
                .bind(retired.as_str())
                .bind(into.as_str())
                .execute(connection)
                .await?.rows_affected()
        });
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO offer_aliases (retired_id, survivor_id, retired_row, change) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (retired_id) DO UPDATE SET survivor_id = excluded.survivor_id, \
                     retired_row = excluded.retired_row, change = excluded.change",
            )
            .bind(retired.as_str())
            .bind(into.as_str())
            .bind(row)
            .bind(change)
            .execute(connection)
            .await?.rows_affected()
        });
        let merged = LoggedEvents {
            change,
            id: retired.clone(),
            events: vec![RecordEvent::Merged(into.clone())],
        };
        record_events::log(tx, &[merged]).await
    })
}

/// The headers of these records. Ids that do not exist or are retired are left out.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn headers<'a>(tx: &'a mut Tx, ids: &'a [OfferId]) -> BoxFuture<'a, Result<Vec<OfferHeader>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT id, issued_at, first_seen_at FROM offers WHERE id IN ({}) ORDER BY id",
            lists::texts(tx.backend())
        );
        let ids: Vec<&str> = ids.iter().map(OfferId::as_str).collect();
        let rows: Vec<(String, i64, i64)> = lists::fetch(tx, &text, &ids).await?;
        let header = |(id, issued_at, first_seen_at): (String, i64, i64)| {
            Ok(OfferHeader {
                id: Cell {
                    table: "offers",
                    column: "id",
                    id: &id,
                }
                .offer_id(&id)?,
                issued_at: Timestamp(issued_at),
                first_seen_at: Timestamp(first_seen_at),
            })
        };
        rows.into_iter().map(header).collect()
    })
}

/// The ids of the records in a municipality, in their order.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn in_municipality<'a>(
    tx: &'a mut Tx,
    municipality: &'a str,
) -> BoxFuture<'a, Result<Vec<OfferId>>> {
    Box::pin(async move {
        let ids: Vec<String> = on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT id FROM offers WHERE municipality = $1 ORDER BY id")
                .bind(municipality)
                .fetch_all(connection)
                .await?
        });
        ids.iter()
            .map(|id| {
                Cell {
                    table: "offers",
                    column: "id",
                    id,
                }
                .offer_id(id)
            })
            .collect()
    })
}
