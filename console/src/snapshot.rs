//! The state of everything, kept for a few seconds.
//!
//! Reading it takes longer than a page may take on a database of a million listings. So a page shows the last state that
//! was read, says of when it is, and has the next one read in the background.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use operations::concerns::{self, Concern};
use operations::status::{self, Found};
use operations::{daily, watch};
use schema::Timestamp;
use schema::store::crawl_runs::{self, RunFigures};
use schema::store::daily_figures::{self, DailyFigure};
use schema::store::jobs::{self, SeenWorker, Unfinished};
use schema::store::{Db, StoreError, figures};

use crate::config::ProgramParts;
use crate::error::ConsoleError;

/// How many days the charts show.
pub(crate) const DAYS: usize = 30;
const DAYS_BACK: i64 = 30;
const DAY: i64 = 86_400_000;

/// The age from which another state is read in the background, in milliseconds.
const STALE: i64 = 4_000;
/// The age from which the slow figures are read again, in milliseconds.
const SLOW_STALE: i64 = 300_000;

/// How long an action waits for the state to be read again.
const PATIENCE: Duration = Duration::from_millis(300);

/// The state of everything at one time.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) at: Timestamp,
    pub(crate) found: Found,
    pub(crate) concerns: Vec<Concern>,
    pub(crate) portals: Vec<PortalFigures>,
    pub(crate) unfinished: Vec<Unfinished>,
    pub(crate) workers: Vec<SeenWorker>,
    slow: Arc<SlowFigures>,
}

/// What takes long to read and changes slowly.
#[derive(Debug)]
struct SlowFigures {
    at: Timestamp,
    /// The bytes of the database, and of each day.
    bytes: u64,
    daily: Vec<DailyFigure>,
}

/// The figures of one portal.
#[derive(Debug, Clone, Default)]
pub(crate) struct PortalFigures {
    pub(crate) site: String,
    pub(crate) live: u64,
    pub(crate) last_complete: Option<Timestamp>,
    pub(crate) overdue_seconds: i64,
    /// The last thirty days, the oldest first and today last.
    pub(crate) days: Vec<DayFigures>,
}

/// What a portal's crawls of one day found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct DayFigures {
    /// Whether a crawl began that day.
    pub(crate) crawled: bool,
    pub(crate) new: u64,
    pub(crate) changed: u64,
    pub(crate) gone: u64,
    pub(crate) rejected: u64,
    /// The live listings, if they were counted that day.
    pub(crate) live: Option<f64>,
}

impl Snapshot {
    /// The size of the database, and of each of the last days on which it was measured.
    pub(crate) fn bytes(&self) -> (u64, Vec<Option<f64>>) {
        (self.slow.bytes, self.by_day("", "bytes"))
    }

    /// A daily figure of a portal over the last thirty days, the oldest first.
    pub(crate) fn by_day(&self, site: &str, name: &str) -> Vec<Option<f64>> {
        let mut values = vec![None; DAYS];
        let first = daily::day_of(self.at) - DAYS_BACK + 1;
        let figures = self.slow.daily.iter();
        for figure in figures.filter(|one| one.site_id == site && one.name == name) {
            let place = usize::try_from(figure.day - first).ok();
            if let Some(value) = place.and_then(|place| values.get_mut(place)) {
                *value = Some(figure.value);
            }
        }
        values
    }
}

/// Reads and keeps the state.
#[derive(Clone)]
pub(crate) struct Snapshots(Arc<Kept>);

struct Kept {
    db: Db,
    program: ProgramParts,
    last: RwLock<Option<Arc<Snapshot>>>,
    is_reading: AtomicBool,
    /// One reader at a time, when there is no state yet.
    first: tokio::sync::Mutex<()>,
}

impl Snapshots {
    pub(crate) fn new(db: Db, program: ProgramParts) -> Self {
        Self(Arc::new(Kept {
            db,
            program,
            last: RwLock::default(),
            is_reading: AtomicBool::new(false),
            first: tokio::sync::Mutex::default(),
        }))
    }

    fn last(&self) -> Option<Arc<Snapshot>> {
        let last = self.0.last.read();
        last.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The state, a few seconds old at most if pages are asked for regularly.
    pub(crate) async fn current(&self, now: Timestamp) -> Result<Arc<Snapshot>, ConsoleError> {
        if let Some(last) = self.last() {
            if now.millis() - last.at.millis() > STALE {
                self.refresh(now);
            }
            return Ok(last);
        }
        let _one_at_a_time = self.0.first.lock().await;
        match self.last() {
            Some(last) => Ok(last),
            None => Ok(self.read(now).await?),
        }
    }

    /// Reads the state again after an action. A large database takes longer than a person should wait: then the next
    /// pages show the state before the action for some seconds.
    pub(crate) async fn after_action(&self, now: Timestamp) -> Result<(), ConsoleError> {
        let this = self.clone();
        let reading = tokio::spawn(async move { this.read(now).await });
        match tokio::time::timeout(PATIENCE, reading).await {
            Ok(Ok(read)) => read.map(|_| ()).map_err(ConsoleError::from),
            Ok(Err(failed)) => Err(ConsoleError::Failed(failed.to_string())),
            Err(_) => Ok(()),
        }
    }

    /// Has the state read in the background, unless that is under way.
    pub(crate) fn refresh(&self, now: Timestamp) {
        if self.0.is_reading.swap(true, Ordering::AcqRel) {
            return;
        }
        let this = self.clone();
        tokio::spawn(async move {
            let read = tokio::time::timeout(Duration::from_mins(2), this.read(now)).await;
            if let Ok(Err(error)) = read {
                tracing::warn!(%error, "reading the state for the console failed");
            }
            this.0.is_reading.store(false, Ordering::Release);
        });
    }

    async fn read(&self, now: Timestamp) -> Result<Arc<Snapshot>, StoreError> {
        let db = &self.0.db;
        let known = self.last().map(|last| Arc::clone(&last.slow));
        let slow = match known.filter(|slow| now.millis() - slow.at.millis() < SLOW_STALE) {
            Some(slow) => slow,
            None => Arc::new(read_slow(db, now).await?),
        };
        let edition_here = Arc::clone(&self.0.program.edition_here);
        let mut found = status::read_status(db, now).await?;
        found.hidden.edition_here = tokio::task::spawn_blocking(move || edition_here())
            .await
            .unwrap_or_default();
        let mut concerns = concerns::concerns(&found, now);
        concerns.sort_by(|one, other| one.about.cmp(&other.about));
        let mut snapshot = Snapshot {
            at: now,
            portals: Vec::new(),
            unfinished: jobs::unfinished(db).await?,
            workers: jobs::workers(db, Timestamp(now.millis() - watch::DEAD_AFTER)).await?,
            found,
            concerns,
            slow,
        };
        snapshot.portals = portals(db, &snapshot).await?;
        let snapshot = Arc::new(snapshot);
        let mut last = self.0.last.write().unwrap_or_else(PoisonError::into_inner);
        *last = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }
}

async fn read_slow(db: &Db, now: Timestamp) -> Result<SlowFigures, StoreError> {
    let sizes = figures::table_sizes(db).await?;
    let since = daily::day_of(now) - DAYS_BACK;
    Ok(SlowFigures {
        at: now,
        bytes: sizes.iter().map(|table| table.bytes).sum(),
        daily: daily_figures::since(db, since).await?,
    })
}

async fn portals(db: &Db, snapshot: &Snapshot) -> Result<Vec<PortalFigures>, StoreError> {
    let now = snapshot.at;
    let first_day = daily::day_of(now) - DAYS_BACK + 1;
    let runs = crawl_runs::figures_since(db, Timestamp(first_day * DAY)).await?;
    let mut by_site: BTreeMap<&str, Vec<&RunFigures>> = BTreeMap::new();
    for run in &runs {
        by_site.entry(&run.site_id).or_default().push(run);
    }
    let listings = snapshot.found.hidden.listings.iter();
    let live: BTreeMap<&str, u64> = listings
        .map(|one| (one.site_id.as_str(), one.live))
        .collect();
    let mut sites: Vec<&str> = live.keys().copied().collect();
    sites.extend(snapshot.found.portals.iter().map(|one| one.portal.as_str()));
    sites.sort_unstable();
    sites.dedup();
    let mut portals = Vec::new();
    for site in sites {
        let mut days = vec![DayFigures::default(); DAYS];
        for (day, live) in days.iter_mut().zip(snapshot.by_day(site, "live")) {
            day.live = live;
        }
        for run in by_site.get(site).into_iter().flatten() {
            let place = usize::try_from(daily::day_of(run.started_at) - first_day).ok();
            if let Some(day) = place.and_then(|place| days.get_mut(place)) {
                day.crawled = true;
                day.new += run.new;
                day.changed += run.changed;
                day.gone += run.gone;
                day.rejected += run.rejected;
            }
        }
        let live = live.get(site).copied().unwrap_or_default();
        if let Some(today) = days.last_mut() {
            today.live = Some(live as f64);
        }
        let schedules = &snapshot.found.hidden.schedules;
        let schedule = schedules.iter().find(|one| one.site_id == site);
        let overdue = schedule.and_then(|schedule| watch::overdue(schedule, now));
        let complete = crawl_runs::latest_complete(db, site).await?;
        portals.push(PortalFigures {
            site: site.to_owned(),
            live,
            last_complete: complete.map(|run| run.started_at),
            overdue_seconds: overdue.unwrap_or_default() / 1000,
            days,
        });
    }
    Ok(portals)
}
