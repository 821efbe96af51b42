//! What databases do to those who use them.

use std::path::{Path, PathBuf};
use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

use crate::databases::statement;

/// Runs one statement on the PostgreSQL database at `url`.
///
/// # Panics
/// When it fails.
pub async fn execute(url: &str, text: &str) {
    statement(url, text.to_owned())
        .await
        .expect("the statement can be run");
}

/// A database, or a table of it, that somebody else keeps to himself until this is dropped.
#[derive(Debug)]
pub enum Held {
    /// A SQLite file.
    File(SqliteConnection),
    /// A table on a PostgreSQL server.
    Table(PgConnection),
}

/// Keeps a table from everybody; on SQLite everybody from writing anything.
///
/// # Panics
/// When it cannot be had.
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
    /// Lets go.
    ///
    /// # Panics
    /// When the database is gone.
    pub async fn release(self) {
        match self {
            Self::File(file) => file.close().await,
            Self::Table(server) => server.close().await,
        }
        .expect("the connection can be closed");
    }
}

/// A file system in memory, a few megabytes large, that can be filled.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one; `None`, with a notice, where that is not allowed.
    ///
    /// # Panics
    /// When no folder can be made for it.
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
        // It is empty.
        let _ = std::fs::remove_dir(&folder);
        crate::notice("no file system may be mounted here: tests of a full disk are skipped");
        None
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fills it to the last byte.
    ///
    /// # Panics
    /// When it cannot be written to at all.
    pub fn fill(&self) {
        use std::io::Write;
        let mut file = std::fs::File::create(self.ballast()).expect("a file can be made");
        for size in [65_536, 4_096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Frees what was filled.
    ///
    /// # Panics
    /// When it was not filled.
    pub fn free(&self) {
        std::fs::remove_file(self.ballast()).expect("what was filled can be freed");
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: files on it may be open still. What is left over is in memory, and gone with its last user.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
        let _ = std::fs::remove_dir(&self.folder);
    }
}
