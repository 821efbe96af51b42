//! Running one job, and storing its result before the queue forgets the job.

use std::sync::Arc;
use std::time::Duration;

use schema::Timestamp;
use schema::store::StoreError;
use schema::store::jobs::{self, Job, Task};
use tokio_util::task::AbortOnDropHandle;

use super::crawl_job::{self, RequestedCrawl};
use super::{JobResult, Worker, dedup_job, housekeeping_job, reading_job};
use crate::clock;
use crate::metrics::work as figures;

/// After how many failed attempts a job is given up.
const MAX_ATTEMPTS: u32 = 5;

/// How long a job is delayed if it is handed out while the worker stops, so that another worker takes it.
const DELAY_WHILE_STOPPING: Duration = Duration::from_secs(2);

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// Runs a job. It never fails for the queue: a job that is to be retried is queued as a new job.
pub(super) async fn perform(worker: Arc<Worker>, job: Result<Job, String>) {
    let job = match job {
        Ok(job) => job,
        Err(reason) => {
            return tracing::error!(
                reason,
                "skipped a job that cannot be read; a newer version of the program may have queued it"
            );
        }
    };
    if worker.stop.is_cancelled() {
        return store_result(&worker, &job, &JobResult::Retry(DELAY_WHILE_STOPPING)).await;
    }
    let started = std::time::Instant::now();
    // A separate task, so that a panic ends this job only. It ends with the worker.
    let attempt = tokio::spawn(attempt(Arc::clone(&worker), job.clone()));
    let result = match AbortOnDropHandle::new(attempt).await {
        Ok(result) => result,
        Err(error) => JobResult::Failed(error.to_string()),
    };
    figures::job_ended(&job.task, metric_label(&result), started.elapsed());
    store_result(&worker, &job, &result).await;
}

/// Stores the result of a job, and retries until that succeeds: the queue forgets the job afterwards.
async fn store_result(worker: &Worker, job: &Job, result: &JobResult) {
    while let Err(error) = try_store_result(worker, job, result, clock::now()).await {
        tracing::error!(job = job.key, %error, "cannot store the result of a job; retrying");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn attempt(worker: Arc<Worker>, job: Job) -> JobResult {
    match &job.task {
        Task::Crawl {
            site_id,
            accepted,
            lists_only,
        } => {
            let requested = RequestedCrawl {
                site_id,
                accepted: *accepted,
                lists_only: *lists_only,
                requested_at: job.asked_at,
            };
            crawl_job::crawl_portal(&worker, requested).await
        }
        Task::Dedup => dedup_job::deduplicate(&worker).await,
        Task::Learning => dedup_job::adopt_edition(&worker).await,
        Task::Reading => reading_job::read_again(&worker).await,
        Task::Housekeeping => housekeeping_job::delete_old(&worker).await,
    }
}

fn metric_label(result: &JobResult) -> &'static str {
    match result {
        JobResult::Done => "done",
        JobResult::Retry(_) => "later",
        JobResult::Failed(_) | JobResult::Unrecoverable(_) => "failed",
    }
}

/// Stores the result of a job, and queues the jobs that follow from it.
async fn try_store_result(
    worker: &Worker,
    job: &Job,
    result: &JobResult,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut tx = worker.db.begin().await?;
    match result {
        JobResult::Done => {
            jobs::succeeded(&mut tx, &job.task, now).await?;
            if matches!(job.task, Task::Crawl { .. }) {
                let after = Job::new(
                    Task::Dedup,
                    format!("dedup:after:{}#{}", job.key, job.requeues),
                    now,
                );
                jobs::push(&mut tx, &after, now).await?;
            }
        }
        JobResult::Retry(wait) => {
            jobs::push(&mut tx, &job.again(false), add_time(now, *wait)).await?;
        }
        JobResult::Failed(reason) if job.failures + 1 < MAX_ATTEMPTS => {
            let wait = retry_wait(job.failures, worker.options.retry);
            tracing::warn!(job = job.key, reason, retry_in = ?wait, "a job failed and will be retried");
            jobs::push(&mut tx, &job.again(true), add_time(now, wait)).await?;
        }
        JobResult::Failed(reason) | JobResult::Unrecoverable(reason) => {
            tracing::error!(job = job.key, reason, "a job failed and is given up");
            jobs::failed(&mut tx, &job.task, reason, now).await?;
        }
    }
    tx.commit().await
}

fn add_time(now: Timestamp, wait: Duration) -> Timestamp {
    Timestamp(
        now.millis()
            .saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)),
    )
}

/// How long to wait after this many earlier failures: four times as long each time.
fn retry_wait(failures: u32, first: Duration) -> Duration {
    first
        .saturating_mul(4_u32.saturating_pow(failures))
        .min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use schema::store::jobs::{Outcome, Unfinished};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::settings::Settings;
    use crate::work::WorkerOptions;

    const NOON: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn waits_grow_to_an_hour() {
        let waits: Vec<u64> = (0..6)
            .map(|failures| retry_wait(failures, Duration::from_secs(30)).as_secs())
            .collect();
        assert_eq!(waits, [30, 120, 480, 1920, 3600, 3600]);
        assert_eq!(retry_wait(u32::MAX, Duration::from_secs(30)), LONGEST_WAIT);
    }

    /// The queue and the stored outcomes after a job with this many earlier failures ended with `result`.
    async fn after(failures: u32, result: JobResult) -> (Vec<Unfinished>, Vec<Outcome>) {
        let database = support::sqlite().await;
        let options = WorkerOptions {
            poll: Duration::from_secs(1),
            heartbeat: Duration::from_secs(1),
            portals_at_once: 1,
            retry: Duration::from_secs(30),
            dedup_every: Duration::from_mins(1),
            matching_memory: Some(0),
        };
        let db = database.db.clone();
        let worker = Worker::new(
            db.clone(),
            Settings::default(),
            options,
            CancellationToken::new(),
        );
        let task = Task::crawl("example");
        let job = Job {
            failures,
            requeues: 7,
            ..Job::new(task, "one", NOON)
        };
        try_store_result(&worker, &job, &result, NOON)
            .await
            .unwrap();
        // If a worker dies before the queue forgets the job, the result is stored twice.
        try_store_result(&worker, &job, &result, NOON)
            .await
            .unwrap();
        (
            jobs::unfinished(&db).await.unwrap(),
            jobs::outcomes(&db).await.unwrap(),
        )
    }

    #[tokio::test]
    async fn a_failed_job_is_retried_and_given_up_in_the_end() {
        let (queued, outcomes) = after(1, JobResult::Failed("away".to_owned())).await;
        assert_eq!(outcomes, [], "no failure is reported yet");
        let [again] = queued.as_slice() else {
            panic!("{queued:?}")
        };
        assert_eq!(
            (again.job.failures, again.job.requeues, again.job.asked_at),
            (2, 8, NOON)
        );
        assert_eq!(again.run_at, Timestamp(NOON.millis() + 120_000));
        let (queued, outcomes) =
            after(MAX_ATTEMPTS - 1, JobResult::Failed("away".to_owned())).await;
        assert_eq!(queued, []);
        assert_eq!(
            (outcomes[0].reason.as_deref(), outcomes[0].failed_at),
            (Some("away"), Some(NOON))
        );
    }

    #[tokio::test]
    async fn an_unrecoverable_job_is_given_up_at_once() {
        let (queued, outcomes) = after(0, JobResult::Unrecoverable("no contact".to_owned())).await;
        assert_eq!(queued, []);
        assert_eq!(outcomes[0].reason.as_deref(), Some("no contact"));
    }

    #[tokio::test]
    async fn a_delayed_job_has_not_failed() {
        let (queued, outcomes) = after(3, JobResult::Retry(Duration::from_secs(5))).await;
        let [again] = queued.as_slice() else {
            panic!("{queued:?}")
        };
        assert_eq!(
            (again.job.failures, again.run_at),
            (3, Timestamp(NOON.millis() + 5_000))
        );
        assert_eq!(outcomes, []);
    }

    #[tokio::test]
    async fn deduplication_follows_a_finished_crawl() {
        let (queued, outcomes) = after(0, JobResult::Done).await;
        let [next] = queued.as_slice() else {
            panic!("{queued:?}")
        };
        assert_eq!(next.job.task, Task::Dedup);
        assert_eq!(
            (outcomes[0].succeeded_at, &outcomes[0].reason),
            (Some(NOON), &None)
        );
    }
}
