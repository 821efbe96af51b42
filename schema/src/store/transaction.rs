//! A transaction on either database.

use sqlx::{Postgres, Sqlite, Transaction};

use super::database::Backend;
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
