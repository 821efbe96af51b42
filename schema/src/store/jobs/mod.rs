//! The queue of jobs: what is to be done, which worker does it, and how it ended.
//!
//! The queue is two tables, `queued_jobs` and `job_workers`. It gives each job to one worker at a time, and gives the
//! jobs of a worker that stopped sending heartbeats to others. It does not retry: for the queue a job always succeeds.
//! A failed job is pushed again as a new job, in the transaction that notes the failure.
//!
//! A job may run twice: a worker may die after the job ended but before the queue noted it, and a worker that sends its
//! heartbeats too late may still run a job that another has taken over. Jobs must bear that. Deduplication and crawls
//! do so by their locks.

mod claims;
mod outcomes;
mod queue;
mod worker;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

pub use outcomes::{Outcome, failed, outcomes, succeeded};
pub use queue::{SeenWorker, Unfinished, prune, push, unfinished, workers};
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
