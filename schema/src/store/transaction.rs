//! A transaction on either database.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection, Transaction};

use super::database::{Backend, Db, Pools};
use super::error::Result;
use super::postgres::PostgresPools;

/// A transaction. It is rolled back if it is dropped without [`Tx::commit`].
///
/// It is a trait object, so that what the drivers do when a transaction is dropped is compiled in this crate only, and
/// not in each crate that drops one.
#[derive(Debug)]
pub struct Tx(Box<dyn OpenTransaction>);

/// What the transactions of both drivers have in common.
trait OpenTransaction: Debug + Send + Sync {
    fn backend(&self) -> Backend;

    fn connection(&mut self) -> TxConnection<'_>;

    fn commit(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>>;

    fn rollback(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>>;
}

/// The connection of a transaction.
pub(super) enum TxConnection<'a> {
    /// To a SQLite file.
    Sqlite(&'a mut SqliteConnection),
    /// To a PostgreSQL server.
    Postgres(&'a mut PgConnection),
}

impl OpenTransaction for Transaction<'static, Sqlite> {
    fn backend(&self) -> Backend {
        Backend::Sqlite
    }

    fn connection(&mut self) -> TxConnection<'_> {
        TxConnection::Sqlite(self)
    }

    fn commit(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>> {
        Box::pin(Transaction::commit(*self))
    }

    fn rollback(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>> {
        Box::pin(Transaction::rollback(*self))
    }
}

impl OpenTransaction for Transaction<'static, Postgres> {
    fn backend(&self) -> Backend {
        Backend::Postgres
    }

    fn connection(&mut self) -> TxConnection<'_> {
        TxConnection::Postgres(self)
    }

    fn commit(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>> {
        Box::pin(Transaction::commit(*self))
    }

    fn rollback(self: Box<Self>) -> BoxFuture<'static, sqlx::Result<()>> {
        Box::pin(Transaction::rollback(*self))
    }
}

impl From<Transaction<'static, Sqlite>> for Tx {
    fn from(transaction: Transaction<'static, Sqlite>) -> Self {
        Self(Box::new(transaction))
    }
}

impl From<Transaction<'static, Postgres>> for Tx {
    fn from(transaction: Transaction<'static, Postgres>) -> Self {
        Self(Box::new(transaction))
    }
}

impl Tx {
    /// Commits.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub fn commit(self) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move { Ok(self.0.commit().await?) })
    }

    /// Rolls back.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub fn rollback(self) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move { Ok(self.0.rollback().await?) })
    }

    /// Which database it is on.
    pub fn backend(&self) -> Backend {
        self.0.backend()
    }

    /// Its connection, for a statement.
    pub(super) fn connection(&mut self) -> TxConnection<'_> {
        self.0.connection()
    }
}

/// The outcome of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome {
    /// The transaction is committed.
    Committed,
    /// The server did not answer in time, or the connection broke before it did. [`Db::transaction_status`] tells more.
    Unknown(CommitMark),
}

/// Identifies a transaction whose outcome may have to be asked for. Empty on SQLite, which always reports the outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommitMark {
    /// The server's number of the transaction. After a crash the server may give the same number out again.
    number: i64,
    /// The text that the transaction wrote to `commit_marks`. It is there if and only if the transaction committed.
    text: String,
    /// Marks of earlier transactions, no longer needed, that this transaction deletes.
    obsolete: Vec<String>,
}

/// The state of a transaction whose outcome was unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStatus {
    /// It committed.
    Committed,
    /// It was rolled back.
    RolledBack,
    /// It has not ended yet.
    InProgress,
}

impl Db {
    /// Writes a mark by which the outcome of a transaction can be found out. The last statement before the commit.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub fn write_commit_mark<'a>(&'a self, tx: &'a mut Tx) -> BoxFuture<'a, Result<CommitMark>> {
        Box::pin(async move {
            let (Pools::Postgres(pools), TxConnection::Postgres(connection)) =
                (self.pools(), tx.connection())
            else {
                return Ok(CommitMark::default());
            };
            let obsolete = pools.obsolete_marks().take();
            let written = sqlx::query_as(
                "WITH obsolete AS (DELETE FROM commit_marks WHERE mark = ANY($1)) \
             INSERT INTO commit_marks (mark) VALUES (gen_random_uuid()::text) RETURNING txid_current(), mark",
            );
            match written.bind(&obsolete).fetch_one(connection).await {
                Ok((number, text)) => Ok(CommitMark {
                    number,
                    text,
                    obsolete,
                }),
                Err(error) => {
                    pools.obsolete_marks().add(obsolete);
                    Err(error.into())
                }
            }
        })
    }

    /// Commits, and waits up to `timeout` for the server to confirm. Without a confirmation the outcome is unknown: the
    /// server may have committed.
    ///
    /// # Errors
    /// [`super::StoreError::Database`] on SQLite; nothing was committed then.
    pub fn commit_within(
        &self,
        tx: Tx,
        mark: CommitMark,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<CommitOutcome>> {
        Box::pin(async move {
            let Pools::Postgres(pools) = self.pools() else {
                tx.commit().await?;
                return Ok(CommitOutcome::Committed);
            };
            if let Ok(Ok(())) = tokio::time::timeout(timeout, tx.commit()).await {
                pools.obsolete_marks().add([mark.text]);
                return Ok(CommitOutcome::Committed);
            }
            pools.obsolete_marks().add(mark.obsolete.iter().cloned());
            Ok(CommitOutcome::Unknown(mark))
        })
    }

    /// The state of a transaction whose commit ended in [`CommitOutcome::Unknown`].
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub fn transaction_status<'a>(
        &'a self,
        mark: &'a CommitMark,
    ) -> BoxFuture<'a, Result<TransactionStatus>> {
        Box::pin(async move {
            let Pools::Postgres(pools) = self.pools() else {
                return Ok(TransactionStatus::RolledBack);
            };
            if is_in_progress(pools, mark.number).await? {
                return Ok(TransactionStatus::InProgress);
            }
            // Looked up after the transaction ended: a mark that is missing now will not appear later.
            let exists =
                sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM commit_marks WHERE mark = $1)");
            if exists.bind(&mark.text).fetch_one(pools.write()).await? {
                pools.obsolete_marks().add([mark.text.clone()]);
                return Ok(TransactionStatus::Committed);
            }
            Ok(TransactionStatus::RolledBack)
        })
    }
}

/// The error code for a transaction number that the server has not given out.
const UNKNOWN_TRANSACTION: &str = "22023";

/// Whether a transaction of this number is in progress. After a crash that may be another transaction; waiting for it
/// does no harm.
async fn is_in_progress(pools: &PostgresPools, number: i64) -> Result<bool> {
    let status = sqlx::query_scalar("SELECT txid_status($1)")
        .bind(number)
        .fetch_one(pools.write())
        .await;
    match status {
        Ok::<Option<String>, _>(status) => Ok(status.as_deref() == Some("in progress")),
        Err(sqlx::Error::Database(error))
            if error.code().as_deref() == Some(UNKNOWN_TRANSACTION) =>
        {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Commit marks that are no longer needed. The next transaction that writes a mark deletes them.
#[derive(Debug, Clone, Default)]
pub(super) struct ObsoleteMarks(Arc<Mutex<Vec<String>>>);

impl ObsoleteMarks {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock())
    }

    fn add(&self, marks: impl IntoIterator<Item = String>) {
        self.lock().extend(marks);
    }

    /// A panic elsewhere cannot leave the list half changed, so a poisoned lock is used all the same.
    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs one statement in a transaction on either database: `on_tx!(tx, connection => …)`.
macro_rules! on_tx {
    ($tx:expr, $connection:ident => $body:expr) => {
        match $tx.connection() {
            $crate::store::transaction::TxConnection::Sqlite($connection) => $body,
            $crate::store::transaction::TxConnection::Postgres($connection) => $body,
        }
    };
}
pub(super) use on_tx;
