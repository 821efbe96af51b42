//! The queues of jobs: what is to be done, which worker does it, and how it ended.
//!
//! There are two queues ([`Queue`]) in two tables, `queued_jobs` and `job_workers`; the column of the queue is `lane`. A
//! queue gives each job to one worker at a time, and gives the jobs of a worker that stopped sending heartbeats to
//! others. It does not retry: for the queue a job always succeeds.
//! A failed job is pushed again as a new job, in the transaction that notes the failure.
//!
//! A job may run twice: a worker may die after the job ended but before the queue noted it, and a worker that sends
//! its heartbeats too late may still run a job that another has taken over. Jobs must tolerate that. Deduplication and
//! crawls do so by their locks.

mod claims;
mod outcomes;
mod queue;
mod worker;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

pub use outcomes::{Outcome, failed, outcomes, succeeded};
pub use queue::{SeenWorker, Unfinished, prune, push, unfinished, workers};
pub use worker::{WorkerSettings, work};

/// A kind of job, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Task {
    /// Crawl a portal. Listings that its sections no longer show are requested one by one.
    Crawl {
        /// The portal's id.
        site_id: String,
        /// The alarms that do not stop it.
        #[serde(default, skip_serializing_if = "Accepted::is_nothing")]
        accepted: Accepted,
        /// Whether it only walks the lists and reads no details.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lists_only: bool,
    },
    /// Update the records from the changed listings.
    Dedup,
    /// Switch to another edition of the address registry.
    Learning,
    /// Read all stored contents again, after an adapter was corrected.
    Reading,
    /// Delete old rows.
    Housekeeping,
}

/// The alarms of a crawl that an operator has accepted after checking the portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// Many listings are gone.
    pub withdrawals: bool,
    /// Many details have changed.
    pub changes: bool,
}

impl Accepted {
    /// Whether no alarm is accepted.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Task {
    /// The names of all kinds.
    pub const KINDS: [&'static str; 5] = ["crawl", "dedup", "learning", "reading", "housekeeping"];

    /// A crawl with no alarm accepted.
    pub fn crawl(site_id: impl Into<String>) -> Self {
        Self::Crawl {
            site_id: site_id.into(),
            accepted: Accepted::default(),
            lists_only: false,
        }
    }

    /// A crawl that only walks the lists, with no alarm accepted.
    pub fn crawl_of_lists(site_id: impl Into<String>) -> Self {
        Self::Crawl {
            site_id: site_id.into(),
            accepted: Accepted::default(),
            lists_only: true,
        }
    }

    /// Whether it is a crawl that only walks the lists.
    pub fn is_of_lists(&self) -> bool {
        matches!(
            self,
            Self::Crawl {
                lists_only: true,
                ..
            }
        )
    }

    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Crawl { .. } => "crawl",
            Self::Dedup => "dedup",
            Self::Learning => "learning",
            Self::Reading => "reading",
            Self::Housekeeping => "housekeeping",
        }
    }

    /// The portal of a crawl.
    pub fn site_id(&self) -> Option<&str> {
        match self {
            Self::Crawl { site_id, .. } => Some(site_id),
            Self::Dedup | Self::Learning | Self::Reading | Self::Housekeeping => None,
        }
    }

    /// The queue it waits in.
    pub fn queue(&self) -> Queue {
        match self {
            Self::Crawl { .. } => Queue::Portals,
            Self::Dedup | Self::Learning | Self::Reading | Self::Housekeeping => Queue::Upkeep,
        }
    }
}

/// One of the two queues. Jobs that wait for slow portals do not delay jobs on the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Queue {
    /// Crawls. They wait for portals most of the time.
    Portals,
    /// Jobs on the database, one at a time.
    Upkeep,
}

impl Queue {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Portals, Self::Upkeep];

    /// Its name in the tables, in logs and in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portals => "portals",
            Self::Upkeep => "upkeep",
        }
    }
}

/// A job: its task, and how often it has been tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The task.
    pub task: Task,
    /// Identifies the job. A second job with the same key and number of requeues is not queued.
    pub key: String,
    /// How often it has been pushed again, for any reason.
    #[serde(rename = "turn")]
    pub requeues: u32,
    /// How often it has failed.
    pub failures: u32,
    /// When it was requested. A crawl that began later has done it.
    pub asked_at: Timestamp,
}

impl Job {
    /// A job that has not been tried yet.
    pub fn new(task: Task, key: impl Into<String>, asked_at: Timestamp) -> Self {
        Self {
            task,
            key: key.into(),
            requeues: 0,
            failures: 0,
            asked_at,
        }
    }

    /// The job for the next attempt, after a failure or a postponement.
    #[must_use]
    pub fn again(&self, failed: bool) -> Self {
        Self {
            requeues: self.requeues + 1,
            failures: self.failures + u32::from(failed),
            ..self.clone()
        }
    }
}
