//! Storing a listing's state, and what dedup decided about it.

use std::collections::{HashMap, HashSet};

use super::row::prices_of;
use crate::listing::{ListingId, ListingKey, ListingState, PricePoint};
use crate::offer::OfferId;
use crate::store::columns::{code, millis};
use crate::store::error::{Result, StoreError};
use crate::store::lists;
use crate::store::lock;
use crate::store::transaction::{Tx, many_rows, on_tx};

/// A state to store.
#[derive(Debug, Clone, Copy)]
pub struct Save<'a> {
    /// Whose.
    pub key: &'a ListingKey,
    /// The state.
    pub state: &'a ListingState,
    /// Whether dedup has to look at it: its version rises then.
    pub changed: bool,
}

/// Stores the state of a listing. With `changed` its version rises and dedup has to look at it; a new listing counts
/// as changed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn save(
    tx: &mut Tx,
    key: &ListingKey,
    state: &ListingState,
    changed: bool,
) -> Result<ListingId> {
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
}

/// [`save`] for many listings at once, each of them once; answers in the order given.
///
/// # Errors
/// [`StoreError::Unstorable`] when a listing is given twice, [`StoreError::Database`].
pub async fn save_all(tx: &mut Tx, saves: &[Save<'_>]) -> Result<Vec<ListingId>> {
    let mut named = HashSet::new();
    if let Some(twice) = saves.iter().find(|save| !named.insert(save.key)) {
        let reason = format!("listing {} is in it twice", twice.key);
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
}

/// No longer pending, unless the version has moved on since dedup looked.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn settle(tx: &mut Tx, looked_at: &[(ListingId, i64)]) -> Result<()> {
    lock::listings(tx).await?;
    let text = format!(
        "UPDATE listings SET pending = FALSE WHERE pending AND (id, version) IN ({})",
        lists::integer_pairs(tx.backend())
    );
    let pairs: Vec<_> = looked_at
        .iter()
        .map(|(id, version)| (id.0, version))
        .collect();
    lists::execute(tx, &text, &pairs).await
}

/// Has dedup look again at these listings: a person decided about them. Their version rises, so that a run under way,
/// which may not know of the decision, does not settle them.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn requeue(tx: &mut Tx, ids: &[ListingId]) -> Result<()> {
    lock::listings(tx).await?;
    let text = format!(
        "UPDATE listings SET pending = TRUE, version = version + 1 WHERE id IN ({})",
        lists::integers(tx.backend())
    );
    lists::execute(tx, &text, &lists::numbers(ids)).await
}

/// Has dedup look again at every listing: its rules have changed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn requeue_all(tx: &mut Tx) -> Result<()> {
    lock::listings(tx).await?;
    on_tx!(tx, connection => {
        sqlx::query("UPDATE listings SET pending = TRUE WHERE NOT pending").execute(connection).await?;
    });
    Ok(())
}

/// Has dedup look again at every listing that votes on a municipality's district: the district of their records has
/// changed.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn requeue_municipality(tx: &mut Tx, municipality: &str) -> Result<()> {
    lock::listings(tx).await?;
    on_tx!(tx, connection => {
        sqlx::query(
            "UPDATE listings SET pending = TRUE WHERE NOT pending \
             AND id IN (SELECT listing_id FROM municipality_votes WHERE municipality = $1)",
        )
        .bind(municipality)
        .execute(connection)
        .await?;
    });
    Ok(())
}

/// Says which record each listing belongs to.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn assign(tx: &mut Tx, offers: &[(ListingId, &OfferId)]) -> Result<()> {
    lock::listings(tx).await?;
    let text = format!(
        "UPDATE listings SET offer_id = given.b FROM ({}) AS given \
         WHERE listings.id = given.a AND listings.offer_id IS DISTINCT FROM given.b",
        lists::integer_text_pairs(tx.backend())
    );
    let pairs: Vec<_> = offers
        .iter()
        .map(|(id, offer)| (id.0, offer.as_str()))
        .collect();
    lists::execute(tx, &text, &pairs).await
}

/// Where a state was stored, and whether that was its first time.
#[derive(Clone, Copy)]
struct Saved {
    id: i64,
    new: bool,
}

const CHANGED: &str = ", version = listings.version + 1, pending = TRUE";

/// Stores the narrow columns; answers in the order given.
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
        let upsert = upsert.build_query_as().persistent(lists::comes_again(part.len()));
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
    let mut bodies = Vec::with_capacity(part.len());
    for (save, row) in part.iter().zip(rows) {
        let listing =
            serde_json::to_string(&save.state.listing).map_err(|error| StoreError::Unstorable {
                what: "a listing",
                reason: error.to_string(),
            })?;
        bodies.push((row.id, &save.state.url, listing));
    }
    on_tx!(tx, connection => {
        let mut upsert = many_rows!(
            "INSERT INTO listing_bodies (listing_id, url, listing) ",
            &bodies,
            |row, (id, url, listing)| {
                row.push_bind(id).push_bind(*url).push_bind(listing);
            },
            " ON CONFLICT (listing_id) DO UPDATE SET url = excluded.url, listing = excluded.listing \
             WHERE listing_bodies.listing <> excluded.listing \
                 OR listing_bodies.url IS DISTINCT FROM excluded.url"
        );
        let upsert = upsert.build().persistent(lists::comes_again(part.len()));
        upsert.execute(connection).await?.rows_affected()
    });
    Ok(())
}

/// Stores the prices of the listings whose prices are other than stored.
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
            let insert = insert.build().persistent(lists::comes_again(part.len()));
            insert.execute(connection).await?.rows_affected()
        });
    }
    Ok(())
}
