//! Matching in memory: a changed listing is matched as soon as it is stored, not when the next job of deduplication is due.
//!
//! The index is loaded in the background. Until then, and if it would need too much memory, listings are matched through the
//! database. Several workers may each hold an index: they follow the database.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dedup::worker::{self, KeptIndex, Listings};
use schema::store::{StoreError, listings};
use tokio::sync::Mutex;

use super::{JobResult, Worker, dedup_job};

/// About how many bytes the index needs for each listing, while it is loaded.
const BYTES_A_LISTING: u64 = 3_000;

/// What is assumed to be available if the system does not say it.
const UNKNOWN_MEMORY: u64 = 2_000_000_000;

/// How long to wait before the index is loaded again that did not fit the database any more, or after an error.
const LOAD_AGAIN_AFTER: Duration = Duration::from_mins(1);

/// The index, if it is loaded. The run that matches holds the lock.
pub(super) type Matching = Arc<Mutex<Option<KeptIndex>>>;

/// Loads the index when there is none, and matches what waits while there is one. A job of deduplication does the rest: what
/// waits while there is no index, and more than an index is good for.
pub(super) async fn keep_matching(worker: Arc<Worker>) {
    if worker.options.matching_memory == Some(0) {
        return;
    }
    let mut said_too_large = false;
    while !worker.stop.is_cancelled() {
        let is_loaded = worker.matching.lock().await.is_some();
        let wait = if is_loaded {
            match_waiting(&worker).await;
            worker.options.poll
        } else {
            match load(&worker).await {
                Loaded::Yes => worker.options.poll,
                Loaded::Later => LOAD_AGAIN_AFTER.min(worker.options.dedup_every),
                Loaded::TooLarge { listings, most } => {
                    if !std::mem::replace(&mut said_too_large, true) {
                        tracing::warn!(
                            listings,
                            available_mb = most / 1_000_000,
                            "matching through the database: an index of all listings needs too much memory"
                        );
                    }
                    LOAD_AGAIN_AFTER
                }
            }
        };
        worker.sleep(wait).await;
    }
}

/// Matches the listings that wait, unless there are so many that a job does it better.
async fn match_waiting(worker: &Worker) {
    if !matches!(few_wait(worker).await, Ok(true)) {
        return;
    }
    // A job tries again, and reports what is wrong.
    if let JobResult::Failed(reason) | JobResult::Unrecoverable(reason) =
        dedup_job::deduplicate(worker).await
    {
        tracing::warn!(reason, "matching in memory failed; a job repeats it");
    }
}

/// Whether listings wait for deduplication, but not so many that all listings are matched again.
async fn few_wait(worker: &Worker) -> Result<bool, StoreError> {
    let waiting = listings::pending_count(&worker.db).await?;
    Ok(waiting > 0 && !worker::is_full_run_due(&worker.db, waiting).await?)
}

/// The result of loading the index.
enum Loaded {
    Yes,
    /// It failed, or so much waits for deduplication that the index would not last.
    Later,
    TooLarge {
        listings: u64,
        most: u64,
    },
}

async fn load(worker: &Worker) -> Loaded {
    match try_load(worker).await {
        Ok(loaded) => loaded,
        Err(JobResult::Failed(reason) | JobResult::Unrecoverable(reason)) => {
            tracing::warn!(reason, "cannot load the index of matching; retrying");
            Loaded::Later
        }
        Err(_) => Loaded::Later,
    }
}

async fn try_load(worker: &Worker) -> Result<Loaded, JobResult> {
    let count = listings::count(&worker.db).await?;
    let most = worker
        .options
        .matching_memory
        .unwrap_or_else(half_of_available);
    if count.saturating_mul(BYTES_A_LISTING) > most {
        return Ok(Loaded::TooLarge {
            listings: count,
            most,
        });
    }
    let waiting = listings::pending_count(&worker.db).await?;
    if worker::is_full_run_due(&worker.db, waiting).await? {
        return Ok(Loaded::Later);
    }
    let addresses = dedup_job::current_addresses(worker).await?;
    let (db, began) = (worker.db.clone(), Instant::now());
    let loading = worker.on_own_thread(|stop| async move {
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            loaded = KeptIndex::load(Listings { db: &db, addresses: &addresses }) => Some(loaded),
        }
    });
    let loaded: Option<Result<KeptIndex, StoreError>> = loading.await?;
    let Some(loaded) = loaded else {
        return Ok(Loaded::Later);
    };
    *worker.matching.lock().await = Some(loaded?);
    tracing::info!(
        listings = count,
        seconds = began.elapsed().as_secs(),
        "matching is held in memory"
    );
    Ok(Loaded::Yes)
}

/// Half of the memory that the system can give to a process, in bytes (Linux; elsewhere a small machine is assumed).
fn half_of_available() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    available(&text).unwrap_or(UNKNOWN_MEMORY) / 2
}

/// The available memory in bytes, from the text of `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let text =
            "MemTotal:       24636164 kB\nMemFree:          912 kB\nMemAvailable:   22020096 kB\n";
        assert_eq!(available(text), Some(22_548_578_304));
        assert_eq!(available("MemTotal: 24636164 kB\n"), None);
        assert_eq!(available("MemAvailable: lots\n"), None);
    }
}
