//! Lists as one bound parameter, so that a statement's text does not depend on their length.
//!
//! A list is bound as JSON text, which each database unpacks with its own functions. Rows with fractions or bytes are bound
//! value by value instead, [`CHUNK`] rows to a statement.

use serde::Serialize;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, FromRow};

use super::database::Backend;
use super::error::{Result, StoreError};
use super::transaction::{Tx, on_tx};
use crate::listing::ListingId;

/// Rows to a statement of many rows: stays well below SQLite's limit of 32,766 parameters.
pub(super) const CHUNK: usize = 500;

/// Entries to a JSON list: limits the memory of one statement.
pub(super) const LIST: usize = 5_000;

/// Rows to a statement of many rows.
pub(super) fn rows_at_once(backend: Backend) -> usize {
    match backend {
        Backend::Sqlite => CHUNK,
        // They are a few arrays.
        Backend::Postgres => LIST,
    }
}

/// Whether a statement with this number of rows is worth caching. Statements with other numbers rarely repeat.
pub(super) fn is_worth_caching(rows: usize) -> bool {
    rows == CHUNK || rows == 1
}

/// The list as the parameter `$1` of the texts below.
pub(super) fn json(list: &impl Serialize) -> Result<String> {
    serde_json::to_string(list).map_err(|error| StoreError::Unstorable {
        what: "a list",
        reason: error.to_string(),
    })
}

/// The row numbers of listings.
pub(super) fn numbers(listings: &[ListingId]) -> Vec<i64> {
    listings.iter().map(|id| id.0).collect()
}

/// A type that can be read from a row of either database.
pub(super) trait EitherRow:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

impl<R> EitherRow for R where
    R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

/// The rows of a query whose `$1` is a list. Runs it for parts of the list.
pub(super) async fn fetch<R: EitherRow>(
    tx: &mut Tx,
    text: &str,
    list: &[impl Serialize],
) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    for part in list.chunks(LIST) {
        let part = json(&part)?;
        rows.append(&mut on_tx!(&mut *tx, connection => {
            sqlx::query_as(AssertSqlSafe(text)).bind(part).fetch_all(connection).await?
        }));
    }
    Ok(rows)
}

/// Runs a statement whose `$1` is a list, for parts of the list.
pub(super) async fn execute(tx: &mut Tx, text: &str, list: &[impl Serialize]) -> Result<()> {
    for part in list.chunks(LIST) {
        let part = json(&part)?;
        on_tx!(&mut *tx, connection => {
            sqlx::query(AssertSqlSafe(text)).bind(part).execute(connection).await?;
        });
    }
    Ok(())
}

/// A query of the column `value`: the integers of the list `$1`.
pub(super) fn integers(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT value FROM json_each($1)",
        Backend::Postgres => {
            "SELECT CAST(value AS BIGINT) AS value FROM json_array_elements_text(CAST($1 AS JSON)) AS list (value)"
        }
    }
}

/// A query of the column `value`: the texts of the list `$1`.
pub(super) fn texts(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT value FROM json_each($1)",
        Backend::Postgres => {
            "SELECT value FROM json_array_elements_text(CAST($1 AS JSON)) AS list (value)"
        }
    }
}

/// A query of the columns `a` and `b`: the pairs of integers of the list `$1`.
pub(super) fn integer_pairs(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => SQLITE_PAIRS,
        Backend::Postgres => {
            "SELECT CAST(pair ->> 0 AS BIGINT) AS a, CAST(pair ->> 1 AS BIGINT) AS b \
             FROM json_array_elements(CAST($1 AS JSON)) AS list (pair)"
        }
    }
}

/// A query of the columns `a` and `b`: the pairs of texts of the list `$1`.
pub(super) fn text_pairs(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => SQLITE_PAIRS,
        Backend::Postgres => {
            "SELECT pair ->> 0 AS a, pair ->> 1 AS b \
             FROM json_array_elements(CAST($1 AS JSON)) AS list (pair)"
        }
    }
}

const SQLITE_PAIRS: &str = "SELECT value ->> 0 AS a, value ->> 1 AS b FROM json_each($1)";
