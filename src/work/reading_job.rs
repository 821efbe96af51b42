//! The job that reads all stored contents again, after an adapter was corrected.

use std::time::Duration;

use ingest::intake::{self, Rebuilt};

use super::{JobResult, Worker};
use crate::clock;

/// Reads all stored contents again, until the worker is stopped. What was read stays; the next attempt starts over.
pub(super) async fn read_again(worker: &Worker) -> JobResult {
    let db = worker.db.clone();
    let reading = worker.on_own_thread(|stop| async move {
        let mut unreported = |_| ();
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            read = intake::read_again(&db, clock::now(), &mut unreported) => Some(read),
        }
    });
    match reading.await {
        Ok(Some(Ok(Rebuilt { listings, changed }))) => {
            tracing::info!(listings, changed, "read all stored contents again");
            JobResult::Done
        }
        Ok(Some(Err(error))) => error.into(),
        Ok(None) => JobResult::Retry(Duration::ZERO),
        Err(result) => result,
    }
}
