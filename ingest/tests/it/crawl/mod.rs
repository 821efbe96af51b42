//! Crawling a portal: what is requested, stored, trusted and ended.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ingest::crawl::{CrawlContext, CrawlError, CrawlOptions, CrawlProgress, CrawlReport, run};
use ingest::dumps::DumpFile;
use ingest::portals::Portal;
use schema::store::{Db, listings};
use schema::{ListingState, Timestamp};
use support::TestDatabase;
use tokio_util::sync::CancellationToken;

use toy::{PORTAL, Toy};

mod alarms;
mod ends;
mod failures;
mod lists;
mod policy;
mod toy;
mod walks;

/// A clock that advances by a millisecond whenever it is read.
struct Clock(AtomicI64);

impl Clock {
    /// The first of May 2026.
    fn new() -> Self {
        Self(AtomicI64::new(1_777_593_600_000))
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn pass_hours(&self, hours: i64) {
        self.0.fetch_add(hours * 3_600_000, Ordering::Relaxed);
    }
}

/// A crawl with the options that a test needs.
struct Scrape<'a> {
    db: &'a Db,
    clock: &'a Clock,
    portal: Portal,
    options: CrawlOptions,
    stop: CancellationToken,
    dump: Option<DumpFile>,
}

impl<'a> Scrape<'a> {
    fn new(db: &'a Db, toy: &'a Toy, clock: &'a Clock) -> Self {
        let options = CrawlOptions {
            contact: "crawler@example.org".to_owned(),
            base_url: Some(toy.base_url()),
            pace: Some(Duration::from_millis(1)),
            concurrency: Some(4),
            ..CrawlOptions::default()
        };
        Self {
            db,
            clock,
            portal: PORTAL,
            options,
            stop: CancellationToken::new(),
            dump: None,
        }
    }

    fn at(self, portal: Portal) -> Self {
        Self { portal, ..self }
    }

    fn with(mut self, set: impl FnOnce(&mut CrawlOptions)) -> Self {
        set(&mut self.options);
        self
    }

    async fn attempt(self) -> Result<CrawlReport, CrawlError> {
        let now = || self.clock.now();
        let mut progress = |_: CrawlProgress| {};
        let context = CrawlContext {
            now: &now,
            seed: 1,
            stop: self.stop,
            dump: self.dump,
            progress: &mut progress,
        };
        run(self.db, &self.portal, &self.options, context).await
    }

    async fn run(self) -> CrawlReport {
        self.attempt().await.unwrap()
    }
}

/// A crawl that must be complete.
async fn crawl(db: &Db, toy: &Toy, clock: &Clock) -> CrawlReport {
    let report = Scrape::new(db, toy, clock).run().await;
    assert_eq!(
        (report.outcome().as_str(), report.trouble()),
        ("complete", None)
    );
    clock.pass_hours(1);
    report
}

/// The state of every listing, by number.
async fn states(db: &Db) -> BTreeMap<u64, ListingState> {
    let page = listings::page(db, None, 100_000).await.unwrap();
    page.into_iter()
        .map(|stored| (stored.key.offer_id.parse().unwrap(), stored.state))
        .collect()
}

/// The numbers of the live listings.
async fn live(db: &Db) -> Vec<u64> {
    states(db)
        .await
        .into_iter()
        .filter(|(_, state)| state.is_live())
        .map(|(number, _)| number)
        .collect()
}

/// A fresh SQLite database, for tests that do not depend on the database.
async fn database() -> TestDatabase {
    support::sqlite().await
}
