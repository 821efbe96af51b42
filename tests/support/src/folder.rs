//! The folders of test databases.

use std::io::Result;
use std::path::PathBuf;
use std::sync::LazyLock;

use tempfile::{Builder, TempDir};

/// Where Linux keeps files in memory.
const IN_MEMORY: &str = "/dev/shm";
/// Containers often have less. All databases of a test run need about a tenth of it.
const ENOUGH_BYTES: u64 = 4 << 30;

/// A temporary folder for databases, in memory where there is room for it: half of the time of tests of databases is spent
/// on waiting for the disk.
pub(crate) fn for_databases() -> Result<TempDir> {
    static ROOT: LazyLock<PathBuf> =
        LazyLock::new(|| in_memory().unwrap_or_else(std::env::temp_dir));
    Builder::new().prefix("jeden-db-").tempdir_in(&*ROOT)
}

/// The folder in memory, if it has room.
fn in_memory() -> Option<PathBuf> {
    let file_system = rustix::fs::statvfs(IN_MEMORY).ok()?;
    let free = file_system.f_bavail.saturating_mul(file_system.f_frsize);
    (free >= ENOUGH_BYTES && tempfile::tempdir_in(IN_MEMORY).is_ok()).then(|| IN_MEMORY.into())
}
