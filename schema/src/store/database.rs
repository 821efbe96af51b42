//! The database behind the store: which one, how to open it, how to begin a transaction.

use std::path::PathBuf;

use super::error::{Result, StoreError};
use super::migrations;
use super::postgres::PostgresPools;
use super::sqlite::{self, SqlitePools};
use super::transaction::Tx;

/// Which database to open, and how many connections to keep to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseSettings {
    /// `sqlite://path` or `postgres://…`.
    pub url: String,
    /// A PostgreSQL read replica for searches and details; `None` reads them from the primary.
    pub read_url: Option<String>,
    /// Connections to keep at most: readers on SQLite (beside the one writer), per server on PostgreSQL.
    pub connections: u32,
}

impl DatabaseSettings {
    /// The database at `url`, without a replica, with eight connections.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            read_url: None,
            connections: 8,
        }
    }
}

/// The two databases that the store speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The embedded one: a file.
    Sqlite,
    /// A server.
    Postgres,
}

impl Backend {
    /// The backend that an address names by its scheme.
    ///
    /// # Errors
    /// [`StoreError::Url`] for any other scheme.
    pub fn of_url(url: &str) -> Result<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            _ => Err(StoreError::Url {
                url: without_credentials(url),
                reason: "it begins neither with sqlite:// nor with postgres://".to_owned(),
            }),
        }
    }
}

/// The file of an embedded database that does not exist yet: opening it would make it. `None` for a server, for a file
/// that is there, and for an address that cannot be opened at all.
pub fn missing_file(url: &str) -> Option<PathBuf> {
    sqlite::file(url).filter(|file| !file.exists())
}

/// What came of trying to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// It was written.
    Done,
    /// Somebody else is writing: an embedded database has one writer at a time, and a batch takes seconds.
    Busy,
}

/// How many migrations a call of [`Db::migrate`] applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// Migrations applied just now; 0 when the database was current.
    pub applied: usize,
    /// The version it is at now.
    pub version: i64,
}

/// An open database. Cheap to clone; clones share the connections.
#[derive(Debug, Clone)]
pub enum Db {
    /// A SQLite file.
    Sqlite(SqlitePools),
    /// A PostgreSQL server, with a replica or without.
    Postgres(PostgresPools),
}

impl Db {
    /// Opens the database without looking at its schema. A SQLite file that does not exist is created.
    ///
    /// # Errors
    /// [`StoreError::Url`], [`StoreError::Open`].
    pub async fn connect(settings: &DatabaseSettings) -> Result<Self> {
        let backend = Backend::of_url(&settings.url)?;
        if let Some(url) = &settings.read_url {
            require_replica(backend, url)?;
        }
        match backend {
            Backend::Sqlite => Ok(Self::Sqlite(SqlitePools::connect(settings).await?)),
            Backend::Postgres => Ok(Self::Postgres(PostgresPools::connect(settings).await?)),
        }
    }

    /// Opens the database for use: SQLite is brought to the current schema, PostgreSQL has to be there already.
    ///
    /// # Errors
    /// As [`Db::connect`], and [`StoreError::Behind`] or [`StoreError::Ahead`].
    pub async fn open(settings: &DatabaseSettings) -> Result<Self> {
        let db = Self::connect(settings).await?;
        match db.backend() {
            Backend::Sqlite => {
                db.migrate().await?;
            }
            Backend::Postgres => migrations::require_current(&db).await?,
        }
        Ok(db)
    }

    /// Brings the database to the current schema. Several processes may do so at once.
    ///
    /// # Errors
    /// [`StoreError::Migration`] when a migration fails, [`StoreError::Ahead`] when the database is newer.
    pub async fn migrate(&self) -> Result<Migrated> {
        migrations::migrate(self).await
    }

    /// Whether the database answers, on the side that writes and on the side that reads; knows within about two
    /// seconds.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`].
    pub async fn ping(&self) -> Result<()> {
        match self {
            Self::Sqlite(pools) => pools.ping().await,
            Self::Postgres(pools) => pools.ping().await,
        }
    }

    /// Whether the database takes what is written; knows within about two seconds. A full disk, a server that has become
    /// read-only, and a read-only file go on answering who reads.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`].
    pub async fn try_write(&self) -> Result<Writing> {
        match self {
            Self::Sqlite(pools) => pools.try_write().await,
            Self::Postgres(pools) => pools.try_write().await,
        }
    }

    /// Begins a transaction that may write. On SQLite it has the write lock from the start; others wait.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn begin(&self) -> Result<Tx> {
        let db = self.clone();
        uninterrupted(async move {
            Ok(match db {
                Self::Sqlite(pools) => {
                    Tx::Sqlite(pools.write().begin_with("BEGIN IMMEDIATE").await?)
                }
                Self::Postgres(pools) => Tx::Postgres(pools.write().begin().await?),
            })
        })
        .await
    }

    /// Begins a transaction that only reads: one consistent state of the primary. It waits for no writer.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn begin_read(&self) -> Result<Tx> {
        let db = self.clone();
        uninterrupted(async move {
            Ok(match db {
                Self::Sqlite(pools) => Tx::Sqlite(pools.current().begin().await?),
                Self::Postgres(pools) => Tx::Postgres(pools.current().begin_with(SNAPSHOT).await?),
            })
        })
        .await
    }

    /// A transaction that reads one consistent state of the replica, where there is one.
    pub(super) async fn begin_replica(&self) -> Result<Tx> {
        let db = self.clone();
        uninterrupted(async move {
            Ok(match db {
                Self::Sqlite(pools) => Tx::Sqlite(pools.replica().begin().await?),
                Self::Postgres(pools) => Tx::Postgres(pools.replica().begin_with(SNAPSHOT).await?),
            })
        })
        .await
    }

    /// Which database this is.
    pub fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }

    /// Closes every connection, waiting for those in use.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pools) => pools.close().await,
            Self::Postgres(pools) => pools.close().await,
        }
    }
}

/// Begins a transaction even if whoever wants it goes away meanwhile, as the client of a request may: it is rolled back
/// then. The driver would give the connection back with the transaction open, and whoever gets it next be in that one.
async fn uninterrupted(
    begin: impl Future<Output = sqlx::Result<Tx>> + Send + 'static,
) -> Result<Tx> {
    match tokio::spawn(begin).await {
        Ok(tx) => Ok(tx?),
        Err(_) => Err(sqlx::Error::WorkerCrashed.into()),
    }
}

const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A replica is one of a PostgreSQL server. Another would be left alone without a word.
fn require_replica(of: Backend, url: &str) -> Result<()> {
    let reason = match (of, Backend::of_url(url)?) {
        (Backend::Postgres, Backend::Postgres) => return Ok(()),
        (Backend::Sqlite, _) => "the database is a SQLite file, which has no read replica",
        (Backend::Postgres, Backend::Sqlite) => "a read replica is a PostgreSQL server",
    };
    Err(StoreError::Url {
        url: without_credentials(url),
        reason: reason.to_owned(),
    })
}

/// The address as it may be shown: user name, password and parameters left out.
pub(super) fn without_credentials(url: &str) -> String {
    let (shown, parameters) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = shown.split_once(':').unwrap_or(("", shown));
    match rest.rsplit_once('@') {
        _ if scheme == "sqlite" => shown.to_owned(),
        // A question mark in a password that was not escaped: what stands before it may be the password's beginning.
        _ if parameters.contains('@') => format!("{scheme}://…"),
        Some((_, host)) => format!("{scheme}://{host}"),
        None => shown.to_owned(),
    }
}

/// Runs one statement on a pool of either database: `on_db!(db, write, pool => …)`. The sides are `write`, `current`
/// (reads that must see what was committed last) and `replica` (reads that may lag behind).
macro_rules! on_db {
    ($db:expr, $side:ident, $pool:ident => $body:expr) => {
        match $db {
            $crate::store::Db::Sqlite(pools) => {
                let $pool = pools.$side();
                $body
            }
            $crate::store::Db::Postgres(pools) => {
                let $pool = pools.$side();
                $body
            }
        }
    };
}
pub(super) use on_db;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_it_keeps_secret() {
        for (url, shown) in [
            ("sqlite://a@b.db?mode=rwc", "sqlite://a@b.db"),
            ("postgres://host/db", "postgres://host/db"),
            (
                "postgres://user:secret@host/db?sslmode=require",
                "postgres://host/db",
            ),
            (
                "postgres://user:se@cret@host:5432/db",
                "postgres://host:5432/db",
            ),
            (
                "postgres://host/db?user=user&password=secret",
                "postgres://host/db",
            ),
            ("postgres://user:se?cret@host/db", "postgres://…"),
            ("jeden.db", "jeden.db"),
        ] {
            assert_eq!(without_credentials(url), shown, "{url}");
        }
    }
}
