//! The queue of jobs: what is to be done, who does it, and how it ended.
//!
//! The queue is apalis's, in tables of its own beside ours: `Jobs` and `Workers` of the SQLite file, the schema
//! `apalis` of a PostgreSQL database. Here is everything that knows it. What is asked of it is little: it hands each
//! job to one worker at a time, it takes up again what a worker left behind that no longer gives a sign of life, and
//! it forgets nothing that was committed. Trying again, waiting and doing a thing once are ours: a job always ends
//! well for the queue, and what is to be tried again is pushed as a new job, in a transaction with whatever led to it.
//!
//! A job may be run twice, after a worker died at its end; and twice at once, where a worker lives that gave no sign
//! for long. Whoever runs one has to bear it: deduplication by its lock, a crawl by that of its portal.

mod outcomes;
mod queue;
mod worker;

use serde::{Deserialize, Serialize};

use super::database::{Db, on_db};
use super::error::{Result, corrupt};
use super::transaction::Tx;
use crate::timestamp::Timestamp;

pub use outcomes::{Outcome, failed, outcomes, succeeded};
pub(super) use queue::migrate;
pub use worker::{WorkerSettings, work};

/// What a job is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Task {
    /// Crawl a portal; it is asked for what its lists no longer show, too.
    Crawl {
        /// The portal's id.
        site_id: String,
        /// Alarms that do not stop it.
        #[serde(default, skip_serializing_if = "Accepted::is_nothing")]
        accepted: Accepted,
    },
    /// Bring the records up to date with the listings.
    Dedup,
    /// Take over another edition of the address registry.
    Learning,
    /// Throw away what nobody needs any longer.
    Housekeeping,
}

/// What of a crawl is believed though it would give an alarm, for a person has looked at the portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// That so much of the portal is gone.
    pub withdrawals: bool,
    /// That its details are so different.
    pub changes: bool,
}

impl Accepted {
    /// Whether every alarm stops it.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Task {
    /// What the kinds of tasks are called.
    pub const KINDS: [&'static str; 4] = ["crawl", "dedup", "learning", "housekeeping"];

    /// A crawl that every alarm stops.
    pub fn crawl(site_id: impl Into<String>) -> Self {
        Self::Crawl {
            site_id: site_id.into(),
            accepted: Accepted::default(),
        }
    }

    /// What it is called.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Crawl { .. } => "crawl",
            Self::Dedup => "dedup",
            Self::Learning => "learning",
            Self::Housekeeping => "housekeeping",
        }
    }

    /// The portal that it is of.
    pub fn site_id(&self) -> Option<&str> {
        match self {
            Self::Crawl { site_id, .. } => Some(site_id),
            Self::Dedup | Self::Learning | Self::Housekeeping => None,
        }
    }

    /// Where it queues.
    pub fn lane(&self) -> Lane {
        match self {
            Self::Crawl { .. } => Lane::Portals,
            Self::Dedup | Self::Learning | Self::Housekeeping => Lane::Upkeep,
        }
    }
}

/// One of the two queues: what waits for portals does not keep waiting what needs this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Jobs that ask portals, and wait most of the time.
    Portals,
    /// Jobs on the database, one at a time.
    Upkeep,
}

impl Lane {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Portals, Self::Upkeep];

    /// Its name in the queue's tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portals => "portals",
            Self::Upkeep => "upkeep",
        }
    }
}

/// A job: what is to be done, and how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// What is to be done.
    pub task: Task,
    /// What makes it one and the same job, also when it is pushed again: of two with one key the second is none.
    pub key: String,
    /// How often it was pushed again, for whatever reason.
    pub turn: u32,
    /// How often it has failed.
    pub failures: u32,
    /// Since when it is to be done: what was done since is done.
    pub asked_at: Timestamp,
}

impl Job {
    /// A job that was not tried yet.
    pub fn new(task: Task, key: impl Into<String>, asked_at: Timestamp) -> Self {
        Self {
            task,
            key: key.into(),
            turn: 0,
            failures: 0,
            asked_at,
        }
    }

    /// The same job once more, after it failed or for another reason.
    #[must_use]
    pub fn again(&self, failed: bool) -> Self {
        Self {
            turn: self.turn + 1,
            failures: self.failures + u32::from(failed),
            ..self.clone()
        }
    }
}

/// Queues a job that is to be begun at `run_at` or later (whole seconds), and says whether it is new.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn push(tx: &mut Tx, job: &Job, run_at: Timestamp) -> Result<bool> {
    queue::insert(tx, job, run_at).await
}

/// A job that is not done yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The job.
    pub job: Job,
    /// When it is to be begun at the earliest.
    pub run_at: Timestamp,
    /// The worker that has it; `None` while it waits.
    pub worker: Option<String>,
}

/// Every job that is not done yet, the one to be begun first before the others.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub async fn unfinished(db: &Db) -> Result<Vec<Unfinished>> {
    let statement = queue::unfinished(db.backend());
    let rows: Vec<(String, Vec<u8>, i64, Option<String>)> =
        on_db!(db, current, pool => sqlx::query_as(statement).fetch_all(pool).await?);
    let unfinished = |(id, job, run_at, worker): (String, Vec<u8>, i64, Option<String>)| {
        let job =
            serde_json::from_slice(&job).map_err(|error| corrupt("jobs", "job", &id, error))?;
        Ok(Unfinished {
            job,
            run_at: Timestamp(run_at * 1000),
            worker,
        })
    };
    rows.into_iter().map(unfinished).collect()
}

/// A worker that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenWorker {
    /// Its name, another one at each start of a process.
    pub name: String,
    /// The name of its [`Lane`].
    pub lane: String,
    /// Its last sign of life.
    pub seen_at: Timestamp,
}

/// The workers that gave a sign of life at `since` or later.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn workers(db: &Db, since: Timestamp) -> Result<Vec<SeenWorker>> {
    let statement = queue::workers(db.backend());
    let rows: Vec<(String, String, i64)> = on_db!(db, current, pool => sqlx::query_as(statement)
        .bind(since.millis().div_euclid(1000))
        .fetch_all(pool)
        .await?);
    let seen = |(name, lane, seen)| SeenWorker {
        name,
        lane,
        seen_at: Timestamp(i64::saturating_mul(seen, 1000)),
    };
    Ok(rows.into_iter().map(seen).collect())
}

/// Forgets jobs that ended before `before`, and workers not seen since that no job names. Says how many jobs.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    queue::prune(tx, before).await
}
