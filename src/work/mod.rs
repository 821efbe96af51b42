//! The worker: queues what is due, and does what is queued, until it is told to stop.
//!
//! # Layout
//!
//! `plan` queues: crawls by their schedules, deduplication while listings wait for it, the rest now and then. `perform`
//! does one job and notes how it ended; what each kind does stands in `crawl`, `dedup` and `housekeeping`. Any number of
//! processes may work on one database: they queue the same jobs under the same names, and each is done once.

mod crawl;
mod dedup;
mod housekeeping;
mod perform;
mod plan;

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use schema::store::jobs::{self, Lane, WorkerSettings};
use schema::store::{Db, StoreError};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use self::dedup::Edition;
use crate::chance;
use crate::settings::Settings;

/// How a worker works.
#[derive(Debug, Clone)]
pub struct Manner {
    /// How often it looks for what is due, and for what is queued.
    pub poll: Duration,
    /// How often it gives a sign of life; its jobs are free when it gave none for three times that.
    pub heartbeat: Duration,
    /// How many portals it crawls at once.
    pub portals_at_once: usize,
    /// How long it waits before it tries again what failed; longer each time.
    pub retry: Duration,
    /// How often it deduplicates while listings wait for it, beside after every crawl.
    pub dedup_every: Duration,
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    db: Db,
    settings: Settings,
    manner: Manner,
    stop: CancellationToken,
    edition: tokio::sync::Mutex<Edition>,
}

impl Worker {
    /// A worker on a database, which works until `stop` is cancelled.
    pub fn new(db: Db, settings: Settings, manner: Manner, stop: CancellationToken) -> Arc<Self> {
        let edition = tokio::sync::Mutex::new(Edition::default());
        Arc::new(Self {
            db,
            settings,
            manner,
            stop,
            edition,
        })
    }

    /// Works. Returns when everything under way has ended after it was told to stop.
    pub async fn run(self: &Arc<Self>) {
        let plan = tokio::spawn(plan::keep_planning(Arc::clone(self)));
        tokio::join!(
            self.lane(Lane::Portals, self.manner.portals_at_once),
            self.lane(Lane::Upkeep, 1)
        );
        if let Err(error) = plan.await {
            tracing::error!(%error, "planning ended");
        }
    }

    /// Takes from a lane. Whatever fails the queue is tried again: a worker is left alone for months.
    async fn lane(self: &Arc<Self>, lane: Lane, concurrency: usize) {
        // A name that no worker had before.
        let name = format!(
            "{}-{:08x}",
            std::process::id(),
            chance::rng().random::<u32>()
        );
        let mut starts = 0_u32;
        while !self.stop.is_cancelled() {
            let settings = WorkerSettings {
                name: format!("{}-{name}-{starts}", lane.name()),
                lane,
                concurrency,
                poll: self.manner.poll,
                heartbeat: self.manner.heartbeat,
            };
            let began = std::time::Instant::now();
            let worker = Arc::clone(self);
            let ended = jobs::work(&self.db, &settings, &self.stop, move |job| {
                perform::perform(Arc::clone(&worker), job)
            });
            match ended.await {
                Ok(()) if self.stop.is_cancelled() => return,
                Ok(()) => tracing::warn!(
                    lane = lane.name(),
                    "a worker ended by itself; another one begins"
                ),
                Err(error) => {
                    tracing::error!(lane = lane.name(), %error, "a worker ended; another one begins");
                }
            }
            starts += 1;
            let calm = began.elapsed() > Duration::from_mins(1);
            self.rest(if calm {
                Duration::from_secs(1)
            } else {
                Duration::from_secs(u64::from(starts.min(30)))
            })
            .await;
        }
    }

    /// Does something on a thread of its own, for what keeps a core busy between two waits. What is begun there is told
    /// to stop when the worker is, and when nobody waits for it any more.
    async fn apart<Work, Working, T>(&self, work: Work) -> Result<T, Ended>
    where
        Work: FnOnce(CancellationToken) -> Working + Send + 'static,
        Working: Future<Output = T>,
        T: Send + 'static,
    {
        let stop = self.stop.child_token();
        let _told_to_stop = stop.clone().drop_guard();
        let runtime = Handle::current();
        let working = tokio::task::spawn_blocking(move || runtime.block_on(work(stop)));
        working
            .await
            .map_err(|error| Ended::Failed(error.to_string()))
    }

    /// Waits, but not when it is to stop.
    async fn rest(&self, duration: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(duration) => {}
        }
    }
}

/// How an attempt at a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ended {
    /// It is done.
    Done,
    /// It is to be done later, without anything having failed.
    Later(Duration),
    /// It failed, and may succeed when it is tried again.
    Failed(String),
    /// It failed, and would fail again until a person does something.
    Hopeless(String),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}
