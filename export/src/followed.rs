//! A folder of Parquet files that follows the feed of changes: an export, brought up to date.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use schema::Timestamp;

use crate::error::ExportError;
use crate::folder::{self, failure};
use crate::format::Format;
use crate::manifest::{MANIFEST, Manifest};
use crate::pending::Pending;
use crate::records::Tables;
use crate::selection::Selection;

/// Held by the process that brings a folder up to date.
const LOCK: &str = ".sync.lock";
/// The filter that the feed does not follow as an export has it.
const EXPIRED: &str = "includeInactive";

/// A folder that only this process brings up to date, until it is dropped.
#[derive(Debug)]
pub struct FollowedFolder {
    path: PathBuf,
    manifest: Option<Manifest>,
    _lock: File,
}

impl FollowedFolder {
    /// Opens a folder, which is made if it does not exist. What an interrupted run had begun is completed or deleted.
    ///
    /// # Errors
    /// If another process has it open, or it holds tables that cannot follow the feed.
    pub fn open(path: &Path) -> Result<Self, ExportError> {
        std::fs::create_dir_all(path).map_err(|error| failure(path, error))?;
        let lock = locked(&path.join(LOCK))?;
        folder::complete_interrupted(path)?;
        folder::delete_unfinished(path)?;
        let manifest = read_manifest(path)?;
        if let Some(manifest) = &manifest {
            require_followable(path, manifest)?;
        }
        Ok(Self {
            path: path.to_owned(),
            manifest,
            _lock: lock,
        })
    }

    /// What the folder has; `None` if it has no tables yet.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Notes that an export has replaced the tables.
    pub fn replaced(&mut self, manifest: Manifest) {
        self.manifest = Some(manifest);
    }

    /// Nothing that was read from the feed yet.
    ///
    /// # Errors
    /// If no file can be made in the folder.
    pub fn pending(&self) -> Result<Pending, ExportError> {
        Pending::new(&self.path).map_err(|error| failure(&self.path, error))
    }

    /// Writes the tables with these changes, which are all up to number `seq`. The folder has its former tables or the new
    /// ones, whenever the process ends.
    ///
    /// # Errors
    /// If a table cannot be read or written; the folder then has what it had before.
    pub fn apply(
        &mut self,
        pending: &mut Pending,
        seq: i64,
        (selection, at): (&Selection, Timestamp),
    ) -> Result<&Manifest, ExportError> {
        let manifest = match self.manifest.take() {
            Some(manifest) if pending.changes() == 0 && manifest.seq == seq => manifest,
            // The tables stay as they are.
            Some(manifest) if pending.changes() == 0 => {
                let manifest = Manifest {
                    seq,
                    exported_at: at,
                    ..manifest
                };
                folder::replace_manifest(&self.path, &manifest)?;
                manifest
            }
            former => {
                let mut tables = Tables::begin(&self.path, Format::Parquet, false, seq)?;
                if let Some(former) = &former {
                    tables.copy(&self.path, former, &pending.ids())?;
                }
                pending.visit(&mut |detail| tables.write_detail(detail))?;
                tables.finish(seq, (selection, at))?
            }
        };
        Ok(self.manifest.insert(manifest))
    }
}

fn locked(path: &Path) -> Result<File, ExportError> {
    let lock = File::create(path).map_err(|error| failure(path, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(not_followable(
            path,
            "another process brings this folder up to date",
        )),
        Err(TryLockError::Error(error)) => Err(failure(path, error)),
    }
}

fn read_manifest(folder: &Path) -> Result<Option<Manifest>, ExportError> {
    let path = folder.join(MANIFEST);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failure(&path, error)),
    };
    let manifest = serde_json::from_slice(&text);
    manifest.map(Some).map_err(|error| {
        let reason = format!("it is not the manifest of an export: {error}");
        not_followable(&path, reason)
    })
}

fn require_followable(folder: &Path, manifest: &Manifest) -> Result<(), ExportError> {
    let refuse = |reason: String| Err(not_followable(folder, reason));
    if manifest.format != Format::Parquet.name() {
        return refuse(format!(
            "its tables are {}, and only Parquet files follow the feed; export them with --format parquet",
            manifest.format
        ));
    }
    if manifest.tables.contains_key("pairs") {
        return refuse(
            "it has the table pairs, of which the feed tells nothing; export it without --pairs"
                .to_owned(),
        );
    }
    if manifest.filters.contains_key(EXPIRED) {
        return refuse(format!(
            "it was exported with {EXPIRED}, and the feed shows expired records only as far back as a plan reaches; export \
             it without"
        ));
    }
    Ok(())
}

fn not_followable(path: &Path, reason: impl Into<String>) -> ExportError {
    ExportError::NotFollowable {
        path: path.to_owned(),
        reason: reason.into(),
    }
}
