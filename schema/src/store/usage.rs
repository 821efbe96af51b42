//! How many requests an account has used in a month. The count is exact: however many processes count at once, they never
//! exceed the limit.

use std::collections::HashMap;
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::Cell;
use super::database::{Db, on_db};
use super::error::{Result, StoreError};
use super::lists;
use super::transaction::{CommitOutcome, Tx, on_tx};
use crate::account::{AccountId, Month};

/// Asks to count some requests of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The account.
    pub account: AccountId,
    /// The month.
    pub month: Month,
    /// The account's limit in that month.
    pub limit: u32,
    /// How many to count.
    pub count: u32,
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// How many were counted: as many as asked for, or as many as were left.
    pub granted: u32,
    /// How many the account has used in that month, these included.
    pub used: u32,
}

/// The answers to a group of [`Request`]s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// One answer for each request, in their order.
    pub granted: Vec<Granted>,
    /// The number of the last change of a record that was committed before the requests were counted; 0 before the
    /// first, and if nothing was asked for.
    pub newest_change: i64,
    /// Whether the counts are committed.
    pub outcome: CommitOutcome,
}

/// Counts requests as far as the limits allow, all in one transaction, and reads the newest change number with them, so
/// that a request needs no other question to the primary to know whether a search index is up to date. Waits up to
/// `patience` for the statements and once more for the commit.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`], [`StoreError::Unreachable`]; then nothing was counted.
pub fn reserve<'a>(
    db: &'a Db,
    requests: &'a [Request],
    patience: Duration,
) -> BoxFuture<'a, Result<Counted>> {
    Box::pin(async move {
        // If this times out, the transaction is dropped and so rolled back.
        let counted = async {
            let (mut tx, granted, newest_change) = count_all(db, requests).await?;
            let mark = db.write_commit_mark(&mut tx).await?;
            Ok((tx, mark, granted, newest_change))
        };
        let (tx, mark, granted, newest_change) = in_time(patience, counted).await?;
        Ok(Counted {
            granted,
            newest_change,
            outcome: db.commit_within(tx, mark, patience).await?,
        })
    })
}

async fn in_time<T>(patience: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(patience, work).await {
        Ok(done) => done,
        Err(_) => Err(StoreError::Unreachable {
            reason: format!("no answer within {patience:?}"),
        }),
    }
}

async fn count_all(db: &Db, requests: &[Request]) -> Result<(Tx, Vec<Granted>, i64)> {
    // Every process locks the rows in the same order, so that two cannot wait for each other.
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by_key(|&place| batch(&requests[place]));
    let mut answers = vec![
        Granted {
            granted: 0,
            used: 0
        };
        requests.len()
    ];
    let mut newest_change = 0;
    let mut tx = db.begin().await?;
    for group in order.chunk_by(|&one, &next| batch(&requests[one]) == batch(&requests[next])) {
        let Some(first) = group.first().map(|&place| requests[place]) else {
            continue;
        };
        let asked = group
            .iter()
            .map(|&place| i64::from(requests[place].count))
            .sum();
        let (granted, used, change) = count(&mut tx, first, asked).await?;
        newest_change = newest_change.max(change);
        let mut left = granted;
        for &place in group {
            let granted = left.min(requests[place].count);
            left -= granted;
            answers[place] = Granted {
                granted,
                used: used - left,
            };
        }
    }
    Ok((tx, answers, newest_change))
}

/// Gives back requests that were counted but failed. Waits as [`reserve`] does.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Unreachable`]; then nothing was given back.
pub fn give_back(
    db: &Db,
    account: AccountId,
    month: Month,
    count: u32,
    patience: Duration,
) -> BoxFuture<'_, Result<CommitOutcome>> {
    Box::pin(async move {
        let given = async {
            let mut tx = db.begin().await?;
            on_tx!(&mut tx, connection => sqlx::query(
            "UPDATE usage SET used = CASE WHEN used > $3 THEN used - $3 ELSE 0 END \
             WHERE account_id = $1 AND month = $2",
        )
        .bind(account.0)
        .bind(i64::from(month.ordinal()))
        .bind(i64::from(count))
        .execute(connection)
        .await?.rows_affected());
            let mark = db.write_commit_mark(&mut tx).await?;
            Ok((tx, mark))
        };
        let (tx, mark) = in_time(patience, given).await?;
        db.commit_within(tx, mark, patience).await
    })
}

/// How many requests each of these accounts has used in a month, in one statement. The answers are in the order of the
/// questions.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn used_by_all<'a>(
    db: &'a Db,
    accounts: &'a [(AccountId, Month)],
) -> BoxFuture<'a, Result<Vec<u32>>> {
    Box::pin(async move {
        if let [(account, month)] = accounts {
            return Ok(vec![used(db, *account, *month).await?]);
        }
        let text = format!(
            "SELECT usage.account_id, usage.month, usage.used FROM ({}) AS asked \
             JOIN usage ON usage.account_id = asked.a AND usage.month = asked.b",
            lists::integer_pairs(db.backend())
        );
        let key = |(account, month): &(AccountId, Month)| (account.0, i64::from(month.ordinal()));
        let list: Vec<(i64, i64)> = accounts.iter().map(key).collect();
        let list = lists::json(&list)?;
        let rows: Vec<(i64, i64, i64)> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text)).bind(list).fetch_all(pool).await?
        });
        let used: HashMap<(i64, i64), i64> = rows
            .into_iter()
            .map(|(account, month, used)| ((account, month), used))
            .collect();
        let count = |one: &(AccountId, Month)| {
            Cell {
                table: "usage",
                column: "used",
                id: &one.0.0,
            }
            .count(used.get(&key(one)).copied().unwrap_or(0))
        };
        accounts.iter().map(count).collect()
    })
}

/// How many requests an account has used in a month.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn used(db: &Db, account: AccountId, month: Month) -> BoxFuture<'_, Result<u32>> {
    Box::pin(async move {
        let used: Option<i64> = on_db!(db, current, pool => sqlx::query_scalar(
        "SELECT used FROM usage WHERE account_id = $1 AND month = $2",
    )
    .bind(account.0)
    .bind(i64::from(month.ordinal()))
    .fetch_optional(pool)
    .await?);
        Cell {
            table: "usage",
            column: "used",
            id: &account.0,
        }
        .count(used.unwrap_or(0))
    })
}

/// The key of requests that one statement can count together.
fn batch(request: &Request) -> (AccountId, Month, u32) {
    (request.account, request.month, request.limit)
}

/// Counts up to `asked` requests in one statement. Returns how many it counted, how many are used now, and the newest
/// change number.
async fn count(tx: &mut Tx, request: Request, asked: i64) -> Result<(u32, u32, i64)> {
    let (granted, used, newest_change): (i64, i64, i64) = on_tx!(tx, connection => sqlx::query_as(
        "INSERT INTO usage (account_id, month, used, last_granted) \
         VALUES ($1, $2, CASE WHEN $3 < $4 THEN $3 ELSE $4 END, CASE WHEN $3 < $4 THEN $3 ELSE $4 END) \
         ON CONFLICT (account_id, month) DO UPDATE SET \
             used = usage.used + CASE WHEN usage.used >= $4 THEN 0 \
                 WHEN $4 - usage.used < $3 THEN $4 - usage.used ELSE $3 END, \
             last_granted = CASE WHEN usage.used >= $4 THEN 0 \
                 WHEN $4 - usage.used < $3 THEN $4 - usage.used ELSE $3 END \
         RETURNING last_granted, used, (SELECT value FROM change_counter)",
    )
    .bind(request.account.0)
    .bind(i64::from(request.month.ordinal()))
    .bind(asked)
    .bind(i64::from(request.limit))
    .fetch_one(connection)
    .await?);
    let cell = |column| Cell {
        table: "usage",
        column,
        id: &request.account.0,
    };
    Ok((
        cell("last_granted").count(granted)?,
        cell("used").count(used)?,
        newest_change,
    ))
}
