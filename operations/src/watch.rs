//! The state of the portals and of the queue: each portal with its last and next crawl, and how long jobs have waited.

use futures::future::BoxFuture;
use ingest::crawl;
use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::jobs::{Task, Unfinished};
use schema::store::schedules::{self, Schedule};
use schema::store::{Db, StoreError, lock};
use serde::Serialize;

use crate::cron_line::CronLine;

/// After how many milliseconds without a heartbeat a worker counts as dead: three of the longest heartbeats, with a margin
/// for clocks that differ.
pub const DEAD_AFTER: i64 = 60_000;

/// A portal that is scheduled or has been crawled.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PortalStatus {
    /// The portal's id.
    pub portal: String,
    /// Its cron line; `None` if it is not scheduled.
    pub cron: Option<String>,
    /// The cron line by which only its lists are walked, if there is one.
    pub lists_cron: Option<String>,
    /// Whether its schedule is paused.
    pub paused: bool,
    /// When it is crawled next, or its lists are walked next; `None` if it is not scheduled or its schedule is paused.
    pub next_run: Option<Timestamp>,
    /// How long a crawl takes at the portal's declared pace, in seconds: the requests of its last complete crawl at that
    /// pace. Crawls that only walk lists do not count. `None` before the first one.
    pub expected_seconds: Option<i64>,
    /// Its last crawl; `None` if there was none.
    pub last_run: Option<LastRun>,
}

/// A crawl, as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended; `None` while it runs.
    pub finished_at: Option<Timestamp>,
    /// How it ended; `killed` if its process ended before it did.
    pub outcome: &'static str,
    /// Whether it only walked the lists.
    pub lists_only: bool,
    /// What it is doing, or was doing when its process ended; `None` once it has ended.
    pub step: Option<String>,
    /// How long it took, or has taken so far, in seconds.
    pub seconds: i64,
    /// Listings that the portal's sections showed.
    pub seen: u64,
    /// Listings seen for the first time.
    pub new: u64,
    /// Listings that changed or came back.
    pub changed: u64,
    /// Listings that ended.
    pub gone: u64,
    /// Adverts that could not be read.
    pub rejected: u64,
    /// The alarm: why the portal's answers were implausible; `None` if there was none.
    pub alarm: Option<String>,
    /// Another reason why it is not complete.
    pub trouble: Option<String>,
}

impl LastRun {
    fn from_run(run: &CrawlRun, is_killed: bool) -> Self {
        let end = run.finished_at.unwrap_or(run.alive_at);
        let is_alarm = run.outcome == RunOutcome::Alarm;
        let trouble = run.trouble.clone();
        Self {
            started_at: run.started_at,
            finished_at: run.finished_at,
            outcome: if is_killed {
                "killed"
            } else {
                run.outcome.as_str()
            },
            lists_only: run.lists_only,
            step: (run.outcome == RunOutcome::Running).then(|| crawl::step_of(run)),
            seconds: (end.millis() - run.started_at.millis()).max(0) / 1000,
            seen: run.counts.seen,
            new: run.counts.new,
            changed: run.counts.changed,
            gone: run.counts.gone,
            rejected: run.counts.rejected,
            alarm: trouble.clone().filter(|_| is_alarm),
            trouble: trouble.filter(|_| !is_alarm),
        }
    }
}

/// How long a crawl of a portal takes at its declared pace, in seconds.
async fn expected_seconds(db: &Db, site_id: &str) -> Result<Option<i64>, StoreError> {
    let Some(portal) = ingest::portals::portal(site_id) else {
        return Ok(None);
    };
    let last = crawl_runs::latest_with_details(db, site_id).await?;
    let pace = portal.crawl.policy.pace.as_secs_f64();
    Ok(last.map(|run| (run.counts.requests as f64 * pace).ceil() as i64))
}

/// Whether the process of a crawl ended before the crawl did: a running crawl holds the lock of its portal.
async fn is_killed(db: &Db, run: &CrawlRun) -> Result<bool, StoreError> {
    if run.outcome != RunOutcome::Running {
        return Ok(false);
    }
    let Some(free) = lock::try_crawl(db, &run.site_id).await? else {
        return Ok(false);
    };
    free.release().await?;
    Ok(true)
}

/// Every portal that is scheduled or has been crawled, by id.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn portals(db: &Db, now: Timestamp) -> BoxFuture<'_, Result<Vec<PortalStatus>, StoreError>> {
    Box::pin(statuses(db, now))
}

async fn statuses(db: &Db, now: Timestamp) -> Result<Vec<PortalStatus>, StoreError> {
    let schedules = schedules::list(db).await?;
    let mut sites: Vec<String> = schedules.iter().map(|one| one.site_id.clone()).collect();
    sites.extend(
        ingest::portals::PORTALS
            .iter()
            .map(|portal| portal.site_id.to_owned()),
    );
    sites.sort();
    sites.dedup();
    let mut portals = Vec::new();
    for site_id in sites {
        let schedule = schedules.iter().find(|one| one.site_id == site_id);
        let last = crawl_runs::latest(db, &site_id).await?;
        if schedule.is_none() && last.is_none() {
            continue;
        }
        let last_run = match &last {
            Some(run) => Some(LastRun::from_run(run, is_killed(db, run).await?)),
            None => None,
        };
        portals.push(PortalStatus {
            portal: site_id.clone(),
            cron: schedule.map(|one| one.cron.clone()),
            lists_cron: schedule.and_then(|one| Some(one.lists.as_ref()?.cron.clone())),
            paused: schedule.is_some_and(|one| one.paused),
            next_run: schedule.and_then(|one| next_run(one, now)),
            expected_seconds: expected_seconds(db, &site_id).await?,
            last_run,
        });
    }
    Ok(portals)
}

/// When a portal is crawled next. A missed crawl is due at once.
fn next_run(schedule: &Schedule, now: Timestamp) -> Option<Timestamp> {
    if schedule.paused {
        return None;
    }
    let next = |(cron, considered_at): (&str, Timestamp)| {
        let line: CronLine = cron.parse().ok()?;
        line.last_due(considered_at, now)
            .or_else(|| line.next_after(now))
    };
    lines(schedule).filter_map(next).min()
}

/// The cron lines of a schedule, each with the time up to which it was considered.
fn lines(schedule: &Schedule) -> impl Iterator<Item = (&str, Timestamp)> {
    let lists = schedule.lists.as_ref();
    std::iter::once((schedule.cron.as_str(), schedule.considered_at))
        .chain(lists.map(|lists| (lists.cron.as_str(), lists.considered_at)))
}

/// How long, in milliseconds, the scheduled crawl has been due without being queued. `None` if it is not due.
pub fn overdue(schedule: &Schedule, now: Timestamp) -> Option<i64> {
    if schedule.paused {
        return None;
    }
    let missed = |(cron, considered_at): (&str, Timestamp)| {
        let line: CronLine = cron.parse().ok()?;
        line.next_after(considered_at).filter(|due| *due <= now)
    };
    let first = lines(schedule).filter_map(missed).min()?;
    Some(now.millis() - first.millis())
}

/// What to do when a portal has not been crawled completely for long. `PORTAL` stands for its id.
pub const WHEN_INCOMPLETE: &str = "`jeden crawls PORTAL` shows how its crawls ended; if each is still running when the next is due, schedule it less often";

/// How many scheduled crawls in a row may fail to be complete, and for how many milliseconds at least.
const INCOMPLETE_CRAWLS: usize = 3;
const INCOMPLETE_FOR: i64 = 2 * 24 * 60 * 60_000;

/// How long a crawl may be under way. After two weeks the next one starts from the beginning.
const LONGEST_CRAWL: i64 = 14 * 24 * 60 * 60_000;

/// Since when a scheduled portal has not been crawled completely, if three crawls in a row and two days have passed since.
/// `None` while a crawl is under way, because the first one of a large portal takes days.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn incomplete_since<'a>(
    db: &'a Db,
    schedule: &'a Schedule,
    now: Timestamp,
) -> BoxFuture<'a, Result<Option<Timestamp>, StoreError>> {
    Box::pin(find_incomplete(db, schedule, now))
}

async fn find_incomplete(
    db: &Db,
    schedule: &Schedule,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    if schedule.paused {
        return Ok(None);
    }
    let last = crawl_runs::latest(db, &schedule.site_id).await?;
    let is_under_way = last.is_some_and(|run| {
        run.outcome == RunOutcome::Running && now.millis() - run.started_at.millis() < LONGEST_CRAWL
    });
    let complete = crawl_runs::latest_with_details(db, &schedule.site_id).await?;
    let since = complete.map_or(schedule.created_at, |run| {
        run.started_at.max(schedule.created_at)
    });
    let is_long = now.millis() - since.millis() >= INCOMPLETE_FOR && missed(schedule, since, now);
    Ok((is_long && !is_under_way).then_some(since))
}

/// Whether at least [`INCOMPLETE_CRAWLS`] crawls were due between `since` and `now`.
fn missed(schedule: &Schedule, since: Timestamp, now: Timestamp) -> bool {
    let Ok(line) = schedule.cron.parse::<CronLine>() else {
        return false;
    };
    let due = std::iter::successors(line.next_after(since), |due| line.next_after(*due));
    due.take_while(|due| *due <= now)
        .take(INCOMPLETE_CRAWLS)
        .count()
        == INCOMPLETE_CRAWLS
}

/// How many milliseconds ago deduplication was requested for the listings that wait for it. 0 if no listing waits.
pub fn dedup_lag(pending: u64, unfinished: &[Unfinished], now: Timestamp) -> i64 {
    let asked = unfinished
        .iter()
        .filter(|one| one.job.task == Task::Dedup)
        .map(|one| one.job.asked_at)
        .min();
    match asked {
        Some(asked) if pending > 0 => (now.millis() - asked.millis()).max(0),
        _ => 0,
    }
}

/// How many milliseconds the oldest due job has waited. `None` if no job is due.
pub fn longest_wait(unfinished: &[Unfinished], now: Timestamp) -> Option<i64> {
    let waiting = unfinished
        .iter()
        .filter(|one| one.worker.is_none() && one.run_at <= now);
    waiting.map(|one| now.millis() - one.run_at.millis()).max()
}

#[cfg(test)]
mod tests {
    use schema::store::jobs::Job;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn schedule() -> Schedule {
        Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-20T12:00:00Z"),
            considered_at: at("2026-11-20T12:00:00Z"),
            lists: None,
        }
    }

    #[test]
    fn a_crawl_is_overdue_since_it_was_first_due() {
        assert_eq!(overdue(&schedule(), at("2026-11-21T02:59:00Z")), None);
        assert_eq!(
            overdue(&schedule(), at("2026-11-21T03:01:00Z")),
            Some(60_000)
        );
        let days = overdue(&schedule(), at("2026-11-23T03:00:00Z"));
        assert_eq!(
            days,
            Some(2 * 86_400_000),
            "a later due time does not hide the first one"
        );
        assert_eq!(
            overdue(
                &Schedule {
                    paused: true,
                    ..schedule()
                },
                at("2026-11-23T03:00:00Z")
            ),
            None
        );
    }

    #[test]
    fn a_missed_crawl_comes_next() {
        assert_eq!(
            next_run(&schedule(), at("2026-11-21T02:00:00Z")),
            Some(at("2026-11-21T03:00:00Z"))
        );
        assert_eq!(
            next_run(&schedule(), at("2026-11-21T05:00:00Z")),
            Some(at("2026-11-21T03:00:00Z"))
        );
        let considered = Schedule {
            considered_at: at("2026-11-21T03:00:00Z"),
            ..schedule()
        };
        assert_eq!(
            next_run(&considered, at("2026-11-21T05:00:00Z")),
            Some(at("2026-11-22T03:00:00Z"))
        );
    }

    fn unfinished(task: Task, since: &str, worker: Option<&str>) -> Unfinished {
        let job = Job::new(task, "one", at(since));
        Unfinished {
            job,
            run_at: at(since),
            worker: worker.map(str::to_owned),
        }
    }

    #[test]
    fn deduplication_is_behind_since_it_was_requested() {
        let now = at("2026-11-21T12:00:00Z");
        let asked = [unfinished(
            Task::Dedup,
            "2026-11-21T11:59:00Z",
            Some("a worker"),
        )];
        assert_eq!(dedup_lag(5, &asked, now), 60_000);
        assert_eq!(dedup_lag(0, &asked, now), 0);
        assert_eq!(dedup_lag(5, &[], now), 0);
    }

    #[test]
    fn running_jobs_and_later_jobs_do_not_wait() {
        let now = at("2026-11-21T12:00:00Z");
        let jobs = [
            unfinished(Task::Dedup, "2026-11-21T11:00:00Z", Some("a worker")),
            unfinished(Task::Housekeeping, "2026-11-21T11:58:00Z", None),
            unfinished(Task::Learning, "2026-11-21T12:30:00Z", None),
        ];
        assert_eq!(longest_wait(&jobs, now), Some(120_000));
        assert_eq!(longest_wait(&jobs[2..], now), None);
    }
}
