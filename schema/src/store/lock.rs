//! The locks that let one dedup worker at a time work, one crawl of a portal at a time, and one transaction at a time
//! write listings.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use super::database::Db;
use super::error::{Result, StoreError};
use super::transaction::Tx;

/// PostgreSQL's advisory lock of the dedup worker, in the database that it uses.
const ADVISORY_KEY: i64 = 0x6a65_6465_6e64;
/// That of a transaction which writes listings.
const LISTINGS_KEY: i64 = 0x6a65_6465_6e6c;
/// How often a waiting process looks whether a lock file has become free.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The right to deduplicate, until it is dropped or the process dies.
#[derive(Debug)]
pub struct DedupLock {
    held: Held,
}

#[derive(Debug)]
enum Held {
    File { _file: File },
    Session(PgConnection),
}

impl DedupLock {
    /// Whether the right is still held: a connection that broke has lost it.
    pub async fn is_held(&mut self) -> bool {
        self.held.is_held().await
    }
}

impl Held {
    async fn is_held(&mut self) -> bool {
        match self {
            Self::File { .. } => true,
            Self::Session(connection) => connection.ping().await.is_ok(),
        }
    }
}

/// Waits until no other process holds the lock of this database, then takes it.
///
/// # Errors
/// [`StoreError::Lock`] when the lock file cannot be used, [`StoreError::Database`].
pub async fn acquire(db: &Db) -> Result<DedupLock> {
    let held = match db {
        Db::Sqlite(pools) => lock_file(pools.file()).await?,
        Db::Postgres(pools) => lock_session(pools.write()).await?,
    };
    Ok(DedupLock { held })
}

/// The right to crawl one portal, until it is dropped or the process dies.
#[derive(Debug)]
pub struct CrawlLock {
    held: Held,
}

impl CrawlLock {
    /// Whether the right is still held: a connection that broke has lost it.
    pub async fn is_held(&mut self) -> bool {
        self.held.is_held().await
    }

    /// Gives the right back: when this returns, the next crawl may take it.
    ///
    /// # Errors
    /// [`StoreError::Database`]; the right is given back all the same, somewhat later.
    pub async fn release(self) -> Result<()> {
        if let Held::Session(mut connection) = self.held {
            sqlx::query("SELECT pg_advisory_unlock_all()")
                .execute(&mut connection)
                .await?;
            connection.close().await?;
        }
        Ok(())
    }
}

/// Takes the right to crawl a portal; `None` where another crawl has it, in this process or in any other.
///
/// # Errors
/// [`StoreError::Lock`] when the lock file cannot be used, [`StoreError::Database`].
pub async fn try_crawl(db: &Db, site_id: &str) -> Result<Option<CrawlLock>> {
    let held = match db {
        Db::Sqlite(pools) => {
            let (path, file) = open(pools.file(), &format!(".crawl-lock.{}", file_name(site_id)))?;
            match file.try_lock() {
                Ok(()) => Some(Held::File { _file: file }),
                Err(TryLockError::WouldBlock) => None,
                Err(TryLockError::Error(source)) => return Err(failed(&path, source)),
            }
        }
        Db::Postgres(pools) => {
            let mut connection = pools.write().connect_options().connect().await?;
            let taken: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
                .bind(crawl_key(site_id))
                .fetch_one(&mut connection)
                .await?;
            taken.then_some(Held::Session(connection))
        }
    };
    Ok(held.map(|held| CrawlLock { held }))
}

/// PostgreSQL's advisory lock of the crawls of a portal.
fn crawl_key(site_id: &str) -> i64 {
    let hash = blake3::hash(format!("jeden crawl {site_id}").as_bytes());
    let mut key = [0; 8];
    key.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(key)
}

/// A portal's id as a part of a file's name.
fn file_name(site_id: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    site_id
        .chars()
        .map(|letter| if plain(letter) { letter } else { '_' })
        .collect()
}

/// Waits until no other transaction writes listings, and keeps others waiting until this one ends.
///
/// A listing's state is read, changed by what was learned, and written back: of two transactions that did so at once,
/// one would lose what the other learned, and of two that update the same rows in other orders one would be aborted.
/// What dedup writes to listings takes it by itself. SQLite has one writing transaction at a time anyway.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn listings(tx: &mut Tx) -> Result<()> {
    if let Tx::Postgres(transaction) = tx {
        sqlx::query("SELECT pg_advisory_xact_lock($1)")
            .bind(LISTINGS_KEY)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}

/// Looks again and again rather than blocking: a thread that waits in the system cannot be told to stop.
async fn lock_file(database: &Path) -> Result<Held> {
    let (path, file) = open(database, ".dedup-lock")?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Held::File { _file: file }),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(LOOK_AGAIN).await,
            Err(TryLockError::Error(error)) => return Err(failed(&path, error)),
        }
    }
}

/// A lock file beside the database.
fn open(database: &Path, ending: &str) -> Result<(PathBuf, File)> {
    let mut path = database.as_os_str().to_owned();
    path.push(ending);
    let path = PathBuf::from(path);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path);
    let file = file.map_err(|source| failed(&path, source))?;
    Ok((path, file))
}

fn failed(path: &Path, source: std::io::Error) -> StoreError {
    StoreError::Lock {
        path: path.display().to_string(),
        source,
    }
}

async fn lock_session(pool: &PgPool) -> Result<Held> {
    let mut connection = pool.connect_options().connect().await?;
    sqlx::query("SELECT pg_advisory_lock($1)")
        .bind(ADVISORY_KEY)
        .execute(&mut connection)
        .await?;
    Ok(Held::Session(connection))
}
