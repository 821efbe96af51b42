//! What needs the operator's attention, and what to do about it.

mod cause;

use schema::Timestamp;
use serde::Serialize;

use crate::status::Found;
use crate::watch;

pub use cause::Cause;

/// How long a crawl may be due without being queued, in milliseconds.
const OVERDUE: i64 = 5 * 60_000;
/// How many seconds a due job may wait.
const WAITING: i64 = 3_600;
/// How many seconds deduplication may be behind.
const BEHIND: i64 = 3_600;
/// How long messages to a webhook of changes may fail, in milliseconds.
const FAILING: i64 = 3_600_000;

/// Something that needs attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Concern {
    /// What it is about: `database`, `workers`, `dedup`, `registry`, `webhooks`, or a portal's id.
    pub about: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub todo: String,
    /// What is wrong, for words in another language; `None` if the database could not be read.
    #[serde(skip)]
    pub cause: Option<Cause>,
}

fn concern(about: &str, cause: Cause) -> Concern {
    Concern {
        about: about.to_owned(),
        what: cause.what(),
        todo: cause.todo(about),
        cause: Some(cause),
    }
}

/// Everything that needs attention.
pub fn concerns(found: &Found, now: Timestamp) -> Vec<Concern> {
    let mut all: Vec<Concern> = found.portals.iter().filter_map(bad_crawl).collect();
    let incomplete = found.hidden.incomplete.iter();
    all.extend(
        incomplete.map(|(portal, since)| concern(portal, Cause::Incomplete { since: *since })),
    );
    all.extend(no_worker(found));
    all.extend(found.hidden.schedules.iter().filter_map(|schedule| {
        let overdue = watch::overdue(schedule, now).filter(|overdue| *overdue > OVERDUE)?;
        let seconds = overdue / 1000;
        Some(concern(&schedule.site_id, Cause::NotQueued { seconds }))
    }));
    all.extend(given_up(found));
    if found.dedup_lag_seconds > BEHIND {
        let cause = Cause::DedupBehind {
            pending: found.pending_listings,
            seconds: found.dedup_lag_seconds,
        };
        all.push(concern("dedup", cause));
    }
    if let Some(seconds) = found.oldest_job_seconds.filter(|waited| *waited > WAITING) {
        all.push(concern("workers", Cause::JobWaits { seconds }));
    }
    all.extend(bad_webhooks(found, now));
    let Found {
        registry_edition: used,
        hidden,
        ..
    } = found;
    if used.is_some() && *used != hidden.edition_here {
        let edition = used.clone().unwrap_or_default();
        all.push(concern("registry", Cause::OtherRegistry { edition }));
    }
    all
}

/// The last crawl of the portal raised an alarm or failed.
fn bad_crawl(portal: &watch::PortalStatus) -> Option<Concern> {
    let run = portal.last_run.as_ref()?;
    let began = run.started_at;
    let cause = match &run.alarm {
        Some(alarm) => Cause::Alarm {
            began,
            alarm: alarm.clone(),
        },
        None if run.outcome == "failed" => Cause::Failed {
            began,
            trouble: run.trouble.clone(),
        },
        None => return None,
    };
    Some(concern(&portal.portal, cause))
}

/// Webhooks of changes with messages that were given up, or that fail for long.
fn bad_webhooks(found: &Found, now: Timestamp) -> Vec<Concern> {
    let mut all = Vec::new();
    for one in &found.webhooks {
        if one.dead_letters > 0 {
            let cause = Cause::DeadLetters {
                webhook: one.id,
                letters: one.dead_letters,
            };
            all.push(concern("webhooks", cause));
        }
        if let Some(since) = one.failing_since
            && now.millis() - since.millis() > FAILING
        {
            let cause = Cause::WebhookFails {
                webhook: one.id,
                since,
                behind: one.behind_changes,
                reason: one.failure.clone().unwrap_or_default(),
            };
            all.push(concern("webhooks", cause));
        }
    }
    all
}

fn no_worker(found: &Found) -> Option<Concern> {
    let all = found.hidden.schedules.iter();
    let scheduled = all.filter(|schedule| !schedule.paused).count();
    let jobs = found.waiting_jobs + found.running_jobs;
    (found.workers == 0 && (scheduled > 0 || jobs > 0))
        .then(|| concern("workers", Cause::NoWorker { scheduled, jobs }))
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
        let cause = Cause::GivenUp {
            kind: one.kind.clone(),
            is_crawl: one.site_id.is_some(),
            at: one.failed_at,
            reason: one.reason.clone()?,
        };
        Some(concern(one.site_id.as_ref().unwrap_or(&one.kind), cause))
    });
    concerns.collect()
}

#[cfg(test)]
mod tests {
    use schema::store::jobs::Outcome;
    use schema::store::schedules::Schedule;

    use super::*;
    use crate::status::ChangeWebhook;
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
    fn a_webhook_that_fails_for_long_or_lost_messages_is_a_concern() {
        let failing = |since: &str| ChangeWebhook {
            id: 3,
            behind_changes: 12,
            failing_since: Some(at(since)),
            failure: Some("it answered 502 Bad Gateway".to_owned()),
            ..ChangeWebhook::default()
        };
        let soon = concerns_after(|found| found.webhooks.push(failing("2026-11-21T11:30:00Z")));
        assert_eq!(soon, Vec::<String>::new());
        assert_one_concern(
            |found| found.webhooks.push(failing("2026-11-21T10:30:00Z")),
            &["webhooks: webhook 3", "12 changes behind", "502"],
        );
        let given_up = ChangeWebhook {
            id: 3,
            dead_letters: 2,
            ..ChangeWebhook::default()
        };
        assert_one_concern(
            |found| found.webhooks.push(given_up),
            &["2 messages to webhook 3", "jeden webhook retry 3"],
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
