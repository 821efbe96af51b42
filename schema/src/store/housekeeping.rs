//! Deleting old rows. Sightings are never deleted here: an observation that arrives late must be ordered among all of them.
//! Contents are kept too, unless the operator limits how long those of adverts that are gone are kept.

use futures::future::BoxFuture;

use super::database::Db;
use super::error::Result;
use super::transaction::on_tx;
use super::{jobs, lock, notices, raw_listings, value_rejects};
use crate::timestamp::Timestamp;

/// The instant since which rows are kept, for each kind of row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepSince {
    /// Jobs that are done, and workers without heartbeats.
    pub jobs: Timestamp,
    /// Records of crawls, and notices. The last crawl and the last complete crawl of each portal are always kept.
    pub crawls: Timestamp,
    /// Index entries of adverts that are no longer live, and the values that were left out of them.
    pub entries: Timestamp,
    /// Contents of adverts that are gone; `None` keeps all of them.
    pub contents: Option<Timestamp>,
}

/// The numbers of deleted rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tidied {
    /// Jobs.
    pub jobs: u64,
    /// Crawls.
    pub crawls: u64,
    /// Index entries.
    pub entries: u64,
    /// Bodies of contents.
    pub contents: u64,
}

/// Deletes what is older than `keep`.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn tidy(db: &Db, keep: KeepSince) -> BoxFuture<'_, Result<Tidied>> {
    Box::pin(async move {
        let mut tx = db.begin().await?;
        let jobs = jobs::prune(&mut tx, keep.jobs).await?;
        let crawls = on_tx!(&mut tx, connection => {
            sqlx::query(
                "DELETE FROM crawl_runs WHERE started_at < $1 AND finished_at IS NOT NULL \
                 AND id NOT IN (SELECT MAX(id) FROM crawl_runs GROUP BY site_id) \
                 AND id NOT IN (SELECT MAX(id) FROM crawl_runs WHERE outcome = 1 GROUP BY site_id) \
                 AND id NOT IN (SELECT MAX(id) FROM crawl_runs WHERE outcome = 1 AND NOT lists_only \
                 GROUP BY site_id)",
            )
            .bind(keep.crawls.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        on_tx!(&mut tx, connection => {
            sqlx::query("DELETE FROM crawl_lines WHERE run_id NOT IN (SELECT id FROM crawl_runs)")
                .execute(connection)
                .await?
                .rows_affected()
        });
        let entries = on_tx!(&mut tx, connection => {
            sqlx::query(
                "DELETE FROM index_entries WHERE seen_at < $1 AND NOT EXISTS (\
                 SELECT 1 FROM listings WHERE listings.site_id = index_entries.site_id \
                 AND listings.site_offer_id = index_entries.site_offer_id AND gone_at IS NULL)",
            )
            .bind(keep.entries.millis())
            .execute(connection)
            .await?
            .rows_affected()
        });
        notices::prune(&mut tx, keep.crawls).await?;
        tx.commit().await?;
        delete_values(db, keep.entries).await?;
        Ok(Tidied {
            jobs,
            crawls,
            entries,
            contents: delete_contents(db, keep.contents).await?,
        })
    })
}

/// Deletes the values that were left out of listings that have been gone since before `gone_before`, a part in each
/// transaction. Reading the contents again would leave them out again.
async fn delete_values(db: &Db, gone_before: Timestamp) -> Result<()> {
    loop {
        let contents = value_rejects::contents_of_gone(db, gone_before).await?;
        if contents.is_empty() {
            return Ok(());
        }
        let mut tx = db.begin().await?;
        value_rejects::delete_of(&mut tx, &contents).await?;
        tx.commit().await?;
    }
}

/// Deletes the bodies of listings that have been gone since before `gone_before`, a part in each transaction.
async fn delete_contents(db: &Db, gone_before: Option<Timestamp>) -> Result<u64> {
    let Some(gone_before) = gone_before else {
        return Ok(0);
    };
    let mut all = 0;
    loop {
        let mut tx = db.begin().await?;
        lock::listings(&mut tx).await?;
        let deleted = raw_listings::delete_bodies(&mut tx, gone_before).await?;
        tx.commit().await?;
        all += deleted;
        if deleted == 0 {
            return Ok(all);
        }
    }
}
