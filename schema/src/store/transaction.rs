//! A transaction on either database.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::{Postgres, Sqlite, Transaction};

use super::database::{Backend, Db};
use super::error::Result;
use super::postgres::PostgresPools;

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

/// Names a transaction, so that its [`Fate`] can be asked for. An embedded database always says, and needs no name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TxMark {
    /// The server's number of the transaction. One that crashes gives the numbers out again that it had not written down.
    number: i64,
    /// What the transaction itself wrote down: it is there if, and only if, the transaction was committed.
    text: String,
    /// Marks of transactions of which everything is known, which this one takes away.
    settled: Vec<String>,
}

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

impl Db {
    /// Marks a transaction, as the last thing that is done in it.
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub async fn mark(&self, tx: &mut Tx) -> Result<TxMark> {
        let (Self::Postgres(pools), Tx::Postgres(transaction)) = (self, tx) else {
            return Ok(TxMark::default());
        };
        let settled = pools.marks().take();
        let marked = sqlx::query_as(
            "WITH settled AS (DELETE FROM commit_marks WHERE mark = ANY($1)) \
             INSERT INTO commit_marks (mark) VALUES (gen_random_uuid()::text) RETURNING txid_current(), mark",
        );
        match marked.bind(&settled).fetch_one(&mut **transaction).await {
            Ok((number, text)) => Ok(TxMark {
                number,
                text,
                settled,
            }),
            Err(error) => {
                pools.marks().settled(settled);
                Err(error.into())
            }
        }
    }

    /// Commits, and knows what it does not know: a server that does not answer within `patience`, and one to which the
    /// connection breaks, may have committed. An embedded database always says.
    ///
    /// # Errors
    /// [`super::StoreError::Database`]; nothing was committed then.
    pub async fn settle(&self, tx: Tx, mark: TxMark, patience: Duration) -> Result<Settled> {
        let (pools, transaction) = match (self, tx) {
            (Self::Postgres(pools), Tx::Postgres(transaction)) => (pools, transaction),
            (_, tx) => {
                tx.commit().await?;
                return Ok(Settled::Committed);
            }
        };
        if let Ok(Ok(())) = tokio::time::timeout(patience, transaction.commit()).await {
            pools.marks().settled([mark.text]);
            return Ok(Settled::Committed);
        }
        pools.marks().settled(mark.settled.iter().cloned());
        Ok(Settled::Unsure(mark))
    }

    /// What became of a transaction that was [`Settled::Unsure`].
    ///
    /// # Errors
    /// [`super::StoreError::Database`].
    pub async fn fate(&self, mark: &TxMark) -> Result<Fate> {
        let Self::Postgres(pools) = self else {
            return Ok(Fate::RolledBack);
        };
        if is_open(pools, mark.number).await? {
            return Ok(Fate::Open);
        }
        // Only now, for a mark that is not there after the end never will be.
        let is_there =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM commit_marks WHERE mark = $1)");
        if is_there.bind(&mark.text).fetch_one(pools.write()).await? {
            pools.marks().settled([mark.text.clone()]);
            return Ok(Fate::Committed);
        }
        Ok(Fate::RolledBack)
    }
}

/// What a server says of a number that it has not given out.
const NOT_GIVEN_OUT: &str = "22023";

/// Whether a transaction of this number has not ended. After a crash that may be another one, for which it does no harm
/// to wait.
async fn is_open(pools: &PostgresPools, number: i64) -> Result<bool> {
    let status = sqlx::query_scalar("SELECT txid_status($1)")
        .bind(number)
        .fetch_one(pools.write())
        .await;
    match status {
        Ok::<Option<String>, _>(status) => Ok(status.as_deref() == Some("in progress")),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NOT_GIVEN_OUT) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Marks of transactions of which everything is known: the next transaction that is marked takes them away.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks(Arc<Mutex<Vec<String>>>);

impl Marks {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.all())
    }

    fn settled(&self, marks: impl IntoIterator<Item = String>) {
        self.all().extend(marks);
    }

    /// A panic elsewhere leaves the list whole.
    fn all(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
