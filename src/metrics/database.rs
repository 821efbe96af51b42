//! Metrics that are read from the database when they are requested.

use metrics::{describe_gauge, gauge};
use operations::status::{self, ChangeWebhook};
use operations::watch::{self, DEAD_AFTER};
use schema::offer_fields::FIELDS;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::{Db, StoreError, figures, jobs, rejects, schedules};
use schema::{Month, Timestamp};
use tokio::sync::Mutex;

/// How many of a portal's newest live listings have their fields counted.
const SAMPLE: u32 = 500;
/// How long the slow metrics are cached, in milliseconds.
const SLOW_MAX_AGE: i64 = 600_000;
/// How long the other metrics are cached, in milliseconds.
const MAX_AGE: i64 = 5_000;

/// When the metrics were last read.
#[derive(Debug, Default)]
pub(super) struct LastRead {
    at: Option<Timestamp>,
    slow_at: Option<Timestamp>,
}

/// Registers the descriptions of the metrics.
pub(super) fn describe() {
    for (name, meaning) in [
        (
            "jeden_database_up",
            "1 if these metrics could be read from the database",
        ),
        (
            "jeden_listings",
            "Listings, by portal and state: live, gone, pending (waiting for deduplication)",
        ),
        (
            "jeden_dedup_pending",
            "Listings that wait for deduplication",
        ),
        (
            "jeden_dedup_lag_seconds",
            "How long ago deduplication was requested for the listings that wait for it; 0 if none waits",
        ),
        (
            "jeden_queue_jobs",
            "Unfinished jobs, by kind and state: waiting, running",
        ),
        (
            "jeden_queue_oldest_seconds",
            "How long the oldest due job has waited",
        ),
        (
            "jeden_jobs_given_up",
            "Kinds of job, and portals, whose last job was given up",
        ),
        ("jeden_change_webhooks", "Webhooks of changes"),
        (
            "jeden_change_webhooks_failing",
            "Webhooks of changes whose last attempt failed",
        ),
        (
            "jeden_change_webhook_behind_changes",
            "How many changes the webhook that is furthest behind is behind",
        ),
        (
            "jeden_change_webhook_behind_seconds",
            "How long a webhook has not had all changes, at most",
        ),
        (
            "jeden_dead_letters",
            "Messages to webhooks of changes that were given up",
        ),
        ("jeden_workers", "Live workers, by queue"),
        (
            "jeden_portal_alarm",
            "1 if the last crawl of a portal ended in an alarm or failed",
        ),
        (
            "jeden_portal_last_complete_timestamp_seconds",
            "When the last complete crawl of a portal started",
        ),
        (
            "jeden_schedule_overdue_seconds",
            "How long a crawl has been due without being queued",
        ),
        (
            "jeden_field_filled_ratio",
            "Share of the newest live listings of a portal that have a field",
        ),
        ("jeden_rejects", "Lines and adverts that could not be read"),
        (
            "jeden_value_rejects",
            "Values left out of listings, by portal",
        ),
        ("jeden_quota_used", "Requests used this month, by plan"),
        (
            "jeden_quota_limit",
            "Requests that a plan's accounts may make this month",
        ),
        ("jeden_accounts", "Accounts, by plan"),
    ] {
        describe_gauge!(name, meaning);
    }
}

/// Updates the metrics, unless they are still cached. A metric that cannot be read keeps its last value.
pub(super) async fn update(db: &Db, last_read: &Mutex<LastRead>, now: Timestamp) {
    let mut last_read = last_read.lock().await;
    let is_older =
        |at: Option<Timestamp>, than: i64| at.is_none_or(|at| now.millis() - at.millis() > than);
    if !is_older(last_read.at, MAX_AGE) {
        return;
    }
    last_read.at = Some(now);
    let mut result = update_fast(db, now).await;
    if result.is_ok() && is_older(last_read.slow_at, SLOW_MAX_AGE) {
        last_read.slow_at = Some(now);
        result = update_slow(db).await;
    }
    gauge!("jeden_database_up").set(if result.is_ok() { 1.0 } else { 0.0 });
    if let Err(error) = result {
        tracing::warn!(%error, "cannot read metrics from the database");
    }
}

/// Updates the metrics that are fast to read.
async fn update_fast(db: &Db, now: Timestamp) -> Result<(), StoreError> {
    let pending = schema::store::listings::pending_count(db).await?;
    let outcomes = jobs::outcomes(db).await?;
    let seconds = |millis: i64| millis as f64 / 1000.0;
    let unfinished = jobs::unfinished(db).await?;
    gauge!("jeden_dedup_pending").set(pending as f64);
    gauge!("jeden_dedup_lag_seconds").set(seconds(watch::dedup_lag(pending, &unfinished, now)));
    gauge!("jeden_jobs_given_up")
        .set(outcomes.iter().filter(|one| one.reason.is_some()).count() as f64);
    update_queue(&unfinished, now);
    let alive = jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER)).await?;
    for queue in jobs::Queue::ALL {
        let count = alive
            .iter()
            .filter(|worker| worker.queue == queue.name())
            .count();
        gauge!("jeden_workers", "lane" => queue.name()).set(count as f64);
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
    for usage in figures::usage(db, Month::containing(now)).await? {
        gauge!("jeden_accounts", "plan" => usage.plan.id()).set(usage.accounts as f64);
        gauge!("jeden_quota_used", "plan" => usage.plan.id()).set(usage.used as f64);
        gauge!("jeden_quota_limit", "plan" => usage.plan.id()).set(usage.limit as f64);
    }
    gauge!("jeden_rejects").set(rejects::count(db).await? as f64);
    update_webhooks(&status::change_webhooks(db, now).await?);
    Ok(())
}

fn update_webhooks(all: &[ChangeWebhook]) {
    let most = |of: fn(&ChangeWebhook) -> i64| all.iter().map(of).max().unwrap_or_default() as f64;
    let failing = all.iter().filter(|one| one.failing_since.is_some()).count();
    let letters: u64 = all.iter().map(|one| one.dead_letters).sum();
    gauge!("jeden_change_webhooks").set(all.len() as f64);
    gauge!("jeden_change_webhooks_failing").set(failing as f64);
    gauge!("jeden_change_webhook_behind_changes").set(most(|one| one.behind_changes));
    gauge!("jeden_change_webhook_behind_seconds").set(most(|one| one.behind_seconds));
    gauge!("jeden_dead_letters").set(letters as f64);
}

fn update_queue(unfinished: &[jobs::Unfinished], now: Timestamp) {
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

/// Updates the metrics that are slow to read with a million listings.
async fn update_slow(db: &Db) -> Result<(), StoreError> {
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
        for field in FIELDS {
            let filled = found.filled.get(field.name).copied().unwrap_or_default();
            let share = if found.listings == 0 {
                0.0
            } else {
                filled as f64 / found.listings as f64
            };
            let labels = [
                ("portal", portal.site_id.clone()),
                ("field", field.name.to_owned()),
            ];
            gauge!("jeden_field_filled_ratio", &labels).set(share);
        }
    }
    for (site_id, count) in figures::value_rejects(db).await? {
        gauge!("jeden_value_rejects", "portal" => site_id).set(count as f64);
    }
    Ok(())
}
