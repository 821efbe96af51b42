//! `jeden work`: every scheduled job is done once, even if workers are killed or stopped.

use std::time::Duration;

use schema::Timestamp;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::derivations::{self, Derivation};
use schema::store::{jobs, listings, schedules};
use support::{databases, records, sqlite};

use super::working::{SITE, Works, is_complete, poll};

const QUICK: Duration = Duration::from_millis(1);
/// Slow enough for a test to interrupt a running crawl.
const SLOW: Duration = Duration::from_millis(25);

#[tokio::test]
async fn a_portal_is_crawled_by_its_schedule_and_merged() {
    for database in databases().await {
        let works = Works::on(&database, 12, QUICK);
        works.run(&["schedule", "set", SITE, "* * * * * *"]).done();
        let worker = works.work();
        let first = works.until(is_complete).await;
        works
            .until(|run| run.id != first.id && is_complete(run))
            .await;
        works.run(&["schedule", "pause", SITE]).done();
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        assert_eq!(records(&works.db).await.len(), 12, "{}", database.name);
        assert_eq!(first.counts.new, 12);
        assert_eq!(
            jobs::workers(&works.db, Timestamp(1_000_000))
                .await
                .unwrap(),
            [],
            "the worker is no longer registered"
        );
    }
}

#[tokio::test]
async fn several_missed_crawls_are_made_up_for_by_one() {
    for database in databases().await {
        let works = Works::on(&database, 3, QUICK);
        let mut tx = works.db.begin().await.unwrap();
        let long_ago = "2026-01-01T00:00:00Z".parse().unwrap();
        // Hundreds of nights were missed.
        schedules::set(&mut tx, SITE, "0 4 * * *", long_ago)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let worker = works.work();
        works.until(is_complete).await;
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        let runs = crawl_runs::list(&works.db, None, 10).await.unwrap();
        assert_eq!(runs.len(), 1, "{}", database.name);
        let list = works.run(&["schedule", "list", "--json"]).done();
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        let next: Timestamp = list[0]["nextRun"].as_str().unwrap().parse().unwrap();
        assert!(next > runs[0].started_at, "no missed crawl is left: {list}");
    }
}

#[tokio::test]
async fn another_worker_resumes_the_crawl_of_a_killed_one() {
    for database in databases().await {
        let works = Works::on(&database, 30, SLOW);
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        let begun = works.until(|run| run.counts.seen > 0).await;
        assert_eq!(
            begun.outcome,
            RunOutcome::Running,
            "the crawl is still running"
        );
        worker.kill();
        let left = jobs::unfinished(&works.db).await.unwrap();
        let crawls = left
            .iter()
            .filter(|one| one.job.task.site_id() == Some(SITE))
            .count();
        assert_eq!(crawls, 1, "its job is still queued: {left:?}");
        let worker = works.work();
        let ended = works.until(is_complete).await;
        assert_eq!(ended.id, begun.id, "the same crawl was resumed");
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        assert_eq!(records(&works.db).await.len(), 30, "{}", database.name);
        assert_eq!(
            crawl_runs::list(&works.db, None, 10).await.unwrap().len(),
            1
        );
    }
}

#[tokio::test]
async fn a_stopped_worker_leaves_its_crawl_to_the_next() {
    for database in databases().await {
        let works = Works::on(&database, 30, SLOW);
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        works.until(|run| run.counts.seen > 0).await;
        assert_eq!(worker.stop(), Some(0));
        let stopped = crawl_runs::latest(&works.db, SITE).await.unwrap().unwrap();
        assert_eq!(stopped.outcome, RunOutcome::Stopped, "{}", database.name);
        let left = jobs::unfinished(&works.db).await.unwrap();
        assert!(
            left.iter()
                .any(|one| one.job.task.site_id() == Some(SITE) && one.worker.is_none()),
            "{left:?}"
        );
        let worker = works.work();
        let ended = works.until(is_complete).await;
        assert_eq!(ended.id, stopped.id, "the same crawl was resumed");
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        assert_eq!(records(&works.db).await.len(), 30);
    }
}

#[tokio::test]
async fn several_workers_never_crawl_a_portal_together() {
    for database in databases().await {
        let works = Works::on(&database, 20, SLOW);
        works.run(&["schedule", "set", SITE, "* * * * * *"]).done();
        let workers = [works.work(), works.work(), works.work()];
        let first = works.until(is_complete).await;
        works
            .until(|run| run.id != first.id && is_complete(run))
            .await;
        works.run(&["schedule", "pause", SITE]).done();
        works.until_idle().await;
        for worker in workers {
            assert_eq!(worker.stop(), Some(0), "{}", database.name);
        }
        let most = works
            .simulator
            .world()
            .requests
            .iter()
            .map(|request| request.in_flight)
            .max();
        assert_eq!(most, Some(1), "{}", database.name);
        let mut runs = crawl_runs::list(&works.db, None, 50).await.unwrap();
        runs.reverse();
        for pair in runs.windows(2) {
            let ended = pair[0].finished_at.expect("it ended");
            assert!(
                ended <= pair[1].started_at,
                "{pair:?} overlap on {}",
                database.name
            );
        }
    }
}

#[tokio::test]
async fn a_failed_crawl_is_retried() {
    let database = sqlite().await;
    let works = Works::on(&database, 5, QUICK);
    works.simulator.world().portal(SITE).condition = support::simulator::Condition::Blocking;
    works.run(&["schedule", "run", SITE]).done();
    let worker = works.work();
    let failed = works.until(|run| run.finished_at.is_some()).await;
    assert_ne!(failed.outcome, RunOutcome::Complete);
    works.simulator.world().portal(SITE).condition = support::simulator::Condition::Normal;
    if failed.outcome == RunOutcome::Alarm {
        // After an alarm, the operator requests another crawl.
        while works
            .run(&["schedule", "run", SITE])
            .stderr
            .contains("is running")
        {
            poll().await;
        }
    }
    works.until(is_complete).await;
    works.until_idle().await;
    assert_eq!(worker.stop(), Some(0));
    assert_eq!(records(&works.db).await.len(), 5);
}

#[tokio::test]
async fn an_accepted_alarm_does_not_stop_the_next_crawl() {
    for database in databases().await {
        let works = Works::on(&database, 40, QUICK);
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        works.until(is_complete).await;
        works.simulator.world().portal(SITE).condition = support::simulator::Condition::Empty;
        // A crawl stays in the queue for a moment after it has ended.
        let first = crawl_runs::latest(&works.db, SITE).await.unwrap().unwrap();
        works.until_idle().await;
        works.run(&["schedule", "run", SITE]).done();
        let alarm = works
            .until(|run| run.id != first.id && run.finished_at.is_some())
            .await;
        assert_eq!(alarm.outcome, RunOutcome::Alarm, "{}", database.name);
        assert_eq!(listings::live_count(&works.db, SITE).await.unwrap(), 40);
        let status = works.run(&["status"]);
        assert_eq!(status.code, 1);
        for said in ["--accept-withdrawals", "jeden schedule run sreality"] {
            assert!(status.stdout.contains(said), "{}", status.stdout);
        }
        works
            .run(&["schedule", "run", SITE, "--accept-withdrawals"])
            .done();
        works
            .until(|run| run.id != alarm.id && is_complete(run))
            .await;
        assert_eq!(listings::live_count(&works.db, SITE).await.unwrap(), 0);
        works.until_idle().await;
        assert_eq!(works.run(&["status"]).code, 0);
        assert_eq!(worker.stop(), Some(0));
    }
}

#[tokio::test]
async fn an_unrecoverable_job_is_given_up_and_reported() {
    let database = sqlite().await;
    let works = Works::on(&database, 5, QUICK);
    works.run(&["schedule", "run", SITE]).done();
    // The settings of this worker lack the contact.
    let bare = super::jeden::Jeden::on(&database.url);
    let mut command = bare.command(&["work", "--poll", "50ms"]);
    let mut worker = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let outcome = loop {
        let outcomes = jobs::outcomes(&works.db).await.unwrap();
        match outcomes.into_iter().find(|one| one.reason.is_some()) {
            Some(outcome) => break outcome,
            None => poll().await,
        }
    };
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert_eq!(
        (outcome.kind.as_str(), outcome.site_id.as_deref()),
        ("crawl", Some(SITE))
    );
    let status = works.run(&["status"]);
    assert_eq!(status.code, 1);
    let said = outcome.reason.unwrap();
    assert!(
        status.stdout.contains(&said),
        "{} does not say {said}",
        status.stdout
    );
    assert!(
        status
            .stdout
            .contains(&format!("jeden schedule run {SITE}")),
        "{}",
        status.stdout
    );
}

#[tokio::test]
async fn a_running_worker_adopts_another_edition_of_the_address_registry() {
    let database = sqlite().await;
    let works = Works::on(&database, 3, QUICK);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("registry");
    let registry = ["--gazetteer", file.to_str().unwrap()];
    let elsewhere = folder.path().join("not here");
    let table = super::jeden::project("fixtures/ruian/20260630_OB_599901_ADR.csv");
    works.run(&["schedule", "run", SITE]).done();
    let worker = works.work_with(&registry);
    works.until(is_complete).await;
    works.until_idle().await;
    let edition = async || {
        let mut tx = works.db.begin().await.unwrap();
        derivations::version(&mut tx, Derivation::AddressRegistry)
            .await
            .unwrap()
    };
    assert_eq!(edition().await, Some(0), "there was no registry");
    works
        .run(
            &[
                &registry[..],
                &["gazetteer", "import", table.to_str().unwrap()],
            ]
            .concat(),
        )
        .done();
    while edition().await == Some(0) {
        poll().await;
    }
    works.until_idle().await;
    assert_eq!(worker.stop(), Some(0));
    // A worker without the file in use does nothing, because it would undo the work of the others.
    let before = edition().await;
    let mut tx = works.db.begin().await.unwrap();
    listings::requeue_all(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let worker = works.work_with(&["--gazetteer", elsewhere.to_str().unwrap()]);
    while !jobs::outcomes(&works.db)
        .await
        .unwrap()
        .iter()
        .any(|one| one.reason.is_some())
    {
        poll().await;
    }
    assert_eq!(worker.stop(), Some(0));
    assert_eq!(edition().await, before);
    assert_eq!(listings::pending_count(&works.db).await.unwrap(), 3);
    let status = works.run(&[&["status"], &registry[..]].concat());
    assert!(
        status.stdout.contains("copy the right file there"),
        "{}",
        status.stdout
    );
}

#[tokio::test]
async fn the_log_says_when_a_crawl_begins_and_ends_and_libraries_are_quiet() {
    let database = sqlite().await;
    let works = Works::on(&database, 12, QUICK);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for level in ["info", "debug"] {
        works.run(&["schedule", "run", SITE]).done();
        let before = crawl_runs::latest(&works.db, SITE).await.unwrap();
        let worker = works.work_logged(&["--log", level], &log);
        works
            .until(|run| {
                is_complete(run) && before.as_ref().is_none_or(|before| run.id != before.id)
            })
            .await;
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        let lines: Vec<serde_json::Value> = std::fs::read_to_string(&log)
            .unwrap()
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let said = |message: &str| {
            let mut found = lines
                .iter()
                .filter(|line| line["message"].as_str() == Some(message));
            found
                .next()
                .unwrap_or_else(|| panic!("{message:?} is not in the log: {lines:#?}"))
        };
        assert_eq!(said("a crawl begins")["portal"], SITE);
        let ended = said("a crawl ended");
        assert_eq!(
            (&ended["outcome"], &ended["seen"]),
            (&"complete".into(), &12.into())
        );
        assert!(
            lines.iter().any(|line| line["message"]
                .as_str()
                .is_some_and(|text| text.starts_with("walking section"))),
            "{lines:#?}"
        );
        let is_foreign = |line: &serde_json::Value| {
            let own = [
                "jeden",
                "api",
                "czech",
                "dedup",
                "gazetteer",
                "ingest",
                "schema",
            ];
            let target = line["target"].as_str().unwrap_or_default();
            let level = line["level"].as_str().unwrap_or_default();
            matches!(level, "DEBUG" | "INFO")
                && !own.contains(&target.split("::").next().unwrap_or_default())
        };
        assert!(!lines.iter().any(is_foreign), "{level}: {lines:#?}");
    }
    let crawls = works.run(&["crawls", SITE, "--json"]).done();
    let crawls: serde_json::Value = serde_json::from_str(&crawls).unwrap();
    assert_eq!(crawls.as_array().unwrap().len(), 2);
    assert_eq!(
        (&crawls[0]["outcome"], &crawls[1]["new"]),
        (&"complete".into(), &12.into())
    );
}

#[tokio::test]
async fn a_worker_reads_stored_contents_again_after_an_adapter_was_corrected() {
    for database in databases().await {
        let works = Works::on(&database, 5, QUICK);
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        works.until(is_complete).await;
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        let before = records(&works.db).await;
        let mut tx = works.db.begin().await.unwrap();
        derivations::set_version(&mut tx, Derivation::Readings, 0)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let worker = works.work();
        while ingest::intake::is_reading_due(&works.db).await.unwrap() {
            poll().await;
        }
        works.until_idle().await;
        assert_eq!(worker.stop(), Some(0));
        assert_eq!(records(&works.db).await, before, "{}", database.name);
    }
}

#[tokio::test]
async fn a_worker_waits_as_long_as_the_portal_asks_it_to() {
    for database in databases().await {
        let works = Works::on(&database, 5, QUICK);
        works.simulator.world().portal(SITE).condition = support::simulator::Condition::Throttling;
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        let failed = works.until(|run| run.outcome == RunOutcome::Failed).await;
        let waits = async || {
            let queued = jobs::unfinished(&works.db).await.unwrap();
            let crawl = queued
                .into_iter()
                .find(|one| one.job.task.site_id() == Some(SITE))?;
            let wait = crawl.run_at.millis() - failed.started_at.millis();
            (crawl.worker.is_none() && crawl.job.requeues > 0).then_some((wait, crawl.job.failures))
        };
        let (wait, failures) = loop {
            match waits().await {
                Some(waits) => break waits,
                None => poll().await,
            }
        };
        assert!((3_590_000..3_660_000).contains(&wait), "{wait}");
        assert_eq!(failures, 0, "a request to wait does not count as a failure");
        assert_eq!(worker.stop(), Some(0));
        // Another crawl that somebody requests waits too, also in another process.
        let asked = works.simulator.world().requests.len();
        works.run(&["schedule", "run", SITE]).done();
        let scrape = works.run(&["scrape", SITE]);
        assert_eq!(scrape.code, 1);
        assert!(
            scrape.stderr.contains("not to come back before"),
            "{}",
            scrape.stderr
        );
        assert_eq!(works.simulator.world().requests.len(), asked);
    }
}

#[tokio::test]
async fn a_running_crawl_shows_its_step_and_a_killed_one_is_told_from_it() {
    for database in databases().await {
        let works = Works::on(&database, 400, SLOW);
        works.run(&["schedule", "run", SITE]).done();
        let worker = works.work();
        works.until(|run| run.counts.new > 0).await;
        let last_run = || {
            let list = works.run(&["schedule", "list", "--json"]).done();
            let list: serde_json::Value = serde_json::from_str(&list).unwrap();
            list[0]["lastRun"].clone()
        };
        let run = last_run();
        assert_eq!(run["outcome"], "running");
        assert_eq!(
            run["step"],
            "reading details and asking for missing listings"
        );
        worker.kill();
        // A server notices only after a moment that a connection is closed.
        while last_run()["outcome"] != "killed" {
            poll().await;
        }
    }
}

#[tokio::test]
async fn a_crawl_that_the_operator_stops_is_continued_by_the_next_one() {
    for database in databases().await {
        let works = Works::on(&database, 200, Duration::from_millis(50));
        let worker = works.work();
        let none = works.run(&["schedule", "stop", SITE]);
        assert!(
            none.stderr.contains("no crawl of sreality is running"),
            "{}",
            none.stderr
        );
        works.run(&["schedule", "run", SITE]).done();
        works.until(|run| run.counts.seen > 0).await;
        works.run(&["schedule", "stop", SITE]).done();
        let stopped = works.until(|run| run.outcome != RunOutcome::Running).await;
        assert_eq!(stopped.outcome, RunOutcome::Stopped, "{}", database.name);
        works.until_idle().await;
        let last = works.until(|_| true).await;
        assert_eq!(last, stopped, "no worker resumes it");
        works.run(&["schedule", "run", SITE]).done();
        let complete = works.until(is_complete).await;
        assert_eq!(complete.id, stopped.id, "it goes on where it was");
        drop(worker);
    }
}
