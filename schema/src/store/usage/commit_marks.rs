//! Statements that commit by themselves, and how to find out whether they did.
//!
//! SQLite always says whether it committed. A PostgreSQL server may commit and then crash, fall silent, or be cut off before
//! it says so. So each statement inserts a mark of its own and what it answered, all in one transaction. To ask for the
//! outcome is to insert the same mark, without an answer:
//!
//! - if the statement has committed, its mark is found, with the answer;
//! - if it has inserted its mark and not ended yet, PostgreSQL lets the second of two equal keys wait until it has;
//! - otherwise the mark of the question is first, and the statement fails if it still arrives, because its key exists.
//!
//! A mark of a process that was killed stays, and so does one that refuses a statement. Both are rare and do no harm.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::{PgConnection, PgPool};
use tokio::sync::OnceCell;

use crate::store::columns::Cell;
use crate::store::database::{Db, Pools};
use crate::store::error::Result;
use crate::store::postgres::PostgresPools;
use crate::store::timeout::with_timeout;

/// The outcome of a statement that commits by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome<T> {
    /// It is committed, with this answer.
    Committed(T),
    /// The server did not answer in time, or the connection broke before it did.
    Unknown(CommitMark),
}

/// Identifies a statement whose outcome may have to be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMark(String);

/// A row that such a statement answers.
pub(super) type Row = (i64, i64, i64, i64, i64);

/// A statement with the parameter `$1` that answers rows of five integers and commits by itself.
pub(super) struct Statement {
    /// For SQLite.
    pub(super) sqlite: &'static str,
    /// For PostgreSQL. `$2` is its mark, and `$3` are marks to delete.
    pub(super) postgres: &'static str,
}

/// Runs a statement. Waits up to `patience` for the connection, and on PostgreSQL once more for the answer.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Unreachable`]; then nothing was changed.
pub(super) async fn run(
    db: &Db,
    statement: &Statement,
    list: String,
    patience: Duration,
) -> Result<CommitOutcome<Vec<Row>>> {
    match db.pools() {
        Pools::Sqlite(pools) => {
            let mut lent = with_timeout(patience, pools.counting().lend()).await?;
            // All rows are read, because the commit follows the last one.
            let rows = sqlx::query_as(statement.sqlite)
                .bind(list)
                .fetch_all(lent.connection())
                .await?;
            lent.keep();
            Ok(CommitOutcome::Committed(rows))
        }
        Pools::Postgres(pools) => run_marked(pools, statement.postgres, list, patience).await,
    }
}

async fn run_marked(
    pools: &PostgresPools,
    text: &'static str,
    list: String,
    patience: Duration,
) -> Result<CommitOutcome<Vec<Row>>> {
    let mut lent = with_timeout(patience, pools.counting().lend()).await?;
    let marks = pools.marks();
    let mark = with_timeout(patience, marks.next(lent.connection())).await?;
    let obsolete = marks.obsolete().split_off(0);
    // All rows are read, because the commit follows the last one.
    let rows = sqlx::query_as(text)
        .bind(list)
        .bind(&mark)
        .bind(&obsolete)
        .fetch_all(lent.connection());
    match tokio::time::timeout(patience, rows).await {
        Ok(Ok(rows)) => {
            lent.keep();
            marks.obsolete().push(mark);
            Ok(CommitOutcome::Committed(rows))
        }
        Ok(Err(error)) if is_refusal(&error) => {
            marks.obsolete().extend(obsolete);
            Err(error.into())
        }
        Ok(Err(_)) | Err(_) => {
            marks.obsolete().extend(obsolete);
            Ok(CommitOutcome::Unknown(CommitMark(mark)))
        }
    }
}

/// Whether the server refused a statement and rolled it back. It may also end the connection, after a commit too.
fn is_refusal(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error
        .and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
        .is_some_and(|error| matches!(error.severity(), PgSeverity::Error))
}

/// The answer of a statement whose outcome was unknown; `None` if it has not committed, and then it never will.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Corrupt`]; then the outcome is still unknown.
pub(super) async fn settle(db: &Db, mark: &CommitMark) -> Result<Option<Vec<Row>>> {
    let Pools::Postgres(pools) = db.pools() else {
        return Ok(None);
    };
    let Some(answer) = refuse(pools.write(), mark).await? else {
        return Ok(None);
    };
    let cell = Cell {
        table: "commit_marks",
        column: "answer",
        id: &mark.0,
    };
    let rows = cell.json(answer.as_bytes())?;
    pools.marks().obsolete().push(mark.0.clone());
    Ok(Some(rows))
}

/// Refuses a statement, unless it committed: then returns its answer.
async fn refuse(pool: &PgPool, mark: &CommitMark) -> Result<Option<String>> {
    let marks: Vec<(Option<String>,)> = sqlx::query_as(
        "INSERT INTO commit_marks (mark) VALUES ($1) \
         ON CONFLICT (mark) DO UPDATE SET mark = EXCLUDED.mark RETURNING answer",
    )
    .bind(&mark.0)
    .fetch_all(pool)
    .await?;
    Ok(marks.into_iter().find_map(|(answer,)| answer))
}

/// The marks of a process. Clones share them.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Marks(Arc<Given>);

#[derive(Debug, Default)]
struct Given {
    /// What the marks of this process begin with: a random text of the server.
    prefix: OnceCell<String>,
    number: AtomicU64,
    obsolete: Mutex<Vec<String>>,
}

impl Marks {
    async fn next(&self, connection: &mut PgConnection) -> Result<String> {
        let random = sqlx::query_scalar("SELECT CAST(gen_random_uuid() AS TEXT)");
        let prefix = self
            .0
            .prefix
            .get_or_try_init(|| random.fetch_one(connection))
            .await?;
        let number = self.0.number.fetch_add(1, Ordering::Relaxed);
        Ok(format!("{prefix}/{number}"))
    }

    /// Marks that are no longer needed. The next statement deletes them. A panic elsewhere cannot leave the list half
    /// changed, so a poisoned lock is used all the same.
    fn obsolete(&self) -> MutexGuard<'_, Vec<String>> {
        self.0
            .obsolete
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
