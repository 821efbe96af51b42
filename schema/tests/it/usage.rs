//! Quotas are exact.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use schema::store::usage::{self, CommitMark, CommitOutcome, Counted, Granted, Request};
use schema::store::{DatabaseSettings, Db, accounts, offers};
use schema::{AccountId, Month, Plan};
use sqlx::error::ErrorKind;
use sqlx::{PgPool, Postgres, Transaction};
use support::PostgresCluster;

use crate::samples::day;

const MAY: Month = Month {
    year: 2026,
    month: 5,
};

async fn an_account(db: &Db, name: &str) -> AccountId {
    accounts::create(db, name, Plan::Free, None, day(1))
        .await
        .unwrap()
        .id
}

const PATIENCE: Duration = Duration::from_mins(1);

async fn count(db: &Db, requests: &[Request]) -> Counted {
    let outcome = usage::reserve(db, requests, PATIENCE).await.unwrap();
    let committed = match outcome {
        CommitOutcome::Committed(counted) => Some(counted),
        CommitOutcome::Unknown(_) => None,
    };
    committed.unwrap()
}

async fn reserve(db: &Db, requests: &[Request]) -> Vec<Granted> {
    count(db, requests).await.granted
}

async fn give_back(db: &Db, account: AccountId, month: Month, count: u32) {
    let settled = usage::give_back(db, account, month, count, PATIENCE)
        .await
        .unwrap();
    assert_eq!(settled, CommitOutcome::Committed(()));
}

#[tokio::test]
async fn requests_are_counted_up_to_the_limit() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let request = |count| Request {
            account,
            month: MAY,
            limit: 10,
            count,
        };
        for (count, granted, used) in [(7, 7, 7), (0, 0, 7), (7, 3, 10), (1, 0, 10)] {
            let answers = reserve(&db, &[request(count)]).await;
            assert_eq!(answers, [Granted { granted, used }]);
        }
        assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 10);
        assert_eq!(
            usage::used(&db, account, MAY.next()).await.unwrap(),
            0,
            "the next month is untouched"
        );
    })
    .await;
}

#[tokio::test]
async fn the_first_request_of_a_month_may_not_pass_the_limit_either() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let request = Request {
            account,
            month: MAY,
            limit: 10,
            count: 12,
        };
        let answers = reserve(&db, &[request]).await;
        assert_eq!(
            answers,
            [Granted {
                granted: 10,
                used: 10
            }]
        );
    })
    .await;
}

#[tokio::test]
async fn a_batch_is_answered_in_its_order() {
    support::on_each_database(async |db| {
        let (one, other) = (an_account(&db, "One").await, an_account(&db, "Other").await);
        let request = |account, count| Request {
            account,
            month: MAY,
            limit: 5,
            count,
        };
        let batch = [
            request(other, 2),
            request(one, 3),
            request(other, 2),
            request(one, 3),
            request(other, 2),
        ];
        let granted = |granted, used| Granted { granted, used };
        let expected = [
            granted(2, 2),
            granted(3, 3),
            granted(2, 4),
            granted(2, 5),
            granted(1, 5),
        ];
        assert_eq!(reserve(&db, &batch).await, expected);
        assert_eq!(reserve(&db, &[]).await, []);
    })
    .await;
}

#[tokio::test]
async fn a_lowered_limit_grants_nothing_until_the_month_ends() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let request = |month, limit| Request {
            account,
            month,
            limit,
            count: 4,
        };
        reserve(&db, &[request(MAY, 10), request(MAY, 10)]).await;
        let lowered = reserve(&db, &[request(MAY, 5), request(MAY.next(), 5)]).await;
        assert_eq!(
            lowered,
            [
                Granted {
                    granted: 0,
                    used: 8
                },
                Granted {
                    granted: 4,
                    used: 4
                }
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn what_came_to_nothing_is_given_back() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let request = Request {
            account,
            month: MAY,
            limit: 10,
            count: 10,
        };
        reserve(&db, &[request]).await;
        give_back(&db, account, MAY, 3).await;
        assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 7);
        give_back(&db, account, MAY, 99).await;
        give_back(&db, account, MAY.next(), 1).await;
        assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 0);
    })
    .await;
}

/// Several processes: each has connections of its own.
#[tokio::test(flavor = "multi_thread")]
async fn no_number_of_processes_passes_the_limit_by_one() {
    const LIMIT: u32 = 200;
    for database in support::databases().await {
        let accounts = [
            an_account(&database.db, "One").await,
            an_account(&database.db, "Other").await,
        ];
        let mut processes = vec![database.db.clone()];
        for _ in 0..2 {
            processes.push(
                Db::open(&DatabaseSettings::new(&database.url))
                    .await
                    .unwrap(),
            );
        }
        let tasks: Vec<_> = (0..90_u32)
            .map(|number| {
                let db = processes[number as usize % processes.len()].clone();
                tokio::spawn(async move {
                    let request = |account| Request {
                        account,
                        month: MAY,
                        limit: LIMIT,
                        count: 1 + number % 5,
                    };
                    // Both orders, so that a careless lock order would show as a deadlock.
                    let mut batch = accounts.map(request);
                    batch.rotate_left(number as usize % 2);
                    let answers = reserve(&db, &batch).await;
                    batch
                        .iter()
                        .zip(answers)
                        .map(|(asked, answer)| (asked.account, answer))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let mut granted = [0, 0];
        for task in tasks {
            for (account, answer) in task.await.unwrap() {
                assert!(answer.used <= LIMIT);
                granted[usize::from(account == accounts[1])] += answer.granted;
            }
        }
        // Together they ask for 270 of each account.
        assert_eq!(granted, [LIMIT; 2], "{}", database.name);
        for account in accounts {
            assert_eq!(
                usage::used(&database.db, account, MAY).await.unwrap(),
                LIMIT
            );
        }
        for db in processes {
            db.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scarce_quota_is_granted_to_the_last_request_and_no_further() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let tasks: Vec<_> = (0..60)
            .map(|_| {
                let db = db.clone();
                let request = Request {
                    account,
                    month: MAY,
                    limit: 100,
                    count: 3,
                };
                tokio::spawn(async move { reserve(&db, &[request]).await[0].granted })
            })
            .collect();
        let mut granted = Vec::new();
        for task in tasks {
            granted.push(task.await.unwrap());
        }
        assert_eq!(granted.iter().sum::<u32>(), 100);
        assert_eq!(
            granted.iter().filter(|one| **one == 1).count(),
            1,
            "33 times 3, once 1, then nothing"
        );
        assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 100);
    })
    .await;
}

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

#[tokio::test]
async fn a_count_says_which_change_was_committed_last_before_it() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let request = Request {
            account,
            month: MAY,
            limit: 1,
            count: 1,
        };
        let newest = async || count(&db, &[request]).await.newest_change;
        assert_eq!(newest().await, 0);
        let mut tx = db.begin().await.unwrap();
        offers::next_change(&mut tx, 3).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(newest().await, 3, "also if the quota is used up");
    })
    .await;
}

#[tokio::test]
async fn the_use_of_many_accounts_is_read_together() {
    support::on_each_database(async |db| {
        let (one, other) = (an_account(&db, "one").await, an_account(&db, "other").await);
        let request = |account, count| Request {
            account,
            month: MAY,
            limit: 10,
            count,
        };
        reserve(&db, &[request(one, 4), request(other, 7)]).await;
        let asked = [(other, MAY), (one, MAY.next()), (one, MAY)];
        for count in 0..=asked.len() {
            assert_eq!(
                usage::used_by_all(&db, &asked[..count]).await.unwrap(),
                [7, 0, 4][..count]
            );
        }
    })
    .await;
}

/// One request of an account.
fn one(account: AccountId) -> Request {
    Request {
        account,
        month: MAY,
        limit: u32::MAX,
        count: 1,
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

/// The client of a request may go away at any moment, and whatever was done for it is dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_was_wanted_no_longer_while_it_began_is_in_nobodys_way() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        for round in 0..300 {
            let patience = Duration::from_micros(round % 30 * 20);
            drop(tokio::time::timeout(patience, db.begin_read()).await);
            reserve(&db, &[one(account)]).await;
        }
        assert_eq!(usage::used(&db, account, MAY).await.unwrap(), 300);
    })
    .await;
}
