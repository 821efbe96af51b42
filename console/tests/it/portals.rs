//! Schedules and crawls.

use schema::store::crawl_lines::{self, CrawlLine};
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::jobs::{self, Task};
use schema::store::{Db, audit_log, schedules};
use schema::{Role, Timestamp};

use crate::browser::Served;

const HOUR: i64 = 3_600_000;
const NOON: i64 = 1_795_348_800_000;

/// Stores a crawl that ended in an alarm.
async fn store_alarm(db: &Db) -> i64 {
    let mut tx = db.begin().await.unwrap();
    let mut run = crawl_runs::begin(&mut tx, "sreality", Timestamp(NOON - HOUR), "{}")
        .await
        .unwrap();
    run.outcome = RunOutcome::Alarm;
    run.finished_at = Some(Timestamp(NOON - HOUR / 2));
    run.trouble = Some("section sale shows 3 adverts; the last complete crawl saw 900".to_owned());
    run.counts.requests = 1234;
    crawl_runs::save(&mut tx, &run).await.unwrap();
    let line = CrawlLine {
        at: Timestamp(NOON - HOUR + 7_000),
        line: "walking section sale".to_owned(),
        seen: 3,
        requests: 17,
    };
    crawl_lines::add(&mut tx, &run, 0, &[line]).await.unwrap();
    tx.commit().await.unwrap();
    run.id.0
}

async fn queued(db: &Db) -> Vec<Task> {
    let jobs = jobs::unfinished(db).await.unwrap().into_iter();
    jobs.map(|one| one.job.task).collect()
}

#[tokio::test]
async fn an_operator_schedules_pauses_and_runs_a_portal() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        let wrong = person
            .post("/portals/sreality/schedule", &[("cron", "soon")])
            .await;
        assert_eq!(wrong.status, 400);
        assert!(wrong.body.contains("is not a cron line"), "{}", wrong.body);
        let set = person
            .post("/portals/sreality/schedule", &[("cron", "30 4 * * *")])
            .await;
        assert_eq!(
            (set.status, set.location()),
            (303, "/portals/sreality?done=schedule")
        );
        let shown = person.get(set.location()).await;
        assert!(shown.body.contains("role=\"status\""), "{}", shown.body);
        for day in 23..=27 {
            let due = format!("{day}.\u{a0}11.\u{a0}2026 4:30");
            assert!(shown.body.contains(&due), "{due}: {}", shown.body);
        }
        assert_eq!(
            person.post("/portals/sreality/pause", &[]).await.status,
            303
        );
        assert!(schedules::list(&db).await.unwrap()[0].paused);
        assert_eq!(
            person.post("/portals/sreality/resume", &[]).await.status,
            303
        );
        assert!(!schedules::list(&db).await.unwrap()[0].paused);
        assert_eq!(person.post("/portals/sreality/run", &[]).await.status, 303);
        let again = person.post("/portals/sreality/run", &[]).await;
        assert_eq!(again.location(), "/portals/sreality?done=queued");
        assert_eq!(queued(&db).await, [Task::crawl("sreality")]);
        assert_eq!(person.post("/portals/sreality/stop", &[]).await.status, 409);
        let log = audit_log::list(&db, None, 20).await.unwrap();
        let actions: Vec<&str> = log
            .iter()
            .rev()
            .map(|(_, one)| one.action.as_str())
            .collect();
        assert_eq!(
            actions,
            ["log in", "schedule", "pause", "resume", "run", "run"]
        );
        assert_eq!(log[4].1.detail.as_deref(), Some("30 4 * * *"));
    })
    .await;
}

#[tokio::test]
async fn a_portal_that_forbids_programs_is_not_scheduled() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        for (action, form) in [
            ("run", &[][..]),
            ("schedule", &[("cron", "30 4 * * *")][..]),
        ] {
            let refused = person.post(&format!("/portals/idnes/{action}"), form).await;
            assert_eq!(refused.status, 409);
            assert!(
                refused.body.contains("does not allow programs"),
                "{}",
                refused.body
            );
        }
        assert_eq!(queued(&db).await, []);
    })
    .await;
}

#[tokio::test]
async fn an_alarm_can_be_believed_once() {
    support::on_each_database(async |db| {
        let id = store_alarm(&db).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        for path in ["/", "/portals/sreality"] {
            let shown = person.get(path).await;
            assert!(
                shown.body.contains("shows 3 adverts"),
                "{path}: {}",
                shown.body
            );
            let button = "/portals/sreality/believe-withdrawals";
            assert!(shown.body.contains(button), "{path}");
        }
        let run = person.get(&format!("/portals/sreality/crawls/{id}")).await;
        assert!(run.body.contains("1\u{a0}234"), "{}", run.body);
        for part in ["walking section sale", "12:00:07", ">17<"] {
            assert!(run.body.contains(part), "{part}: {}", run.body);
        }
        assert_eq!(
            person
                .get(&format!("/portals/idnes/crawls/{id}"))
                .await
                .status,
            404
        );
        let done = person
            .post("/portals/sreality/believe-withdrawals", &[])
            .await;
        assert_eq!(done.location(), "/portals/sreality?done=believe");
        let tasks = queued(&db).await;
        let Task::Crawl { accepted, .. } = &tasks[0] else {
            unreachable!("{tasks:?}")
        };
        assert!(accepted.withdrawals && !accepted.changes);
    })
    .await;
}

#[tokio::test]
async fn a_reviewer_may_not_act_on_portals() {
    support::on_each_database(async |db| {
        store_alarm(&db).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Petr", Role::Reviewer).await;
        let actions = [
            "run",
            "pause",
            "resume",
            "stop",
            "schedule",
            "unschedule",
            "believe-withdrawals",
            "believe-changes",
        ];
        for action in actions {
            let path = format!("/portals/sreality/{action}");
            let refused = person.post(&path, &[("cron", "30 4 * * *")]).await;
            assert_eq!(refused.status, 403, "{action}");
        }
        assert_eq!(queued(&db).await, []);
        assert_eq!(schedules::list(&db).await.unwrap(), []);
        let shown = person.get("/portals/sreality").await;
        assert_eq!(shown.status, 200);
        assert!(
            !shown
                .body
                .contains("<form method=\"post\" action=\"/portals")
        );
        assert_eq!(person.get("/audit").await.status, 403);
    })
    .await;
}
