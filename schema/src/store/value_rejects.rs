//! Values that were left out of listings because they are implausible or not understood.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::Result;
use super::lists;
use super::raw_listings::RawId;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};

use crate::listing::{ListingId, ListingKey};
use crate::timestamp::Timestamp;

/// A value that was left out of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ValueReject {
    /// The spec's field name.
    pub field: String,
    /// The portal's value.
    pub value: String,
    /// Why it was left out.
    pub reason: String,
}

/// Stores a value that was left out of a raw listing, unless it is stored already.
///
/// # Errors
/// [`super::StoreError::Database`], also when the raw listing does not exist.
pub fn insert<'a>(
    tx: &'a mut Tx,
    raw: RawId,
    site_id: &'a str,
    reject: &'a ValueReject,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let reason = reason_id(tx, site_id, reject).await?;
        on_tx!(tx, connection => sqlx::query(
        "INSERT INTO value_rejects (raw_id, number, reason_id, field, value) \
         SELECT $1, (SELECT COALESCE(MAX(number), 0) + 1 FROM value_rejects WHERE raw_id = $1), $2, $3, $4 \
         WHERE NOT EXISTS (SELECT 1 FROM value_rejects \
             WHERE raw_id = $1 AND reason_id = $2 AND field = $3 AND value = $4)",
    )
    .bind(raw.0)
    .bind(reason)
    .bind(&reject.field)
    .bind(without_nul(&reject.value))
    .execute(connection)
    .await?.rows_affected());
        Ok(())
    })
}

/// The row of a reason, which is stored once for all values of a portal.
async fn reason_id(tx: &mut Tx, site_id: &str, reject: &ValueReject) -> Result<i64> {
    let reason = without_nul(&reject.reason);
    let known: Option<i64> = on_tx!(&mut *tx, connection => {
        sqlx::query_scalar(
            "SELECT id FROM value_reject_reasons WHERE site_id = $1 AND reason = $2",
        )
        .bind(site_id)
        .bind(&reason)
        .fetch_optional(connection)
        .await?
    });
    if let Some(id) = known {
        return Ok(id);
    }
    // Another process may have stored it in between.
    Ok(on_tx!(tx, connection => {
        sqlx::query_scalar(
            "INSERT INTO value_reject_reasons (site_id, reason) VALUES ($1, $2) \
             ON CONFLICT (site_id, reason) DO UPDATE SET reason = excluded.reason RETURNING id",
        )
        .bind(site_id)
        .bind(&reason)
        .fetch_one(connection)
        .await?
    }))
}

/// A portal, a field, a reason, and how many values were left out for it.
pub type ReasonCount = (String, String, String, i64);

/// How many values were left out, by portal, field and reason, most first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn counts(db: &Db) -> BoxFuture<'_, Result<Vec<ReasonCount>>> {
    Box::pin(async move {
        Ok(on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, field, reason, COUNT(*) AS times FROM value_rejects \
         JOIN value_reject_reasons ON value_reject_reasons.id = reason_id \
         GROUP BY site_id, field, reason ORDER BY times DESC, site_id, field, reason",
    )
    .fetch_all(pool)
    .await?))
    })
}

/// A value that was left out, and the listing that it was left out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place in the order of rows: the row of the content, and the number of the value among those of the content.
    pub id: (i64, i64),
    /// The listing.
    pub key: ListingKey,
    /// The value.
    pub reject: ValueReject,
}

/// Up to `limit` values after the one with the id `after` that were left out, oldest first; of one field if it is given.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn list<'a>(
    db: &'a Db,
    field: Option<&'a str>,
    after: Option<(i64, i64)>,
    limit: u32,
) -> BoxFuture<'a, Result<Vec<LeftOut>>> {
    Box::pin(async move {
        type Row = (i64, i64, String, String, String, String, String);
        let (raw, number) = after.unwrap_or((i64::MIN, 0));
        let rows: Vec<Row> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT raw_id, number, listings.site_id, site_offer_id, field, value, reason FROM value_rejects \
         JOIN value_reject_reasons ON value_reject_reasons.id = reason_id \
         JOIN raw_listings ON raw_listings.id = value_rejects.raw_id \
         JOIN listings ON listings.id = raw_listings.listing_id \
         WHERE (raw_id, number) > ($1, $4) AND ($2 IS NULL OR field = $2) ORDER BY raw_id, number LIMIT $3",
    )
    .bind(raw)
    .bind(field)
    .bind(i64::from(limit))
    .bind(number)
    .fetch_all(pool)
    .await?);
        let left_out = |(raw, number, site_id, offer_id, field, value, reason): Row| LeftOut {
            id: (raw, number),
            key: ListingKey { site_id, offer_id },
            reject: ValueReject {
                field,
                value,
                reason,
            },
        };
        Ok(rows.into_iter().map(left_out).collect())
    })
}

/// How often each field and reason occurs among the `sample` newest values left out of a portal's listings, most first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn newest_counts<'a>(
    db: &'a Db,
    site_id: &'a str,
    sample: u32,
) -> BoxFuture<'a, Result<Vec<(String, String, u64)>>> {
    Box::pin(async move {
        let rows: Vec<(String, String, i64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT field, reason, COUNT(*) AS times FROM ( \
             SELECT field, reason FROM value_rejects \
             JOIN value_reject_reasons ON value_reject_reasons.id = reason_id \
             WHERE site_id = $1 ORDER BY raw_id DESC, number DESC LIMIT $2 \
         ) AS newest GROUP BY field, reason ORDER BY times DESC, field, reason LIMIT 50",
    )
    .bind(site_id)
    .bind(i64::from(sample))
    .fetch_all(pool)
    .await?);
        let counted = |(field, reason, times): (_, _, i64)| (field, reason, times.unsigned_abs());
        Ok(rows.into_iter().map(counted).collect())
    })
}

/// Up to `limit` values of one field that were left out of a portal's listings, newest first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn newest<'a>(
    db: &'a Db,
    site_id: &'a str,
    field: &'a str,
    limit: u32,
) -> BoxFuture<'a, Result<Vec<LeftOut>>> {
    Box::pin(async move {
        type Row = (i64, i64, String, String, String);
        let rows: Vec<Row> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT raw_id, number, site_offer_id, value, reason FROM value_rejects \
         JOIN value_reject_reasons ON value_reject_reasons.id = reason_id \
         JOIN raw_listings ON raw_listings.id = value_rejects.raw_id \
         JOIN listings ON listings.id = raw_listings.listing_id \
         WHERE value_reject_reasons.site_id = $1 AND field = $2 ORDER BY raw_id DESC, number DESC LIMIT $3",
    )
    .bind(site_id)
    .bind(field)
    .bind(i64::from(limit))
    .fetch_all(pool)
    .await?);
        let left_out = |(raw, number, offer_id, value, reason): Row| LeftOut {
            id: (raw, number),
            key: ListingKey::new(site_id, offer_id),
            reject: ValueReject {
                field: field.to_owned(),
                value,
                reason,
            },
        };
        Ok(rows.into_iter().map(left_out).collect())
    })
}

/// Some contents with values that were left out, of listings that have been gone since before `gone_before`; none if none
/// is left.
///
/// # Errors
/// [`super::StoreError::Database`].
pub(super) async fn contents_of_gone(db: &Db, gone_before: Timestamp) -> Result<Vec<RawId>> {
    let ids: Vec<i64> = on_db!(db, current, pool => sqlx::query_scalar(
        "SELECT DISTINCT raw_id FROM value_rejects \
         JOIN raw_listings ON raw_listings.id = raw_id JOIN listings ON listings.id = listing_id \
         WHERE gone_at < $1 LIMIT 5000",
    )
    .bind(gone_before.millis())
    .fetch_all(pool)
    .await?);
    Ok(ids.into_iter().map(RawId).collect())
}

/// Forgets the values that were left out of these raw listings, before they are read again.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn delete_of<'a>(tx: &'a mut Tx, raws: &'a [RawId]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let text = format!(
            "DELETE FROM value_rejects WHERE raw_id IN ({})",
            lists::integers(tx.backend())
        );
        let raws: Vec<i64> = raws.iter().map(|raw| raw.0).collect();
        lists::execute(tx, &text, &raws).await
    })
}

/// The values that were left out of a listing, in any of its contents.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn of_listing(db: &Db, listing: ListingId) -> BoxFuture<'_, Result<Vec<ValueReject>>> {
    Box::pin(async move {
        let rows: Vec<(String, String, String)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT DISTINCT field, value, reason FROM value_rejects \
         JOIN value_reject_reasons ON value_reject_reasons.id = reason_id \
         JOIN raw_listings ON raw_listings.id = value_rejects.raw_id \
         WHERE raw_listings.listing_id = $1 ORDER BY field, value, reason",
    )
    .bind(listing.0)
    .fetch_all(pool)
    .await?);
        Ok(rows
            .into_iter()
            .map(|(field, value, reason)| ValueReject {
                field,
                value,
                reason,
            })
            .collect())
    })
}
