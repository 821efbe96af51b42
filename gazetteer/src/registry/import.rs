//! From published files to the compiled one.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::compile::{self, TooMany};
use super::edition::Edition;
use super::file::{self, OpenError};
use super::{Registry, source};

/// Something that could not be read, and was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, with its folder or archive.
    pub file: String,
    /// The line, counted from 1; `None` for a whole file, or a place in XML.
    pub line: Option<u64>,
    /// What is wrong, with the value and what would have been accepted.
    pub reason: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Reading the files.
    Reading {
        /// Bytes of the files read.
        bytes: u64,
        /// Of so many.
        of: u64,
        /// Rows of address tables read.
        rows: u64,
    },
    /// Compiling what was read.
    Compiling,
    /// Writing the compiled file.
    Writing,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The edition that is in the file now.
    pub edition: Edition,
    /// The id of the edition that was in it before.
    pub replaced: Option<[u8; 32]>,
    /// Why the file before could not be read (damaged, or of another version of jeden), where that was so: nothing of it
    /// was taken over.
    pub discarded: Option<String>,
    /// Files read.
    pub files: u64,
    /// Rows of address tables read.
    pub rows: u64,
    /// Rows and elements left out.
    pub bad_rows: u64,
    /// Values left out of rows that stayed.
    pub bad_values: u64,
    /// Files that could not be read, or not to their end.
    pub bad_files: u64,
    /// These problems, as far as there are not tens of thousands, ordered by file and line.
    pub problems: Vec<Problem>,
    /// Bytes of the compiled file.
    pub size: u64,
}

impl Imported {
    /// Whether everything could be read.
    pub const fn is_complete(&self) -> bool {
        self.bad_rows == 0 && self.bad_values == 0 && self.bad_files == 0
    }
}

/// Why an import changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A path that was named is not there.
    #[error("{} cannot be read", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Nothing under the paths could be read.
    #[error("nothing was imported: {first}")]
    Nothing {
        /// The first problem, or what was expected.
        first: String,
    },
    /// What is at the target could not be read, or is no gazetteer and not to be overwritten.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is more than a country can have.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The compiled file could not be written.
    #[error("the gazetteer {} could not be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Reads the registry's files under `paths`, joins them with what `target` holds already, and replaces it in one step.
///
/// Of each municipality the newest address table counts, and of every other fact the newest word, by the dates of the
/// files; so it does not matter in which order, how often, or in how many turns they are imported. What an edition of
/// the whole country lacks is gone.
///
/// # Errors
/// [`ImportError`]; then `target` is as it was. Rows and files that cannot be read are no errors, but named in the
/// result.
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
    let of = paths.iter().map(|path| source::bytes(path)).sum();
    let reading = source::read_all(paths, &|bytes, rows| {
        progress(Progress::Reading { bytes, of, rows })
    });
    if reading.draft.tables.is_empty() && reading.draft.facts.is_empty() {
        let expected = || "there is no file of the registry in these paths".to_owned();
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
    // Of two imports at once the second waits, or it would lose what the first one read.
    let _alone = lock(target).map_err(write)?;
    progress(Progress::Compiling);
    let mut draft = reading.draft;
    let (mut replaced, mut discarded) = (None, None);
    if target.exists() {
        match file::open(target) {
            Ok((registry, sources)) => {
                replaced = Some(registry.edition().id);
                draft.join(sources.draft(&registry));
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
    /// Compiles address tables, code lists and tables of the hierarchy that are in memory, each with its file name;
    /// what cannot be read is left out.
    ///
    /// # Errors
    /// [`TooMany`], for what is more than a country.
    pub fn from_tables(tables: &[(&str, &[u8])]) -> Result<Self, TooMany> {
        Ok(compile::compile(source::read_tables(tables).draft)?.registry)
    }
}
