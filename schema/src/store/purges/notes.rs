//! What was taken out, and why.

use std::collections::HashSet;

use futures::future::BoxFuture;

use crate::listing::ListingKey;
use crate::store::database::{Db, on_db};
use crate::store::error::Result;
use crate::store::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// What was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PurgeKind {
    /// Everything of a portal.
    Portal,
    /// Everything of a listing.
    Listing,
    /// What a dump brought.
    Dump,
    /// What a crawl brought.
    Crawl,
}

impl PurgeKind {
    /// The name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::Listing => "listing",
            Self::Dump => "dump",
            Self::Crawl => "crawl",
        }
    }
}

/// What is taken out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purge {
    /// What it is.
    pub kind: PurgeKind,
    /// The portal; `None` for a dump.
    pub site_id: Option<String>,
    /// The portal's number of the listing.
    pub offer_id: Option<String>,
    /// Its name: the portal, the listing, the file, or the portal and the start of the crawl.
    pub subject: String,
    /// Why, in the operator's words.
    pub reason: String,
}

/// A note that something was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurgeNote {
    /// The name of its [`PurgeKind`].
    pub kind: String,
    /// What was taken out.
    pub subject: String,
    /// Why.
    pub reason: String,
    /// When.
    pub purged_at: Timestamp,
    /// Since when it may come back. `None` if it may not, or if it is a dump or a crawl, which may always.
    pub allowed_at: Option<Timestamp>,
}

/// Notes that something was taken out. A portal and a listing do not come back until [`allow`] allows it.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn note<'a>(tx: &'a mut Tx, purge: &'a Purge, at: Timestamp) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO purges (kind, site_id, site_offer_id, subject, reason, purged_at) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(purge.kind.as_str())
            .bind(&purge.site_id)
            .bind(&purge.offer_id)
            .bind(&purge.subject)
            .bind(&purge.reason)
            .bind(at.millis())
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}

/// Allows a portal, or one of its listings, to come back. Returns whether it was not allowed to.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn allow<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    offer_id: Option<&'a str>,
    at: Timestamp,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let allowed = on_tx!(tx, connection => {
            sqlx::query(
                "UPDATE purges SET allowed_at = $3 WHERE site_id = $1 AND allowed_at IS NULL \
                 AND ((kind = 'listing' AND site_offer_id = $2) OR (kind = 'portal' AND $2 IS NULL))",
            )
            .bind(site_id)
            .bind(offer_id)
            .bind(at.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        Ok(allowed > 0)
    })
}

/// All notes, newest first.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn list(db: &Db) -> BoxFuture<'_, Result<Vec<PurgeNote>>> {
    Box::pin(async move {
        let rows: Vec<(String, String, String, i64, Option<i64>)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT kind, subject, reason, purged_at, allowed_at FROM purges ORDER BY id DESC",
    )
    .fetch_all(pool)
    .await?);
        let note = |(kind, subject, reason, purged_at, allowed_at): (_, _, _, i64, Option<i64>)| {
            PurgeNote {
                kind,
                subject,
                reason,
                purged_at: Timestamp(purged_at),
                allowed_at: allowed_at.map(Timestamp),
            }
        };
        Ok(rows.into_iter().map(note).collect())
    })
}

/// The portals and listings that may not come back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Blocked {
    sites: HashSet<String>,
    listings: HashSet<ListingKey>,
}

impl Blocked {
    /// Whether nothing is blocked.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty() && self.listings.is_empty()
    }

    /// Whether a whole portal is blocked.
    pub fn has_site(&self, site_id: &str) -> bool {
        self.sites.contains(site_id)
    }

    /// Whether a listing is blocked, by itself or with its portal.
    pub fn has(&self, key: &ListingKey) -> bool {
        self.has_site(&key.site_id) || self.listings.contains(key)
    }
}

/// The portals and listings that were taken out and may not come back.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn blocked(tx: &mut Tx) -> BoxFuture<'_, Result<Blocked>> {
    Box::pin(async move {
        let rows: Vec<(String, Option<String>)> = on_tx!(tx, connection => sqlx::query_as(
        "SELECT site_id, site_offer_id FROM purges \
         WHERE allowed_at IS NULL AND kind IN ('portal', 'listing') AND site_id IS NOT NULL",
    )
    .fetch_all(connection)
    .await?);
        let mut blocked = Blocked::default();
        for (site_id, offer_id) in rows {
            match offer_id {
                Some(offer_id) => blocked.listings.insert(ListingKey { site_id, offer_id }),
                None => blocked.sites.insert(site_id),
            };
        }
        Ok(blocked)
    })
}
