//! Reading listings.

use std::collections::{BTreeSet, HashMap};

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::AssertSqlSafe;

use super::followed::pending_in;
use super::row::{ListingRow, SELECT, with_prices};
use crate::listing::{ListingId, ListingKey, StoredListing};
use crate::observation::Crawl;
use crate::offer_id::OfferId;
use crate::store::columns::{Cell, code};
use crate::store::database::{Backend, Db, on_db};
use crate::store::error::{Result, StoreError, corrupt};
use crate::store::transaction::{Tx, on_tx};
use crate::store::{lists, sightings};
use crate::timestamp::Timestamp;

/// The listings with these keys. Listings that are not stored are left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn load<'a>(
    tx: &'a mut Tx,
    keys: &'a [ListingKey],
) -> BoxFuture<'a, Result<HashMap<ListingKey, StoredListing>>> {
    Box::pin(async move {
        let pairs: Vec<_> = keys
            .iter()
            .map(|key| (&key.site_id, &key.offer_id))
            .collect();
        let text = format!(
            "{SELECT} JOIN ({}) AS wanted ON listings.site_id = wanted.a AND listings.site_offer_id = wanted.b",
            lists::text_pairs(tx.backend())
        );
        let listings = by_list(tx, &text, &pairs).await?;
        Ok(listings
            .into_iter()
            .map(|listing| (listing.key.clone(), listing))
            .collect())
    })
}

/// The listings with these row numbers, in the order of the numbers. Numbers without a listing are left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn get<'a>(tx: &'a mut Tx, ids: &'a [ListingId]) -> BoxFuture<'a, Result<Vec<StoredListing>>> {
    Box::pin(async move {
        let mut ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        ids.sort_unstable();
        ids.dedup();
        let text = format!(
            "{SELECT} WHERE listings.id IN ({}) ORDER BY listings.id",
            lists::integers(tx.backend())
        );
        by_list(tx, &text, &ids).await
    })
}

/// The portals with at least one listing that is gone.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn watched(tx: &mut Tx) -> BoxFuture<'_, Result<BTreeSet<String>>> {
    Box::pin(async move {
        // One look-up in an index for each portal, because there are few portals and many listings.
        let text = "WITH RECURSIVE sites (site) AS ( \
                 SELECT MIN(site_id) FROM listings WHERE gone_at IS NOT NULL \
                 UNION ALL \
                 SELECT (SELECT MIN(site_id) FROM listings WHERE gone_at IS NOT NULL AND site_id > site) \
                 FROM sites WHERE site IS NOT NULL) \
             SELECT site FROM sites WHERE site IS NOT NULL";
        let sites: Vec<String> = on_tx!(tx, connection => {
            sqlx::query_scalar(text).fetch_all(connection).await?
        });
        Ok(sites.into_iter().collect())
    })
}

/// When the newest listing of a portal was first seen; `None` if it has none.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn newest_sighting<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
) -> BoxFuture<'a, Result<Option<Timestamp>>> {
    Box::pin(async move {
        let newest: Option<i64> = on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT MAX(first_seen_at) FROM listings WHERE site_id = $1")
                .bind(site_id)
                .fetch_one(connection)
                .await?
        });
        Ok(newest.map(Timestamp))
    })
}

/// Up to `limit` listings after `after`, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn page(
    db: &Db,
    after: Option<ListingId>,
    limit: u32,
) -> BoxFuture<'_, Result<Vec<StoredListing>>> {
    Box::pin(async move {
        let text = format!("{SELECT} WHERE listings.id > $1 ORDER BY listings.id LIMIT $2");
        let mut tx = db.begin_read().await?;
        let rows: Vec<ListingRow> = on_tx!(&mut tx, connection => sqlx::query_as(AssertSqlSafe(text.as_str()))
        .bind(after.map_or(i64::MIN, |id| id.0))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?);
        let listings = with_prices(&mut tx, rows).await?;
        tx.commit().await?;
        Ok(listings)
    })
}

/// The listings that a complete crawl ended or may have ended: of its portal and scope, first seen before it began, without
/// a sighting during it, and not gone before its end. Listings seen after it are included whatever their kind, because
/// their kind at the time of the crawl is not known here. Returns row numbers only, in their order, because they may be most
/// of a portal.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn not_seen_in<'a>(tx: &'a mut Tx, crawl: &'a Crawl) -> BoxFuture<'a, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let during = (crawl.started_at.millis(), crawl.observed_at.millis());
        let ids: Vec<i64> = on_tx!(&mut *tx, connection => sqlx::query_scalar(
        "SELECT id FROM listings WHERE site_id = $1 AND first_seen_at < $2 \
         AND (gone_at IS NULL OR gone_at > $3) \
         AND (last_seen_at > $3 OR ( \
             ($4 IS NULL OR offer_type = $4) AND ($5 IS NULL OR property_type = $5))) \
         AND NOT last_seen_at BETWEEN $2 AND $3 ORDER BY id",
    )
    .bind(&crawl.site_id)
    .bind(crawl.started_at.millis())
    .bind(crawl.observed_at.millis())
    .bind(code(crawl.scope.offer_type))
    .bind(code(crawl.scope.property_type))
    .fetch_all(connection)
    .await?);
        let mut unseen = Vec::with_capacity(ids.len());
        for part in ids.chunks(lists::LIST) {
            let seen = sightings::seen_between(tx, part, during).await?;
            unseen.extend(
                part.iter()
                    .filter(|id| !seen.contains(id))
                    .copied()
                    .map(ListingId),
            );
        }
        Ok(unseen)
    })
}

/// The listings behind an offer, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn of_offer<'a>(db: &'a Db, offer: &'a OfferId) -> BoxFuture<'a, Result<Vec<StoredListing>>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let listings = of_offers(&mut tx, std::slice::from_ref(offer)).await?;
        tx.commit().await?;
        Ok(listings)
    })
}

/// The listings behind these offers, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`].
pub fn of_offers<'a>(
    tx: &'a mut Tx,
    offers: &'a [OfferId],
) -> BoxFuture<'a, Result<Vec<StoredListing>>> {
    Box::pin(async move {
        let text = format!(
            "{SELECT} WHERE listings.offer_id IN ({})",
            lists::texts(tx.backend())
        );
        let offers: Vec<&str> = offers.iter().map(OfferId::as_str).collect();
        let mut listings = by_list(tx, &text, &offers).await?;
        listings.sort_unstable_by_key(|listing| listing.id);
        Ok(listings)
    })
}

/// Up to `limit` listings that are pending for deduplication, in the order of their row numbers.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn pending(db: &Db, limit: u32) -> BoxFuture<'_, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let ids = pending_in(&mut tx, limit).await?;
        tx.commit().await?;
        Ok(ids)
    })
}

/// Up to `limit` listings that were stored last, the newest first.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn newest(db: &Db, limit: u32) -> BoxFuture<'_, Result<Vec<ListingId>>> {
    Box::pin(async move {
        let ids: Vec<i64> = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT id FROM listings ORDER BY id DESC LIMIT $1")
                .bind(i64::from(limit))
                .fetch_all(pool)
                .await?
        });
        Ok(ids.into_iter().map(ListingId).collect())
    })
}

/// The number of listings that are pending for deduplication.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn pending_count(db: &Db) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT COUNT(*) FROM listings WHERE pending").fetch_one(pool).await?
        });
        Ok(count.unsigned_abs())
    })
}

/// The number of stored listings.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn count(db: &Db) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let count: i64 = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT COUNT(*) FROM listings").fetch_one(pool).await?
        });
        Ok(count.unsigned_abs())
    })
}

/// The membership of a listing: its record, and whether it is live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberState {
    /// Its row number.
    pub id: ListingId,
    /// Portal and number.
    pub key: ListingKey,
    /// The record it belongs to; `None` until deduplication has processed it.
    pub offer_id: Option<OfferId>,
    /// Whether the portal still advertises it.
    pub is_live: bool,
}

/// The membership of every listing, in the order of the row numbers. Read in parts, each consistent in itself; listings
/// that are stored meanwhile may be included.
///
/// # Errors
/// The last item may be [`crate::store::StoreError::Database`] or [`crate::store::StoreError::Corrupt`].
pub fn member_states(db: &Db) -> BoxStream<'_, Result<MemberState>> {
    let pages = stream::try_unfold(None, move |after| async move {
        let page = member_states_after(db, after).await?;
        let next = page.last().map(|last| last.id);
        Ok::<_, StoreError>(next.map(|last| (stream::iter(page.into_iter().map(Ok)), Some(last))))
    });
    pages.try_flatten().boxed()
}

/// The columns of a membership.
type MemberRow = (i64, String, String, Option<String>, Option<i64>);

/// A page as one value: passing on a million rows of five columns takes seconds.
async fn member_states_after(db: &Db, after: Option<ListingId>) -> Result<Vec<MemberState>> {
    let array = match db.backend() {
        Backend::Sqlite => "json_group_array(json_array",
        Backend::Postgres => "json_agg(json_build_array",
    };
    let text = format!(
        "SELECT CAST({array}(id, site_id, site_offer_id, offer_id, gone_at)) AS TEXT) FROM ( \
             SELECT id, site_id, site_offer_id, offer_id, gone_at FROM listings \
             WHERE id > $1 ORDER BY id LIMIT $2) AS page"
    );
    let page: Option<String> = on_db!(db, current, pool => sqlx::query_scalar(AssertSqlSafe(text))
        .bind(after.map_or(i64::MIN, |id| id.0))
        .bind(lists::LIST.cast_signed() as i64)
        .fetch_one(pool)
        .await?);
    let mut rows: Vec<MemberRow> = match page {
        None => Vec::new(),
        Some(page) => serde_json::from_str(&page)
            .map_err(|error| corrupt("listings", "id", "of a page", error))?,
    };
    rows.sort_unstable_by_key(|(id, ..)| *id);
    rows.into_iter().map(member_state).collect()
}

fn member_state((id, site_id, number, offer_id, gone_at): MemberRow) -> Result<MemberState> {
    let cell = Cell {
        table: "listings",
        column: "offer_id",
        id: &id,
    };
    Ok(MemberState {
        id: ListingId(id),
        key: ListingKey {
            site_id,
            offer_id: number,
        },
        offer_id: offer_id.map(|text| cell.offer_id(&text)).transpose()?,
        is_live: gone_at.is_none(),
    })
}

/// The listings of a query whose `$1` is a list.
async fn by_list(
    tx: &mut Tx,
    text: &str,
    list: &[impl serde::Serialize],
) -> Result<Vec<StoredListing>> {
    let rows: Vec<ListingRow> = lists::fetch(tx, text, list).await?;
    with_prices(tx, rows).await
}
