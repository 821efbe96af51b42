//! Telling the operator's webhook what needs a person: an alarm, a job that was given up, a portal that has not been crawled
//! completely for long. Each occasion is told once.

use std::sync::Arc;

use operations::watch;
use schema::Timestamp;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::notices::{self, DueNotice, Notice};
use schema::store::{Db, StoreError, jobs, schedules};

use super::Worker;
use crate::clock;
use crate::webhook::Webhook;

/// How many polls of the queue pass between two looks: a minute by default.
const POLLS: u32 = 60;

/// How often a delivery is tried: for about two days.
const MAX_ATTEMPTS: u32 = 50;

/// Looks for notices and sends them repeatedly until the worker is told to stop. Does nothing without a webhook.
pub(super) async fn keep_notifying(worker: Arc<Worker>) {
    let webhook = match worker.settings.webhook() {
        Ok(Some(webhook)) => webhook,
        Ok(None) => return,
        Err(error) => return tracing::error!(%error, "no notices are sent"),
    };
    while !worker.stop.is_cancelled() {
        if let Err(error) = notify(&worker, &webhook, clock::now()).await {
            tracing::error!(%error, "cannot look for what needs a person; trying again");
        }
        worker
            .sleep(worker.options.poll.saturating_mul(POLLS))
            .await;
    }
}

/// Notes what needs a person at `now`, and sends what is due. A delivery that fails waits like a failed job, then twice as
/// long each time, up to an hour.
async fn notify(worker: &Worker, webhook: &Webhook, now: Timestamp) -> Result<(), StoreError> {
    let db = &worker.db;
    let found = found(db, now).await?;
    let mut tx = db.begin().await?;
    for notice in &found {
        notices::note(&mut tx, notice, now).await?;
    }
    let due = notices::take_due(&mut tx, now, (worker.options.retry, MAX_ATTEMPTS)).await?;
    tx.commit().await?;
    for notice in due {
        match webhook.send(&notice).await {
            Ok(()) => {
                let mut tx = db.begin().await?;
                notices::delivered(&mut tx, notice.id, clock::now()).await?;
                tx.commit().await?;
            }
            Err(reason) => log_failure(&notice, &reason),
        }
    }
    Ok(())
}

fn log_failure(notice: &DueNotice, reason: &str) {
    let (about, attempts) = (notice.notice.about.as_str(), notice.attempts);
    if attempts < MAX_ATTEMPTS {
        tracing::warn!(
            about,
            attempts,
            reason,
            "the webhook did not accept a notice; it is sent again"
        );
    } else {
        tracing::error!(
            about,
            attempts,
            reason,
            "the webhook did not accept a notice; it is given up"
        );
    }
}

/// What needs a person.
async fn found(db: &Db, now: Timestamp) -> Result<Vec<Notice>, StoreError> {
    let mut found = Vec::new();
    for portal in ingest::portals::PORTALS {
        found.extend(alarm(db, portal.site_id).await?);
    }
    let given_up = jobs::outcomes(db).await?.into_iter().filter_map(|one| {
        let (reason, at) = (one.reason?, one.failed_at?);
        let todo = match &one.site_id {
            Some(site_id) => format!("correct the cause, then run `jeden schedule run {site_id}`"),
            None => {
                "correct the cause; the next job of this kind is queued automatically".to_owned()
            }
        };
        Some(Notice {
            occasion: format!("{} given up at {at}", one.kind),
            what: format!("{} was given up at {at}: {reason}", one.kind),
            about: one.site_id.unwrap_or(one.kind),
            todo,
        })
    });
    found.extend(given_up);
    for schedule in schedules::list(db).await? {
        let site_id = &schedule.site_id;
        let Some(since) = watch::incomplete_since(db, &schedule, now).await? else {
            continue;
        };
        found.push(Notice {
            about: site_id.clone(),
            occasion: format!("not complete since {since}"),
            what: format!("{site_id} has not been crawled completely since {since}"),
            todo: watch::WHEN_INCOMPLETE.replace("PORTAL", site_id),
        });
    }
    Ok(found)
}

/// The alarm that ended the last crawl of a portal.
async fn alarm(db: &Db, site_id: &str) -> Result<Option<Notice>, StoreError> {
    let last = crawl_runs::latest(db, site_id).await?;
    let alarm = last.filter(|run| run.outcome == RunOutcome::Alarm);
    Ok(alarm.map(|run| Notice {
        about: site_id.to_owned(),
        occasion: format!("alarm in the crawl of {}", run.started_at),
        what: format!(
            "the crawl of {} was stopped by an alarm: {}",
            run.started_at,
            run.trouble.as_deref().unwrap_or("no reason is known")
        ),
        todo: format!(
            "look at the portal. If it really has changed, run `jeden schedule run {site_id}` with the --accept option that \
             the alarm names"
        ),
    }))
}
