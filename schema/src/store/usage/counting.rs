//! Counting requests, and giving counts back: one statement each.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use futures::future::BoxFuture;

use super::commit_marks::{self, Asked, CommitMark, CommitOutcome, Row, Statement};
use super::{Counted, Granted, Key, Request};
use crate::account::{AccountId, Month};
use crate::store::columns::Cell;
use crate::store::database::Db;
use crate::store::error::Result;

/// Ends the insertion of a mark. A number that is not greater than the one in the row becomes NULL, which the column refuses,
/// and so the whole statement fails.
macro_rules! over_a_smaller_number {
    () => {
        "ON CONFLICT (mark) DO UPDATE SET answer = excluded.answer, \
             number = CASE WHEN commit_marks.number < excluded.number THEN excluded.number END"
    };
}

/// Counts the rows as far as the limits allow, and answers `(account, month, granted, used, newest change)` for each.
const COUNT: Statement = Statement {
    sqlite: "INSERT INTO usage (account_id, month, used, last_granted, last_limit) \
         SELECT value ->> 0, value ->> 1, MIN(value ->> 2, value ->> 3), MIN(value ->> 2, value ->> 3), value ->> 3 \
         FROM json_each($1) WHERE TRUE \
         ON CONFLICT (account_id, month) DO UPDATE SET \
             used = usage.used + MAX(0, MIN(excluded.last_granted, excluded.last_limit - usage.used)), \
             last_granted = MAX(0, MIN(excluded.last_granted, excluded.last_limit - usage.used)), \
             last_limit = excluded.last_limit \
         RETURNING account_id, month, last_granted, used, (SELECT value FROM change_counter)",
    postgres: concat!(
        "WITH counted AS (INSERT INTO usage (account_id, month, used, last_granted, last_limit) \
             SELECT account, month, LEAST(count, most), LEAST(count, most), most \
             FROM UNNEST($1, $2, $3, $4) AS asked (account, month, count, most) \
             ON CONFLICT (account_id, month) DO UPDATE SET \
                 used = usage.used + GREATEST(0, LEAST(excluded.last_granted, excluded.last_limit - usage.used)), \
                 last_granted = GREATEST(0, LEAST(excluded.last_granted, excluded.last_limit - usage.used)), \
                 last_limit = excluded.last_limit \
             RETURNING account_id, month, last_granted, used, (SELECT value FROM change_counter) AS newest), \
         marked AS (INSERT INTO commit_marks (mark, number, answer) SELECT $5, $6, \
                 CAST(json_agg(json_build_array(account_id, month, last_granted, used, newest)) AS TEXT) FROM counted ",
        over_a_smaller_number!(),
        ") SELECT account_id, month, last_granted, used, newest FROM counted",
    ),
};

/// Takes back the counts of the rows.
const GIVE_BACK: Statement = Statement {
    sqlite: "UPDATE usage SET used = MAX(0, used - (asked.value ->> 2)) FROM json_each($1) AS asked \
         WHERE account_id = asked.value ->> 0 AND month = asked.value ->> 1",
    postgres: concat!(
        "WITH marked AS (INSERT INTO commit_marks (mark, number, answer) VALUES ($5, $6, '[]') ",
        over_a_smaller_number!(),
        ") UPDATE usage SET used = GREATEST(0, used - count) \
         FROM UNNEST($1, $2, $3, $4) AS asked (account, month, count, most) \
         WHERE usage.account_id = asked.account AND usage.month = asked.month",
    ),
};

/// Counts requests as far as the limits allow, all in one statement, which also reads the newest change number, so that a
/// request needs no other question to the primary to know whether a search index is up to date. If the limits of an account
/// in a month differ, the least applies. Waits up to `patience` for the connection, and once more for the answer.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`],
/// [`crate::store::StoreError::Unreachable`]; then nothing was counted.
pub fn reserve<'a>(
    db: &'a Db,
    requests: &'a [Request],
    patience: Duration,
) -> BoxFuture<'a, Result<CommitOutcome<Counted>>> {
    Box::pin(async move {
        if requests.is_empty() {
            return Ok(CommitOutcome::Committed(Counted::default()));
        }
        let asked = asked(requests);
        Ok(
            match commit_marks::run(db, &COUNT, &asked, patience).await? {
                CommitOutcome::Committed(rows) => {
                    CommitOutcome::Committed(answers(requests, rows)?)
                }
                CommitOutcome::Unknown(mark) => CommitOutcome::Unknown(mark),
            },
        )
    })
}

/// The answers to requests whose outcome was unknown; `None` if they were not counted, and then they never will be.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`]; then the outcome is still unknown.
pub fn settle_count<'a>(
    db: &'a Db,
    requests: &'a [Request],
    mark: &'a CommitMark,
) -> BoxFuture<'a, Result<Option<Counted>>> {
    Box::pin(async move {
        let rows = commit_marks::settle(db, mark).await?;
        rows.map(|rows| answers(requests, rows)).transpose()
    })
}

/// Gives back requests that were counted but failed. Waits as [`reserve`] does.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Unreachable`]; then nothing was given back.
pub fn give_back(
    db: &Db,
    account: AccountId,
    month: Month,
    count: u32,
    patience: Duration,
) -> BoxFuture<'_, Result<CommitOutcome<()>>> {
    Box::pin(async move {
        let asked = (account.0, i64::from(month.ordinal()), i64::from(count), 0);
        let outcome = commit_marks::run(db, &GIVE_BACK, &[asked], patience).await?;
        Ok(match outcome {
            CommitOutcome::Committed(_) => CommitOutcome::Committed(()),
            CommitOutcome::Unknown(mark) => CommitOutcome::Unknown(mark),
        })
    })
}

/// Whether counts were given back, if the outcome was unknown; if not, they never will be.
///
/// # Errors
/// As [`settle_count`].
pub fn settle_give_back<'a>(db: &'a Db, mark: &'a CommitMark) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move { Ok(commit_marks::settle(db, mark).await?.is_some()) })
}

fn key(request: &Request) -> Key {
    (request.account.0, i64::from(request.month.ordinal()))
}

/// The rows of [`COUNT`]. Every process asks in the same order, so that two cannot wait for each other's rows.
fn asked(requests: &[Request]) -> Vec<Asked> {
    let mut asked: BTreeMap<Key, (i64, u32)> = BTreeMap::new();
    for request in requests {
        let (count, limit) = asked.entry(key(request)).or_insert((0, request.limit));
        *count += i64::from(request.count);
        *limit = request.limit.min(*limit);
    }
    let row = |((account, month), (count, limit))| (account, month, count, i64::from(limit));
    asked.into_iter().map(row).collect()
}

/// Shares what was granted to accounts out among their requests, in the order of the requests.
fn answers(requests: &[Request], rows: Vec<Row>) -> Result<Counted> {
    let mut left: HashMap<Key, Granted> = HashMap::new();
    let mut newest_change = 0;
    for (account, month, granted, used, newest) in rows {
        let cell = |column| Cell {
            table: "usage",
            column,
            id: &account,
        };
        let granted = cell("last_granted").count(granted)?;
        let used = cell("used").count(used)?;
        left.insert((account, month), Granted { granted, used });
        newest_change = newest_change.max(newest);
    }
    let answer = |request: &Request| {
        let Some(Granted {
            granted: left,
            used,
        }) = left.get_mut(&key(request))
        else {
            return Err(Cell {
                table: "usage",
                column: "used",
                id: &request.account.0,
            }
            .corrupt("the row that was counted is missing"));
        };
        let granted = request.count.min(*left);
        *left -= granted;
        Ok(Granted {
            granted,
            used: *used - *left,
        })
    };
    Ok(Counted {
        granted: requests.iter().map(answer).collect::<Result<_>>()?,
        newest_change,
    })
}
