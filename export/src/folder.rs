//! The folder that an export writes to. Files have temporary names until all of them are complete. What is left to do then
//! is written down first, so that a process that is killed meanwhile leaves either the former files or what completes the
//! new ones.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::{Builder, NamedTempFile};

use crate::error::ExportError;
use crate::manifest::{MANIFEST, Manifest, TableEntry};

/// What is left to do to complete a folder.
const COMPLETION: &str = ".completion.json";
/// How the temporary names end.
const UNFINISHED: &str = ".part";

/// A folder with files that are not complete yet. They are deleted if it is dropped.
pub(crate) struct Folder {
    path: PathBuf,
    /// The files with the names that they will have.
    files: Vec<(String, NamedTempFile)>,
}

/// What is left to do when all files are complete.
#[derive(Debug, Serialize, Deserialize)]
struct Completion {
    manifest: Manifest,
    /// The files: the name of each, and its temporary name.
    files: Vec<(String, String)>,
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
        let file = temporary(&self.path, &name)?;
        let handle = file.as_file().try_clone();
        let handle = handle.map_err(|error| failure(&path, error))?;
        self.files.push((name, file));
        Ok(handle)
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

    /// Gives all files their names. From the moment at which it is written down what is left to do, the new files count.
    pub fn complete(self, manifest: &Manifest) -> Result<(), ExportError> {
        let path = self.path;
        let mut files = Vec::new();
        for (name, file) in self.files {
            let of_file = |error| failure(&path.join(&name), error);
            file.as_file().sync_all().map_err(of_file)?;
            let part = file.into_temp_path().keep();
            let part = part.map_err(|error| of_file(error.error))?;
            let part = part.file_name().unwrap_or_default().to_string_lossy();
            files.push((name, part.into_owned()));
        }
        let completion = Completion {
            manifest: manifest.clone(),
            files,
        };
        write_json(&path, COMPLETION, &completion)?;
        finish(&path, &completion)
    }
}

/// Completes a folder in which a process was interrupted while it did so.
pub(crate) fn complete_interrupted(path: &Path) -> Result<(), ExportError> {
    let written = path.join(COMPLETION);
    match std::fs::read(&written) {
        Ok(text) => {
            let completion = serde_json::from_slice(&text);
            let completion = completion.map_err(|error| failure(&written, error.into()))?;
            finish(path, &completion)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failure(&written, error)),
    }
}

/// Deletes the files that interrupted processes left unfinished.
pub(crate) fn delete_unfinished(path: &Path) -> Result<(), ExportError> {
    let of_folder = |error| failure(path, error);
    for entry in std::fs::read_dir(path).map_err(of_folder)? {
        let entry = entry.map_err(of_folder)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(UNFINISHED) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Puts another manifest in the place of a folder's, without touching its files.
pub(crate) fn replace_manifest(path: &Path, manifest: &Manifest) -> Result<(), ExportError> {
    write_json(path, MANIFEST, manifest)
}

/// Does what is left to do; what was done already is passed over. The former manifest goes first and the new one comes
/// last, so that a manifest always describes the files beside it.
fn finish(path: &Path, completion: &Completion) -> Result<(), ExportError> {
    remove(&path.join(MANIFEST))?;
    for (name, part) in &completion.files {
        let to = path.join(name);
        match std::fs::rename(path.join(part), &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failure(&to, error));
            }
            _ => {}
        }
    }
    write_json(path, MANIFEST, &completion.manifest)?;
    remove(&path.join(COMPLETION))
}

fn temporary(folder: &Path, name: &str) -> Result<NamedTempFile, ExportError> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As other programs make files; the system takes away what the user's mask says.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let prefix = format!(".{}.", name.trim_start_matches('.'));
    let file = builder
        .prefix(&prefix)
        .suffix(UNFINISHED)
        .tempfile_in(folder);
    file.map_err(|error| failure(folder, error))
}

/// Writes a file that has its name only when it is complete and on the disk.
fn write_json(folder: &Path, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
    let path = folder.join(name);
    let file = temporary(folder, name)?;
    let written = || {
        let mut handle = file.as_file();
        serde_json::to_writer_pretty(handle, value)?;
        handle.write_all(b"\n")?;
        handle.sync_all()
    };
    written().map_err(|error| failure(&path, error))?;
    let placed = file.persist(&path);
    placed.map_err(|failed| failure(&path, failed.error))?;
    // The name too has to be on the disk before anything relies on it.
    let folder = File::open(folder).and_then(|folder| folder.sync_all());
    folder.map_err(|error| failure(&path, error))
}

fn remove(path: &Path) -> Result<(), ExportError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failure(path, error)),
        _ => Ok(()),
    }
}

pub(crate) fn failure(path: &Path, source: io::Error) -> ExportError {
    ExportError::File {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schema::Timestamp;

    use super::*;

    fn manifest(seq: i64) -> Manifest {
        Manifest {
            seq,
            exported_at: Timestamp(0),
            format: "csv".to_owned(),
            filters: BTreeMap::new(),
            tables: BTreeMap::new(),
        }
    }

    fn contents(path: &Path) -> BTreeMap<String, String> {
        let entries = path.read_dir().unwrap().map(Result::unwrap);
        entries
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, std::fs::read_to_string(entry.path()).unwrap())
            })
            .collect()
    }

    #[test]
    fn a_completion_that_is_interrupted_anywhere_is_completed() {
        let expected = {
            let folder = tempfile::tempdir().unwrap();
            let mut files = Folder::open(folder.path()).unwrap();
            for name in ["one", "two"] {
                write!(files.file(name.to_owned()).unwrap(), "new {name}").unwrap();
            }
            files.complete(&manifest(2)).unwrap();
            contents(folder.path())
        };
        assert_eq!(expected.len(), 3);
        for renamed in 0..=2 {
            for has_manifest in [true, false] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path();
                write_json(path, MANIFEST, &manifest(1)).unwrap();
                let names = ["one", "two"];
                let completion = Completion {
                    manifest: manifest(2),
                    files: names
                        .map(|name| (name.to_owned(), format!(".{name}.x.part")))
                        .to_vec(),
                };
                for (number, (name, part)) in completion.files.iter().enumerate() {
                    let at = if number < renamed { name } else { part };
                    std::fs::write(path.join(name), format!("old {name}")).unwrap();
                    std::fs::write(path.join(at), format!("new {name}")).unwrap();
                }
                if !has_manifest {
                    remove(&path.join(MANIFEST)).unwrap();
                }
                write_json(path, COMPLETION, &completion).unwrap();
                complete_interrupted(path).unwrap();
                assert_eq!(contents(path), expected, "{renamed} renamed");
            }
        }
    }

    #[test]
    fn a_process_that_ends_before_all_is_complete_leaves_the_former_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        std::fs::write(path.join("one"), "old").unwrap();
        replace_manifest(path, &manifest(1)).unwrap();
        let before = contents(path);
        std::fs::write(path.join(".one.abc.part"), "half").unwrap();
        complete_interrupted(path).unwrap();
        delete_unfinished(path).unwrap();
        assert_eq!(contents(path), before);
    }
}
