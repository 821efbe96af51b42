//! Writing what was observed to the store: raw listings, sightings, and the state of each listing folded from them.
//!
//! [`replay`] reads dumps, [`observe`] takes what a crawl found; both go the same way, so that a crawl and a replay of
//! its dump end in the same state. Input that cannot be read is kept among the rejects and tried again by
//! [`retry_rejects`]. [`rebuild`](fn@rebuild) folds every listing anew from its raw listings, after an adapter has learned
//! more.
//!
//! What is stored is a function of the set of observations: order and batches do not matter, and a second replay
//! changes nothing. One transaction holds an observation with all of its effects, so that a process may be killed at
//! any point and the next replay ends in the same state.

mod batch;
mod crawl;
mod follow;
mod history;
mod life;
mod meet;
mod read;
mod rebuild;
mod record;
mod report;
mod retry;
mod write;

use schema::store::{Db, StoreError, Tx, rejects};
use schema::{Observation, Timestamp};

use crate::dumps::{self, Source};
use batch::Batch;

pub use life::{Turn, What, life};
pub use read::{ReadError, read};
pub use rebuild::{Rebuilt, rebuild};
pub use report::{Counts, IntakeReport, Progress};
pub use retry::{Retried, retry_rejects};

/// Reads dumps into the store. `now` is noted on rejects; `progress` is told after every batch.
///
/// # Errors
/// [`StoreError`] when the database fails; what was reported as progress is stored, and replaying all of it again is
/// right. What is wrong with the dumps is no error but stands in the report.
pub async fn replay(
    db: &Db,
    sources: Vec<Source>,
    now: Timestamp,
    mut progress: impl FnMut(Progress) + Send,
) -> Result<IntakeReport, StoreError> {
    let mut report = IntakeReport::default();
    let (mut batches, reader) = batch::read_ahead(dumps::lines(sources));
    while let Some(batch) = batches.recv().await {
        let bytes = batch.bytes_read;
        store(db, batch, now, &mut report).await?;
        progress(Progress {
            lines: report.lines,
            bytes,
        });
    }
    // The channel is closed, so that the thread has ended or is about to.
    if let Err(panic) = reader.join() {
        std::panic::resume_unwind(panic);
    }
    Ok(report)
}

/// Takes over what a crawl found. `source` names the crawl in rejects, which number the observations from 1.
///
/// # Errors
/// [`StoreError`] when the database fails; nothing of `observations` is stored then.
pub async fn observe(
    db: &Db,
    source: &str,
    observations: &[Observation],
    now: Timestamp,
) -> Result<IntakeReport, StoreError> {
    let mut report = IntakeReport::default();
    store(
        db,
        Batch::of_observations(source, observations),
        now,
        &mut report,
    )
    .await?;
    Ok(report)
}

/// What a crawl found, read and ready to be written.
pub(crate) struct Found(Batch);

/// Reads what a crawl found. `source` names the crawl in rejects, which number the observations from 1.
pub(crate) fn found(source: &str, observations: &[Observation]) -> Found {
    Found(Batch::of_observations(source, observations))
}

/// Writes what a crawl found in a transaction with what else the crawl has to note.
pub(crate) async fn write_found(
    tx: &mut Tx,
    Found(batch): Found,
    now: Timestamp,
) -> Result<IntakeReport, StoreError> {
    let mut report = IntakeReport {
        lines: batch.lines(),
        ..IntakeReport::default()
    };
    report.rejected = batch.rejects.len() as u64;
    write::entries(tx, batch.entries, &mut report).await?;
    for reject in &batch.rejects {
        rejects::insert(tx, reject, now).await?;
    }
    Ok(report)
}

/// Stores a batch in one transaction, and only then counts it.
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
    write::entries(&mut tx, batch.entries, &mut counted).await?;
    for reject in &batch.rejects {
        rejects::insert(&mut tx, reject, now).await?;
    }
    tx.commit().await?;
    *report = counted;
    Ok(())
}
