//! What needs the operator's attention, and what to do about it.

use schema::Timestamp;
use serde::Serialize;

use crate::shown_time::{local, took};
use crate::status::Found;
use crate::watch;

/// How long a crawl may be due without being queued, in milliseconds.
const OVERDUE: i64 = 5 * 60_000;
/// How many seconds a due job may wait.
const WAITING: i64 = 3_600;
/// How many seconds deduplication may be behind.
const BEHIND: i64 = 3_600;

/// Something that needs attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Concern {
    /// What it is about: `database`, `workers`, `dedup`, `registry`, or a portal's id.
    pub about: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub todo: String,
}

fn concern(about: &str, what: String, todo: impl Into<String>) -> Concern {
    Concern {
        about: about.to_owned(),
        what,
        todo: todo.into(),
    }
}

/// Everything that needs attention.
pub fn concerns(found: &Found, now: Timestamp) -> Vec<Concern> {
    let mut all: Vec<Concern> = found.portals.iter().filter_map(bad_crawl).collect();
    all.extend(found.hidden.incomplete.iter().map(|(portal, since)| {
        let what = format!("has not been crawled completely since {}", local(*since));
        concern(
            portal,
            what,
            watch::WHEN_INCOMPLETE.replace("PORTAL", portal),
        )
    }));
    all.extend(no_worker(found));
    all.extend(found.hidden.schedules.iter().filter_map(|schedule| {
        let overdue = watch::overdue(schedule, now).filter(|overdue| *overdue > OVERDUE)?;
        let what = format!(
            "a crawl has been due for {} and is not queued",
            took(overdue / 1000)
        );
        Some(concern(
            &schedule.site_id,
            what,
            "check that `jeden work` runs, and what it logs",
        ))
    }));
    all.extend(given_up(found));
    if found.dedup_lag_seconds > BEHIND {
        let what = format!(
            "{} listings wait for deduplication, which was requested {} ago",
            found.pending_listings,
            took(found.dedup_lag_seconds)
        );
        all.push(concern(
            "dedup",
            what,
            "check what `jeden work` logs; it may need more memory or a faster disk",
        ));
    }
    if let Some(waited) = found.oldest_job_seconds.filter(|waited| *waited > WAITING) {
        let what = format!(
            "a job has been due for {} and no worker has begun it",
            took(waited)
        );
        all.push(concern(
            "workers",
            what,
            "start another `jeden work`, or raise --portals-at-once",
        ));
    }
    let Found {
        registry_edition: used,
        hidden,
        ..
    } = found;
    if used.is_some() && *used != hidden.edition_here {
        let what = format!(
            "the database uses edition {:.12} of the address registry, but the file here is another edition or missing",
            used.as_deref().unwrap_or_default()
        );
        all.push(concern(
            "registry",
            what,
            "copy its file here, or import it again; `jeden gazetteer show` says which file",
        ));
    }
    all
}

/// The last crawl of the portal raised an alarm or failed.
fn bad_crawl(portal: &watch::PortalStatus) -> Option<Concern> {
    let run = portal.last_run.as_ref()?;
    let began = local(run.started_at);
    let name = &portal.portal;
    if let Some(alarm) = &run.alarm {
        let todo = format!(
            "look at the portal. If it really has changed, run `jeden schedule run {name}` with the --accept option that the alarm names"
        );
        return Some(concern(
            name,
            format!("the crawl of {began} was stopped by an alarm: {alarm}"),
            todo,
        ));
    }
    let trouble = run.trouble.as_deref().unwrap_or("no reason is known");
    (run.outcome == "failed").then(|| {
        let todo = format!("a worker retries it; to try now, run `jeden scrape {name}`");
        concern(
            name,
            format!("the crawl of {began} failed: {trouble}"),
            todo,
        )
    })
}

fn no_worker(found: &Found) -> Option<Concern> {
    let scheduled = found
        .hidden
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
                "start `jeden work`, or its systemd unit: systemctl start jeden-work",
            )
        },
    )
}

/// Jobs that were given up, except crawls that [`bad_crawl`] reports already.
fn given_up(found: &Found) -> Vec<Concern> {
    let is_reported = |site_id: &str| {
        let portal = found.portals.iter().find(|portal| portal.portal == site_id);
        portal.and_then(bad_crawl).is_some()
    };
    let outcomes = found
        .hidden
        .outcomes
        .iter()
        .filter(|one| !one.site_id.as_deref().is_some_and(is_reported));
    let concerns = outcomes.filter_map(|one| {
        let reason = one.reason.as_deref()?;
        let at = one.failed_at.map(local).unwrap_or_default();
        let (about, todo) = match &one.site_id {
            Some(site_id) => (
                site_id.as_str(),
                format!("correct the cause, then run `jeden schedule run {site_id}`"),
            ),
            None => (
                one.kind.as_str(),
                "correct the cause; the next job of this kind is queued automatically".to_owned(),
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

    /// A scheduled portal whose last crawl was complete, and live workers.
    fn healthy() -> Found {
        let schedule = Schedule {
            site_id: "example".to_owned(),
            cron: "0 4 * * *".to_owned(),
            paused: false,
            created_at: at("2026-11-01T00:00:00Z"),
            considered_at: at("2026-11-21T03:00:00Z"),
            lists: None,
        };
        let run = LastRun {
            started_at: at("2026-11-21T03:00:01Z"),
            finished_at: Some(at("2026-11-21T03:10:00Z")),
            outcome: "complete",
            lists_only: false,
            step: None,
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
            lists_cron: None,
            paused: false,
            next_run: Some(at("2026-11-22T03:00:00Z")),
            expected_seconds: None,
            last_run: Some(run),
        };
        let mut found = Found {
            portals: vec![portal],
            workers: 2,
            ..Found::default()
        };
        found.hidden.schedules.push(schedule);
        found
    }

    fn concerns_after(change: impl FnOnce(&mut Found)) -> Vec<String> {
        let mut found = healthy();
        change(&mut found);
        let all = concerns(&found, at(NOON));
        all.into_iter()
            .map(|one| format!("{}: {} -> {}", one.about, one.what, one.todo))
            .collect()
    }

    fn assert_one_concern(change: impl FnOnce(&mut Found), said: &[&str]) {
        let found = concerns_after(change);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            said.iter().all(|said| found[0].contains(said)),
            "{found:#?}"
        );
    }

    #[test]
    fn a_healthy_state_has_no_concerns() {
        assert_eq!(concerns_after(|_| {}), Vec::<String>::new());
    }

    #[test]
    fn an_alarm_is_reported_once_with_what_to_do() {
        let alarm = |found: &mut Found| {
            let run = found.portals[0].last_run.as_mut().unwrap();
            (run.outcome, run.alarm) = ("alarm", Some("half of it is gone".to_owned()));
            found.hidden.outcomes.push(given_up_crawl());
        };
        assert_one_concern(
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
    fn a_job_that_was_given_up_is_a_concern_until_one_succeeds() {
        assert_one_concern(
            |found| found.hidden.outcomes.push(given_up_crawl()),
            &[
                "crawl was given up",
                "no contact is set",
                "jeden schedule run example",
            ],
        );
        let corrected = concerns_after(|found| {
            found.hidden.outcomes.push(Outcome {
                reason: None,
                ..given_up_crawl()
            });
        });
        assert_eq!(corrected, Vec::<String>::new());
    }

    #[test]
    fn a_schedule_without_a_worker_is_a_concern() {
        assert_one_concern(
            |found| found.workers = 0,
            &["workers: no worker is running", "jeden work"],
        );
        let paused = concerns_after(|found| {
            found.workers = 0;
            found.hidden.schedules[0].paused = true;
        });
        assert_eq!(paused, Vec::<String>::new());
    }

    #[test]
    fn a_due_crawl_that_is_not_queued_is_a_concern() {
        let overdue = |found: &mut Found| {
            found.hidden.schedules[0].considered_at = at("2026-11-20T12:00:00Z");
        };
        assert_one_concern(overdue, &["example: a crawl has been due for 9 h 0 min"]);
    }

    #[test]
    fn long_waits_are_a_concern() {
        assert_one_concern(
            |found| (found.pending_listings, found.dedup_lag_seconds) = (7, 7_200),
            &["dedup: 7 listings wait", "2 h 0 min"],
        );
        assert_one_concern(
            |found| found.oldest_job_seconds = Some(5_400),
            &["a job has been due for 1 h 30 min"],
        );
    }

    #[test]
    fn a_registry_file_of_another_edition_is_a_concern() {
        assert_one_concern(
            |found| found.registry_edition = Some("0123456789abcdef".to_owned()),
            &["registry: ", "0123456789ab "],
        );
    }
}
