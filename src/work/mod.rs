//! The worker: queues the jobs that are due and runs queued jobs, until it is told to stop.
//!
//! # Layout
//!
//! `plan` queues jobs: crawls by their schedules, deduplication while listings wait for it, housekeeping once a day.
//! `perform` runs one job and stores its result. Each kind of job has a file: `crawl_job`, `dedup_job`,
//! `reading_job` and `housekeeping_job`. `matching` matches changed listings at once, with an index that it keeps in memory.
//! `notices` tells the operator's webhook what needs a person, and `webhooks`
//! sends changes of records. Any number of workers may share a database: they queue the same jobs under the same keys, and each
//! job is done once.

mod crawl_job;
mod dedup_job;
mod housekeeping_job;
mod matching;
mod notices;
mod perform;
mod plan;
mod reading_job;
mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use schema::store::jobs::{self, Queue, WorkerSettings};
use schema::store::{Db, StoreError};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use self::dedup_job::LoadedEdition;
use crate::random;
use crate::settings::Settings;

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// How often it checks what is due and what is queued.
    pub poll: Duration,
    /// How often it signals that it is alive. If it misses three signals, other workers take its jobs.
    pub heartbeat: Duration,
    /// How many portals it crawls at once.
    pub portals_at_once: usize,
    /// How long it waits before it retries a failed job for the first time. Each further wait is longer.
    pub retry: Duration,
    /// How often it deduplicates while listings wait for it, in addition to after every crawl.
    pub dedup_every: Duration,
    /// The most memory for the index of matching, in bytes. `None` is half of what is available; with 0 there is none.
    pub matching_memory: Option<u64>,
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    db: Db,
    settings: Settings,
    options: WorkerOptions,
    stop: CancellationToken,
    edition: tokio::sync::Mutex<LoadedEdition>,
    matching: matching::Matching,
}

impl Worker {
    /// A worker on a database. It works until `stop` is cancelled.
    pub fn new(
        db: Db,
        settings: Settings,
        options: WorkerOptions,
        stop: CancellationToken,
    ) -> Arc<Self> {
        let edition = tokio::sync::Mutex::new(LoadedEdition::default());
        Arc::new(Self {
            db,
            settings,
            options,
            stop,
            edition,
            matching: matching::Matching::default(),
        })
    }

    /// Runs until the worker is told to stop and its running jobs have ended.
    pub async fn run(self: &Arc<Self>) {
        let plan = tokio::spawn(plan::keep_planning(Arc::clone(self)));
        tokio::join!(
            self.run_queue(Queue::Portals, self.options.portals_at_once),
            self.run_queue(Queue::Upkeep, 1),
            matching::keep_matching(Arc::clone(self)),
            notices::keep_notifying(Arc::clone(self)),
            webhooks::keep_delivering(Arc::clone(self))
        );
        if let Err(error) = plan.await {
            tracing::error!(%error, "the task that queues due jobs has crashed");
        }
    }

    /// Runs the jobs of a queue. If the queue fails, it is started again, because a worker has to run for months.
    async fn run_queue(self: &Arc<Self>, queue: Queue, concurrency: usize) {
        // A name that no other worker has.
        let name = format!(
            "{}-{:08x}",
            std::process::id(),
            random::rng().random::<u32>()
        );
        let mut starts = 0_u32;
        while !self.stop.is_cancelled() {
            let settings = WorkerSettings {
                name: format!("{}-{name}-{starts}", queue.name()),
                queue,
                concurrency,
                poll: self.options.poll,
                heartbeat: self.options.heartbeat,
            };
            let began = std::time::Instant::now();
            let worker = Arc::clone(self);
            let ended = jobs::work(&self.db, &settings, &self.stop, move |job| {
                perform::perform(Arc::clone(&worker), job)
            });
            match ended.await {
                Ok(()) if self.stop.is_cancelled() => return,
                Ok(()) => tracing::warn!(
                    queue = queue.name(),
                    "this queue stopped unexpectedly; restarting it"
                ),
                Err(error) => {
                    tracing::error!(queue = queue.name(), %error, "this queue failed; restarting it");
                }
            }
            starts += 1;
            let was_stable = began.elapsed() > Duration::from_mins(1);
            self.sleep(if was_stable {
                Duration::from_secs(1)
            } else {
                Duration::from_secs(u64::from(starts.min(30)))
            })
            .await;
        }
    }

    /// Runs work that keeps a core busy on its own thread. The work is told to stop when the worker is, and when the
    /// returned future is dropped.
    async fn on_own_thread<Work, Working, T>(&self, work: Work) -> Result<T, JobResult>
    where
        Work: FnOnce(CancellationToken) -> Working + Send + 'static,
        Working: Future<Output = T>,
        T: Send + 'static,
    {
        let stop = self.stop.child_token();
        let _stop_on_drop = stop.clone().drop_guard();
        let runtime = Handle::current();
        let working = tokio::task::spawn_blocking(move || runtime.block_on(work(stop)));
        working
            .await
            .map_err(|error| JobResult::Failed(error.to_string()))
    }

    /// Waits for this long, or until the worker is told to stop.
    async fn sleep(&self, duration: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(duration) => {}
        }
    }
}

/// The result of an attempt at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
enum JobResult {
    /// The job is done.
    Done,
    /// The job did not fail, but has to be tried again after this time.
    Retry(Duration),
    /// The job failed and may succeed if it is tried again.
    Failed(String),
    /// The job failed and will fail again until the operator changes something.
    Unrecoverable(String),
}

impl From<StoreError> for JobResult {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}
