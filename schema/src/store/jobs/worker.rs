//! A worker: takes jobs from one queue and runs them until it is told to stop.

use std::time::Duration;

use futures::future::BoxFuture;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, interval_at};
use tokio_util::sync::CancellationToken;

use super::super::database::Db;
use super::super::error::{Result, StoreError};
use super::claims::Claims;
use super::{Job, Queue};

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Its name. No other worker, of this or any other process, may have had it.
    pub name: String,
    /// The queue that it takes jobs from.
    pub queue: Queue,
    /// How many jobs it runs at once.
    pub concurrency: usize,
    /// How often it looks for jobs.
    pub poll: Duration,
    /// How often it sends a heartbeat.
    pub heartbeat: Duration,
}

/// Other workers take over the jobs of a worker that has missed this many heartbeats.
pub(super) const MISSED_HEARTBEATS: u32 = 3;

/// Runs jobs until `stop` is cancelled, then waits for those under way to end. Heartbeats go on until then. `run` gets
/// every job, or the reason why a job could not be read.
///
/// Dropping the returned future aborts the jobs under way; another worker takes them over.
///
/// # Errors
/// [`StoreError::Database`] when the database fails, [`StoreError::Queue`] when `run` panics. The jobs under way are
/// aborted. The caller may start another worker, under another name.
pub fn work<'a, F, Ended>(
    db: &'a Db,
    settings: &'a WorkerSettings,
    stop: &'a CancellationToken,
    run: F,
) -> BoxFuture<'a, Result<()>>
where
    F: Fn(Result<Job, String>) -> Ended + Send + Sync + 'a,
    Ended: Future<Output = ()> + Send + 'static,
{
    let run: Box<Run<'a>> = Box::new(move |job| Box::pin(run(job)));
    claim_and_run(db, settings, stop, run)
}

/// What starts a job.
type Run<'a> = dyn Fn(Result<Job, String>) -> BoxFuture<'static, ()> + Send + Sync + 'a;

fn claim_and_run<'a>(
    db: &'a Db,
    settings: &'a WorkerSettings,
    stop: &'a CancellationToken,
    run: Box<Run<'a>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let claims = Claims::open(db, settings).await?;
        let ended = run_jobs(&claims, settings, stop, &run).await;
        // If the database failed, this fails too. Other workers take the jobs over when the heartbeats are missed.
        let released = claims.release_all().await;
        claims.close().await;
        ended.and(released)
    })
}

async fn run_jobs(
    claims: &Claims,
    settings: &WorkerSettings,
    stop: &CancellationToken,
    run: &Run<'_>,
) -> Result<()> {
    claims.heartbeat().await?;
    let mut heartbeat = interval_at(Instant::now() + settings.heartbeat, settings.heartbeat);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut poll = interval(settings.poll);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Tasks of their own, because a job may hold the lock that a claim or a heartbeat waits for.
    let mut under_way: JoinSet<String> = JoinSet::new();
    while !(stop.is_cancelled() && under_way.is_empty()) {
        tokio::select! {
            () = stop.cancelled(), if !stop.is_cancelled() => {}
            _ = heartbeat.tick() => claims.heartbeat().await?,
            Some(ended) = under_way.join_next() => {
                claims.finish(&ended.map_err(|error| panicked(&error))?).await?;
                poll.reset_immediately();
            }
            _ = poll.tick(), if !stop.is_cancelled() && under_way.len() < settings.concurrency => {
                if let Some((name, job)) = claims.claim().await? && !stop.is_cancelled() {
                    let running = run(job);
                    under_way.spawn(async move {
                        running.await;
                        name
                    });
                    poll.reset_immediately();
                }
            }
        }
    }
    Ok(())
}

fn panicked(error: &tokio::task::JoinError) -> StoreError {
    StoreError::Queue {
        reason: error.to_string(),
    }
}
