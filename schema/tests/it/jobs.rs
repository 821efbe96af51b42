//! The queue of jobs, and the workers that take from it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use schema::Timestamp;
use schema::store::jobs::{self, Job, Queue, Task, WorkerSettings};
use schema::store::{Db, schedules};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Jobs are due at once however the test's clock stands to the machine's.
const LONG_AGO: Timestamp = Timestamp(1_000_000);

/// What has not come by then never does: a test fails rather than hangs.
const FOR_EVER: Duration = Duration::from_mins(5);

fn settings(name: &str) -> WorkerSettings {
    WorkerSettings {
        name: name.to_owned(),
        queue: Queue::Upkeep,
        concurrency: 1,
        poll: Duration::from_millis(20),
        heartbeat: Duration::from_secs(1),
    }
}

async fn push(db: &Db, job: &Job) -> bool {
    let mut tx = db.begin().await.unwrap();
    let new = jobs::push(&mut tx, job, LONG_AGO).await.unwrap();
    tx.commit().await.unwrap();
    new
}

/// Runs a worker until it has run `count` jobs: their keys, in the order in which they were begun.
async fn run(db: &Db, name: &str, count: usize) -> Vec<String> {
    let (seen, stop) = (Arc::new(Mutex::new(Vec::new())), CancellationToken::new());
    let (seen_by_job, stop_by_job) = (Arc::clone(&seen), stop.clone());
    let handle = move |job: Result<Job, String>| {
        let (seen, stop) = (Arc::clone(&seen_by_job), stop_by_job.clone());
        async move {
            let mut seen = seen.lock().unwrap();
            seen.push(job.map_or_else(
                |reason| reason,
                |job| format!("{}#{}", job.key, job.requeues),
            ));
            if seen.len() >= count {
                stop.cancel();
            }
        }
    };
    let working = tokio::time::timeout(FOR_EVER, async {
        jobs::work(db, &settings(name), &stop, handle)
            .await
            .unwrap();
    });
    working.await.expect("it comes to them all");
    Arc::into_inner(seen).map_or_else(Vec::new, |seen| seen.into_inner().unwrap())
}

#[tokio::test]
async fn a_job_is_queued_once_and_run_once() {
    support::on_each_database(async |db| {
        let job = Job::new(Task::Dedup, "dedup:1", LONG_AGO);
        assert!(push(&db, &job).await);
        assert!(!push(&db, &job).await, "the key is queued already");
        assert!(
            push(&db, &job.again(true)).await,
            "requeued, it is another job"
        );
        let waiting = jobs::unfinished(&db).await.unwrap();
        let waiting: Vec<_> = waiting
            .iter()
            .map(|one| (one.job.requeues, one.job.failures, &one.worker))
            .collect();
        assert_eq!(waiting.len(), 2);
        assert!(
            waiting.contains(&(0, 0, &None)) && waiting.contains(&(1, 1, &None)),
            "{waiting:?}"
        );
        let mut ran = run(&db, "first", 2).await;
        ran.sort();
        assert_eq!(ran, ["dedup:1#0", "dedup:1#1"]);
        assert_eq!(jobs::unfinished(&db).await.unwrap(), []);
        assert!(!push(&db, &job).await, "what was done is not done again");
    })
    .await;
}

#[tokio::test]
async fn a_job_that_a_dead_worker_had_is_taken_up_by_another() {
    support::on_each_database(async |db| {
        push(&db, &Job::new(Task::Housekeeping, "left behind", LONG_AGO)).await;
        let began = Arc::new(Notify::new());
        let told = Arc::clone(&began);
        let never_ends = move |_: Result<Job, String>| {
            told.notify_one();
            std::future::pending()
        };
        let worker = tokio::spawn({
            let db = db.clone();
            async move {
                jobs::work(
                    &db,
                    &settings("dies"),
                    &CancellationToken::new(),
                    never_ends,
                )
                .await
            }
        });
        began.notified().await;
        // As a process that is killed: nothing is given back, and no worker signs off.
        worker.abort();
        assert!(worker.await.is_err());
        assert_eq!(jobs::unfinished(&db).await.unwrap().len(), 1);
        assert_eq!(run(&db, "survives", 1).await, ["left behind#0"]);
        assert_eq!(jobs::unfinished(&db).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_worker_that_is_stopped_ends_its_job_first_and_signs_off() {
    support::on_each_database(async |db| {
        push(&db, &Job::new(Task::Learning, "one", LONG_AGO)).await;
        push(&db, &Job::new(Task::Learning, "two", LONG_AGO)).await;
        let stop = CancellationToken::new();
        let ended = Arc::new(Mutex::new(0));
        let (count, stopped) = (Arc::clone(&ended), stop.clone());
        let slow = move |_: Result<Job, String>| {
            let (count, stopped) = (Arc::clone(&count), stopped.clone());
            async move {
                stopped.cancel();
                tokio::task::yield_now().await;
                *count.lock().unwrap() += 1;
            }
        };
        jobs::work(&db, &settings("stopped"), &stop, slow)
            .await
            .unwrap();
        assert_eq!(*ended.lock().unwrap(), 1);
        let left = jobs::unfinished(&db).await.unwrap();
        assert_eq!(left.len(), 1, "the other one stays for somebody else");
        assert_eq!(left[0].worker, None);
        assert_eq!(jobs::workers(&db, LONG_AGO).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_read_is_told_and_stops_nobody() {
    support::on_each_database(async |db| {
        push(&db, &Job::new(Task::Dedup, "known", LONG_AGO)).await;
        let ran = run(&db, "reads", 1).await;
        assert_eq!(ran, ["known#0"]);
        let far = Timestamp(i64::MAX / 1_000_000);
        let mut tx = db.begin().await.unwrap();
        assert_eq!(
            jobs::prune(&mut tx, LONG_AGO).await.unwrap(),
            0,
            "it ended after that"
        );
        assert_eq!(jobs::prune(&mut tx, far).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(
            push(&db, &Job::new(Task::Dedup, "known", LONG_AGO)).await,
            "it is forgotten"
        );
    })
    .await;
}

#[tokio::test]
async fn the_last_end_of_a_kind_of_job_is_remembered() {
    support::on_each_database(async |db| {
        let crawl = Task::crawl("example");
        let mut tx = db.begin().await.unwrap();
        jobs::failed(&mut tx, &crawl, "the portal is away", Timestamp(1))
            .await
            .unwrap();
        jobs::succeeded(&mut tx, &Task::Dedup, Timestamp(2))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let outcomes = jobs::outcomes(&db).await.unwrap();
        let crawled = &outcomes[0];
        assert_eq!(
            (crawled.kind.as_str(), crawled.site_id.as_deref()),
            ("crawl", Some("example"))
        );
        assert_eq!(
            (crawled.failed_at, crawled.reason.as_deref()),
            (Some(Timestamp(1)), Some("the portal is away"))
        );
        assert_eq!(
            (outcomes[1].kind.as_str(), outcomes[1].site_id.as_deref()),
            ("dedup", None)
        );
        let mut tx = db.begin().await.unwrap();
        jobs::succeeded(&mut tx, &crawl, Timestamp(3))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let crawled = jobs::outcomes(&db).await.unwrap().remove(0);
        assert_eq!(
            (crawled.succeeded_at, crawled.reason),
            (Some(Timestamp(3)), None)
        );
    })
    .await;
}

#[tokio::test]
async fn a_schedule_never_goes_back_and_a_pause_is_not_caught_up() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        schedules::set(&mut tx, "example", "0 4 * * *", Timestamp(10))
            .await
            .unwrap();
        schedules::consider(&mut tx, "example", Timestamp(30))
            .await
            .unwrap();
        schedules::consider(&mut tx, "example", Timestamp(20))
            .await
            .unwrap();
        assert!(
            schedules::pause(&mut tx, "example", true, Timestamp(40))
                .await
                .unwrap()
        );
        schedules::consider(&mut tx, "example", Timestamp(45))
            .await
            .unwrap();
        assert!(
            !schedules::pause(&mut tx, "another", true, Timestamp(40))
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        let schedule = schedules::list(&db).await.unwrap().remove(0);
        assert!(schedule.paused);
        assert_eq!(
            (schedule.created_at, schedule.considered_at),
            (Timestamp(10), Timestamp(40))
        );
        let mut tx = db.begin().await.unwrap();
        schedules::pause(&mut tx, "example", false, Timestamp(50))
            .await
            .unwrap();
        schedules::pause(&mut tx, "example", false, Timestamp(60))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            schedules::list(&db).await.unwrap()[0].considered_at,
            Timestamp(50)
        );
        let mut tx = db.begin().await.unwrap();
        assert!(schedules::remove(&mut tx, "example").await.unwrap());
        assert!(!schedules::remove(&mut tx, "example").await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(schedules::list(&db).await.unwrap(), []);
    })
    .await;
}

#[test]
fn every_kind_of_task_is_listed_by_the_name_that_it_is_stored_under() {
    let tasks = [
        Task::crawl("sreality"),
        Task::Dedup,
        Task::Learning,
        Task::Reading,
        Task::Housekeeping,
    ];
    assert_eq!(tasks.each_ref().map(Task::kind), Task::KINDS);
    for task in tasks {
        assert_eq!(serde_json::to_value(&task).unwrap()["kind"], task.kind());
    }
}
