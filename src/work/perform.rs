//! One job: it is tried, and how that ended is noted before the queue forgets it.

use std::sync::Arc;
use std::time::Duration;

use schema::Timestamp;
use schema::store::StoreError;
use schema::store::jobs::{self, Job, Task};
use tokio_util::task::AbortOnDropHandle;

use super::crawl::{self, Wanted};
use super::{Ended, Worker, dedup, housekeeping};
use crate::clock;
use crate::metrics::work as figures;

/// After how many failures a job is given up.
const ATTEMPTS: u32 = 5;

/// How long a job is put off that comes while the worker stops: it shall be another one's.
const PUT_OFF: Duration = Duration::from_secs(2);

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// Does a job. Never fails for the queue: what is to be tried again is queued anew.
pub(super) async fn perform(worker: Arc<Worker>, job: Result<Job, String>) {
    let job = match job {
        Ok(job) => job,
        Err(reason) => {
            return tracing::error!(
                reason,
                "a job cannot be read: is it of a newer version? It is left out"
            );
        }
    };
    if worker.stop.is_cancelled() {
        return settle(&worker, &job, &Ended::Later(PUT_OFF)).await;
    }
    let began = std::time::Instant::now();
    // A task of its own, so that a panic ends this job only; gone with the worker that began it.
    let attempt = tokio::spawn(attempt(Arc::clone(&worker), job.clone()));
    let ended = match AbortOnDropHandle::new(attempt).await {
        Ok(ended) => ended,
        Err(error) => Ended::Failed(error.to_string()),
    };
    figures::job_ended(&job.task, ended_as(&ended), began.elapsed());
    settle(&worker, &job, &ended).await;
}

/// Notes how a job ended, however long that takes: the queue forgets the job afterwards.
async fn settle(worker: &Worker, job: &Job, ended: &Ended) {
    while let Err(error) = note(worker, job, ended, clock::now()).await {
        tracing::error!(job = job.key, %error, "how a job ended cannot be noted; it is tried again");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn attempt(worker: Arc<Worker>, job: Job) -> Ended {
    match &job.task {
        Task::Crawl { site_id, accepted } => {
            crawl::crawl(
                &worker,
                Wanted {
                    site_id,
                    accepted: *accepted,
                    asked_at: job.asked_at,
                },
            )
            .await
        }
        Task::Dedup => dedup::dedup(&worker).await,
        Task::Learning => dedup::learn(&worker).await,
        Task::Housekeeping => housekeeping::tidy(&worker).await,
    }
}

fn ended_as(ended: &Ended) -> &'static str {
    match ended {
        Ended::Done => "done",
        Ended::Later(_) => "later",
        Ended::Failed(_) | Ended::Hopeless(_) => "failed",
    }
}

/// Notes how a job ended, and queues what follows from it.
async fn note(worker: &Worker, job: &Job, ended: &Ended, now: Timestamp) -> Result<(), StoreError> {
    let mut tx = worker.db.begin().await?;
    match ended {
        Ended::Done => {
            jobs::succeeded(&mut tx, &job.task, now).await?;
            if matches!(job.task, Task::Crawl { .. }) {
                let after = Job::new(
                    Task::Dedup,
                    format!("dedup:after:{}#{}", job.key, job.turn),
                    now,
                );
                jobs::push(&mut tx, &after, now).await?;
            }
        }
        Ended::Later(wait) => {
            jobs::push(&mut tx, &job.again(false), later(now, *wait)).await?;
        }
        Ended::Failed(reason) if job.failures + 1 < ATTEMPTS => {
            let wait = wait_after(job.failures, worker.manner.retry);
            tracing::warn!(job = job.key, reason, again_in = ?wait, "a job failed");
            jobs::push(&mut tx, &job.again(true), later(now, wait)).await?;
        }
        Ended::Failed(reason) | Ended::Hopeless(reason) => {
            tracing::error!(job = job.key, reason, "a job is given up");
            jobs::failed(&mut tx, &job.task, reason, now).await?;
        }
    }
    tx.commit().await
}

fn later(now: Timestamp, wait: Duration) -> Timestamp {
    Timestamp(
        now.millis()
            .saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)),
    )
}

/// How long to wait after the failure of this number, from 0: four times as long each time.
fn wait_after(failures: u32, first: Duration) -> Duration {
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
    use crate::work::Manner;

    const NOON: Timestamp = Timestamp(1_795_000_000_000);

    #[test]
    fn waits_grow_to_an_hour() {
        let waits: Vec<u64> = (0..6)
            .map(|failures| wait_after(failures, Duration::from_secs(30)).as_secs())
            .collect();
        assert_eq!(waits, [30, 120, 480, 1920, 3600, 3600]);
        assert_eq!(wait_after(u32::MAX, Duration::from_secs(30)), LONGEST_WAIT);
    }

    /// What is queued, and what is known of the kind, after a job that had failed so often ended.
    async fn after(failures: u32, ended: Ended) -> (Vec<Unfinished>, Vec<Outcome>) {
        let database = support::databases().await.swap_remove(0);
        let manner = Manner {
            poll: Duration::from_secs(1),
            heartbeat: Duration::from_secs(1),
            portals_at_once: 1,
            retry: Duration::from_secs(30),
            dedup_every: Duration::from_mins(1),
        };
        let db = database.db.clone();
        let worker = Worker::new(
            db.clone(),
            Settings::default(),
            manner,
            CancellationToken::new(),
        );
        let task = Task::crawl("example");
        let job = Job {
            failures,
            turn: 7,
            ..Job::new(task, "one", NOON)
        };
        note(&worker, &job, &ended, NOON).await.unwrap();
        // A worker that died before the queue forgot the job has it noted twice.
        note(&worker, &job, &ended, NOON).await.unwrap();
        (
            jobs::unfinished(&db).await.unwrap(),
            jobs::outcomes(&db).await.unwrap(),
        )
    }

    #[tokio::test]
    async fn what_failed_is_tried_again_later_and_given_up_in_the_end() {
        let (queued, outcomes) = after(1, Ended::Failed("away".to_owned())).await;
        assert_eq!(outcomes, [], "nobody is told yet");
        let [again] = queued.as_slice() else {
            panic!("{queued:?}")
        };
        assert_eq!(
            (again.job.failures, again.job.turn, again.job.asked_at),
            (2, 8, NOON)
        );
        assert_eq!(again.run_at, Timestamp(NOON.millis() + 120_000));
        let (queued, outcomes) = after(ATTEMPTS - 1, Ended::Failed("away".to_owned())).await;
        assert_eq!(queued, []);
        assert_eq!(
            (outcomes[0].reason.as_deref(), outcomes[0].failed_at),
            (Some("away"), Some(NOON))
        );
    }

    #[tokio::test]
    async fn what_is_hopeless_is_given_up_at_once() {
        let (queued, outcomes) = after(0, Ended::Hopeless("no contact".to_owned())).await;
        assert_eq!(queued, []);
        assert_eq!(outcomes[0].reason.as_deref(), Some("no contact"));
    }

    #[tokio::test]
    async fn what_is_put_off_has_not_failed() {
        let (queued, outcomes) = after(3, Ended::Later(Duration::from_secs(5))).await;
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
    async fn a_crawl_that_is_done_is_followed_by_deduplication() {
        let (queued, outcomes) = after(0, Ended::Done).await;
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
