//! Complete crawls of a portal. Listings that they did not show are gone.

use futures::future::BoxFuture;

use super::columns::{Cell, code, row};
use super::error::Result;
use super::lists;
use super::transaction::{Tx, on_tx};
use crate::observation::{Crawl, CrawlScope};
use crate::timestamp::Timestamp;

/// Records a complete crawl. Returns whether it is new.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn record<'a>(tx: &'a mut Tx, crawl: &'a Crawl) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let recorded = on_tx!(tx, connection => sqlx::query(
        "INSERT INTO crawls (site_id, observed_at, started_at, offer_type, property_type) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
    )
    .bind(&crawl.site_id)
    .bind(crawl.observed_at.millis())
    .bind(crawl.started_at.millis())
    .bind(code(crawl.scope.offer_type))
    .bind(code(crawl.scope.property_type))
    .execute(connection)
    .await?
    .rows_affected());
        Ok(recorded > 0)
    })
}

/// The crawls of a portal that were complete at `since` or later, in the order of completion.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_site<'a>(
    tx: &'a mut Tx,
    site_id: &'a str,
    since: Timestamp,
) -> BoxFuture<'a, Result<Vec<Crawl>>> {
    Box::pin(async move { of_sites(tx, &[(site_id, since)]).await })
}

/// [`of_site`] for several portals, each with a time of its own, in one statement.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn of_sites<'a>(
    tx: &'a mut Tx,
    since: &'a [(&'a str, Timestamp)],
) -> BoxFuture<'a, Result<Vec<Crawl>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT site_id, observed_at, started_at, offer_type, property_type FROM crawls \
             JOIN ({}) AS asked ON site_id = asked.a AND observed_at >= CAST(asked.b AS BIGINT) \
             ORDER BY observed_at, started_at, COALESCE(offer_type, -1), COALESCE(property_type, -1)",
            lists::text_pairs(tx.backend())
        );
        let since = since.iter().map(|(site, since)| (site, since.millis()));
        let rows: Vec<CrawlRow> = lists::fetch(tx, &text, &since.collect::<Vec<_>>()).await?;
        rows.into_iter().map(CrawlRow::into_crawl).collect()
    })
}

/// When the last crawl of a portal was complete; `None` if none ever was.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn latest<'a>(tx: &'a mut Tx, site_id: &'a str) -> BoxFuture<'a, Result<Option<Timestamp>>> {
    Box::pin(async move {
        let at: Option<i64> = on_tx!(tx, connection => sqlx::query_scalar(
        "SELECT MAX(observed_at) FROM crawls WHERE site_id = $1",
    )
    .bind(site_id)
    .fetch_one(connection)
    .await?);
        Ok(at.map(Timestamp))
    })
}

row! {
    struct CrawlRow {
        site_id: String,
        observed_at: i64,
        started_at: i64,
        offer_type: Option<i16>,
        property_type: Option<i16>,
    }
}

impl CrawlRow {
    fn into_crawl(self) -> Result<Crawl> {
        let id = format!("{} at {}", self.site_id, self.observed_at);
        let cell = |column| Cell {
            table: "crawls",
            column,
            id: &id,
        };
        Ok(Crawl {
            site_id: self.site_id,
            started_at: Timestamp(self.started_at),
            observed_at: Timestamp(self.observed_at),
            scope: CrawlScope {
                offer_type: cell("offer_type").value(self.offer_type)?,
                property_type: cell("property_type").value(self.property_type)?,
            },
        })
    }
}
