//! How many requests an account has used in a month. Exact: no number of processes together passes the limit.

use std::time::Duration;

use super::columns::Cell;
use super::database::{Db, on_db};
use super::error::{Result, StoreError};
use super::transaction::{Settled, Tx, on_tx};
use crate::account::{AccountId, Month};

/// A wish to count some requests of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Whose.
    pub account: AccountId,
    /// In which month.
    pub month: Month,
    /// How many the account has in that month.
    pub limit: u32,
    /// How many are asked for.
    pub count: u32,
}

/// What came of a [`Request`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// How many were counted: what was asked for, or what was left.
    pub granted: u32,
    /// How many the account has used in that month, these included.
    pub used: u32,
}

/// Counts requests as far as the limits allow, all in one transaction, and answers in the order asked. What it
/// granted is committed when it returns, unless it says that it is not sure. It waits up to `patience` for the counting,
/// and as long for the commit.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`], [`StoreError::Unreachable`]; then nothing was counted.
pub async fn reserve(
    db: &Db,
    requests: &[Request],
    patience: Duration,
) -> Result<(Vec<Granted>, Settled)> {
    // Dropped before its commit was asked for, a transaction is taken back.
    let counted = async {
        let (mut tx, answers) = count_all(db, requests).await?;
        let mark = db.mark(&mut tx).await?;
        Ok((tx, mark, answers))
    };
    let (tx, mark, answers) = in_time(patience, counted).await?;
    Ok((answers, db.settle(tx, mark, patience).await?))
}

async fn in_time<T>(patience: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(patience, work).await {
        Ok(done) => done,
        Err(_) => Err(StoreError::Unreachable {
            reason: format!("no answer within {patience:?}"),
        }),
    }
}

async fn count_all(db: &Db, requests: &[Request]) -> Result<(Tx, Vec<Granted>)> {
    // Every process takes the rows in the same order: none waits for another that waits for it.
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by_key(|&place| batch(&requests[place]));
    let mut answers = vec![
        Granted {
            granted: 0,
            used: 0
        };
        requests.len()
    ];
    let mut tx = db.begin().await?;
    for group in order.chunk_by(|&one, &next| batch(&requests[one]) == batch(&requests[next])) {
        let Some(first) = group.first().map(|&place| requests[place]) else {
            continue;
        };
        let asked = group
            .iter()
            .map(|&place| i64::from(requests[place].count))
            .sum();
        let (granted, used) = count(&mut tx, first, asked).await?;
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
    Ok((tx, answers))
}

/// Gives back requests that were counted but came to nothing; waits as [`reserve`] does.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Unreachable`]; then nothing was given back.
pub async fn give_back(
    db: &Db,
    account: AccountId,
    month: Month,
    count: u32,
    patience: Duration,
) -> Result<Settled> {
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
        let mark = db.mark(&mut tx).await?;
        Ok((tx, mark))
    };
    let (tx, mark) = in_time(patience, given).await?;
    db.settle(tx, mark, patience).await
}

/// How many requests an account has used in a month.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub async fn used(db: &Db, account: AccountId, month: Month) -> Result<u32> {
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
}

/// Requests that one statement can count together.
fn batch(request: &Request) -> (AccountId, Month, u32) {
    (request.account, request.month, request.limit)
}

/// Counts up to `asked` requests in one statement, and returns how many it was and how many are used now.
async fn count(tx: &mut Tx, request: Request, asked: i64) -> Result<(u32, u32)> {
    let (granted, used): (i64, i64) = on_tx!(tx, connection => sqlx::query_as(
        "INSERT INTO usage (account_id, month, used, last_granted) \
         VALUES ($1, $2, CASE WHEN $3 < $4 THEN $3 ELSE $4 END, CASE WHEN $3 < $4 THEN $3 ELSE $4 END) \
         ON CONFLICT (account_id, month) DO UPDATE SET \
             used = usage.used + CASE WHEN usage.used >= $4 THEN 0 \
                 WHEN $4 - usage.used < $3 THEN $4 - usage.used ELSE $3 END, \
             last_granted = CASE WHEN usage.used >= $4 THEN 0 \
                 WHEN $4 - usage.used < $3 THEN $4 - usage.used ELSE $3 END \
         RETURNING last_granted, used",
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
    ))
}
