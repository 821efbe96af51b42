//! Queueing the jobs that are due.

use std::sync::Arc;
use std::time::Duration;

use ingest::intake;
use operations::cron_line::CronLine;
use schema::Timestamp;
use schema::store::jobs::{self, Job, Task, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{StoreError, Tx, gazetteer, listings};

use super::Worker;
use crate::clock;

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
    let due: Vec<(Schedule, DueCrawls)> = schedules
        .into_iter()
        .map(|one| {
            let due = due_crawls(&one, now);
            (one, due)
        })
        .filter(|(_, due)| *due != DueCrawls::default())
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
        queue_crawls(&mut tx, &schedule.site_id, due, &unfinished).await?;
    }
    for job in maintenance {
        if jobs::push(&mut tx, &job, now).await? {
            tracing::debug!(job = job.key, "queued a job");
        }
    }
    tx.commit().await
}

/// When the due crawls of a portal should have started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct DueCrawls {
    /// The crawl that reads details.
    full: Option<Timestamp>,
    /// The crawl that only walks lists.
    lists: Option<Timestamp>,
}

/// The due crawls of a portal. If several of a kind were missed, only the last one is due.
fn due_crawls(schedule: &Schedule, now: Timestamp) -> DueCrawls {
    if schedule.paused {
        return DueCrawls::default();
    }
    let last_due = |cron: &str, considered_at| match cron.parse::<CronLine>() {
        Ok(line) => line.last_due(considered_at, now),
        Err(error) => {
            tracing::error!(portal = schedule.site_id, %error, "skipped a schedule whose cron line is invalid");
            None
        }
    };
    let lists = schedule.lists.as_ref();
    DueCrawls {
        full: last_due(&schedule.cron, schedule.considered_at),
        lists: lists.and_then(|lists| last_due(&lists.cron, lists.considered_at)),
    }
}

/// Queues the due crawls of a portal. A crawl that reads details is queued unless one is waiting or running, because it
/// can wait for a crawl of lists to end. A crawl of lists is skipped if any crawl of the portal is waiting or running.
async fn queue_crawls(
    tx: &mut Tx,
    site_id: &str,
    due: DueCrawls,
    unfinished: &[Unfinished],
) -> Result<(), StoreError> {
    if let Some(due) = due.full {
        let job = Job::new(Task::crawl(site_id), format!("crawl:{site_id}:{due}"), due);
        let same =
            |one: &Unfinished| is_same(&one.job.task, &job.task) && !one.job.task.is_of_lists();
        push_unless(tx, &job, due, unfinished.iter().any(same)).await?;
        schedules::consider(tx, site_id, due).await?;
    }
    if let Some(at) = due.lists {
        let task = Task::crawl_of_lists(site_id);
        let is_crawled = due.full.is_some() || is_queued(unfinished, &task);
        let job = Job::new(task, format!("lists:{site_id}:{at}"), at);
        push_unless(tx, &job, at, is_crawled).await?;
        schedules::consider_lists(tx, site_id, at).await?;
    }
    Ok(())
}

async fn push_unless(
    tx: &mut Tx,
    job: &Job,
    due: Timestamp,
    is_crawled: bool,
) -> Result<(), StoreError> {
    let (portal, lists_only) = (job.task.site_id(), job.task.is_of_lists());
    if is_crawled {
        tracing::warn!(portal, %due, lists_only, "skipped a scheduled crawl, because another one has not ended");
    } else if jobs::push(tx, job, due).await? {
        tracing::info!(portal, %due, lists_only, "queued a scheduled crawl");
    }
    Ok(())
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
    unfinished.iter().any(|one| is_same(&one.job.task, task))
}

/// Whether two tasks have the same kind and portal.
fn is_same(one: &Task, other: &Task) -> bool {
    (one.kind(), one.site_id()) == (other.kind(), other.site_id())
}

#[cfg(test)]
mod tests {
    use schema::store::schedules::ListsSchedule;

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
            lists: None,
        };
        let now = at("2026-11-21T12:00:00Z");
        assert_eq!(
            due_crawls(&schedule, now).full,
            Some(at("2026-11-21T03:00:00Z")),
            "twenty were missed, but only the last one is due"
        );
        schedule.paused = true;
        assert_eq!(due_crawls(&schedule, now), DueCrawls::default());
        schedule = Schedule {
            paused: false,
            cron: "sometimes".to_owned(),
            ..schedule
        };
        assert_eq!(due_crawls(&schedule, now), DueCrawls::default());
    }

    /// The tasks that are queued when these crawls are due and these tasks are unfinished.
    async fn queued(due: DueCrawls, running: &[Task]) -> Vec<Task> {
        let database = support::databases().await.swap_remove(0);
        let db = database.db.clone();
        let at = at("2026-11-21T12:00:00Z");
        let running: Vec<Unfinished> = running
            .iter()
            .map(|task| Unfinished {
                job: Job::new(task.clone(), "running", at),
                run_at: at,
                worker: Some("a worker".to_owned()),
            })
            .collect();
        let mut tx = db.begin().await.unwrap();
        queue_crawls(&mut tx, "example", due, &running)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let queued = jobs::unfinished(&db).await.unwrap();
        queued.into_iter().map(|one| one.job.task).collect()
    }

    #[tokio::test]
    async fn a_crawl_waits_for_one_of_lists_but_not_the_other_way_round() {
        let time = Some(at("2026-11-21T12:00:00Z"));
        let full = DueCrawls {
            full: time,
            lists: None,
        };
        let lists = DueCrawls {
            full: None,
            lists: time,
        };
        let both = DueCrawls {
            full: time,
            lists: time,
        };
        let crawl = [Task::crawl("example")];
        let of_lists = [Task::crawl_of_lists("example")];
        assert_eq!(queued(both, &[]).await, crawl, "it walks the lists too");
        assert_eq!(queued(lists, &[]).await, of_lists);
        assert_eq!(queued(lists, &crawl).await, []);
        assert_eq!(queued(lists, &of_lists).await, []);
        assert_eq!(queued(full, &of_lists).await, crawl);
        assert_eq!(queued(full, &crawl).await, []);
    }

    #[test]
    fn lists_are_due_by_a_line_of_their_own() {
        let schedule = Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-01T00:00:00Z"),
            considered_at: at("2026-11-21T03:00:00Z"),
            lists: Some(ListsSchedule {
                cron: "0 */2 * * *".to_owned(),
                considered_at: at("2026-11-21T09:00:00Z"),
            }),
        };
        let due = due_crawls(&schedule, at("2026-11-21T12:00:00Z"));
        assert_eq!(
            (due.full, due.lists),
            (None, Some(at("2026-11-21T11:00:00Z")))
        );
    }
}
