//! What needs a person, and what that person can do.

use schema::Timestamp;
use schema::store::StoreError;
use serde::Serialize;

use super::Found;
use crate::commands::schedule::{local, took};
use crate::watch;

/// For how long a crawl may be due before somebody should know that nobody queues it, in milliseconds.
const OVERDUE: i64 = 5 * 60_000;
/// For how many seconds a job that is due may wait.
const WAITING: i64 = 3_600;
/// For how many seconds deduplication may be behind.
const BEHIND: i64 = 3_600;

/// Something that needs a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Concern {
    /// What it is about: `database`, `workers`, `dedup`, `registry`, or a portal's id.
    pub(super) about: String,
    /// What is the matter.
    pub(super) what: String,
    /// What to do.
    pub(super) todo: String,
}

fn concern(about: &str, what: String, todo: impl Into<String>) -> Concern {
    Concern {
        about: about.to_owned(),
        what,
        todo: todo.into(),
    }
}

/// The database cannot be read.
pub(super) fn of_database(error: &anyhow::Error) -> Concern {
    let todo = match error.downcast_ref() {
        Some(StoreError::Behind { .. }) => {
            "run `jeden migrate`, then start what was stopped for it"
        }
        Some(StoreError::Ahead { .. }) => {
            "start the newer program, or restore the backup of before its migration"
        }
        _ => "see that the database runs and that --database-url or JEDEN_DATABASE_URL names it",
    };
    concern("database", format!("{error:#}"), todo)
}

/// What is found to need a person.
pub(super) fn of(found: &Found, now: Timestamp) -> Vec<Concern> {
    let mut concerns: Vec<Concern> = found.portals.iter().filter_map(crawl).collect();
    concerns.extend(workers(found));
    concerns.extend(found.judged.schedules.iter().filter_map(|schedule| {
        let overdue = watch::overdue(schedule, now).filter(|overdue| *overdue > OVERDUE)?;
        let what = format!(
            "a crawl has been due for {} and is not queued",
            took(overdue / 1000)
        );
        Some(concern(
            &schedule.site_id,
            what,
            "see that `jeden work` runs and what it logs",
        ))
    }));
    concerns.extend(given_up(found));
    if found.dedup_lag_seconds > BEHIND {
        let what = format!(
            "{} listings wait for deduplication, which has been behind for {}",
            found.pending_listings,
            took(found.dedup_lag_seconds)
        );
        concerns.push(concern(
            "dedup",
            what,
            "see what `jeden work` logs; more memory or a faster disk may be needed",
        ));
    }
    if let Some(waited) = found.oldest_job_seconds.filter(|waited| *waited > WAITING) {
        let what = format!(
            "a job has been due for {} and nobody has begun it",
            took(waited)
        );
        concerns.push(concern(
            "workers",
            what,
            "start another `jeden work`, or raise its --portals-at-once",
        ));
    }
    let Found {
        registry_edition: used,
        judged,
        ..
    } = found;
    if used.is_some() && *used != judged.edition_here {
        let what = format!(
            "the address registry in use is edition {:.12}, which is not the one here",
            used.as_deref().unwrap_or_default()
        );
        concerns.push(concern(
            "registry",
            what,
            "copy its file here, or import it: `jeden gazetteer show`",
        ));
    }
    concerns
}

/// The last crawl of a portal ended badly.
fn crawl(portal: &watch::PortalStatus) -> Option<Concern> {
    let run = portal.last_run.as_ref()?;
    let began = local(run.started_at);
    let name = &portal.portal;
    if let Some(alarm) = &run.alarm {
        let todo = format!(
            "look at the portal; where what it says is true: `jeden schedule run {name}` with the --accept-… that it names"
        );
        return Some(concern(
            name,
            format!("the crawl of {began} was stopped by an alarm: {alarm}"),
            todo,
        ));
    }
    let trouble = run.trouble.as_deref().unwrap_or("it says not why");
    (run.outcome == "failed").then(|| {
        let todo =
            format!("it is tried again; `jeden scrape {name}` shows at once whether it goes again");
        concern(
            name,
            format!("the crawl of {began} failed: {trouble}"),
            todo,
        )
    })
}

fn workers(found: &Found) -> Option<Concern> {
    let scheduled = found
        .judged
        .schedules
        .iter()
        .filter(|schedule| !schedule.paused)
        .count();
    (found.workers == 0 && (scheduled > 0 || found.waiting_jobs + found.running_jobs > 0)).then(
        || {
            let what = format!(
                "no worker is running; {scheduled} portals are scheduled, {} jobs wait",
                found.waiting_jobs + found.running_jobs
            );
            concern(
                "workers",
                what,
                "start `jeden work` (or its unit: systemctl start jeden-work)",
            )
        },
    )
}

/// Jobs that were given up; a crawl that says why itself is said once.
fn given_up(found: &Found) -> Vec<Concern> {
    let said = |site_id: &str| {
        let portal = found.portals.iter().find(|portal| portal.portal == site_id);
        portal.and_then(crawl).is_some()
    };
    let outcomes = found
        .judged
        .outcomes
        .iter()
        .filter(|one| !one.site_id.as_deref().is_some_and(said));
    let concerns = outcomes.filter_map(|one| {
        let reason = one.reason.as_deref()?;
        let at = one.failed_at.map(local).unwrap_or_default();
        let (about, todo) = match &one.site_id {
            Some(site_id) => (
                site_id.as_str(),
                format!("when that is mended: `jeden schedule run {site_id}`"),
            ),
            None => (
                one.kind.as_str(),
                "when that is mended it is done by itself".to_owned(),
            ),
        };
        Some(concern(
            about,
            format!("{} was given up at {at}: {reason}", one.kind),
            todo,
        ))
    });
    concerns.collect()
}

#[cfg(test)]
mod tests {
    use schema::store::jobs::Outcome;
    use schema::store::schedules::Schedule;

    use super::*;
    use crate::watch::{LastRun, PortalStatus};

    const NOON: &str = "2026-11-21T12:00:00Z";

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// One portal that was crawled in order, is scheduled, and a worker that lives.
    fn well() -> Found {
        let schedule = Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-01T00:00:00Z"),
            considered_at: at("2026-11-21T03:00:00Z"),
        };
        let run = LastRun {
            started_at: at("2026-11-21T03:00:01Z"),
            finished_at: Some(at("2026-11-21T03:10:00Z")),
            outcome: "complete",
            seconds: 599,
            seen: 10,
            new: 1,
            changed: 2,
            gone: 3,
            rejected: 0,
            alarm: None,
            trouble: None,
        };
        let portal = PortalStatus {
            portal: "example".to_owned(),
            cron: Some("0 4 * * *".to_owned()),
            paused: false,
            next_run: Some(at("2026-11-22T03:00:00Z")),
            last_run: Some(run),
        };
        let mut found = Found {
            portals: vec![portal],
            workers: 2,
            ..Found::default()
        };
        found.judged.schedules.push(schedule);
        found
    }

    fn concerns(change: impl FnOnce(&mut Found)) -> Vec<String> {
        let mut found = well();
        change(&mut found);
        let concerns = of(&found, at(NOON));
        concerns
            .into_iter()
            .map(|one| format!("{}: {} -> {}", one.about, one.what, one.todo))
            .collect()
    }

    fn one_concern(change: impl FnOnce(&mut Found), said: &[&str]) {
        let found = concerns(change);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            said.iter().all(|said| found[0].contains(said)),
            "{found:#?}"
        );
    }

    #[test]
    fn nothing_is_of_concern_where_all_is_well() {
        assert_eq!(concerns(|_| {}), Vec::<String>::new());
    }

    #[test]
    fn an_alarm_is_said_once_with_what_to_do() {
        let alarm = |found: &mut Found| {
            let run = found.portals[0].last_run.as_mut().unwrap();
            (run.outcome, run.alarm) = ("alarm", Some("half of it is gone".to_owned()));
            found.judged.outcomes.push(given_up_crawl());
        };
        one_concern(
            alarm,
            &[
                "example: ",
                "half of it is gone",
                "jeden schedule run example",
            ],
        );
    }

    fn given_up_crawl() -> Outcome {
        Outcome {
            kind: "crawl".to_owned(),
            site_id: Some("example".to_owned()),
            succeeded_at: None,
            failed_at: Some(at(NOON)),
            reason: Some("no contact is set".to_owned()),
        }
    }

    #[test]
    fn a_job_that_was_given_up_is_of_concern_until_one_is_done() {
        one_concern(
            |found| found.judged.outcomes.push(given_up_crawl()),
            &[
                "crawl was given up",
                "no contact is set",
                "jeden schedule run example",
            ],
        );
        let mended = concerns(|found| {
            found.judged.outcomes.push(Outcome {
                reason: None,
                ..given_up_crawl()
            })
        });
        assert_eq!(mended, Vec::<String>::new());
    }

    #[test]
    fn a_schedule_without_a_worker_is_of_concern() {
        one_concern(
            |found| found.workers = 0,
            &["workers: no worker is running", "jeden work"],
        );
        let paused = concerns(|found| {
            found.workers = 0;
            found.judged.schedules[0].paused = true;
        });
        assert_eq!(paused, Vec::<String>::new());
    }

    #[test]
    fn a_crawl_that_nobody_queues_is_of_concern() {
        let overdue = |found: &mut Found| {
            found.judged.schedules[0].considered_at = at("2026-11-20T12:00:00Z")
        };
        one_concern(overdue, &["example: a crawl has been due for 9 h 0 min"]);
    }

    #[test]
    fn what_waits_for_long_is_of_concern() {
        one_concern(
            |found| (found.pending_listings, found.dedup_lag_seconds) = (7, 7_200),
            &["dedup: 7 listings wait", "2 h 0 min"],
        );
        one_concern(
            |found| found.oldest_job_seconds = Some(5_400),
            &["a job has been due for 1 h 30 min"],
        );
    }

    #[test]
    fn another_edition_of_the_registry_than_the_one_in_use_is_of_concern() {
        one_concern(
            |found| found.registry_edition = Some("0123456789abcdef".to_owned()),
            &["registry: ", "0123456789ab,"],
        );
    }

    #[test]
    fn a_database_that_is_behind_is_to_be_migrated() {
        let behind = StoreError::Behind { have: 1, want: 2 };
        assert!(of_database(&behind.into()).todo.contains("jeden migrate"));
        assert!(
            of_database(&anyhow::anyhow!("connection refused"))
                .todo
                .contains("JEDEN_DATABASE_URL")
        );
    }
}
