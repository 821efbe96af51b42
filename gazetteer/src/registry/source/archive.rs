//! Finding the published files: in folders and in archives.
//!
//! An archive inside an archive is not read, because nothing is published that way; a compressed `.tar` counts as one.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{FileName, Member, Reading, vfr};

/// Larger tables are refused; the largest published one has 15 MB.
const LARGEST_TABLE: u64 = 512 << 20;
const BUFFER: usize = 1 << 16;
const ACCEPTED: &str = "accepted: .csv, .xml, and .zip, .tar, .gz, .xz that hold them";

/// What was found.
pub(super) enum Found {
    /// A table that is still to be read.
    Table(Member),
    /// What was read of a file already, or why it could not be.
    Reading(Reading),
}

/// Finds the files to read under a path and hands them on.
pub(super) struct Finder<'a> {
    /// Bytes read from the disk.
    pub bytes: &'a AtomicU64,
    pub found: &'a mut dyn FnMut(Found),
}

impl Finder<'_> {
    /// Finds what can be read under `path`. Files of other kinds are skipped, unless `path` itself is one.
    pub fn find(&mut self, path: &Path) {
        if !path.is_dir() {
            return self.open(path, true);
        }
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match entries {
            Ok(entries) => {
                let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
                paths.sort();
                for path in paths {
                    if path.is_dir() {
                        self.find(&path);
                    } else {
                        self.open(&path, false);
                    }
                }
            }
            Err(error) => {
                let name = FileName::parse(&path.display().to_string(), None);
                self.failed(&name, &error);
            }
        }
    }

    fn open(&mut self, path: &Path, is_named: bool) {
        let name = FileName::parse(&path.display().to_string(), None);
        let Some(format) = Format::from_name(&name) else {
            if is_named {
                self.failed(&name, &ACCEPTED);
            }
            return;
        };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return self.failed(&name, &error),
        };
        let bytes = self.bytes;
        let source = BufReader::with_capacity(BUFFER, CountedFile { file, bytes });
        match format {
            Format::Zip => self.zip(&name, source),
            Format::Tar => self.tar(&name, source),
            Format::Gzip => self.compressed(&name, flate2::bufread::MultiGzDecoder::new(source)),
            Format::Xz => self.compressed(&name, lzma_rust2::XzReader::new(source, true)),
            Format::Table | Format::Xml => self.file(&name, source),
        }
    }

    fn zip(&mut self, name: &FileName, source: impl Read + Seek) {
        let mut archive = match zip::ZipArchive::new(source) {
            Ok(archive) => archive,
            Err(error) => return self.failed(name, &error),
        };
        for at in 0..archive.len() {
            match archive.by_index(at) {
                Ok(member) => {
                    let inner = name.member(&String::from_utf8_lossy(member.name_raw()));
                    self.file(&inner, member);
                }
                Err(error) => self.failed(name, &error),
            }
        }
    }

    fn tar(&mut self, name: &FileName, source: impl Read) {
        let mut archive = tar::Archive::new(source);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.failed(name, &error),
        };
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let inner = name.member(&String::from_utf8_lossy(&entry.path_bytes()));
                    self.file(&inner, entry);
                }
                // The entries after a broken one cannot be found.
                Err(error) => return self.failed(name, &error),
            }
        }
    }

    fn compressed(&mut self, name: &FileName, source: impl Read) {
        let inner = name.uncompressed();
        let source = BufReader::with_capacity(BUFFER, source);
        match Format::from_name(&inner) {
            Some(Format::Tar) => self.tar(&inner, source),
            Some(_) => self.file(&inner, source),
            None => self.failed(name, &ACCEPTED),
        }
    }

    /// A table or an XML file; other files in archives are skipped.
    fn file(&mut self, name: &FileName, source: impl Read) {
        match Format::from_name(name) {
            Some(Format::Table) => match whole(source) {
                Ok(bytes) => (self.found)(Found::Table(Member {
                    name: name.clone(),
                    bytes,
                })),
                Err(error) => self.failed(name, &error),
            },
            Some(Format::Xml) => {
                let source = BufReader::with_capacity(BUFFER, source);
                (self.found)(Found::Reading(vfr::read_document(source, name)));
            }
            Some(_) => self.failed(name, &"an archive inside an archive is not read: unpack it"),
            None => {}
        }
    }

    fn failed(&mut self, name: &FileName, reason: &dyn std::fmt::Display) {
        let mut reading = Reading::default();
        reading.unreadable(name, reason.to_string());
        (self.found)(Found::Reading(reading));
    }
}

/// A file that counts the bytes read from it.
struct CountedFile<'a> {
    file: File,
    bytes: &'a AtomicU64,
}

impl Read for CountedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for CountedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The format of a file, by the ending of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Zip,
    Tar,
    Gzip,
    Xz,
    Table,
    Xml,
}

impl Format {
    fn from_name(name: &FileName) -> Option<Self> {
        let lower = name.lower();
        let (_, ending) = lower.rsplit_once('.')?;
        Some(match ending {
            "zip" => Self::Zip,
            "tar" => Self::Tar,
            "gz" => Self::Gzip,
            "xz" => Self::Xz,
            "csv" => Self::Table,
            "xml" => Self::Xml,
            _ => return None,
        })
    }
}

fn whole(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST_TABLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_TABLE {
        return Err(io::Error::other(
            "it is larger than 512 MB, and no published table is",
        ));
    }
    Ok(bytes)
}
