//! Counts whose outcome is in doubt: the client gave up, or the server crashed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use schema::AccountId;
use schema::store::usage::{self, CommitMark, CommitOutcome, Counted, Granted, Request};
use schema::store::{DatabaseSettings, Db};
use sqlx::error::ErrorKind;
use sqlx::{PgPool, Postgres, Transaction};
use support::PostgresCluster;

use crate::usage::{MAY, PATIENCE, an_account, give_back, one, reserve};

/// A server of its own, which may be stopped, with a database.
async fn own_server() -> Option<(PostgresCluster, Db)> {
    let cluster = PostgresCluster::start()?;
    let db = Db::connect(&DatabaseSettings::new(
        cluster.create_database("commits").await,
    ))
    .await
    .unwrap();
    db.migrate().await.unwrap();
    Some((cluster, db))
}

/// What became of requests whose outcome was unknown.
async fn settle(db: &Db, requests: &[Request], mark: &CommitMark) -> Option<Counted> {
    loop {
        match usage::settle_count(db, requests, mark).await {
            Ok(counted) => return counted,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// A count whose client gives up while it waits for a lock of its account's row, and the lock.
async fn count_unanswered(
    db: &Db,
    url: &str,
    requests: &[Request],
) -> (CommitMark, Transaction<'static, Postgres>) {
    let pool = PgPool::connect(url).await.unwrap();
    let mut lock = pool.begin().await.unwrap();
    sqlx::query("SELECT used FROM usage FOR UPDATE")
        .fetch_all(&mut *lock)
        .await
        .unwrap();
    let outcome = usage::reserve(db, requests, Duration::from_millis(200)).await;
    let unknown = match outcome.unwrap() {
        CommitOutcome::Unknown(mark) => Some(mark),
        CommitOutcome::Committed(_) => None,
    };
    (unknown.unwrap(), lock)
}

#[tokio::test]
async fn the_answer_of_a_count_can_be_asked_for_afterwards() {
    let Some((cluster, db)) = own_server().await else {
        return;
    };
    let account = an_account(&db, "Acme").await;
    let requests = [one(account), one(account)];
    reserve(&db, &requests).await;
    let url = cluster.url("commits");
    let (mark, lock) = count_unanswered(&db, &url, &requests).await;
    lock.commit().await.unwrap();
    while usage::used(&db, account, MAY).await.unwrap() == 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let counted = settle(&db, &requests, &mark).await.unwrap();
    let granted = |used| Granted { granted: 1, used };
    assert_eq!(counted.granted, [granted(3), granted(4)]);
}

#[tokio::test]
async fn a_count_that_is_asked_about_while_it_waits_is_refused() {
    let Some((cluster, db)) = own_server().await else {
        return;
    };
    let account = an_account(&db, "Acme").await;
    let requests = [one(account), one(account)];
    reserve(&db, &requests).await;
    let url = cluster.url("commits");
    let (mark, lock) = count_unanswered(&db, &url, &requests).await;
    assert_eq!(settle(&db, &requests, &mark).await, None);
    lock.commit().await.unwrap();
    // This one waits behind the other for the same row.
    let answers = reserve(&db, &requests).await;
    let used: Vec<u32> = answers.iter().map(|it| it.used).collect();
    assert_eq!(used, [3, 4]);
}

#[tokio::test]
async fn a_count_that_a_crash_undid_can_never_take_effect() {
    let Some((cluster, db)) = own_server().await else {
        return;
    };
    let account = an_account(&db, "Acme").await;
    let requests = [one(account)];
    reserve(&db, &requests).await;
    let url = cluster.url("commits");
    let (mark, lock) = count_unanswered(&db, &url, &requests).await;
    cluster.stop();
    drop(lock);
    cluster.restart();
    assert_eq!(settle(&db, &requests, &mark).await, None);
    // A server gives the numbers of transactions out again that a crash undid.
    for _ in 0..20 {
        reserve(&db, &requests).await;
    }
    assert_eq!(settle(&db, &requests, &mark).await, None);
    assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 21);
    let late = "INSERT INTO commit_marks (mark, number, answer) \
         SELECT mark, number, '[]' FROM commit_marks WHERE answer IS NULL \
         ON CONFLICT (mark) DO UPDATE SET \
             number = CASE WHEN commit_marks.number < excluded.number THEN excluded.number END";
    let pool = PgPool::connect(&url).await.unwrap();
    let late = sqlx::query(late).execute(&pool).await.unwrap_err();
    assert_eq!(
        late.as_database_error().unwrap().kind(),
        ErrorKind::NotNullViolation
    );
}

/// Counts one request at a time until the server is gone or, for whom it was gone between two requests, is back; says how
/// many of them last.
async fn count_until_it_crashes(db: Db, account: AccountId, is_back: Arc<AtomicBool>) -> u32 {
    let mut counted = 0;
    while !is_back.load(Ordering::Relaxed) {
        let requests = [one(account)];
        match usage::reserve(&db, &requests, PATIENCE).await {
            Ok(CommitOutcome::Committed(_)) => counted += 1,
            Ok(CommitOutcome::Unknown(mark)) => {
                return counted + u32::from(settle(&db, &requests, &mark).await.is_some());
            }
            Err(_) => return counted,
        }
    }
    counted
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crash_leaves_in_doubt_is_counted_if_and_only_if_it_says_so_afterwards() {
    let Some((cluster, db)) = own_server().await else {
        return;
    };
    let account = an_account(&db, "Acme").await;
    let mut counted = 0;
    for round in 0..6 {
        let is_back = Arc::new(AtomicBool::new(false));
        let counting = || count_until_it_crashes(db.clone(), account, Arc::clone(&is_back));
        let tasks = (0..6).map(|_| tokio::spawn(counting()));
        let tasks: Vec<_> = tasks.collect();
        tokio::time::sleep(Duration::from_millis(40 * round)).await;
        cluster.stop();
        cluster.restart();
        is_back.store(true, Ordering::Relaxed);
        for task in tasks {
            counted += task.await.unwrap();
        }
        // A connection that broke may be met once more.
        let mut used = usage::used(&db, account, MAY).await;
        while used.is_err() {
            used = usage::used(&db, account, MAY).await;
        }
        assert_eq!(used.unwrap(), counted, "round {round}");
    }
    assert!(counted > 0);
}

#[tokio::test]
async fn a_process_writes_its_marks_in_one_row() {
    let Some((cluster, db)) = own_server().await else {
        return;
    };
    let account = an_account(&db, "Acme").await;
    for _ in 0..30 {
        reserve(&db, &[one(account)]).await;
        give_back(&db, account, MAY, 1).await;
    }
    // The row of the process.
    let left = "DO $$ BEGIN ASSERT (SELECT COUNT(*) = 1 FROM commit_marks); END $$";
    cluster.execute("commits", left).await;
}
