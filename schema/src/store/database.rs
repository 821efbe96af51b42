//! The database of the store: opening it, migrating it, beginning transactions.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use log::LevelFilter;
use sqlx::{ConnectOptions, PgPool};

use super::error::{Result, StoreError};
use super::migrations;
use super::postgres::PostgresPools;
use super::sqlite::{self, SqlitePools};
use super::transaction::Tx;

/// The database to open, and the number of connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseSettings {
    /// `sqlite://path` or `postgres://…`.
    pub url: String,
    /// A PostgreSQL read replica for searches and details; `None` reads them from the primary.
    pub read_url: Option<String>,
    /// The maximum number of connections: readers on SQLite (beside the one writer), per server on PostgreSQL.
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
    /// SQLite, a file.
    Sqlite,
    /// PostgreSQL, a server.
    Postgres,
}

impl Backend {
    /// The backend for the scheme of an address.
    ///
    /// # Errors
    /// [`StoreError::Url`] for any other scheme.
    pub fn from_url(url: &str) -> Result<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            _ => Err(StoreError::Url {
                url: without_credentials(url),
                reason: "it must begin with sqlite:// or postgres://".to_owned(),
            }),
        }
    }
}

/// The path of a SQLite file that does not exist yet and that opening would create. `None` for a server, for a file that
/// exists, and for an invalid address.
pub fn missing_file(url: &str) -> Option<PathBuf> {
    sqlite::file(url).filter(|file| !file.exists())
}

/// The result of a test write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// It was written.
    Done,
    /// Another connection is writing: SQLite has one writer at a time, and a batch takes seconds.
    Busy,
}

/// The result of [`Db::migrate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// The number of migrations applied; 0 if the database was current.
    pub applied: usize,
    /// The schema version after it.
    pub version: i64,
}

/// An open database. Clones are cheap and share the connections.
#[derive(Clone)]
pub struct Db {
    /// A trait object for the same reason as [`Tx`].
    pools: Arc<dyn AsRef<Pools> + Send + Sync>,
}

/// The connections to a database.
#[derive(Debug)]
pub(super) enum Pools {
    /// To a SQLite file.
    Sqlite(SqlitePools),
    /// To a PostgreSQL server, with a replica or without.
    Postgres(PostgresPools),
}

impl AsRef<Self> for Pools {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Db").field(self.pools()).finish()
    }
}

impl Db {
    /// Its connections.
    pub(super) fn pools(&self) -> &Pools {
        (*self.pools).as_ref()
    }

    /// Opens the database without checking its schema. Creates a SQLite file that does not exist.
    ///
    /// # Errors
    /// [`StoreError::Url`], [`StoreError::Open`].
    pub fn connect(settings: &DatabaseSettings) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let backend = Backend::from_url(&settings.url)?;
            if let Some(url) = &settings.read_url {
                require_replica(backend, url)?;
            }
            let pools = match backend {
                Backend::Sqlite => Pools::Sqlite(SqlitePools::connect(settings).await?),
                Backend::Postgres => Pools::Postgres(PostgresPools::connect(settings).await?),
            };
            Ok(Self {
                pools: Arc::new(pools),
            })
        })
    }

    /// Opens the database for use. Migrates SQLite to the current schema; a PostgreSQL database must have it already.
    ///
    /// # Errors
    /// As [`Db::connect`], and [`StoreError::Behind`] or [`StoreError::Ahead`].
    pub fn open(settings: &DatabaseSettings) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let db = Self::connect(settings).await?;
            match db.backend() {
                Backend::Sqlite => {
                    db.migrate().await?;
                }
                Backend::Postgres => migrations::require_current(&db).await?,
            }
            Ok(db)
        })
    }

    /// Migrates the database to the current schema. Several processes may do so at once.
    ///
    /// # Errors
    /// [`StoreError::Migration`] when a migration fails, [`StoreError::Ahead`] when the database is newer.
    pub fn migrate(&self) -> BoxFuture<'_, Result<Migrated>> {
        Box::pin(async move { migrations::migrate(self).await })
    }

    /// Checks within about two seconds that the database answers, for reading and for writing.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`].
    pub fn ping(&self) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            match self.pools() {
                Pools::Sqlite(pools) => pools.ping().await,
                Pools::Postgres(pools) => pools.ping().await,
            }
        })
    }

    /// Checks within about two seconds that the database can be written. With a full disk, a read-only server or a
    /// read-only file, reading alone still works.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`].
    pub fn try_write(&self) -> BoxFuture<'_, Result<Writing>> {
        Box::pin(async move {
            match self.pools() {
                Pools::Sqlite(pools) => pools.try_write().await,
                Pools::Postgres(pools) => pools.try_write().await,
            }
        })
    }

    /// Begins a transaction that may write. On SQLite it takes the write lock at once; other writers wait.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn begin(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(async move {
            let db = self.clone();
            uninterrupted(async move {
                Ok(match db.pools() {
                    Pools::Sqlite(pools) => {
                        Tx::from(pools.write().begin_with("BEGIN IMMEDIATE").await?)
                    }
                    Pools::Postgres(pools) => Tx::from(pools.write().begin().await?),
                })
            })
            .await
        })
    }

    /// Begins a transaction that only reads one consistent state of the primary. It does not wait for writers.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn begin_read(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(self.begin_snapshot(PostgresPools::current))
    }

    /// As [`Db::begin_read`], on the replica if there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn begin_replica(&self) -> BoxFuture<'_, Result<Tx>> {
        Box::pin(self.begin_snapshot(PostgresPools::replica))
    }

    /// Begins a transaction that reads one state. A SQLite file has no replica.
    async fn begin_snapshot(&self, server: fn(&PostgresPools) -> &PgPool) -> Result<Tx> {
        let db = self.clone();
        uninterrupted(async move {
            Ok(match db.pools() {
                Pools::Sqlite(pools) => Tx::from(pools.current().begin().await?),
                Pools::Postgres(pools) => Tx::from(server(pools).begin_with(SNAPSHOT).await?),
            })
        })
        .await
    }

    /// Which database this is.
    pub fn backend(&self) -> Backend {
        match self.pools() {
            Pools::Sqlite(_) => Backend::Sqlite,
            Pools::Postgres(_) => Backend::Postgres,
        }
    }

    /// How many transactions are worth writing at the same time.
    pub fn writers(&self) -> usize {
        match self.backend() {
            // A file has one writer; the others wait for it.
            Backend::Sqlite => 1,
            Backend::Postgres => 2,
        }
    }

    /// Closes every connection, waiting for those in use.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            match self.pools() {
                Pools::Sqlite(pools) => pools.close().await,
                Pools::Postgres(pools) => pools.close().await,
            }
        })
    }
}

/// Completes the begin of a transaction even if the caller is cancelled meanwhile, for example because the client of a
/// request disconnects; the transaction is then rolled back. Otherwise the driver would return the connection to the pool
/// with the transaction open, and its next user would be inside that transaction.
async fn uninterrupted(
    begin: impl Future<Output = sqlx::Result<Tx>> + Send + 'static,
) -> Result<Tx> {
    match tokio::spawn(begin).await {
        Ok(tx) => Ok(tx?),
        Err(_) => Err(sqlx::Error::WorkerCrashed.into()),
    }
}

const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// How long a statement takes before the log calls it slow.
const SLOW_STATEMENT: Duration = Duration::from_secs(1);

/// Keeps SQL out of the log at the usual levels: slow statements are logged at `debug`, all others at `trace`.
pub(super) fn with_quiet_log<O: ConnectOptions>(options: O) -> O {
    options
        .log_statements(LevelFilter::Trace)
        .log_slow_statements(LevelFilter::Debug, SLOW_STATEMENT)
}

/// Refuses a replica that is not a PostgreSQL server with a PostgreSQL primary; it would otherwise be ignored.
fn require_replica(of: Backend, url: &str) -> Result<()> {
    let reason = match (of, Backend::from_url(url)?) {
        (Backend::Postgres, Backend::Postgres) => return Ok(()),
        (Backend::Sqlite, _) => "the database is a SQLite file, which has no read replica",
        (Backend::Postgres, Backend::Sqlite) => "a read replica is a PostgreSQL server",
    };
    Err(StoreError::Url {
        url: without_credentials(url),
        reason: reason.to_owned(),
    })
}

/// The address without user name, password and parameters.
pub(super) fn without_credentials(url: &str) -> String {
    let (shown, parameters) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = shown.split_once(':').unwrap_or(("", shown));
    match rest.rsplit_once('@') {
        _ if scheme == "sqlite" => shown.to_owned(),
        // An unescaped question mark in the password: the text before it may contain a part of the password.
        _ if parameters.contains('@') => format!("{scheme}://…"),
        Some((_, host)) => format!("{scheme}://{host}"),
        None => shown.to_owned(),
    }
}

/// Runs one statement on a pool of either database: `on_db!(db, write, pool => …)`. The sides are `write`, `current`
/// (reads that must see what was committed last) and `replica` (reads that may lag behind).
macro_rules! on_db {
    ($db:expr, $side:ident, $pool:ident => $body:expr) => {
        match $db.pools() {
            $crate::store::database::Pools::Sqlite(pools) => {
                let $pool = pools.$side();
                $body
            }
            $crate::store::database::Pools::Postgres(pools) => {
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
