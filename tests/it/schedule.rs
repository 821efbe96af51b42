//! `jeden schedule`: when portals are crawled.

use schema::Timestamp;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::jobs::{self, Job, Task};
use serde_json::Value;
use support::{databases, sqlite};

use super::jeden::Jeden;
use super::working::{SITE, Works};

const NOON: Timestamp = Timestamp(1_795_000_000_000);

const QUICK: std::time::Duration = std::time::Duration::from_millis(1);

#[tokio::test]
async fn a_schedule_is_set_shown_paused_resumed_and_removed() {
    for database in databases().await {
        let works = Works::on(&database, 1, QUICK);
        let set = works.run(&["schedule", "set", SITE, "30 4 * * *"]);
        assert_eq!((set.code, set.stdout.as_str()), (0, ""));
        assert_eq!(
            set.stderr.matches(" 04:30:00").count(),
            3,
            "the next three times: {}",
            set.stderr
        );
        assert!(
            set.stderr.contains("No worker is running"),
            "{}",
            set.stderr
        );
        let shown = || -> Value {
            let list = works.run(&["schedule", "list", "--json"]).done();
            serde_json::from_str::<Value>(&list).unwrap()
        };
        let first = shown();
        assert_eq!(first[0]["portal"], SITE);
        assert_eq!(
            (&first[0]["cron"], &first[0]["paused"]),
            (&"30 4 * * *".into(), &false.into())
        );
        assert!(
            first[0]["nextRun"].is_string() && first[0]["lastRun"].is_null(),
            "{first}"
        );
        works.run(&["schedule", "pause", SITE]).done();
        let paused = shown();
        assert!(
            paused[0]["paused"] == true && paused[0]["nextRun"].is_null(),
            "{paused}"
        );
        assert!(works.run(&["schedule", "list"]).done().contains("paused"));
        works.run(&["schedule", "resume", SITE]).done();
        assert_eq!(shown()[0]["paused"], false);
        works
            .run(&["schedule", "set", SITE, "0 */6 * * 1-5"])
            .done();
        assert_eq!(shown()[0]["cron"], "0 */6 * * 1-5");
        works.run(&["schedule", "remove", SITE]).done();
        assert_eq!(shown(), Value::Array(Vec::new()), "{}", database.name);
    }
}

#[tokio::test]
async fn the_lists_of_a_portal_are_walked_by_a_line_of_their_own() {
    for database in databases().await {
        let works = Works::on(&database, 1, QUICK);
        let schedule = ["schedule", "set", SITE, "30 4 * * *"];
        let with_lists = [schedule.as_slice(), &["--lists", "0 */2 * * *"]].concat();
        let set = works.run(&with_lists);
        assert_eq!(set.code, 0, "{}", set.stderr);
        assert!(
            set.stderr.contains("Only its lists are walked"),
            "{}",
            set.stderr
        );
        let shown = || -> Value {
            let list = works.run(&["schedule", "list", "--json"]).done();
            serde_json::from_str::<Value>(&list).unwrap()[0].take()
        };
        let first = shown();
        assert_eq!(first["listsCron"], "0 */2 * * *");
        let refused = works.run(&[schedule.as_slice(), &["--lists", "never"]].concat());
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        works.run(&schedule).done();
        let last = shown();
        assert!(last["listsCron"].is_null(), "{}", database.name);
        let next = |shown: &Value| {
            shown["nextRun"]
                .as_str()
                .unwrap()
                .parse::<Timestamp>()
                .unwrap()
        };
        assert!(next(&first) <= next(&last), "{first} {last}");
    }
}

#[tokio::test]
async fn an_invalid_schedule_is_refused_with_a_remedy() {
    let database = sqlite().await;
    let works = Works::on(&database, 1, QUICK);
    let bare = Jeden::on(&database.url);
    for (run, said) in [
        (
            works.run(&["schedule", "set", SITE, "0 4 * *"]),
            "expected 5 or 6 fields, got 4",
        ),
        (
            works.run(&["schedule", "set", SITE, "0 4 31 2 *"]),
            "is never due",
        ),
        (
            works.run(&["schedule", "set", "nowhere", "0 4 * * *"]),
            "there is no portal \"nowhere\"",
        ),
        (
            works.run(&["schedule", "run", "nowhere"]),
            "there is no portal \"nowhere\"",
        ),
        (works.run(&["schedule", "pause", SITE]), "is not scheduled"),
        (works.run(&["schedule", "remove", SITE]), "is not scheduled"),
        (
            bare.run(&["schedule", "set", SITE, "0 4 * * *"]),
            "[portals.sreality] permission =",
        ),
        (
            bare.run(&["schedule", "run", SITE]),
            "does not allow programs",
        ),
    ] {
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (1, ""),
            "{said}: {}",
            run.stderr
        );
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    let list = bare.run(&["schedule", "list"]);
    assert_eq!((list.code, list.stdout.as_str()), (0, ""));
    assert!(
        list.stderr.contains("jeden schedule set PORTAL CRON"),
        "{}",
        list.stderr
    );
}

/// The worker died after the crawl, before the queue noted that. Another worker takes the job and ends it without a crawl.
#[tokio::test]
async fn a_crawl_is_queued_although_a_job_waits_whose_crawl_is_done() {
    let database = sqlite().await;
    let works = Works::on(&database, 1, QUICK);
    let db = &database.db;
    let job = Job::new(Task::crawl(SITE), "done", NOON);
    let mut tx = db.begin().await.unwrap();
    jobs::push(&mut tx, &job, NOON).await.unwrap();
    let mut run = crawl_runs::begin(&mut tx, SITE, NOON, "").await.unwrap();
    run.outcome = RunOutcome::Complete;
    run.finished_at = Some(NOON);
    crawl_runs::save(&mut tx, &run).await.unwrap();
    tx.commit().await.unwrap();
    let first = works.run(&["schedule", "run", SITE]);
    assert!(first.stderr.contains("is queued;"), "{}", first.stderr);
    assert_eq!(jobs::unfinished(db).await.unwrap().len(), 2);
    let second = works.run(&["schedule", "run", SITE]);
    let said = "is already queued";
    assert!(second.stderr.contains(said), "{}", second.stderr);
}

#[tokio::test]
async fn the_list_shows_the_last_crawl() {
    let database = sqlite().await;
    let works = Works::on(&database, 4, QUICK);
    works.run(&["schedule", "run", SITE]).done();
    let again = works.run(&["schedule", "run", SITE]);
    assert!(
        again.stderr.contains("is already queued"),
        "{}",
        again.stderr
    );
    let worker = works.work();
    works.until(super::working::is_complete).await;
    works.until_idle().await;
    assert_eq!(worker.stop(), Some(0));
    let list: Value =
        serde_json::from_str(&works.run(&["schedule", "list", "--json"]).done()).unwrap();
    let run = &list[0]["lastRun"];
    assert_eq!(
        (&run["seen"], &run["new"], &run["gone"]),
        (&4.into(), &4.into(), &0.into()),
        "{list}"
    );
    assert_eq!(
        (&run["outcome"], &run["alarm"]),
        (&"complete".into(), &Value::Null)
    );
    assert!(
        run["seconds"].is_number() && run["finishedAt"].is_string(),
        "{list}"
    );
    let table = works.run(&["schedule", "list"]).done();
    for column in [
        "next run", "expected", "last run", "took", "seen", "new", "changed", "gone", "rejected",
        "alarm", "complete",
    ] {
        assert!(table.contains(column), "{column}: {table}");
    }
}
