//! What a crawl did, and how far it is.

use schema::Timestamp;
use schema::store::crawl_runs::{CrawlRun, RunCounts, RunOutcome};

/// What a crawl did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlReport {
    /// The crawl as it is stored: its outcome, what it did, and why it is not complete.
    pub run: CrawlRun,
    /// Whether it went on with one that had been cut off; its figures are those of both.
    pub resumed: bool,
    /// Those that it had when this process went on with it; none where it began here.
    pub before: RunCounts,
    /// Payloads that the adapter read in this process.
    pub read: u64,
}

impl CrawlReport {
    /// How it ended.
    pub fn outcome(&self) -> RunOutcome {
        self.run.outcome
    }

    /// What it did.
    pub fn counts(&self) -> RunCounts {
        self.run.counts
    }

    /// What was done of it in this process.
    pub fn counts_here(&self) -> RunCounts {
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

    /// Why it is not complete, in words.
    pub fn trouble(&self) -> Option<&str> {
        self.run.trouble.as_deref()
    }

    /// How long it took, in milliseconds.
    pub fn millis(&self) -> i64 {
        let end = self.run.finished_at.map_or(self.run.started_at, |at| at);
        (end.millis() - self.run.started_at.millis()).max(0)
    }

    /// When it began.
    pub fn started_at(&self) -> Timestamp {
        self.run.started_at
    }
}

/// How far a crawl is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlProgress {
    /// What it does.
    pub step: CrawlStep,
    /// What it did so far.
    pub counts: RunCounts,
}

/// What a crawl does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrawlStep {
    /// It walks the portal's lists.
    Walking {
        /// The list.
        section: String,
        /// Its page, from 0.
        page: u32,
    },
    /// It reads the details of what is new or changed.
    Reading {
        /// How many were asked for.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// It asks for the listings that no list showed.
    Missing {
        /// How many were asked for.
        done: u64,
        /// Of how many.
        of: u64,
    },
}
