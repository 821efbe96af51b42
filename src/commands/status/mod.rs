//! `jeden status`

mod concerns;
mod show;

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use clap::Args;
use schema::store::jobs::{self, Outcome as JobOutcome, SeenWorker, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{
    Db, StoreError, figures, gazetteer as editions, listings, missing_file, rejects,
};
use schema::{Month, Timestamp};
use serde::Serialize;

use self::concerns::Concern;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::watch::{self, DEAD_AFTER, PortalStatus};
use crate::{clock, progress, registry};

/// The status, as it is printed and as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// Whether nothing needs attention.
    ok: bool,
    /// When the status was computed.
    checked_at: Timestamp,
    /// What needs attention, and what to do about it.
    concerns: Vec<Concern>,
    /// What was found; `None` if the database could not be read.
    found: Option<Found>,
}

/// What was found in the database.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// The portals that are scheduled or have been crawled.
    portals: Vec<PortalStatus>,
    /// Listings that portals still advertise.
    live_listings: u64,
    /// Listings that are gone.
    gone_listings: u64,
    /// Listings that wait for deduplication.
    pending_listings: u64,
    /// How many seconds ago deduplication was requested for the listings that wait for it.
    dedup_lag_seconds: i64,
    /// Jobs that wait for a worker or for their time.
    waiting_jobs: usize,
    /// Jobs that are running.
    running_jobs: usize,
    /// How many seconds the oldest due job has waited; `None` if no job is due.
    oldest_job_seconds: Option<i64>,
    /// Workers that have sent a heartbeat recently.
    workers: usize,
    /// Lines and adverts that could not be read.
    rejects: u64,
    /// Values that were left out of listings.
    value_rejects: u64,
    /// How complete the newest listings are, by portal.
    fields: BTreeMap<String, Fields>,
    /// How much of their quota the accounts have used this month, by plan.
    quota: BTreeMap<&'static str, Quota>,
    /// The edition of the address registry that the database uses; `None` if none was imported.
    registry_edition: Option<String>,
    /// What concerns are derived from, but the status does not show.
    #[serde(skip)]
    hidden: Hidden,
}

/// How complete the newest live listings of a portal are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    /// How many listings were counted.
    listings: u64,
    /// The share of them that has each field. A field that no listing has is left out.
    filled: BTreeMap<String, f64>,
}

/// The quota of the accounts of one plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Quota {
    /// How many accounts.
    accounts: u64,
    /// Requests that they have used this month.
    used: u64,
    /// Requests that they may make each month.
    limit: u64,
}

/// What concerns are derived from, but the status does not show.
#[derive(Debug, Clone, Default)]
struct Hidden {
    schedules: Vec<Schedule>,
    outcomes: Vec<JobOutcome>,
    edition_here: Option<String>,
    /// The scheduled portals that have not been crawled completely for long, and since when.
    incomplete: Vec<(String, Timestamp)>,
}

/// `jeden status`
#[derive(Debug, Args)]
pub struct StatusOptions {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &StatusOptions, settings: &Settings) -> anyhow::Result<Outcome> {
    let now = clock::now();
    let (found, mut concerns) = match load(settings, now).await {
        Ok(found) => {
            let concerns = concerns::concerns(&found, now);
            (Some(found), concerns)
        }
        Err(error) => (None, vec![concerns::unreadable_database(&error)]),
    };
    concerns.sort_by(|one, other| one.about.cmp(&other.about));
    let status = Status {
        ok: concerns.is_empty(),
        checked_at: now,
        concerns,
        found,
    };
    if options.json {
        progress::result(&serde_json::to_string_pretty(&status).context("the status as JSON")?)?;
    } else {
        show::show(&status)?;
    }
    Ok(if status.ok {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

async fn load(settings: &Settings, now: Timestamp) -> anyhow::Result<Found> {
    // Opening would create the file, but the operator has more likely mistyped its name.
    if let Some(file) = missing_file(&settings.database_url) {
        bail!("the database {} does not exist", file.display());
    }
    let db = settings.open().await?;
    let mut found = read_database(&db, now).await?;
    found.hidden.edition_here = registry::edition_id(settings)?;
    db.close().await;
    Ok(found)
}

async fn read_database(db: &Db, now: Timestamp) -> Result<Found, StoreError> {
    db.ping().await?;
    let unfinished: Vec<Unfinished> = jobs::unfinished(db).await?;
    let workers: Vec<SeenWorker> = jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER)).await?;
    let pending = listings::pending_count(db).await?;
    let listings = figures::listings(db).await?;
    let (live, gone) = listings.iter().fold((0, 0), |(live, gone), portal| {
        (live + portal.live, gone + portal.gone)
    });
    Ok(Found {
        portals: watch::portals(db, now).await?,
        live_listings: live,
        gone_listings: gone,
        pending_listings: pending,
        dedup_lag_seconds: watch::dedup_lag(pending, &unfinished, now) / 1000,
        waiting_jobs: unfinished.iter().filter(|one| one.worker.is_none()).count(),
        running_jobs: unfinished.iter().filter(|one| one.worker.is_some()).count(),
        oldest_job_seconds: watch::longest_wait(&unfinished, now).map(|millis| millis / 1000),
        workers: workers.len(),
        rejects: rejects::count(db).await?,
        value_rejects: figures::value_rejects(db)
            .await?
            .iter()
            .map(|(_, count)| count)
            .sum(),
        fields: completeness(
            db,
            listings
                .iter()
                .filter(|one| one.live > 0)
                .map(|one| one.site_id.as_str()),
        )
        .await?,
        quota: quota(db, now).await?,
        registry_edition: editions::current(db).await?.map(|edition| edition.id),
        hidden: Hidden {
            schedules: schedules::list(db).await?,
            outcomes: jobs::outcomes(db).await?,
            edition_here: None,
            incomplete: incomplete(db, now).await?,
        },
    })
}

async fn incomplete(db: &Db, now: Timestamp) -> Result<Vec<(String, Timestamp)>, StoreError> {
    let mut found = Vec::new();
    for schedule in schedules::list(db).await? {
        let since = watch::incomplete_since(db, &schedule, now).await?;
        found.extend(since.map(|since| (schedule.site_id, since)));
    }
    Ok(found)
}

/// How many of a portal's newest live listings have their fields counted.
const SAMPLE: u32 = 500;

async fn completeness(
    db: &Db,
    portals: impl Iterator<Item = &str>,
) -> Result<BTreeMap<String, Fields>, StoreError> {
    let mut fields = BTreeMap::new();
    for portal in portals {
        let found = figures::completeness(db, portal, SAMPLE).await?;
        let share =
            |(name, filled): (String, u64)| (name, filled as f64 / found.listings.max(1) as f64);
        let filled = found.filled.into_iter().map(share).collect();
        fields.insert(
            portal.to_owned(),
            Fields {
                listings: found.listings,
                filled,
            },
        );
    }
    Ok(fields)
}

async fn quota(db: &Db, now: Timestamp) -> Result<BTreeMap<&'static str, Quota>, StoreError> {
    let usage = figures::usage(db, Month::containing(now))
        .await?
        .into_iter();
    Ok(usage
        .map(|one| {
            (
                one.plan.id(),
                Quota {
                    accounts: one.accounts,
                    used: one.used,
                    limit: one.limit,
                },
            )
        })
        .collect())
}
