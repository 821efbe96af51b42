//! A transaction on either database.

use std::time::Duration;

use sqlx::{Postgres, Sqlite, Transaction};

use super::database::{Backend, Db};
use super::error::Result;

/// A transaction. Dropped without [`Tx::commit`], it is rolled back.
#[derive(Debug)]
pub enum Tx {
    /// On a SQLite file.
    Sqlite(Transaction<'static, Sqlite>),
    /// On a PostgreSQL server.
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    /// Makes everything done in it last.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => Ok(transaction.commit().await?),
            Self::Postgres(transaction) => Ok(transaction.commit().await?),
        }
    }

    /// Undoes everything done in it.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub async fn rollback(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => Ok(transaction.rollback().await?),
            Self::Postgres(transaction) => Ok(transaction.rollback().await?),
        }
    }

    /// Which database it is on.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }
}

/// What came of asking for a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// What was done lasts.
    Committed,
    /// The server did not say, or the connection broke before it did: ask for the transaction's [`Fate`].
    Unsure(TxMark),
}

/// Names a transaction on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TxMark(i64);

/// What became of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// What was done in it lasts.
    Committed,
    /// Nothing of it does.
    RolledBack,
    /// It has not ended yet.
    Open,
}

impl Tx {
    /// Commits, and knows what it does not know: a server that does not answer within `patience`, and one to which the
    /// connection breaks, may have committed. An embedded database always says.
    ///
    /// # Errors
    /// [`super::StoreError::Database`]; nothing was committed then.
    pub async fn settle(self, patience: Duration) -> Result<Settled> {
        let mut transaction = match self {
            Self::Sqlite(transaction) => {
                transaction.commit().await?;
                return Ok(Settled::Committed);
            }
            Self::Postgres(transaction) => transaction,
        };
        let mark = sqlx::query_scalar("SELECT txid_current()").fetch_one(&mut *transaction).await?;
        match tokio::time::timeout(patience, transaction.commit()).await {
            Ok(Ok(())) => Ok(Settled::Committed),
            Ok(Err(_)) | Err(_) => Ok(Settled::Unsure(TxMark(mark))),
        }
    }
}

impl Db {
    /// What became of a transaction that was [`Settled::Unsure`].
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub async fn fate(&self, mark: &TxMark) -> Result<Fate> {
        let Self::Postgres(pools) = self else { return Ok(Fate::RolledBack) };
        let status: Option<String> =
            sqlx::query_scalar("SELECT txid_status($1)").bind(mark.0).fetch_one(pools.write()).await?;
        Ok(match status.as_deref() {
            Some("committed") => Fate::Committed,
            Some("in progress") => Fate::Open,
            // One so old that nothing is known of it any more ended long ago, and nobody still asks.
            _ => Fate::RolledBack,
        })
    }
}

/// Runs one statement in a transaction on either database: `on_tx!(tx, connection => …)`.
macro_rules! on_tx {
    ($tx:expr, $connection:ident => $body:expr) => {
        match $tx {
            $crate::store::Tx::Sqlite(transaction) => {
                let $connection = &mut **transaction;
                $body
            }
            $crate::store::Tx::Postgres(transaction) => {
                let $connection = &mut **transaction;
                $body
            }
        }
    };
}
pub(super) use on_tx;

/// Builds a statement of many rows: `many_rows!("INSERT INTO t (a) ", items, |row, item| { … }, " ON CONFLICT …")`.
macro_rules! many_rows {
    ($head:expr, $items:expr, |$row:ident, $item:pat_param| $binds:block, $tail:expr) => {{
        let mut statement = sqlx::QueryBuilder::new($head);
        statement.push_values($items, |mut $row, $item| $binds);
        statement.push($tail);
        statement
    }};
}
pub(super) use many_rows;
