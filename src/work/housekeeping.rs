//! The job that throws away what nobody needs any longer.

use schema::Timestamp;
use schema::store::housekeeping::{self, KeepSince};

use super::{Ended, Worker};
use crate::clock;

const DAY: i64 = 86_400_000;

/// For how long jobs that are done are kept: a job of one name is queued once within it.
const JOBS: i64 = 7 * DAY;
/// For how long it is kept how crawls went.
const CRAWLS: i64 = 365 * DAY;
/// For how long it is kept what lists said of adverts that are gone: one that comes back is read anew after that.
const ENTRIES: i64 = 180 * DAY;

pub(super) async fn tidy(worker: &Worker) -> Ended {
    let now = clock::now().millis();
    let keep = KeepSince {
        jobs: Timestamp(now - JOBS),
        crawls: Timestamp(now - CRAWLS),
        entries: Timestamp(now - ENTRIES),
    };
    match housekeeping::tidy(&worker.db, keep).await {
        Ok(tidied) => {
            tracing::info!(
                jobs = tidied.jobs,
                crawls = tidied.crawls,
                entries = tidied.entries,
                "thrown away"
            );
            Ended::Done
        }
        Err(error) => error.into(),
    }
}
