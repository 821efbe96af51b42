//! What a crawl did, and how far it has got.

use std::fmt;

use schema::Timestamp;
use schema::store::crawl_runs::{CrawlRun, RunCounts, RunOutcome};

/// What a crawl did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlReport {
    /// The crawl as it is stored: its outcome, its counts, and why it is not complete.
    pub run: CrawlRun,
    /// Whether this process resumed an interrupted crawl. The counts then include what was done before.
    pub resumed: bool,
    /// The counts that the crawl had when this process resumed it; zero if it started here.
    pub before: RunCounts,
    /// How many payloads the adapter read in this process.
    pub read: u64,
    /// Before this time the portal does not want to be asked.
    pub not_before: Option<Timestamp>,
    /// Whether the operator asked it to stop ([`schema::store::crawl_runs::ask_to_stop`]).
    pub was_asked_to_stop: bool,
}

impl CrawlReport {
    /// How it ended.
    pub fn outcome(&self) -> RunOutcome {
        self.run.outcome
    }

    /// What the whole crawl did.
    pub fn counts(&self) -> RunCounts {
        self.run.counts
    }

    /// What this process did of it.
    pub fn counts_of_this_process(&self) -> RunCounts {
        let (all, before) = (self.run.counts, self.before);
        RunCounts {
            seen: all.seen.saturating_sub(before.seen),
            new: all.new.saturating_sub(before.new),
            changed: all.changed.saturating_sub(before.changed),
            gone: all.gone.saturating_sub(before.gone),
            rejected: all.rejected.saturating_sub(before.rejected),
            requests: all.requests.saturating_sub(before.requests),
            bytes: all.bytes.saturating_sub(before.bytes),
        }
    }

    /// Why it is not complete, and which adverts were passed over.
    pub fn trouble(&self) -> Option<&str> {
        self.run.trouble.as_deref()
    }

    /// How long it took, in milliseconds.
    pub fn millis(&self) -> i64 {
        let end = self.run.finished_at.unwrap_or(self.run.started_at);
        (end.millis() - self.run.started_at.millis()).max(0)
    }

    /// When it started.
    pub fn started_at(&self) -> Timestamp {
        self.run.started_at
    }
}

/// How far a crawl has got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlProgress {
    /// What it is doing.
    pub step: CrawlStep,
    /// What it has done so far.
    pub counts: RunCounts,
}

/// What a crawl is doing. As a text it is the step without how far it is: `walking section sale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrawlStep {
    /// Walking the portal's sections.
    Walking {
        /// The section's name.
        section: String,
        /// Its page, from 0.
        page: u32,
    },
    /// Reading the details of adverts that are new or changed.
    Reading {
        /// How many have been requested.
        done: u64,
        /// How many there are in all.
        of: u64,
    },
    /// Asking for the listings that no section showed.
    Missing {
        /// How many have been requested.
        done: u64,
        /// How many there are in all.
        of: u64,
    },
}

impl fmt::Display for CrawlStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walking { section, .. } => write!(f, "walking section {section}"),
            Self::Reading { of, .. } => write!(f, "reading {of} details"),
            Self::Missing { of, .. } => write!(f, "asking for {of} missing listings"),
        }
    }
}
