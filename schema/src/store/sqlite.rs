//! SQLite: one file, one connection that writes, several that read.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, SqliteConnection, SqlitePool};

use super::database::{Backend, DatabaseSettings, Writing, with_quiet_log, without_credentials};
use super::error::{Result, StoreError};
use super::kept_connection::KeptConnection;

/// How long a statement that reads waits for another process.
const BUSY: Duration = Duration::from_secs(10);
/// How long a writer waits for another writer, in this process or another. A batch of a replay takes seconds, and more on
/// a busy machine or when it makes dictionaries. A writer that waits looks ten times a second, and may miss the moments
/// between several batches. Requests of clients do not wait as long; they have limits of their own.
const TURN: Duration = Duration::from_mins(2);
/// How long the connection that counts requests waits for a writer: clients wait for it.
const COUNT: Duration = Duration::from_secs(5);
/// The cache of the connection that writes: 256 MB hold the indexes of a million adverts. SQLite reads a negative number
/// as KB.
const WRITER_CACHE: &str = "-262144";
/// How long [`SqlitePools::ping`] waits.
const PING: Duration = Duration::from_secs(2);

/// The connections to a SQLite file.
#[derive(Debug, Clone)]
pub struct SqlitePools {
    write: SqlitePool,
    read: SqlitePool,
    /// A second writer that never waits for a lock. It only tests whether the file can be written.
    probe: SqlitePool,
    counting: Arc<KeptConnection<SqliteConnection>>,
    reading_counts: Arc<KeptConnection<SqliteConnection>>,
    file: PathBuf,
    identity: Option<FileIdentity>,
}

impl SqlitePools {
    pub(super) async fn connect(settings: &DatabaseSettings) -> Result<Self> {
        let options = options(&settings.url)?;
        let open = |source| StoreError::Open {
            url: without_credentials(&settings.url),
            source,
        };
        let file = options.get_filename().to_owned();
        let checkpointing = options
            .clone()
            .pragma("wal_autocheckpoint", "16000")
            .pragma("journal_size_limit", "67108864");
        let counting = KeptConnection::new(checkpointing.clone().busy_timeout(COUNT), None);
        let writer = checkpointing
            .create_if_missing(true)
            .busy_timeout(TURN)
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("cache_size", WRITER_CACHE);
        let write = pool()
            .max_connections(1)
            .connect_with(writer)
            .await
            .map_err(open)?;
        // It leaves checkpoints to the writer.
        let probe = options
            .clone()
            .busy_timeout(Duration::ZERO)
            .pragma("wal_autocheckpoint", "0");
        let probe = pool().max_connections(1).connect_lazy_with(probe);
        // A large sort of a reader goes to a temporary file. In memory it took 65 MB of a server with a million records,
        // which groups the addresses of the largest towns.
        let options = options.read_only(true).pragma("temp_store", "FILE");
        let reading_counts = KeptConnection::new(options.clone(), None);
        let read = pool().max_connections(settings.connections.max(1));
        let read = read.connect_with(options).await.map_err(open)?;
        let identity = FileIdentity::of_file(&file).ok();
        Ok(Self {
            write,
            read,
            probe,
            counting: Arc::new(counting),
            reading_counts: Arc::new(reading_counts),
            file,
            identity,
        })
    }

    /// The connection that writes.
    pub(super) fn write(&self) -> &SqlitePool {
        &self.write
    }

    /// The connection that counts requests.
    pub(super) fn counting(&self) -> &KeptConnection<SqliteConnection> {
        &self.counting
    }

    /// The connection that reads counts.
    pub(super) fn reading_counts(&self) -> &KeptConnection<SqliteConnection> {
        &self.reading_counts
    }

    /// The connections that read. Each statement sees what was committed before it.
    pub(super) fn current(&self) -> &SqlitePool {
        &self.read
    }

    /// As [`SqlitePools::current`]: a file has no replica.
    pub(super) fn replica(&self) -> &SqlitePool {
        &self.read
    }

    /// A separate connection for a worker of the queue, so that heartbeats do not wait for the connection of a long
    /// transaction. They still wait for the file's lock, as long as any writer does.
    pub(super) async fn queue(&self) -> Result<SqlitePool> {
        let options = SqliteConnectOptions::clone(&self.write.connect_options());
        Ok(pool().max_connections(1).connect_with(options).await?)
    }

    /// The database file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Also compares the file's identity: a process that has a deleted or replaced file open can go on writing to it,
    /// and everything written is lost. The file must not be opened for that, because closing it would drop the locks
    /// that SQLite holds for this process.
    pub(super) async fn ping(&self) -> Result<()> {
        let unreachable = |reason: String| StoreError::Unreachable { reason };
        let found = FileIdentity::of_file(&self.file)
            .map_err(|error| unreachable(format!("{}: {error}", self.file.display())))?;
        if self.identity.is_some_and(|opened| opened != found) {
            return Err(unreachable(format!(
                "{} is no longer the file that was opened",
                self.file.display()
            )));
        }
        let answer = async {
            read_schema(&self.read).await?;
            // A writer that is busy with a batch is not a failure.
            match self.write.try_acquire() {
                Some(mut writer) => read_schema(&mut *writer).await,
                None => Ok(()),
            }
        };
        match tokio::time::timeout(PING, answer).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(unreachable(error.to_string())),
            Err(elapsed) => Err(unreachable(elapsed.to_string())),
        }
    }

    pub(super) async fn try_write(&self) -> Result<Writing> {
        // SQLite writes this unused number to disk even though it does not change. It would not write a row.
        let written = sqlx::query("PRAGMA user_version = 0").execute(&self.probe);
        match tokio::time::timeout(PING, written).await {
            Ok(Ok(_)) => Ok(Writing::Done),
            Ok(Err(error)) if is_busy(&error) => Ok(Writing::Busy),
            Ok(Err(error)) => Err(StoreError::Unreachable {
                reason: error.to_string(),
            }),
            Err(elapsed) => Err(StoreError::Unreachable {
                reason: elapsed.to_string(),
            }),
        }
    }

    pub(super) async fn close(&self) {
        self.probe.close().await;
        self.counting.close().await;
        self.reading_counts.close().await;
        self.read.close().await;
        self.write.close().await;
    }
}

async fn read_schema<'e>(
    executor: impl sqlx::Executor<'e, Database = sqlx::Sqlite>,
) -> Result<(), sqlx::Error> {
    let _: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema")
        .fetch_one(executor)
        .await?;
    Ok(())
}

/// Whether another connection holds the lock (`SQLITE_BUSY`, `SQLITE_LOCKED`).
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(|error| error.code()?.parse::<u32>().ok());
    // The low byte is the primary error code.
    code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

fn pool() -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .acquire_timeout(TURN)
        .acquire_slow_threshold(TURN)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
}

/// Whether a connection that returns to the pool may be used again. If the disk is full, SQLite itself rolls a transaction
/// back. The driver's own rollback then fails, and the driver believes from then on that the transaction is open.
async fn is_outside_transactions(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    if connection.is_in_transaction() {
        // The driver rolls a dropped transaction back before it answers.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

fn options(url: &str) -> Result<SqliteConnectOptions> {
    let invalid = |reason: String| StoreError::Url {
        url: without_credentials(url),
        reason,
    };
    if url.contains(":memory:") || url.contains("mode=memory") {
        return Err(invalid(
            "a database in memory cannot be shared between connections; give the path of a file"
                .to_owned(),
        ));
    }
    let options =
        SqliteConnectOptions::from_str(url).map_err(|error| invalid(error.to_string()))?;
    if options.get_filename().as_os_str().is_empty() {
        return Err(invalid("the path of the file is missing".to_owned()));
    }
    Ok(with_quiet_log(options)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY)
        .foreign_keys(true)
        .pragma("temp_store", "MEMORY")
        // Of each reader, and there are eight of them. The system keeps the file's pages in memory too.
        .pragma("cache_size", "-2048"))
}

/// The file of an address.
pub(super) fn file(url: &str) -> Option<PathBuf> {
    (Backend::from_url(url).ok()? == Backend::Sqlite)
        .then(|| options(url))?
        .ok()
        .map(|options| options.get_filename().to_owned())
}

/// The identity of a file: device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity(u64, u64);

impl FileIdentity {
    #[cfg(unix)]
    fn of_file(path: &Path) -> std::io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path)?;
        Ok(Self(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path) -> std::io::Result<Self> {
        std::fs::metadata(path).map(|_| Self(0, 0))
    }
}
