//! From published files to the compiled one.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::compile::{self, CompileError};
use super::edition::Edition;
use super::file::{self, OpenError};
use super::problem::Problem;
use super::{Registry, source};

/// The progress of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Reading the files.
    Reading {
        /// Bytes read.
        bytes: u64,
        /// Bytes of all files.
        of: u64,
        /// Rows of address tables read.
        rows: u64,
    },
    /// Compiling the registry.
    Compiling,
    /// Writing the compiled file.
    Writing,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The edition in the file now.
    pub edition: Edition,
    /// The id of the edition that was in the file before.
    pub replaced: Option<[u8; 32]>,
    /// Why the content of the previous file was discarded: it was damaged, or written by another version of jeden.
    pub discarded: Option<String>,
    /// Files read.
    pub files: u64,
    /// Rows of address tables read.
    pub rows: u64,
    /// Rows and elements left out.
    pub bad_rows: u64,
    /// Values left out of rows that were kept.
    pub bad_values: u64,
    /// Files that could not be read to their end.
    pub bad_files: u64,
    /// The first ten thousand of these problems, ordered by file and line.
    pub problems: Vec<Problem>,
    /// Size of the compiled file in bytes.
    pub size: u64,
    /// How many regions and districts have a boundary in the file now.
    pub outlines: usize,
}

impl Imported {
    /// Whether everything could be read.
    pub const fn is_complete(&self) -> bool {
        self.bad_rows == 0 && self.bad_values == 0 && self.bad_files == 0
    }
}

/// Why an import failed and changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A path cannot be read.
    #[error("{} cannot be read", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// There was nothing to import under the paths.
    #[error("nothing was imported: {first}")]
    Nothing {
        /// The first problem.
        first: String,
    },
    /// The target could not be read, or is another kind of file, which an import does not overwrite.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The registry could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The compiled file could not be written.
    #[error("the address registry {} could not be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// Reads the registry's files under `paths`, joins them with the content of `target`, and replaces `target` in one step.
///
/// The newest address table of each municipality counts, and the newest statement of every other fact, by the dates of
/// the files. So the result depends neither on the order of the files nor on the number of imports. Municipalities that
/// an edition of the whole country does not contain are removed.
///
/// # Errors
/// [`ImportError`]; `target` is then unchanged. Rows and files that cannot be read are not errors: the result lists them.
pub fn import(
    paths: &[PathBuf],
    target: &Path,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Imported, ImportError> {
    for path in paths {
        std::fs::metadata(path).map_err(|source| ImportError::Missing {
            path: path.clone(),
            source,
        })?;
    }
    let of = paths.iter().map(|path| source::bytes_under(path)).sum();
    let reading = source::read_all(paths, &|bytes, rows| {
        progress(Progress::Reading { bytes, of, rows });
    });
    // A published file from which the registry keeps nothing is not an error.
    let has_only_problems = reading.files == 0 || !reading.problems.is_empty();
    let draft = &reading.draft;
    let is_empty = draft.tables.is_empty() && draft.facts.is_empty() && draft.outlines.is_empty();
    if is_empty && has_only_problems {
        let expected = || "the paths contain no files of the registry".to_owned();
        let first = reading
            .problems
            .first()
            .map_or_else(expected, ToString::to_string);
        return Err(ImportError::Nothing { first });
    }
    let write = |source| ImportError::Write {
        path: target.to_owned(),
        source,
    };
    // A second import waits: otherwise it would discard what the first one read.
    let _lock = lock(target).map_err(write)?;
    progress(Progress::Compiling);
    let mut draft = reading.draft;
    let (mut replaced, mut discarded) = (None, None);
    if target.exists() {
        match file::open_with_draft(target) {
            Ok((registry, mut previous)) => {
                replaced = Some(registry.edition().id);
                previous.restore_rows(&registry);
                draft.join(previous);
            }
            Err(error @ (OpenError::Version { .. } | OpenError::Damaged { .. })) => {
                discarded = Some(error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
    }
    let compile::Compiled { registry, bytes } = compile::compile(draft)?;
    progress(Progress::Writing);
    if replaced != Some(registry.edition.id) {
        file::replace(target, &bytes).map_err(write)?;
    }
    Ok(Imported {
        outlines: registry.outlines.len(),
        edition: registry.edition,
        replaced,
        discarded,
        files: reading.files,
        rows: reading.rows,
        bad_rows: reading.bad_rows,
        bad_values: reading.bad_values,
        bad_files: reading.bad_files,
        problems: reading.problems,
        size: bytes.len() as u64,
    })
}

fn lock(target: &Path) -> io::Result<File> {
    let mut path = target.as_os_str().to_owned();
    path.push(".lock");
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    file.lock()?;
    Ok(file)
}

impl Registry {
    /// Compiles address tables, code lists and hierarchy tables that are in memory, each with its file name. What
    /// cannot be read is left out.
    ///
    /// # Errors
    /// [`CompileError`]
    pub fn from_tables(tables: &[(&str, &[u8])]) -> Result<Self, CompileError> {
        Ok(compile::compile(source::read_tables(tables).draft)?.registry)
    }
}
