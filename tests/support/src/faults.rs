//! Faults of databases: locked tables, full disks.

use std::path::{Path, PathBuf};
use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

use crate::databases::statement;

/// Runs one statement on the database at `url`.
///
/// # Panics
/// If it fails.
pub async fn execute(url: &str, text: &str) {
    let done = if url.starts_with("sqlite") {
        execute_on_file(url, text).await
    } else {
        statement(url, text.to_owned()).await
    };
    done.expect("the statement can be run");
}

async fn execute_on_file(url: &str, text: &str) -> Result<(), sqlx::Error> {
    let mut file = SqliteConnection::connect(url).await?;
    sqlx::raw_sql(AssertSqlSafe(text.to_owned()))
        .execute(&mut file)
        .await?;
    file.close().await
}

/// A lock on a database or on one of its tables, held until this is dropped.
#[derive(Debug)]
pub enum Held {
    /// A SQLite file.
    File(SqliteConnection),
    /// A table on a PostgreSQL server.
    Table(PgConnection),
}

/// Locks a table. On SQLite it locks the whole file for writing.
///
/// # Panics
/// If the lock cannot be taken.
pub async fn hold(url: &str, table: &str) -> Held {
    if url.starts_with("sqlite") {
        let mut file = SqliteConnection::connect(url)
            .await
            .expect("the file can be opened");
        sqlx::raw_sql("BEGIN EXCLUSIVE")
            .execute(&mut file)
            .await
            .expect("the file can be locked");
        return Held::File(file);
    }
    let mut server = PgConnection::connect(url)
        .await
        .expect("the server can be reached");
    let lock = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
    sqlx::raw_sql(AssertSqlSafe(lock))
        .execute(&mut server)
        .await
        .expect("the table can be locked");
    Held::Table(server)
}

impl Held {
    /// Releases the lock.
    ///
    /// # Panics
    /// If the database is gone.
    pub async fn release(self) {
        match self {
            Self::File(file) => file.close().await,
            Self::Table(server) => server.close().await,
        }
        .expect("the connection can be closed");
    }
}

/// A file system in memory of a few megabytes, which a test can fill.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one. `None`, with a notice, if mounting is not allowed.
    ///
    /// # Panics
    /// If its folder cannot be created.
    pub fn mount(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        let size = format!("size={megabytes}m");
        let mut mount = Command::new("mount");
        let mounted = mount
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&folder)
            .output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Self { folder });
        }
        // Deletes the folder, which is empty.
        let _ = std::fs::remove_dir(&folder);
        crate::notice(
            "mounting a file system is not allowed here: tests of a full disk are skipped",
        );
        None
    }

    /// Its path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fills it completely.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn fill(&self) {
        use std::io::Write;
        let mut file = std::fs::File::create(self.ballast()).expect("a file can be made");
        for size in [65_536, 4_096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Empties it again.
    ///
    /// # Panics
    /// If it was not filled.
    pub fn free(&self) {
        std::fs::remove_file(self.ballast()).expect("the ballast file can be deleted");
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because files on it may still be open. Its memory is freed when the last of them is closed.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
        let _ = std::fs::remove_dir(&self.folder);
    }
}
