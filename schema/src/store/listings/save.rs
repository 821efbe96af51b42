//! Storing the states of listings.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;
use rayon::prelude::*;

use super::compressed::CompressedListing;
use super::row::{ListingBody, prices_of};
use crate::listing::{ListingId, ListingKey, ListingState, PricePoint};
use crate::store::columns::{code, millis};
use crate::store::compression::documents::Text;
use crate::store::compression::{Kind, documents};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::many_rows::{insert_returning, insert_rows};
use crate::store::offers::{self, ChangedListing};
use crate::store::transaction::Tx;

/// A state to store.
#[derive(Debug, Clone, Copy)]
pub struct Save<'a> {
    /// The listing.
    pub key: &'a ListingKey,
    /// The state.
    pub state: &'a ListingState,
    /// Whether it changed: its version increases then, and it is pending for deduplication.
    pub changed: bool,
    /// The listing as [`super::compress_listings`] compressed it, if it did.
    pub ahead: Option<&'a CompressedListing>,
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
                ahead: None,
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
            for part in saves.chunks(lists::rows_at_once(tx.backend())) {
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
    let tail = format!(
        " ON CONFLICT (site_id, site_offer_id) DO UPDATE SET \
             offer_type = excluded.offer_type, property_type = excluded.property_type, \
             first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, \
             last_changed_at = excluded.last_changed_at, gone_at = excluded.gone_at{} \
         RETURNING id, version, site_id, site_offer_id",
        if changed { CHANGED } else { "" }
    );
    let rows: Vec<(i64, i64, String, String)> = insert_returning!(
        tx,
        "listings",
        part,
        |save| (
            site_id: &str = save.key.site_id.as_str(),
            site_offer_id: &str = save.key.offer_id.as_str(),
            offer_type: Option<i16> = code(save.state.listing.attributes.offer_type),
            property_type: Option<i16> = code(save.state.listing.attributes.property_type),
            first_seen_at: i64 = save.state.first_seen_at.millis(),
            last_seen_at: i64 = save.state.last_seen_at.millis(),
            last_changed_at: i64 = save.state.last_changed_at.millis(),
            gone_at: Option<i64> = millis(save.state.gone_at),
            version: i64 = 1,
            pending: bool = true,
        ),
        tail.as_str()
    );
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

/// How many texts a core writes together.
const TEXTS_TOGETHER: usize = 32;

async fn save_bodies<'a>(tx: &mut Tx, part: &[Save<'a>], rows: &[Saved]) -> Result<()> {
    let text = |(save, row): (&Save<'a>, &Saved)| ListingBody::text(row.id, save);
    let texts: Vec<Text<'_>> = if part.iter().all(|save| save.ahead.is_some()) {
        // Hardly any work, for which other cores need not be waited for.
        part.iter().zip(rows).map(text).collect::<Result<_>>()?
    } else {
        let texts = part.par_iter().zip(rows).with_min_len(TEXTS_TOGETHER);
        texts.map(text).collect::<Result<_>>()?
    };
    let packed = documents::pack(tx, Kind::Listing, &texts).await?;
    let changed = rows.iter().zip(texts.iter().zip(&packed));
    let changed = changed.filter(|(row, _)| !row.new);
    let changed = changed.map(|(row, (text, document))| ChangedListing {
        id: row.id,
        new: Some((document.as_slice(), text.bytes.as_slice())),
    });
    let based = offers::based_on(tx, &changed.collect::<Vec<_>>()).await?;
    let bodies: Vec<_> = rows.iter().zip(&packed).collect();
    insert_rows!(
        tx,
        "listing_bodies",
        &bodies,
        |(saved, packed)| (listing_id: i64 = saved.id, document: &[u8] = packed.as_slice()),
        " ON CONFLICT (listing_id) DO UPDATE SET document = excluded.document \
         WHERE listing_bodies.document <> excluded.document"
    );
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
    for part in points.chunks(lists::rows_at_once(tx.backend())) {
        insert_rows!(
            tx,
            "price_points",
            part,
            |(listing, place, point)| (
                listing_id: i64 = *listing,
                position: i64 = *place,
                at: i64 = point.at.millis(),
                price_total: f64 = point.price_total,
            ),
            ""
        );
    }
    Ok(())
}
