//! Locks between processes: one dedup worker at a time, one crawl of each portal at a time, and one transaction at a
//! time that writes listings.
//!
//! On PostgreSQL they are advisory locks; on SQLite, locked files beside the database.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use super::database::{Db, Pools};
use super::error::{Result, StoreError};
use super::transaction::{Tx, TxConnection};

/// The advisory lock of the dedup worker.
const ADVISORY_KEY: i64 = 0x6a65_6465_6e64;
/// The advisory lock of a transaction that writes listings.
const LISTINGS_KEY: i64 = 0x6a65_6465_6e6c;
/// How often a waiting process tries a lock file again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The lock of the dedup worker, held until it is dropped or the process ends.
#[derive(Debug)]
pub struct DedupLock {
    held: Held,
}

#[derive(Debug)]
enum Held {
    File { _file: LockedFile },
    Session(PgConnection),
}

impl DedupLock {
    /// Whether the lock is still held. A lost connection loses its lock.
    pub fn is_held(&mut self) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.held.is_held().await })
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

/// Takes the lock of the dedup worker, waiting while another process holds it.
///
/// # Errors
/// [`StoreError::Lock`] if the lock file cannot be used, [`StoreError::Database`].
pub fn acquire(db: &Db) -> BoxFuture<'_, Result<DedupLock>> {
    Box::pin(async move {
        let held = match db.pools() {
            Pools::Sqlite(pools) => lock_file(pools.file()).await?,
            Pools::Postgres(pools) => lock_session(pools.write()).await?,
        };
        Ok(DedupLock { held })
    })
}

/// The lock of the crawls of one portal, held until it is dropped or the process ends.
#[derive(Debug)]
pub struct CrawlLock {
    held: Held,
}

impl CrawlLock {
    /// Whether the lock is still held. A lost connection loses its lock.
    pub fn is_held(&mut self) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.held.is_held().await })
    }

    /// Releases the lock. When this returns, the next crawl can take it.
    ///
    /// # Errors
    /// [`StoreError::Database`]. The server then releases the lock when it notices that the connection is closed.
    pub fn release(self) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move {
            if let Held::Session(mut connection) = self.held {
                sqlx::query("SELECT pg_advisory_unlock_all()")
                    .execute(&mut connection)
                    .await?;
                connection.close().await?;
            }
            Ok(())
        })
    }
}

/// Takes the lock of the crawls of a portal. `None` if another crawl holds it, in this process or another.
///
/// # Errors
/// [`StoreError::Lock`] if the lock file cannot be used, [`StoreError::Database`].
pub fn try_crawl<'a>(db: &'a Db, site_id: &'a str) -> BoxFuture<'a, Result<Option<CrawlLock>>> {
    Box::pin(async move {
        let held = match db.pools() {
            Pools::Sqlite(pools) => {
                let suffix = format!(".crawl-lock.{}", file_name(site_id));
                LockedFile::try_beside(pools.file(), &suffix)?
                    .map(|file| Held::File { _file: file })
            }
            Pools::Postgres(pools) => {
                let mut connection = pools.write().connect_options().connect().await?;
                let taken: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
                    .bind(crawl_key(site_id))
                    .fetch_one(&mut connection)
                    .await?;
                taken.then_some(Held::Session(connection))
            }
        };
        Ok(held.map(|held| CrawlLock { held }))
    })
}

/// The key of the advisory lock of the crawls of a portal.
fn crawl_key(site_id: &str) -> i64 {
    let hash = blake3::hash(format!("jeden crawl {site_id}").as_bytes());
    let mut key = [0; 8];
    key.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(key)
}

/// A portal's id, with only characters that every file system accepts in a name.
fn file_name(site_id: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    site_id
        .chars()
        .map(|letter| if plain(letter) { letter } else { '_' })
        .collect()
}

/// Takes the lock for writing listings until the transaction ends, waiting while another transaction holds it.
///
/// A transaction reads the state of a listing, changes it and writes it back. If two did so at the same time, one would
/// overwrite the change of the other; if they updated the same rows in different orders, PostgreSQL would abort one.
/// The functions by which dedup writes to listings take this lock themselves. SQLite needs no lock, because only one
/// transaction can write at a time.
///
/// # Errors
/// [`StoreError::Database`].
pub fn listings(tx: &mut Tx) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        if let TxConnection::Postgres(connection) = tx.connection() {
            sqlx::query("SELECT pg_advisory_xact_lock($1)")
                .bind(LISTINGS_KEY)
                .execute(connection)
                .await?;
        }
        Ok(())
    })
}

/// A file that this process has locked, until it is dropped.
#[derive(Debug)]
struct LockedFile(File);

impl LockedFile {
    /// Locks the file with this suffix beside the database. `None` if it is locked already.
    fn try_beside(database: &Path, suffix: &str) -> Result<Option<Self>> {
        let mut path = database.as_os_str().to_owned();
        path.push(suffix);
        let path = PathBuf::from(path);
        let failed = |source| StoreError::Lock {
            path: path.display().to_string(),
            source,
        };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

impl Drop for LockedFile {
    /// Closing the file alone does not always release the lock: a program that is being started has copies of all open
    /// files for a moment, and the lock lasts as long as the last copy.
    fn drop(&mut self) {
        // If this fails, nothing but closing is left.
        _ = self.0.unlock();
    }
}

/// Polls the lock file. A thread that blocks on a file lock could not be cancelled.
async fn lock_file(database: &Path) -> Result<Held> {
    loop {
        if let Some(file) = LockedFile::try_beside(database, ".dedup-lock")? {
            return Ok(Held::File { _file: file });
        }
        tokio::time::sleep(LOOK_AGAIN).await;
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

#[cfg(test)]
mod tests {
    use super::LockedFile;

    #[test]
    fn a_lock_file_is_free_when_it_is_dropped_while_a_copy_of_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("test.db");
        let take = || LockedFile::try_beside(&database, ".lock").unwrap();
        let held = take().unwrap();
        let copy = held.0.try_clone().unwrap();
        assert!(take().is_none());
        drop(held);
        assert!(take().is_some());
        drop(copy);
    }
}
