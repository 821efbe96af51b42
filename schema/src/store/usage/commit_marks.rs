//! Statements that commit by themselves, and how to find out whether they did.
//!
//! SQLite always says whether it committed. A PostgreSQL server may commit and then crash, fall silent, or be cut off before
//! it says so. So each statement writes a mark and what it answered, all in one transaction. A mark is a row of the process
//! with the number of the statement. To ask for the outcome is to write the same number into the row, without an answer:
//!
//! - if the statement has committed, the row has its number and its answer;
//! - if it has written its mark and not ended yet, PostgreSQL lets the second writer of a row wait until it has;
//! - otherwise the number of the question is there first, and the statement fails if it still arrives, because it writes
//!   no number that is not greater.
//!
//! A process uses one row as long as it knows every outcome, and then another. The rows stay, also when the process ends:
//! they are few, and the next statement of another process does not meet them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::{PgConnection, PgPool};

use crate::store::columns::Cell;
use crate::store::database::{Db, Pools};
use crate::store::error::Result;
use crate::store::lists;
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
pub struct CommitMark {
    row: String,
    number: i64,
}

/// A row that such a statement is asked about: account, month, count, limit.
pub(super) type Asked = (i64, i64, i64, i64);

/// A row that such a statement answers.
pub(super) type Row = (i64, i64, i64, i64, i64);

/// A statement about rows of four integers that answers rows of five and commits by itself.
pub(super) struct Statement {
    /// For SQLite. `$1` is a JSON list of the rows.
    pub(super) sqlite: &'static str,
    /// For PostgreSQL. `$1` to `$4` are the columns of the rows, `$5` and `$6` the row and the number of the mark.
    pub(super) postgres: &'static str,
}

/// Runs a statement. Waits up to `patience` for the connection, and on PostgreSQL once more for the answer.
///
/// # Errors
/// [`crate::store::StoreError::Database`], [`crate::store::StoreError::Unreachable`]; then nothing was changed.
pub(super) async fn run(
    db: &Db,
    statement: &Statement,
    asked: &[Asked],
    patience: Duration,
) -> Result<CommitOutcome<Vec<Row>>> {
    match db.pools() {
        Pools::Sqlite(pools) => {
            let list = lists::json(&asked)?;
            let mut lent = with_timeout(patience, pools.counting().lend()).await?;
            // All rows are read, because the commit follows the last one.
            let rows = sqlx::query_as(statement.sqlite)
                .bind(list)
                .fetch_all(lent.connection())
                .await?;
            lent.keep();
            Ok(CommitOutcome::Committed(rows))
        }
        Pools::Postgres(pools) => run_marked(pools, statement.postgres, asked, patience).await,
    }
}

async fn run_marked(
    pools: &PostgresPools,
    text: &'static str,
    asked: &[Asked],
    patience: Duration,
) -> Result<CommitOutcome<Vec<Row>>> {
    let mut lent = with_timeout(patience, pools.counting().lend()).await?;
    let marks = pools.marks();
    let mark = with_timeout(patience, marks.next(lent.connection())).await?;
    let column = |value: fn(&Asked) -> i64| asked.iter().map(value).collect::<Vec<i64>>();
    // All rows are read, because the commit follows the last one.
    let rows = sqlx::query_as(text)
        .bind(column(|it| it.0))
        .bind(column(|it| it.1))
        .bind(column(|it| it.2))
        .bind(column(|it| it.3))
        .bind(&mark.row)
        .bind(mark.number)
        .fetch_all(lent.connection());
    match tokio::time::timeout(patience, rows).await {
        Ok(Ok(rows)) => {
            marks.reuse(mark);
            lent.keep();
            Ok(CommitOutcome::Committed(rows))
        }
        Ok(Err(error)) if is_refusal(&error) => {
            marks.reuse(mark);
            Err(error.into())
        }
        Ok(Err(_)) | Err(_) => Ok(CommitOutcome::Unknown(mark)),
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
        id: &mark.row,
    };
    Ok(Some(cell.json(answer.as_bytes())?))
}

/// Refuses a statement, unless it committed: then returns its answer.
async fn refuse(pool: &PgPool, mark: &CommitMark) -> Result<Option<String>> {
    let marks: Vec<(Option<String>,)> = sqlx::query_as(
        "INSERT INTO commit_marks (mark, number) VALUES ($1, $2) \
         ON CONFLICT (mark) DO UPDATE SET number = excluded.number, \
             answer = CASE WHEN commit_marks.number = excluded.number THEN commit_marks.answer END \
         RETURNING answer",
    )
    .bind(&mark.row)
    .bind(mark.number)
    .fetch_all(pool)
    .await?;
    Ok(marks.into_iter().find_map(|(answer,)| answer))
}

/// The last mark of a process, unless it is not known what became of its statement. Clones share it. The one who has the
/// connection for counting uses it.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Marks(Arc<Mutex<Option<CommitMark>>>);

impl Marks {
    /// The next mark. Unless it is reused, the one after it has a row of its own, which a random text of the server names.
    async fn next(&self, connection: &mut PgConnection) -> Result<CommitMark> {
        let last = self.last().take();
        if let Some(CommitMark { row, number }) = last {
            let number = number + 1;
            return Ok(CommitMark { row, number });
        }
        let random = sqlx::query_scalar("SELECT CAST(gen_random_uuid() AS TEXT)");
        Ok(CommitMark {
            row: random.fetch_one(connection).await?,
            number: 1,
        })
    }

    /// Keeps the row of a mark for the next statement, because it is known what became of this one.
    fn reuse(&self, mark: CommitMark) {
        *self.last() = Some(mark);
    }

    /// A panic elsewhere cannot leave the mark half changed, so a poisoned lock is used all the same.
    fn last(&self) -> MutexGuard<'_, Option<CommitMark>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
