//! What stands in the database, read when somebody asks for it.

use metrics::{describe_gauge, gauge};
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::{Db, StoreError, figures, jobs, rejects, schedules};
use schema::{Month, Timestamp};
use tokio::sync::Mutex;

use crate::watch::{self, DEAD_AFTER};

/// The newest live listings of a portal whose fields are counted.
const SAMPLE: u32 = 500;
/// How long what takes long to count is good for, in milliseconds.
const GOOD_FOR: i64 = 600_000;
/// How long the rest is.
const FRESH_FOR: i64 = 5_000;

/// When the figures were last read.
#[derive(Debug, Default)]
pub(super) struct Sample {
    read_at: Option<Timestamp>,
    counted_at: Option<Timestamp>,
}

/// Says what the metrics mean.
pub(super) fn describe() {
    for (name, meaning) in [
        (
            "jeden_database_up",
            "1 where the figures of the database could be read",
        ),
        (
            "jeden_listings",
            "Listings, by portal and state: live, gone, pending for deduplication",
        ),
        (
            "jeden_dedup_pending",
            "Listings that wait for deduplication",
        ),
        (
            "jeden_dedup_lag_seconds",
            "Since when deduplication is behind; 0 where nothing waits for it",
        ),
        (
            "jeden_queue_jobs",
            "Jobs that are not done, by kind and state: waiting, running",
        ),
        (
            "jeden_queue_oldest_seconds",
            "For how long the job that is due first has waited",
        ),
        (
            "jeden_jobs_given_up",
            "Kinds of jobs, and portals, whose last job was given up",
        ),
        ("jeden_workers", "Workers that live, by lane"),
        (
            "jeden_portal_alarm",
            "1 where the last crawl of a portal ended in an alarm or failed",
        ),
        (
            "jeden_portal_last_complete_timestamp_seconds",
            "When the last complete crawl of a portal began",
        ),
        (
            "jeden_schedule_overdue_seconds",
            "For how long a crawl that is due was not queued",
        ),
        (
            "jeden_field_filled_ratio",
            "Share of the newest live listings of a portal that have a field",
        ),
        ("jeden_rejects", "Lines and adverts that could not be read"),
        (
            "jeden_value_rejects",
            "Values that were left out, by portal",
        ),
        ("jeden_quota_used", "Requests used this month, by plan"),
        (
            "jeden_quota_limit",
            "Requests this month that the accounts of a plan have",
        ),
        ("jeden_accounts", "Accounts, by plan"),
    ] {
        describe_gauge!(name, meaning);
    }
}

/// Reads the figures, unless that was done just now. What cannot be read keeps its last value.
pub(super) async fn read(db: &Db, sample: &Mutex<Sample>, now: Timestamp) {
    let mut sample = sample.lock().await;
    let is_older =
        |at: Option<Timestamp>, than: i64| at.is_none_or(|at| now.millis() - at.millis() > than);
    if !is_older(sample.read_at, FRESH_FOR) {
        return;
    }
    sample.read_at = Some(now);
    let mut read = quick(db, now).await;
    if read.is_ok() && is_older(sample.counted_at, GOOD_FOR) {
        sample.counted_at = Some(now);
        read = slow(db).await;
    }
    gauge!("jeden_database_up").set(if read.is_ok() { 1.0 } else { 0.0 });
    if let Err(error) = read {
        tracing::warn!(%error, "figures of the database cannot be read");
    }
}

/// What is counted in a moment.
async fn quick(db: &Db, now: Timestamp) -> Result<(), StoreError> {
    let pending = schema::store::listings::pending_count(db).await?;
    let outcomes = jobs::outcomes(db).await?;
    let seconds = |millis: i64| millis as f64 / 1000.0;
    let unfinished = jobs::unfinished(db).await?;
    gauge!("jeden_dedup_pending").set(pending as f64);
    gauge!("jeden_dedup_lag_seconds").set(seconds(watch::dedup_lag(pending, &unfinished, now)));
    gauge!("jeden_jobs_given_up")
        .set(outcomes.iter().filter(|one| one.reason.is_some()).count() as f64);
    queue(&unfinished, now);
    let alive = jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER)).await?;
    for lane in jobs::Lane::ALL {
        let count = alive
            .iter()
            .filter(|worker| worker.lane == lane.name())
            .count();
        gauge!("jeden_workers", "lane" => lane.name()).set(count as f64);
    }
    for schedule in schedules::list(db).await? {
        let overdue = watch::overdue(&schedule, now).unwrap_or_default();
        gauge!("jeden_schedule_overdue_seconds", "portal" => schedule.site_id)
            .set(seconds(overdue));
    }
    for portal in ingest::portals::PORTALS {
        if let Some(run) = crawl_runs::latest(db, portal.site_id).await? {
            let alarm = matches!(run.outcome, RunOutcome::Alarm | RunOutcome::Failed);
            gauge!("jeden_portal_alarm", "portal" => portal.site_id)
                .set(f64::from(u8::from(alarm)));
        }
        if let Some(run) = crawl_runs::latest_complete(db, portal.site_id).await? {
            let began = seconds(run.started_at.millis());
            gauge!("jeden_portal_last_complete_timestamp_seconds", "portal" => portal.site_id)
                .set(began);
        }
    }
    for usage in figures::usage(db, Month::of(now)).await? {
        gauge!("jeden_accounts", "plan" => usage.plan.id()).set(usage.accounts as f64);
        gauge!("jeden_quota_used", "plan" => usage.plan.id()).set(usage.used as f64);
        gauge!("jeden_quota_limit", "plan" => usage.plan.id()).set(usage.limit as f64);
    }
    gauge!("jeden_rejects").set(rejects::count(db).await? as f64);
    Ok(())
}

fn queue(unfinished: &[jobs::Unfinished], now: Timestamp) {
    for kind in jobs::Task::KINDS {
        let of_kind = |running: bool| {
            let jobs = unfinished.iter().filter(|one| one.job.task.kind() == kind);
            jobs.filter(|one| one.worker.is_some() == running).count() as f64
        };
        gauge!("jeden_queue_jobs", "kind" => kind, "state" => "waiting").set(of_kind(false));
        gauge!("jeden_queue_jobs", "kind" => kind, "state" => "running").set(of_kind(true));
    }
    let waited = watch::longest_wait(unfinished, now).unwrap_or_default();
    gauge!("jeden_queue_oldest_seconds").set(waited as f64 / 1000.0);
}

/// What takes a while with a million listings.
async fn slow(db: &Db) -> Result<(), StoreError> {
    for portal in figures::listings(db).await? {
        for (state, count) in [
            ("live", portal.live),
            ("gone", portal.gone),
            ("pending", portal.pending),
        ] {
            gauge!("jeden_listings", "portal" => portal.site_id.clone(), "state" => state)
                .set(count as f64);
        }
        let found = figures::completeness(db, &portal.site_id, SAMPLE).await?;
        for field in ingest::dumps::FIELDS {
            let filled = found.filled.get(field).copied().unwrap_or_default();
            let share = if found.listings == 0 {
                0.0
            } else {
                filled as f64 / found.listings as f64
            };
            let labels = [
                ("portal", portal.site_id.clone()),
                ("field", field.to_owned()),
            ];
            gauge!("jeden_field_filled_ratio", &labels).set(share);
        }
    }
    for (site_id, count) in figures::value_rejects(db).await? {
        gauge!("jeden_value_rejects", "portal" => site_id).set(count as f64);
    }
    Ok(())
}
