//! Storing the states of listings.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;

use super::row::{ListingBody, prices_of};
use crate::listing::{ListingId, ListingKey, ListingState, PricePoint};
use crate::store::columns::{code, millis};
use crate::store::compression::{Kind, documents};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::offers::{self, ChangedListing};
use crate::store::transaction::{Tx, many_rows, on_tx};

/// A state to store.
#[derive(Debug, Clone, Copy)]
pub struct Save<'a> {
    /// The listing.
    pub key: &'a ListingKey,
    /// The state.
    pub state: &'a ListingState,
    /// Whether it changed: its version increases then, and it is pending for deduplication.
    pub changed: bool,
}

/// Stores the state of a listing. With `changed`, its version increases and it is pending for deduplication. A new listing
/// counts as changed.
///
/// # Errors
/// [`StoreError::Database`].
pub fn save<'a>(
    tx: &'a mut Tx,
    key: &'a ListingKey,
    state: &'a ListingState,
    changed: bool,
) -> BoxFuture<'a, Result<ListingId>> {
    Box::pin(async move {
        let ids = save_all(
            tx,
            &[Save {
                key,
                state,
                changed,
            }],
        )
        .await?;
        ids.first()
            .copied()
            .ok_or(StoreError::Database(sqlx::Error::RowNotFound))
    })
}

/// [`save`] for many listings at once, each given once; the results are in the order given.
///
/// # Errors
/// [`StoreError::Unstorable`] when a listing is given twice, [`StoreError::Database`].
pub fn save_all<'a>(
    tx: &'a mut Tx,
    saves: &'a [Save<'a>],
) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let mut named = HashSet::new();
        if let Some(twice) = saves.iter().find(|save| !named.insert(save.key)) {
            let reason = format!("it contains listing {} twice", twice.key);
            return Err(StoreError::Unstorable {
                what: "a batch",
                reason,
            });
        }
        let mut ids = HashMap::with_capacity(saves.len());
        for changed in [true, false] {
            let saves: Vec<Save<'_>> = saves
                .iter()
                .filter(|save| save.changed == changed)
                .copied()
                .collect();
            for part in saves.chunks(lists::CHUNK) {
                let rows = save_columns(tx, part, changed).await?;
                save_bodies(tx, part, &rows).await?;
                save_prices(tx, part, &rows).await?;
                ids.extend(
                    part.iter()
                        .zip(&rows)
                        .map(|(save, row)| (save.key, ListingId(row.id))),
                );
            }
        }
        let found = saves.iter().map(|save| ids.get(save.key).copied());
        found
            .map(|id| id.ok_or(StoreError::Database(sqlx::Error::RowNotFound)))
            .collect()
    })
}

/// The row of a stored listing, and whether it is new.
#[derive(Clone, Copy)]
struct Saved {
    id: i64,
    new: bool,
}

const CHANGED: &str = ", version = listings.version + 1, pending = TRUE";

/// Stores the narrow columns; the results are in the order given.
async fn save_columns(tx: &mut Tx, part: &[Save<'_>], changed: bool) -> Result<Vec<Saved>> {
    let rows: Vec<(i64, i64, String, String)> = on_tx!(tx, connection => {
        let mut upsert = many_rows!(
            "INSERT INTO listings (site_id, site_offer_id, offer_type, property_type, first_seen_at, \
             last_seen_at, last_changed_at, gone_at, version, pending) ",
            part,
            |row, save| {
                let attributes = &save.state.listing.attributes;
                row.push_bind(&save.key.site_id)
                    .push_bind(&save.key.offer_id)
                    .push_bind(code(attributes.offer_type))
                    .push_bind(code(attributes.property_type))
                    .push_bind(save.state.first_seen_at.millis())
                    .push_bind(save.state.last_seen_at.millis())
                    .push_bind(save.state.last_changed_at.millis())
                    .push_bind(millis(save.state.gone_at))
                    .push("1")
                    .push("TRUE");
            },
            " ON CONFLICT (site_id, site_offer_id) DO UPDATE SET \
                 offer_type = excluded.offer_type, property_type = excluded.property_type, \
                 first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, \
                 last_changed_at = excluded.last_changed_at, gone_at = excluded.gone_at"
        );
        upsert.push(if changed { CHANGED } else { "" }).push(" RETURNING id, version, site_id, site_offer_id");
        let upsert = upsert.build_query_as().persistent(lists::is_worth_caching(part.len()));
        upsert.fetch_all(connection).await?
    });
    let saved: HashMap<(&str, &str), Saved> = rows
        .iter()
        .map(|(id, version, site, number)| {
            (
                (site.as_str(), number.as_str()),
                Saved {
                    id: *id,
                    new: *version == 1 && changed,
                },
            )
        })
        .collect();
    let found = part.iter().map(|save| {
        saved
            .get(&(save.key.site_id.as_str(), save.key.offer_id.as_str()))
            .copied()
    });
    found
        .map(|row| row.ok_or(StoreError::Database(sqlx::Error::RowNotFound)))
        .collect()
}

async fn save_bodies(tx: &mut Tx, part: &[Save<'_>], rows: &[Saved]) -> Result<()> {
    let texts = part.iter().zip(rows);
    let texts = texts.map(|(save, row)| ListingBody::text(&save.key.site_id, row.id, save.state));
    let texts: Vec<_> = texts.collect::<Result<_>>()?;
    let packed = documents::pack(tx, Kind::Listing, &texts).await?;
    let changed = rows.iter().zip(texts.iter().zip(&packed));
    let changed = changed.filter(|(row, _)| !row.new);
    let changed = changed.map(|(row, (text, document))| ChangedListing {
        id: row.id,
        new: Some((document.as_slice(), text.bytes.as_slice())),
    });
    let based = offers::based_on(tx, &changed.collect::<Vec<_>>()).await?;
    let bodies: Vec<_> = rows.iter().zip(&packed).collect();
    on_tx!(&mut *tx, connection => {
        let mut upsert = many_rows!(
            "INSERT INTO listing_bodies (listing_id, document) ",
            &bodies,
            |row, (saved, document)| {
                row.push_bind(saved.id).push_bind(document.as_slice());
            },
            " ON CONFLICT (listing_id) DO UPDATE SET document = excluded.document \
             WHERE listing_bodies.document <> excluded.document"
        );
        let upsert = upsert.build().persistent(lists::is_worth_caching(part.len()));
        upsert.execute(connection).await?.rows_affected()
    });
    offers::save_again(tx, based).await
}

/// Stores the prices of the listings whose stored prices differ.
async fn save_prices(tx: &mut Tx, part: &[Save<'_>], rows: &[Saved]) -> Result<()> {
    let old: Vec<i64> = rows
        .iter()
        .filter(|row| !row.new)
        .map(|row| row.id)
        .collect();
    let stored = if old.is_empty() {
        HashMap::new()
    } else {
        prices_of(tx, &old).await?
    };
    let mut points = Vec::new();
    let mut outdated = Vec::new();
    for (save, row) in part.iter().zip(rows) {
        let before = stored.get(&row.id).map(Vec::as_slice).unwrap_or_default();
        if before == save.state.prices {
            continue;
        }
        if !before.is_empty() {
            outdated.push(row.id);
        }
        points.extend(
            (0_i64..)
                .zip(&save.state.prices)
                .map(|(position, point)| (row.id, position, point)),
        );
    }
    if !outdated.is_empty() {
        let text = format!(
            "DELETE FROM price_points WHERE listing_id IN ({})",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &text, &outdated).await?;
    }
    insert_prices(tx, &points).await
}

async fn insert_prices(tx: &mut Tx, points: &[(i64, i64, &PricePoint)]) -> Result<()> {
    for part in points.chunks(lists::CHUNK) {
        on_tx!(&mut *tx, connection => {
            let mut insert = many_rows!(
                "INSERT INTO price_points (listing_id, position, at, price_total) ",
                part,
                |row, (id, position, point)| {
                    row.push_bind(id)
                        .push_bind(position)
                        .push_bind(point.at.millis())
                        .push_bind(point.price_total);
                },
                ""
            );
            let insert = insert.build().persistent(lists::is_worth_caching(part.len()));
            insert.execute(connection).await?.rows_affected()
        });
    }
    Ok(())
}
