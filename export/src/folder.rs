//! The folder that an export writes to. Files have temporary names until all of them are complete.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::ExportError;
use crate::manifest::{MANIFEST, Manifest, TableEntry};

/// A folder with files that are not complete yet. They are deleted if it is dropped.
pub(crate) struct Folder {
    path: PathBuf,
    /// The files with the names that they will have.
    files: Vec<(String, NamedTempFile)>,
}

impl Folder {
    /// The folder at `path`, which is made if it does not exist.
    pub fn open(path: &Path) -> Result<Self, ExportError> {
        std::fs::create_dir_all(path).map_err(|error| failure(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            files: Vec::new(),
        })
    }

    /// Begins a file.
    pub fn file(&mut self, name: String) -> Result<File, ExportError> {
        let path = self.path.join(&name);
        let file = self.temporary(&name)?;
        let handle = file.as_file().try_clone();
        let handle = handle.map_err(|error| failure(&path, error))?;
        self.files.push((name, file));
        Ok(handle)
    }

    fn temporary(&self, name: &str) -> Result<NamedTempFile, ExportError> {
        let mut builder = Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As other programs make files; the system takes away what the user's mask says.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let prefix = format!(".{name}.");
        let file = builder
            .prefix(&prefix)
            .suffix(".part")
            .tempfile_in(&self.path);
        file.map_err(|error| failure(&self.path, error))
    }

    /// The entry of a complete file in the manifest.
    pub fn entry(&self, name: &str, rows: u64) -> Result<TableEntry, ExportError> {
        let path = self.path.join(name);
        let file = self.files.iter().find(|(other, _)| other == name);
        let bytes = match file {
            Some((_, file)) => file
                .as_file()
                .metadata()
                .map_err(|error| failure(&path, error))?
                .len(),
            None => 0,
        };
        Ok(TableEntry {
            file: name.to_owned(),
            rows,
            bytes,
        })
    }

    /// Gives all files their names. A manifest of an earlier export goes first and the new one comes last, so that a
    /// manifest always describes the files beside it.
    pub fn complete(mut self, manifest: &Manifest) -> Result<(), ExportError> {
        let described = self.temporary(MANIFEST)?;
        let at = self.path.join(MANIFEST);
        write_manifest(described.as_file(), manifest).map_err(|error| failure(&at, error))?;
        for (name, file) in &self.files {
            let path = self.path.join(name);
            file.as_file()
                .sync_all()
                .map_err(|error| failure(&path, error))?;
        }
        match std::fs::remove_file(&at) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failure(&at, error));
            }
            _ => {}
        }
        self.files.push((MANIFEST.to_owned(), described));
        for (name, file) in self.files {
            let path = self.path.join(name);
            file.persist(&path)
                .map_err(|failed| failure(&path, failed.error))?;
        }
        Ok(())
    }
}

fn write_manifest(mut file: &File, manifest: &Manifest) -> io::Result<()> {
    serde_json::to_writer_pretty(file, manifest)?;
    file.write_all(b"\n")?;
    file.sync_all()
}

fn failure(path: &Path, source: io::Error) -> ExportError {
    ExportError::File {
        path: path.to_owned(),
        source,
    }
}
