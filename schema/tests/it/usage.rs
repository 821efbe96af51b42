//! Quotas are exact.

use std::time::Duration;

use schema::store::usage::{self, CommitOutcome, Counted, Granted, Request};
use schema::store::{DatabaseSettings, Db, accounts, offers};
use schema::{AccountId, Month, Plan};

use crate::samples::day;

pub(crate) const MAY: Month = Month {
    year: 2026,
    month: 5,
};

pub(crate) async fn an_account(db: &Db, name: &str) -> AccountId {
    accounts::create(db, name, Plan::Free, None, day(1))
        .await
        .unwrap()
        .id
}

pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

async fn count(db: &Db, requests: &[Request]) -> Counted {
    let outcome = usage::reserve(db, requests, PATIENCE).await.unwrap();
    let committed = match outcome {
        CommitOutcome::Committed(counted) => Some(counted),
        CommitOutcome::Unknown(_) => None,
    };
    committed.unwrap()
}

pub(crate) async fn reserve(db: &Db, requests: &[Request]) -> Vec<Granted> {
    count(db, requests).await.granted
}

pub(crate) async fn give_back(db: &Db, account: AccountId, month: Month, count: u32) {
    let settled = usage::give_back(db, account, month, count, PATIENCE)
        .await
        .unwrap();
    assert_eq!(settled, CommitOutcome::Committed(()));
}

/// One request of an account.
pub(crate) fn one(account: AccountId) -> Request {
    Request {
        account,
        month: MAY,
        limit: u32::MAX,
        count: 1,
    }
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
