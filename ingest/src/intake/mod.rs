//! Storing what was observed: raw listings, sightings, and the state of each listing computed from them.
//!
//! [`replay`] reads dumps, and a crawl stores its observations through the same code, so that a crawl and a replay of its
//! dump end in the same state. Input that cannot be read is kept among the rejects, and [`retry_rejects`] reads it again.
//! [`read_again`] reads every stored content again, after an adapter has been corrected.
//!
//! What is stored is a function of the set of observations: their order and batches do not matter, and a second replay
//! changes nothing. An observation is stored in one transaction with all of its effects, so a process may be killed at any
//! point and the next replay ends in the same state.
//!
//! # Layout
//!
//! `read` turns a line of a dump or an observation of a crawl into an entry, `batch` reads many of them in parallel, and
//! `write` stores them: `new_listings`, `known_listings` and `complete_crawl`, with `record` for the observations
//! themselves. `history` loads everything about a listing when its state has to be recomputed. `purge` takes out again what
//! was stored, and `show` says what is stored about one listing.

mod batch;
mod complete_crawl;
mod history;
mod known_listings;
mod life;
mod new_listings;
mod purge;
mod read;
mod rebuild;
mod record;
mod report;
mod retry;
mod show;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;
use schema::store::rejects::{self, Reject};
use schema::store::{Db, StoreError, Tx, planner_statistics, purges};
use schema::{Observation, Timestamp};

use crate::dumps::{self, Source};
use batch::Batch;

pub use life::{LifeChange, LifeEvent, life};
pub use purge::{PurgeError, PurgeTarget, Purged, purge};
pub(crate) use read::ReadObservation;
pub use read::{ReadError, read_raw_listing};
pub use rebuild::{READINGS, Rebuilt, is_reading_due, read_again, rebuild};
pub use report::{Counts, IntakeReport, Progress};
pub use retry::{Retried, retry_rejects};
pub use show::{FieldChange, KnownField, ListingRecord, SeenContent, listing_record};

/// After how many lines of a replay the database first collects statistics of its tables, and by how much the number of
/// lines grows until it does so again.
const FIRST_STATISTICS: u64 = 2_000;
const STATISTICS_GROWTH: u64 = 4;

/// Reads dumps into the store. Lines that were observed more than a day after `now` are rejected; `progress` is called
/// after every batch.
///
/// # Errors
/// [`StoreError`] if the database fails. What was reported as progress is stored, and the replay can be repeated. Faults
/// of the dumps are not errors: they are in the report.
pub fn replay<'a>(
    db: &'a Db,
    sources: Vec<Source>,
    now: Timestamp,
    progress: &'a mut (dyn FnMut(Progress) + Send),
) -> BoxFuture<'a, Result<IntakeReport, StoreError>> {
    Box::pin(async move {
        let mut report = IntakeReport::default();
        let mut statistics_due = FIRST_STATISTICS;
        let is_new = Arc::new(AtomicBool::new(false));
        let (mut batches, reader) = batch::read_ahead(
            dumps::read_lines(sources),
            read::latest_accepted(now),
            Arc::clone(&is_new),
        );
        while let Some(batch) = batches.recv().await {
            let bytes = batch.bytes_read;
            let before = report.total();
            store(db, batch, now, &mut report).await?;
            is_new.store(report.is_mostly_new_since(before), Ordering::Relaxed);
            if report.lines >= statistics_due {
                planner_statistics::collect(db).await?;
                statistics_due = report.lines.saturating_mul(STATISTICS_GROWTH);
            }
            progress(Progress {
                lines: report.lines,
                bytes,
            });
        }
        // The channel is closed, so the thread has ended or is about to end.
        if let Err(panic) = reader.join() {
            std::panic::resume_unwind(panic);
        }
        Ok(report)
    })
}

/// Stores observations in one transaction. Rejects name `source` and number the observations from 1.
///
/// # Errors
/// [`StoreError`] if the database fails. Then none of the observations is stored.
pub fn observe<'a>(
    db: &'a Db,
    source: &'a str,
    observations: &'a [Observation],
    now: Timestamp,
) -> BoxFuture<'a, Result<IntakeReport, StoreError>> {
    Box::pin(async move {
        let mut report = IntakeReport::default();
        let observations: Vec<ReadObservation> =
            observations.iter().cloned().map(Into::into).collect();
        let batch = Batch::from_observations(source, &observations);
        store(db, batch, now, &mut report).await?;
        Ok(report)
    })
}

/// Observations of a crawl that have been read and can be written.
pub(crate) struct PreparedObservations(Batch);

/// Reads the observations of a crawl. Rejects name `source` and number the observations from 1.
pub(crate) fn prepare(source: &str, observations: &[ReadObservation]) -> PreparedObservations {
    PreparedObservations(Batch::from_observations(source, observations))
}

/// Writes the observations of a crawl in the caller's transaction.
pub(crate) async fn write_prepared(
    tx: &mut Tx,
    PreparedObservations(batch): PreparedObservations,
    now: Timestamp,
) -> Result<IntakeReport, StoreError> {
    let mut report = IntakeReport {
        lines: batch.lines(),
        ..IntakeReport::default()
    };
    report.rejected = batch.rejects.len() as u64;
    write::write_entries(tx, batch.entries, &mut report).await?;
    insert_rejects(tx, &batch.rejects, now).await?;
    Ok(report)
}

/// Stores rejects, apart from lines about what was purged.
async fn insert_rejects(tx: &mut Tx, rejects: &[Reject], now: Timestamp) -> Result<(), StoreError> {
    if rejects.is_empty() {
        return Ok(());
    }
    let blocked = purges::blocked(tx).await?;
    for reject in rejects
        .iter()
        .filter(|reject| !blocked.names(&reject.content))
    {
        rejects::insert(tx, reject, now).await?;
    }
    Ok(())
}

/// Stores a batch in one transaction, and counts it once it is committed.
async fn store(
    db: &Db,
    batch: Batch,
    now: Timestamp,
    report: &mut IntakeReport,
) -> Result<(), StoreError> {
    let mut counted = report.clone();
    counted.lines += batch.lines();
    counted.rejected += batch.rejects.len() as u64;
    counted.truncated.extend(batch.truncated);
    let mut tx = db.begin().await?;
    write::write_entries(&mut tx, batch.entries, &mut counted).await?;
    for range in &batch.read_lines {
        let lines = range.first..=range.last;
        rejects::clear_mended(&mut tx, &range.source, lines, &batch.rejects).await?;
    }
    insert_rejects(&mut tx, &batch.rejects, now).await?;
    tx.commit().await?;
    *report = counted;
    Ok(())
}
