//! Finding the published files: in folders, in archives, in archives in archives.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{FileName, Member, Reading, WholeCountry, vfr};

/// The largest table that is read; the largest published one has 15 MB.
const LARGEST_TABLE: u64 = 512 << 20;
/// How deep archives may lie in one another.
const DEEPEST: u32 = 4;

/// What is done with what is found.
pub(super) trait Sink {
    /// Takes a table, still as bytes.
    fn table(&mut self, member: Member);
    /// Takes what was read of a file already.
    fn reading(&mut self, reading: Reading);
}

/// Finds what can be read under `path`, and counts into `read` the bytes read from the disk.
///
/// Files of other kinds are passed over, unless they were named.
pub(super) fn find(path: &Path, read: &Arc<AtomicU64>, sink: &mut dyn Sink) {
    if !path.is_dir() {
        return open(path, true, read, sink);
    }
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    match entries {
        Ok(entries) => {
            let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
            paths.sort();
            for path in paths {
                if path.is_dir() {
                    find(&path, read, sink);
                } else {
                    open(&path, false, read, sink);
                }
            }
        }
        Err(error) => sink.reading(Reading::of_unreadable(
            &path.display().to_string(),
            error.to_string(),
        )),
    }
}

fn open(path: &Path, named: bool, read: &Arc<AtomicU64>, sink: &mut dyn Sink) {
    let shown = path.display().to_string();
    let name = FileName::of(&shown, None);
    if !named && Format::of(&name.lower()).is_none() {
        return;
    }
    let whole_country = WholeCountry::named_by(&name);
    let walk = &mut Walk {
        sink,
        depth: 0,
        whole_country: whole_country.as_ref(),
    };
    match File::open(path) {
        Ok(file) => walk.file(
            &name,
            Counted {
                file,
                read: Arc::clone(read),
            },
        ),
        Err(error) => walk.failed(&name, &error),
    }
    if let Some(whole_country) = whole_country {
        let mut reading = Reading::default();
        reading.whole_country.push(whole_country);
        sink.reading(reading);
    }
}

/// A file that counts what is read of it.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// How a file is packed, by the end of its name.
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
    fn of(name: &str) -> Option<Self> {
        const ENDS: [(&str, Format); 9] = [
            (".zip", Format::Zip),
            (".tar", Format::Tar),
            (".tgz", Format::Gzip),
            (".gz", Format::Gzip),
            (".txz", Format::Xz),
            (".xz", Format::Xz),
            (".csv", Format::Table),
            (".xml", Format::Xml),
            (".gml", Format::Xml),
        ];
        ENDS.iter()
            .find(|(end, _)| name.ends_with(end))
            .map(|(_, format)| *format)
    }
}

/// The name of what a compressed file holds: `a.tar.gz` holds `a.tar`, `a.tgz` as well.
fn unpacked(name: &FileName) -> FileName {
    let (stem, end) = name.shown.rsplit_once('.').unwrap_or((&name.shown, ""));
    let is_tar = end.eq_ignore_ascii_case("tgz") || end.eq_ignore_ascii_case("txz");
    FileName::of(
        &if is_tar {
            format!("{stem}.tar")
        } else {
            stem.to_owned()
        },
        name.date,
    )
}

struct Walk<'a> {
    sink: &'a mut dyn Sink,
    depth: u32,
    whole_country: Option<&'a Arc<WholeCountry>>,
}

impl Walk<'_> {
    fn failed(&mut self, name: &FileName, reason: &dyn std::fmt::Display) {
        if let Some(whole_country) = self.whole_country {
            whole_country.is_broken();
        }
        self.sink
            .reading(Reading::of_unreadable(&name.shown, reason.to_string()));
    }

    fn file(&mut self, name: &FileName, file: Counted) {
        match Format::of(&name.lower()) {
            Some(Format::Zip) => self.zip(name, BufReader::with_capacity(1 << 16, file)),
            _ => self.stream(name, &mut BufReader::with_capacity(1 << 16, file)),
        }
    }

    /// A file inside an archive, or one that is read from its beginning to its end.
    fn stream(&mut self, name: &FileName, source: &mut dyn Read) {
        if self.depth > DEEPEST {
            return self.failed(name, &"archives lie too deep in one another");
        }
        self.depth += 1;
        match Format::of(&name.lower()) {
            Some(Format::Zip) => match whole(source) {
                Ok(bytes) => self.zip(name, Cursor::new(bytes)),
                Err(error) => self.failed(name, &error),
            },
            Some(Format::Tar) => self.tar(name, source),
            Some(Format::Gzip) => {
                let mut source = BufReader::new(flate2::read::MultiGzDecoder::new(source));
                self.stream(&unpacked(name), &mut source);
            }
            Some(Format::Xz) => {
                let mut source =
                    BufReader::new(lzma_rust2::XzReader::new(BufReader::new(source), true));
                self.stream(&unpacked(name), &mut source);
            }
            Some(Format::Table) => match whole(source) {
                Ok(bytes) => {
                    let whole_country = self.whole_country.cloned();
                    self.sink.table(Member {
                        name: name.clone(),
                        bytes,
                        whole_country,
                    });
                }
                Err(error) => self.failed(name, &error),
            },
            Some(Format::Xml) => {
                let mut reading = Reading {
                    files: 1,
                    ..Reading::default()
                };
                vfr::read(
                    BufReader::with_capacity(1 << 16, source),
                    name,
                    &mut reading,
                );
                self.sink.reading(reading);
            }
            None => self.failed(
                name,
                &"accepted: .csv, .xml, and .zip, .tar, .gz, .xz with these in them",
            ),
        }
        self.depth -= 1;
    }

    fn zip(&mut self, name: &FileName, source: impl Read + Seek) {
        let mut archive = match zip::ZipArchive::new(source) {
            Ok(archive) => archive,
            Err(error) => return self.failed(name, &error),
        };
        for at in 0..archive.len() {
            match archive.by_index(at) {
                Ok(mut member) => {
                    let inner = name.member(&String::from_utf8_lossy(member.name_raw()));
                    if Format::of(&inner.lower()).is_some() {
                        self.stream(&inner, &mut member);
                    }
                }
                Err(error) => self.failed(name, &error),
            }
        }
    }

    fn tar(&mut self, name: &FileName, source: &mut dyn Read) {
        let mut archive = tar::Archive::new(source);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.failed(name, &error),
        };
        for entry in entries {
            match entry {
                Ok(mut entry) => {
                    let inner = name.member(&String::from_utf8_lossy(&entry.path_bytes()));
                    if Format::of(&inner.lower()).is_some() {
                        self.stream(&inner, &mut entry);
                    }
                }
                // What follows a broken entry cannot be found.
                Err(error) => return self.failed(name, &error),
            }
        }
    }
}

fn whole(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST_TABLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_TABLE {
        return Err(io::Error::other("larger than any published table"));
    }
    Ok(bytes)
}
