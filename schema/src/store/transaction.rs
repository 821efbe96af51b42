//! A transaction on either database.

use std::fmt::Debug;

use futures::future::BoxFuture;
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection, Transaction};

use super::database::Backend;
use super::error::Result;

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
