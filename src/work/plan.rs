//! What is due is queued.

use std::sync::Arc;
use std::time::Duration;

use schema::Timestamp;
use schema::store::jobs::{self, Job, Task, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{StoreError, Tx, gazetteer, listings};

use super::Worker;
use crate::clock;
use crate::cron_line::CronLine;

/// How long it is left alone after the database failed.
const AFTER_A_FAULT: Duration = Duration::from_secs(5);

/// Queues what is due, again and again until the worker is to stop.
pub(super) async fn keep_planning(worker: Arc<Worker>) {
    while !worker.stop.is_cancelled() {
        let planned = plan(&worker, clock::now()).await;
        if let Err(error) = &planned {
            tracing::error!(%error, "what is due could not be queued; it is tried again");
        }
        let poll = worker.manner.poll;
        worker
            .rest(if planned.is_ok() {
                poll
            } else {
                poll.max(AFTER_A_FAULT)
            })
            .await;
    }
}

/// Queues what is due at `now`. Several processes may: what one has queued the others find queued.
async fn plan(worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
    let db = &worker.db;
    let unfinished = jobs::unfinished(db).await?;
    let pending = listings::pending_count(db).await?;
    let schedules = schedules::list(db).await?;
    let edition = gazetteer::current(db).await?.map(|edition| edition.id);
    let due: Vec<(Schedule, Timestamp)> = schedules
        .into_iter()
        .filter_map(|one| due(&one, now).map(|due| (one, due)))
        .collect();
    let upkeep = upkeep(worker, now, pending, edition.as_deref());
    let upkeep: Vec<Job> = upkeep
        .into_iter()
        .filter(|job| !is_queued(&unfinished, &job.task))
        .collect();
    if due.is_empty() && upkeep.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    for (schedule, due) in due {
        crawl(&mut tx, &schedule, due, &unfinished).await?;
    }
    for job in upkeep {
        if jobs::push(&mut tx, &job, now).await? {
            tracing::debug!(job = job.key, "queued");
        }
    }
    tx.commit().await
}

/// Which crawl is due: of several that were missed the last.
fn due(schedule: &Schedule, now: Timestamp) -> Option<Timestamp> {
    if schedule.paused {
        return None;
    }
    match schedule.cron.parse::<CronLine>() {
        Ok(line) => line.last_due(schedule.considered_at, now),
        Err(error) => {
            tracing::error!(portal = schedule.site_id, %error, "a schedule cannot be read");
            None
        }
    }
}

/// Queues a crawl, unless one waits or is under way.
async fn crawl(
    tx: &mut Tx,
    schedule: &Schedule,
    due: Timestamp,
    unfinished: &[Unfinished],
) -> Result<(), StoreError> {
    let site_id = schedule.site_id.clone();
    let job = Job::new(Task::crawl(&site_id), format!("crawl:{site_id}:{due}"), due);
    if is_queued(unfinished, &job.task) {
        tracing::warn!(portal = site_id, %due, "the crawl before has not ended: this one is left out");
    } else if jobs::push(tx, &job, due).await? {
        tracing::info!(portal = site_id, %due, "a crawl is due");
    }
    schedules::consider(tx, &site_id, due).await
}

/// The jobs on the database that are to be done around `now`, whether they are queued or not.
fn upkeep(worker: &Worker, now: Timestamp, pending: u64, edition: Option<&str>) -> Vec<Job> {
    let mut jobs = vec![every(Task::Housekeeping, Duration::from_hours(24), now)];
    if pending > 0 {
        jobs.push(every(Task::Dedup, worker.manner.dedup_every, now));
    }
    // Locked while an edition is being read, which is what would be asked for.
    if let Ok(known) = worker.edition.try_lock()
        && edition.is_some()
        && known.id() != edition
    {
        jobs.push(every(Task::Learning, Duration::from_hours(1), now));
    }
    jobs
}

/// The job of the current period: one in each, whoever queues it.
fn every(task: Task, period: Duration, now: Timestamp) -> Job {
    let period = i64::try_from(period.as_millis()).unwrap_or(i64::MAX).max(1);
    let number = now.millis().div_euclid(period);
    let key = format!("{}:{period}:{number}", task.kind());
    Job::new(task, key, Timestamp(number * period))
}

/// Whether a job of the same kind, of the same portal, is not done yet.
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
    fn a_period_has_one_job_and_the_next_another() {
        let job = |now| every(Task::Dedup, Duration::from_mins(1), at(now)).key;
        assert_eq!(job("2026-11-21T12:00:00Z"), job("2026-11-21T12:00:59Z"));
        assert_ne!(job("2026-11-21T12:00:59Z"), job("2026-11-21T12:01:00Z"));
    }

    #[test]
    fn a_pause_or_a_line_that_cannot_be_read_is_never_due() {
        let mut schedule = Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-01T00:00:00Z"),
            considered_at: at("2026-11-01T00:00:00Z"),
        };
        let now = at("2026-11-21T12:00:00Z");
        assert_eq!(
            due(&schedule, now),
            Some(at("2026-11-21T03:00:00Z")),
            "twenty were missed, one is due"
        );
        schedule.paused = true;
        assert_eq!(due(&schedule, now), None);
        schedule = Schedule {
            paused: false,
            cron: "sometimes".to_owned(),
            ..schedule
        };
        assert_eq!(due(&schedule, now), None);
    }
}
