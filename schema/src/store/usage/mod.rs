//! How many requests an account has used in a month. The count is exact: however many processes count at once, they never
//! exceed the limit.

mod commit_marks;
mod counting;

use std::collections::HashMap;

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

pub(super) use commit_marks::Marks;
pub use commit_marks::{CommitMark, CommitOutcome};
pub use counting::{give_back, reserve, settle_count, settle_give_back};

use super::columns::Cell;
use super::database::{Db, on_db};
use super::error::Result;
use super::lists;
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counted {
    /// One answer for each request, in their order.
    pub granted: Vec<Granted>,
    /// The number of the last change of a record that was committed before the requests were counted; 0 before the
    /// first, and if nothing was asked for.
    pub newest_change: i64,
}

/// An account, and the number of a month.
type Key = (i64, i64);

/// How many requests each of these accounts has used in a month, in one statement. The answers are in the order of the
/// questions.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn used_by_all<'a>(
    db: &'a Db,
    accounts: &'a [(AccountId, Month)],
) -> BoxFuture<'a, Result<Vec<u32>>> {
    const ONE: &str =
        "SELECT account_id, month, used FROM usage WHERE account_id = $1 AND month = $2";
    Box::pin(async move {
        let key = |(account, month): &(AccountId, Month)| (account.0, i64::from(month.ordinal()));
        let keys: Vec<Key> = accounts.iter().map(key).collect();
        let rows: Vec<(i64, i64, i64)> = on_db!(db, reading_counts, kept => {
            let mut lent = kept.lend().await?;
            let rows = if let [(account, month)] = keys[..] {
                sqlx::query_as(ONE).bind(account).bind(month).fetch_all(lent.connection()).await?
            } else {
                let list = lists::json(&keys)?;
                let all = format!(
                    "SELECT usage.account_id, usage.month, usage.used FROM ({}) AS asked \
                     JOIN usage ON usage.account_id = asked.a AND usage.month = asked.b",
                    lists::integer_pairs(db.backend())
                );
                sqlx::query_as(AssertSqlSafe(all)).bind(list).fetch_all(lent.connection()).await?
            };
            lent.keep();
            rows
        });
        let used: HashMap<Key, i64> = rows
            .into_iter()
            .map(|(account, month, used)| ((account, month), used))
            .collect();
        let count = |key: &Key| {
            Cell {
                table: "usage",
                column: "used",
                id: &key.0,
            }
            .count(used.get(key).copied().unwrap_or(0))
        };
        keys.iter().map(count).collect()
    })
}

/// How many requests an account has used in a month.
///
/// # Errors
/// As [`used_by_all`].
pub fn used(db: &Db, account: AccountId, month: Month) -> BoxFuture<'_, Result<u32>> {
    Box::pin(async move {
        let used = used_by_all(db, &[(account, month)]).await?;
        Ok(used.first().copied().unwrap_or(0))
    })
}
