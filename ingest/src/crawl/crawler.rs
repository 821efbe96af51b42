//! The state of a running crawl, and how it stores what it found.

use std::collections::BTreeMap;

use schema::store::crawl_lines;
use schema::store::crawl_runs::{self, CrawlRun, RunCounts};
use schema::store::index_entries::{self, StoredEntry};
use schema::store::lock::CrawlLock;
use schema::store::purges::Blocked;
use schema::store::{Db, observations};
use schema::{ListingKey, Timestamp};

use super::details::DetailFailures;
use super::error::CrawlError;
use super::interruption::Interruption;
use super::options::CrawlOptions;
use super::plausibility::{DetailChecks, ListedAdverts};
use super::portal_client::PortalClient;
use super::position::Position;
use super::report::{CrawlProgress, CrawlStep};
use super::run_log::RunLog;
use crate::crawl_definition::CrawlDefinition;
use crate::dumps::DumpFile;
use crate::intake::{self, ReadObservation};

/// A running crawl.
pub(super) struct Crawler<'a> {
    pub(super) db: &'a Db,
    pub(super) site_id: &'static str,
    pub(super) definition: &'static CrawlDefinition,
    pub(super) options: &'a CrawlOptions,
    pub(super) client: PortalClient<'a>,
    pub(super) now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    pub(super) lock: &'a mut CrawlLock,
    /// What was purged and may not come back.
    pub(super) blocked: Blocked,
    pub(super) run: CrawlRun,
    pub(super) log: RunLog,
    /// The counts that the crawl had when this process resumed it.
    pub(super) counts_before: RunCounts,
    /// How many payloads the adapter has read in this process.
    pub(super) read: u64,
    pub(super) position: Position,
    /// How many adverts each section showed in the last complete crawl.
    pub(super) sections_before: BTreeMap<String, u64>,
    /// When the last complete crawl of the portal ended, in this database or in a dump.
    pub(super) completed_before: Option<Timestamp>,
    pub(super) checks: DetailChecks,
    pub(super) listed: ListedAdverts,
    pub(super) failures: DetailFailures,
    /// The ends that the portal reported, by the advert's number. They are held back until their number is known.
    pub(super) withdrawals: BTreeMap<String, Withdrawal>,
    pub(super) dump: Option<DumpFile>,
    pub(super) progress: &'a mut (dyn FnMut(CrawlProgress) + Send),
}

/// A listing that the portal says is gone.
#[derive(Debug, Clone)]
pub(super) struct Withdrawal {
    /// When the portal said so.
    pub(super) at: Timestamp,
    /// How the portal said so.
    pub(super) reason: String,
    /// What index pages showed of it, if one ever did.
    pub(super) entry: Option<StoredEntry>,
    /// Whether the stored listing is live. If it is not, there is nothing to end.
    pub(super) is_live: bool,
}

/// What is stored in one transaction.
#[derive(Debug, Default)]
pub(super) struct PendingWrites {
    pub(super) observations: Vec<ReadObservation>,
    /// How the portal said that listings are gone.
    pub(super) reasons: Vec<(ListingKey, Timestamp, String)>,
    pub(super) entries: Vec<StoredEntry>,
    /// How many listings this crawl sees for the first time.
    pub(super) seen: u64,
}

impl Crawler<'_> {
    /// The key of one of the portal's listings.
    pub(super) fn key(&self, offer_id: &str) -> ListingKey {
        ListingKey::new(self.site_id, offer_id)
    }

    /// Stores what was found and the crawl's position in one transaction, then writes the observations to the dump.
    pub(super) async fn save(&mut self, writes: PendingWrites) -> Result<(), Interruption> {
        if !self.lock.is_held().await {
            return Err(Interruption::Failed(
                "the lock of the crawl was lost: another process may be crawling the portal"
                    .to_owned(),
            ));
        }
        let source = format!("crawl of {} begun {}", self.site_id, self.run.started_at);
        let batch = intake::prepare(&source, &writes.observations);
        let now = (self.now)();
        let mut tx = self.db.begin().await?;
        let report = intake::write_prepared(&mut tx, batch, now).await?;
        for (key, at, reason) in &writes.reasons {
            observations::explain_disappearance(&mut tx, key, *at, reason).await?;
        }
        index_entries::save_all(&mut tx, self.site_id, &writes.entries).await?;
        let mut run = self.run.clone();
        let total = report.total();
        run.counts.seen += writes.seen;
        run.counts.new += total.new_listings;
        run.counts.changed += total.changed;
        run.counts.gone += total.gone;
        run.counts.rejected += report.rejected;
        self.add_traffic(&mut run.counts);
        run.alive_at = now;
        run.position = self.position.to_text();
        crawl_runs::save(&mut tx, &run).await?;
        let (stored, lines) = self.log.pending();
        crawl_lines::add(&mut tx, &run, stored, lines).await?;
        tx.commit().await?;
        self.log.saved();
        self.run = run;
        if let Some(dump) = &mut self.dump {
            let observations = writes.observations.iter().map(|read| &read.observation);
            dump.write(observations).map_err(CrawlError::Dump)?;
        }
        Ok(())
    }

    /// Sets the counts of requests and bytes to what the crawl has used so far.
    pub(super) fn add_traffic(&self, counts: &mut RunCounts) {
        let (requests, bytes) = self.client.traffic();
        counts.requests = self.counts_before.requests + requests;
        counts.bytes = self.counts_before.bytes + bytes;
    }

    /// Reports how far the crawl has got.
    pub(super) fn report_progress(&mut self, step: CrawlStep) {
        let mut counts = self.run.counts;
        self.add_traffic(&mut counts);
        self.log.step((self.now)(), step.to_string(), counts);
        (self.progress)(CrawlProgress { step, counts });
    }

    /// Keeps a line with the crawl.
    pub(super) fn note(&mut self, line: String) {
        let mut counts = self.run.counts;
        self.add_traffic(&mut counts);
        self.log.note((self.now)(), line, counts);
    }

    /// How many live listings the portal says are gone.
    pub(super) fn live_withdrawals(&self) -> u64 {
        self.withdrawals
            .values()
            .filter(|withdrawal| withdrawal.is_live)
            .count() as u64
    }
}
