//! A crawl under way: what it holds, and how it notes what it found.

use std::collections::BTreeMap;

use schema::store::crawl_runs::{self, CrawlRun, RunCounts};
use schema::store::index_entries::{self, StoredEntry};
use schema::store::lock::CrawlLock;
use schema::store::{Db, observations};
use schema::{ListingKey, Observation, Timestamp};

use super::client::Client;
use super::error::CrawlError;
use super::guest::Guest;
use super::halt::Halt;
use super::options::CrawlOptions;
use super::position::Position;
use super::report::{CrawlProgress, CrawlStep};
use super::sanity::DetailChecks;
use crate::dumps::DumpFile;
use crate::intake;

/// A crawl under way.
pub(super) struct Crawler<'a> {
    pub(super) db: &'a Db,
    pub(super) site_id: &'static str,
    pub(super) client: &'static Client,
    pub(super) options: &'a CrawlOptions,
    pub(super) guest: Guest<'a>,
    pub(super) now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    pub(super) lock: CrawlLock,
    pub(super) run: CrawlRun,
    /// What the crawl had spent when this process went on with it.
    pub(super) spent_before: RunCounts,
    /// Payloads that the adapter has read since.
    pub(super) read: u64,
    pub(super) position: Position,
    /// How many adverts each list showed in the last complete crawl.
    pub(super) sections_before: BTreeMap<String, u64>,
    pub(super) checks: DetailChecks,
    /// Ends that the portal told, held back until their number is known.
    pub(super) withdrawn: BTreeMap<String, Withdrawn>,
    pub(super) dump: Option<DumpFile>,
    pub(super) progress: &'a mut (dyn FnMut(CrawlProgress) + Send),
}

/// A listing that the portal says is gone.
#[derive(Debug, Clone)]
pub(super) struct Withdrawn {
    /// When it said so.
    pub(super) at: Timestamp,
    /// In which words.
    pub(super) reason: String,
    /// What its lists showed of it, if they ever did.
    pub(super) entry: Option<StoredEntry>,
    /// Whether the listing lives in the store: others need no end.
    pub(super) is_live: bool,
}

/// What is to be noted in one transaction.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) observations: Vec<Observation>,
    /// How the portal said that a listing was gone.
    pub(super) reasons: Vec<(ListingKey, Timestamp, String)>,
    pub(super) entries: Vec<StoredEntry>,
    /// Listings that the lists showed for the first time in this crawl.
    pub(super) seen: u64,
}

impl Crawler<'_> {
    /// A listing of the portal.
    pub(super) fn key(&self, offer_id: &str) -> ListingKey {
        ListingKey::new(self.site_id, offer_id)
    }

    /// Stores what was found with how far the crawl is, all of it or nothing; then writes it to the dump.
    pub(super) async fn note(&mut self, notes: Notes) -> Result<(), Halt> {
        if !self.lock.is_held().await {
            return Err(Halt::Failed(
                "the lock of the crawl was lost: another process may have begun one".to_owned(),
            ));
        }
        let source = format!("crawl of {} begun {}", self.site_id, self.run.started_at);
        let found = intake::found(&source, &notes.observations);
        let now = (self.now)();
        let mut tx = self.db.begin().await?;
        let report = intake::write_found(&mut tx, found, now).await?;
        for (key, at, reason) in &notes.reasons {
            observations::explain_disappearance(&mut tx, key, *at, reason).await?;
        }
        index_entries::save_all(&mut tx, self.site_id, &notes.entries).await?;
        let mut run = self.run.clone();
        let total = report.total();
        run.counts.seen += notes.seen;
        run.counts.new += total.new_listings;
        run.counts.changed += total.changed;
        run.counts.gone += total.gone;
        run.counts.rejected += report.rejected;
        self.spend(&mut run.counts);
        run.alive_at = now;
        run.position = self.position.to_text();
        crawl_runs::save(&mut tx, &run).await?;
        tx.commit().await?;
        self.run = run;
        if let Some(dump) = &mut self.dump {
            dump.write(&notes.observations).map_err(CrawlError::Dump)?;
        }
        Ok(())
    }

    /// What was sent and received up to now.
    pub(super) fn spend(&self, counts: &mut RunCounts) {
        let (requests, bytes) = self.guest.spent();
        counts.requests = self.spent_before.requests + requests;
        counts.bytes = self.spent_before.bytes + bytes;
    }

    /// Tells how far the crawl is.
    pub(super) fn tell(&mut self, step: CrawlStep) {
        let mut counts = self.run.counts;
        self.spend(&mut counts);
        (self.progress)(CrawlProgress { step, counts });
    }

    /// How many listings that live in the store the portal says are gone.
    pub(super) fn ends(&self) -> u64 {
        self.withdrawn
            .values()
            .filter(|withdrawn| withdrawn.is_live)
            .count() as u64
    }
}
