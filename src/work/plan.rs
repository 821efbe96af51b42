//! Queueing the jobs that are due.

use std::sync::Arc;
use std::time::Duration;

use ingest::intake;
use schema::Timestamp;
use schema::store::jobs::{self, Job, Task, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{StoreError, Tx, gazetteer, listings};

use super::Worker;
use crate::clock;
use crate::cron_line::CronLine;

/// How long to wait after the database failed.
const WAIT_AFTER_ERROR: Duration = Duration::from_secs(5);

/// Queues due jobs repeatedly until the worker is told to stop.
pub(super) async fn keep_planning(worker: Arc<Worker>) {
    while !worker.stop.is_cancelled() {
        let planned = plan(&worker, clock::now()).await;
        if let Err(error) = &planned {
            tracing::error!(%error, "cannot queue due jobs; retrying");
        }
        let poll = worker.options.poll;
        worker
            .sleep(if planned.is_ok() {
                poll
            } else {
                poll.max(WAIT_AFTER_ERROR)
            })
            .await;
    }
}

/// Queues the jobs that are due at `now`. Several workers may do so: what one has queued, the others find queued.
async fn plan(worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
    let db = &worker.db;
    let unfinished = jobs::unfinished(db).await?;
    let pending = listings::pending_count(db).await?;
    let schedules = schedules::list(db).await?;
    let edition = gazetteer::current(db).await?.map(|edition| edition.id);
    let due: Vec<(Schedule, Timestamp)> = schedules
        .into_iter()
        .filter_map(|one| due_crawl(&one, now).map(|due| (one, due)))
        .collect();
    let mut maintenance = maintenance_jobs(worker, now, pending, edition.as_deref());
    if intake::is_reading_due(db).await? {
        maintenance.push(job_of_period(Task::Reading, Duration::from_hours(1), now));
    }
    let maintenance: Vec<Job> = maintenance
        .into_iter()
        .filter(|job| !is_queued(&unfinished, &job.task))
        .collect();
    if due.is_empty() && maintenance.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    for (schedule, due) in due {
        queue_crawl(&mut tx, &schedule, due, &unfinished).await?;
    }
    for job in maintenance {
        if jobs::push(&mut tx, &job, now).await? {
            tracing::debug!(job = job.key, "queued a job");
        }
    }
    tx.commit().await
}

/// When the due crawl should have started. If several were missed, only the last one is due.
fn due_crawl(schedule: &Schedule, now: Timestamp) -> Option<Timestamp> {
    if schedule.paused {
        return None;
    }
    match schedule.cron.parse::<CronLine>() {
        Ok(line) => line.last_due(schedule.considered_at, now),
        Err(error) => {
            tracing::error!(portal = schedule.site_id, %error, "skipped a schedule whose cron line is invalid");
            None
        }
    }
}

/// Queues a crawl, unless one of the portal is already waiting or running.
async fn queue_crawl(
    tx: &mut Tx,
    schedule: &Schedule,
    due: Timestamp,
    unfinished: &[Unfinished],
) -> Result<(), StoreError> {
    let site_id = schedule.site_id.clone();
    let job = Job::new(Task::crawl(&site_id), format!("crawl:{site_id}:{due}"), due);
    if is_queued(unfinished, &job.task) {
        tracing::warn!(portal = site_id, %due, "skipped a scheduled crawl, because the previous one has not ended");
    } else if jobs::push(tx, &job, due).await? {
        tracing::info!(portal = site_id, %due, "queued a scheduled crawl");
    }
    schedules::consider(tx, &site_id, due).await
}

/// The maintenance jobs that are due at `now`, whether they are queued already or not.
fn maintenance_jobs(
    worker: &Worker,
    now: Timestamp,
    pending: u64,
    edition: Option<&str>,
) -> Vec<Job> {
    let mut jobs = vec![job_of_period(
        Task::Housekeeping,
        Duration::from_hours(24),
        now,
    )];
    if pending > 0 {
        jobs.push(job_of_period(Task::Dedup, worker.options.dedup_every, now));
    }
    // It is locked while an edition is being loaded. Then no other job is needed.
    if let Ok(known) = worker.edition.try_lock()
        && edition.is_some()
        && known.id() != edition
    {
        jobs.push(job_of_period(Task::Learning, Duration::from_hours(1), now));
    }
    jobs
}

/// The job of the current period. Whichever worker queues it, it has the same key, so there is one in each period.
fn job_of_period(task: Task, period: Duration, now: Timestamp) -> Job {
    let period = i64::try_from(period.as_millis()).unwrap_or(i64::MAX).max(1);
    let number = now.millis().div_euclid(period);
    let key = format!("{}:{period}:{number}", task.kind());
    Job::new(task, key, Timestamp(number * period))
}

/// Whether an unfinished job has the same kind and portal.
fn is_queued(unfinished: &[Unfinished], task: &Task) -> bool {
    let is_same = |other: &Task| (other.kind(), other.site_id()) == (task.kind(), task.site_id());
    unfinished.iter().any(|one| is_same(&one.job.task))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn each_period_has_one_job() {
        let job = |now| job_of_period(Task::Dedup, Duration::from_mins(1), at(now)).key;
        assert_eq!(job("2026-11-21T12:00:00Z"), job("2026-11-21T12:00:59Z"));
        assert_ne!(job("2026-11-21T12:00:59Z"), job("2026-11-21T12:01:00Z"));
    }

    #[test]
    fn a_paused_or_invalid_schedule_is_never_due() {
        let mut schedule = Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-01T00:00:00Z"),
            considered_at: at("2026-11-01T00:00:00Z"),
        };
        let now = at("2026-11-21T12:00:00Z");
        assert_eq!(
            due_crawl(&schedule, now),
            Some(at("2026-11-21T03:00:00Z")),
            "twenty were missed, but only the last one is due"
        );
        schedule.paused = true;
        assert_eq!(due_crawl(&schedule, now), None);
        schedule = Schedule {
            paused: false,
            cron: "sometimes".to_owned(),
            ..schedule
        };
        assert_eq!(due_crawl(&schedule, now), None);
    }
}
