//! A worker: takes jobs from one lane and hands them on, until it is told to stop.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use apalis::prelude::{
    BackendExt, BoxDynError, PollSnapshot, PollStrategy, WorkerBuilder, WorkerBuilderExt,
    WorkerError,
};
use apalis_postgres::PostgresStorage;
use apalis_sqlite::SqliteStorage;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::super::database::Db;
use super::super::error::{Result, StoreError};
use super::{Job, Lane, queue};

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Its name; no other worker, of this or any other process, may have had it.
    pub name: String,
    /// What it takes from.
    pub lane: Lane,
    /// How many jobs it runs at once.
    pub concurrency: usize,
    /// How often it looks for jobs.
    pub poll: Duration,
    /// How often it gives a sign of life, in whole seconds and at least one.
    pub heartbeat: Duration,
}

/// After how many heartbeats without a sign of life a worker's jobs are taken up by others.
pub const MISSED_HEARTBEATS: u32 = 3;

/// Runs jobs until `stop` is cancelled, then lets those under way end. `run` is given every job that could be read,
/// and the reason where one could not. It may be given jobs after `stop` was cancelled, while others are still under
/// way: it is up to it to put them off.
///
/// Dropping the returned future abandons the jobs under way: another worker takes them up.
///
/// # Errors
/// [`StoreError::Queue`] when the database fails it; another worker, of another name, may then be started.
pub async fn work<F, Ended>(
    db: &Db,
    settings: &WorkerSettings,
    stop: &CancellationToken,
    run: F,
) -> Result<()>
where
    F: Fn(Result<Job, String>) -> Ended + Clone + Send + Sync + 'static,
    Ended: Future<Output = ()> + Send + 'static,
{
    let (under_way, watched) = watch::channel(0_usize);
    let under_way = Arc::new(under_way);
    let handle = move |job: Value| {
        let counted = UnderWay::begin(&under_way);
        let ended = run(serde_json::from_value(job).map_err(|error| error.to_string()));
        async move {
            let _counted = counted;
            ended.await;
            Ok::<(), BoxDynError>(())
        }
    };
    // Each backend has types of its own throughout; what is asked of them is the same.
    macro_rules! run_on {
        ($storage:ty, $pool:expr, $config:expr) => {{
            let config = $config
                .queue(settings.lane.name())
                // What is claimed beyond what runs would wait here while another worker idles.
                .batch_size(1)
                .heartbeat_interval(settings.heartbeat)
                .missed_heartbeats(MISSED_HEARTBEATS as usize);
            let backend = <$storage>::new($pool).with_config(config);
            let backend = backend.poll_with_strategy(Tick { every: settings.poll, sleep: None });
            let worker = WorkerBuilder::new(settings.name.as_str())
                .backend(backend)
                .concurrency(settings.concurrency)
                .build(handle);
            let (stopped, mut watched) = (stop.clone(), watched);
            let running: Running = Box::pin(worker.run_until(async move {
                stopped.cancelled().await;
                // A worker that is told to stop lets go of everything but its jobs, transactions among it: on SQLite
                // a job that has still to write would wait for such a one for ever.
                let _none_is_left = watched.wait_for(|count| *count == 0).await;
                Ok::<(), WorkerError>(())
            }));
            running.await
        }};
    }
    let ended = match db {
        Db::Sqlite(pools) => {
            let pool = pools.queue().await?;
            let ended = run_on!(
                SqliteStorage<Value>,
                &pool,
                apalis_sqlite::Config::default()
            );
            pool.close().await;
            ended
        }
        Db::Postgres(pools) => {
            run_on!(
                PostgresStorage<Value>,
                pools.write(),
                apalis_postgres::Config::default()
            )
        }
    };
    queue::sign_off(db, &settings.name).await?;
    ended.map_err(|error| StoreError::Queue {
        reason: format!("worker {} ended: {error}", settings.name),
    })
}

/// A job under way, counted until it ends or is abandoned.
struct UnderWay(Arc<watch::Sender<usize>>);

impl UnderWay {
    fn begin(count: &Arc<watch::Sender<usize>>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(Arc::clone(count))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// A worker at work, whatever it is made of.
type Running = Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>>;

/// Has a worker look for jobs every so often. apalis's own interval loses its timer now and then.
#[derive(Debug)]
struct Tick {
    every: Duration,
    sleep: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl PollStrategy for Tick {
    fn poll_drive(&mut self, context: &mut Context<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        let mut due = false;
        loop {
            let every = self.every;
            let sleep = self
                .sleep
                .get_or_insert_with(|| Box::pin(tokio::time::sleep(every)));
            match sleep.as_mut().poll(context) {
                Poll::Ready(()) => {
                    due = true;
                    self.sleep = None;
                }
                Poll::Pending if due => return Poll::Ready(Some(())),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
