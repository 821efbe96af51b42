//! Throwing away what nobody needs any longer. What a listing's state is folded from is never among it: a walk or an
//! end that arrives late has to know of every sighting whether it lies before or after.

use super::database::Db;
use super::error::Result;
use super::jobs;
use super::transaction::on_tx;
use crate::timestamp::Timestamp;

/// What is thrown away, and from when on it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepSince {
    /// Jobs that are done, and workers that are gone.
    pub jobs: Timestamp,
    /// How crawls went. The last one of each portal stays, and its last complete one.
    pub crawls: Timestamp,
    /// What portals' lists said of adverts that they no longer show.
    pub entries: Timestamp,
}

/// What was thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tidied {
    /// Jobs.
    pub jobs: u64,
    /// Crawls.
    pub crawls: u64,
    /// Entries of lists.
    pub entries: u64,
}

/// Throws away what is older than it is kept.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn tidy(db: &Db, keep: KeepSince) -> Result<Tidied> {
    let mut tx = db.begin().await?;
    let jobs = jobs::prune(&mut tx, keep.jobs).await?;
    let crawls = on_tx!(&mut tx, connection => {
        sqlx::query(
            "DELETE FROM crawl_runs WHERE started_at < $1 AND finished_at IS NOT NULL \
             AND id NOT IN (SELECT MAX(id) FROM crawl_runs GROUP BY site_id) \
             AND id NOT IN (SELECT MAX(id) FROM crawl_runs WHERE outcome = 1 GROUP BY site_id)",
        )
        .bind(keep.crawls.millis())
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
    tx.commit().await?;
    Ok(Tidied {
        jobs,
        crawls,
        entries,
    })
}
