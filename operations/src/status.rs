//! The state of everything: what `jeden status` and the console show.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use schema::store::figures::PortalListings;
use schema::store::jobs::{self, Outcome as JobOutcome, SeenWorker, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{
    Db, StoreError, figures, gazetteer as editions, listings, offers, rejects, webhooks,
};
use schema::{Month, Timestamp};
use serde::Serialize;

use crate::watch::{self, DEAD_AFTER, PortalStatus};

/// The fields that show best whether a portal is still read correctly.
pub const KEY_FIELDS: [&str; 8] = [
    "priceTotal",
    "livingArea",
    "landArea",
    "arrangement",
    "floor",
    "street",
    "location",
    "description",
];

/// What was found in the database.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The portals that are scheduled or have been crawled.
    pub portals: Vec<PortalStatus>,
    /// Listings that portals still advertise.
    pub live_listings: u64,
    /// Listings that are gone.
    pub gone_listings: u64,
    /// Listings that wait for deduplication.
    pub pending_listings: u64,
    /// How many seconds ago deduplication was requested for the listings that wait for it.
    pub dedup_lag_seconds: i64,
    /// Jobs that wait for a worker or for their time.
    pub waiting_jobs: usize,
    /// Jobs that are running.
    pub running_jobs: usize,
    /// How many seconds the oldest due job has waited; `None` if no job is due.
    pub oldest_job_seconds: Option<i64>,
    /// Workers that have sent a heartbeat recently.
    pub workers: usize,
    /// Lines and adverts that could not be read.
    pub rejects: u64,
    /// Values that were left out of listings.
    pub value_rejects: u64,
    /// How complete the newest listings are, by portal.
    pub fields: BTreeMap<String, Fields>,
    /// How much of their quota the accounts have used this month, by plan.
    pub quota: BTreeMap<&'static str, Quota>,
    /// The webhooks of changes, by number.
    pub webhooks: Vec<ChangeWebhook>,
    /// The edition of the address registry that the database uses; `None` if none was imported.
    pub registry_edition: Option<String>,
    /// What concerns are derived from, but the status does not show.
    #[serde(skip)]
    pub hidden: Hidden,
}

/// How complete the newest live listings of a portal are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fields {
    /// How many listings were counted.
    pub listings: u64,
    /// The share of them that has each field. A field that no listing has is left out.
    pub filled: BTreeMap<String, f64>,
}

/// The quota of the accounts of one plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// How many accounts.
    pub accounts: u64,
    /// Requests that they have used this month.
    pub used: u64,
    /// Requests that they may make each month.
    pub limit: u64,
}

/// A webhook of changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeWebhook {
    /// Its number.
    pub id: i64,
    /// How many numbers of changes it is behind the last one. Not all of them are changes that it is sent.
    pub behind_changes: i64,
    /// How many seconds it has not had all changes.
    pub behind_seconds: i64,
    /// Since when attempts fail; `None` if the last one succeeded.
    pub failing_since: Option<Timestamp>,
    /// Why the last attempt failed.
    pub failure: Option<String>,
    /// How many messages were given up.
    pub dead_letters: u64,
}

/// What concerns are derived from, but the status does not show.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    /// The listings of each portal.
    pub listings: Vec<PortalListings>,
    /// The schedules.
    pub schedules: Vec<Schedule>,
    /// How the last jobs ended.
    pub outcomes: Vec<JobOutcome>,
    /// The edition of the registry file of this machine.
    pub edition_here: Option<String>,
    /// The scheduled portals that have not been crawled completely for long, and since when.
    pub incomplete: Vec<(String, Timestamp)>,
}

/// Reads the state of everything. The caller sets [`Hidden::edition_here`].
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn read_status(db: &Db, now: Timestamp) -> BoxFuture<'_, Result<Found, StoreError>> {
    Box::pin(read_database(db, now))
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
        webhooks: change_webhooks(db, now).await?,
        registry_edition: editions::current(db).await?.map(|edition| edition.id),
        hidden: Hidden {
            listings,
            schedules: schedules::list(db).await?,
            outcomes: jobs::outcomes(db).await?,
            edition_here: None,
            incomplete: incomplete(db, now).await?,
        },
    })
}

/// How the webhooks of changes are, by number.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn change_webhooks(
    db: &Db,
    now: Timestamp,
) -> BoxFuture<'_, Result<Vec<ChangeWebhook>, StoreError>> {
    Box::pin(async move {
        let all = webhooks::list(db).await?;
        if all.is_empty() {
            return Ok(Vec::new());
        }
        // Read after the positions, so that none is ahead of it.
        let newest = offers::last_change(db).await?;
        let shown = all.into_iter().map(|one| {
            let behind_changes = (newest - one.position).max(0);
            let since = one.behind_since.filter(|_| behind_changes > 0);
            ChangeWebhook {
                id: one.id,
                behind_changes,
                behind_seconds: since
                    .map_or(0, |since| (now.millis() - since.millis()).max(0) / 1000),
                failing_since: one.failing_since,
                failure: one.failure,
                dead_letters: one.dead_letters,
            }
        });
        Ok(shown.collect())
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
        fields.insert(portal.to_owned(), fields_of(db, portal).await?);
    }
    Ok(fields)
}

/// How complete the newest live listings of a portal are.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn fields_of<'a>(db: &'a Db, portal: &'a str) -> BoxFuture<'a, Result<Fields, StoreError>> {
    Box::pin(async move {
        let found = figures::completeness(db, portal, SAMPLE).await?;
        let share =
            |(name, filled): (String, u64)| (name, filled as f64 / found.listings.max(1) as f64);
        Ok(Fields {
            listings: found.listings,
            filled: found.filled.into_iter().map(share).collect(),
        })
    })
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
