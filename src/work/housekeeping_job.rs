//! The job that deletes what is no longer needed.

use operations::daily;
use schema::Timestamp;
use schema::store::housekeeping::{self, KeepSince};
use schema::store::record_events;

use super::{JobResult, Worker};
use crate::clock;

const DAY: i64 = 86_400_000;

/// How long finished jobs are kept. Within this time, a job with the same key is not queued again.
const KEEP_JOBS: i64 = 7 * DAY;
/// How long crawls are kept.
const KEEP_CRAWLS: i64 = 365 * DAY;
/// How long the index entries of adverts that are gone are kept. An advert that returns later is read like a new one.
const KEEP_ENTRIES: i64 = 180 * DAY;

/// Keeps the figures of the day, and deletes old jobs, crawls, index entries and changes of records, and the contents of
/// adverts that have been gone for as long as the operator keeps them.
pub(super) async fn delete_old(worker: &Worker) -> JobResult {
    let now = clock::now().millis();
    let keep_contents = match worker.settings.keep_contents() {
        Ok(keep) => keep.map(|keep| i64::try_from(keep.as_millis()).unwrap_or(i64::MAX)),
        Err(error) => return JobResult::Unrecoverable(error.to_string()),
    };
    let keep = KeepSince {
        jobs: Timestamp(now - KEEP_JOBS),
        crawls: Timestamp(now - KEEP_CRAWLS),
        entries: Timestamp(now - KEEP_ENTRIES),
        contents: keep_contents.map(|keep| Timestamp(now.saturating_sub(keep))),
    };
    if let Err(error) = daily::keep(&worker.db, Timestamp(now)).await {
        return error.into();
    }
    let kept_since = match worker.settings.keep_changes() {
        Ok(keep) => now.saturating_sub(i64::try_from(keep.as_millis()).unwrap_or(i64::MAX)),
        Err(error) => return JobResult::Unrecoverable(error.to_string()),
    };
    let deleted =
        record_events::delete_old(&worker.db, Timestamp(now), Timestamp(kept_since)).await;
    let changes = match deleted {
        Ok(changes) => changes,
        Err(error) => return error.into(),
    };
    match housekeeping::tidy(&worker.db, keep).await {
        Ok(tidied) => {
            tracing::info!(
                jobs = tidied.jobs,
                crawls = tidied.crawls,
                entries = tidied.entries,
                contents = tidied.contents,
                changes,
                "deleted old jobs, crawls, index entries, contents and changes"
            );
            JobResult::Done
        }
        Err(error) => error.into(),
    }
}
