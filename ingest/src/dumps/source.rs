//! Where dumps are read from: files, folders or standard input, plain or compressed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A dump to be read.
pub struct Source {
    name: Arc<str>,
    kind: Kind,
}

enum Kind {
    File {
        path: PathBuf,
        compression: Compression,
        bytes: u64,
    },
    Stream(Box<dyn Read + Send>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

/// A path that cannot be read or written as a dump.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The path does not exist, or cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The path as given, or as found in a folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The file cannot be created.
    #[error("cannot write {}: {error}", path.display())]
    Unwritable {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The file ends within a line or a compressed block.
    #[error("{} is cut off and cannot be continued: name another file; both can be replayed", path.display())]
    CutOff {
        /// The path as given.
        path: PathBuf,
    },
    /// The file's name does not have the ending of a dump.
    #[error("`{}` is not a dump: expected a name ending in .jsonl, .jsonl.gz or .jsonl.zst", path.display())]
    NotADump {
        /// The path as given.
        path: PathBuf,
    },
}

/// The dumps at `paths`. A path is a file, a folder or `-` for standard input. Folders are searched recursively in order
/// of names, and files with other endings are ignored.
///
/// # Errors
/// [`SourceError`] for the first path that cannot be read or is not a dump. Nothing has been read by then.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<Source>, SourceError> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            sources.push(Source::stream("-", io::stdin()));
        } else if metadata(path)?.is_dir() {
            find_in_folder(path, &mut sources)?;
        } else if let Some(compression) = compression_of(path) {
            sources.push(Source::file(path, compression)?);
        } else {
            return Err(SourceError::NotADump { path: path.clone() });
        }
    }
    Ok(sources)
}

fn find_in_folder(folder: &Path, sources: &mut Vec<Source>) -> Result<(), SourceError> {
    let unreadable = |error| SourceError::Unreadable {
        path: folder.to_owned(),
        error,
    };
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Links to folders are not followed, because they may lead back to a parent.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            find_in_folder(&path, sources)?;
        } else if let Some(compression) = compression_of(&path)
            && metadata(&path)?.is_file()
        {
            sources.push(Source::file(&path, compression)?);
        }
    }
    Ok(())
}

fn metadata(path: &Path) -> Result<fs::Metadata, SourceError> {
    fs::metadata(path).map_err(|error| SourceError::Unreadable {
        path: path.to_owned(),
        error,
    })
}

pub(super) fn compression_of(path: &Path) -> Option<Compression> {
    let name = path.file_name()?.to_str()?;
    [
        (".jsonl", Compression::None),
        (".jsonl.gz", Compression::Gzip),
        (".jsonl.zst", Compression::Zstd),
    ]
    .into_iter()
    .find_map(|(ending, compression)| name.ends_with(ending).then_some(compression))
}

impl Source {
    fn file(path: &Path, compression: Compression) -> Result<Self, SourceError> {
        let bytes = metadata(path)?.len();
        let name = path.to_string_lossy().into();
        Ok(Self {
            name,
            kind: Kind::File {
                path: path.to_owned(),
                compression,
                bytes,
            },
        })
    }

    /// A dump that is read from `reader`. Its first bytes tell whether it is compressed.
    pub fn stream(name: &str, reader: impl Read + Send + 'static) -> Self {
        Self {
            name: name.into(),
            kind: Kind::Stream(Box::new(reader)),
        }
    }

    /// The path as given; `-` for standard input.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The size of the file in bytes, before decompression. `None` for a stream.
    pub fn bytes(&self) -> Option<u64> {
        match self.kind {
            Kind::File { bytes, .. } => Some(bytes),
            Kind::Stream(_) => None,
        }
    }

    /// Opens the dump and decompresses it. The bytes read before decompression are added to `bytes_read`.
    pub(super) fn open(self, bytes_read: Arc<AtomicU64>) -> io::Result<Box<dyn BufRead + Send>> {
        match self.kind {
            Kind::File {
                path, compression, ..
            } => {
                let file = CountingReader {
                    reader: File::open(path)?,
                    bytes_read,
                };
                decompressed(BufReader::with_capacity(BUFFER_BYTES, file), compression)
            }
            Kind::Stream(reader) => {
                let mut reader =
                    BufReader::with_capacity(BUFFER_BYTES, CountingReader { reader, bytes_read });
                let compression = compression_by_magic(reader.fill_buf()?);
                decompressed(reader, compression)
            }
        }
    }
}

const BUFFER_BYTES: usize = 256 * 1024;

fn compression_by_magic(start: &[u8]) -> Compression {
    match start {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
        _ => Compression::None,
    }
}

pub(super) fn decompressed(
    reader: impl BufRead + Send + 'static,
    compression: Compression,
) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(match compression {
        Compression::None => Box::new(reader),
        Compression::Gzip => Box::new(BufReader::with_capacity(
            BUFFER_BYTES,
            flate2::bufread::MultiGzDecoder::new(reader),
        )),
        Compression::Zstd => Box::new(BufReader::with_capacity(
            BUFFER_BYTES,
            zstd::Decoder::with_buffer(reader)?,
        )),
    })
}

/// Counts the bytes that are read.
struct CountingReader<R> {
    reader: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.bytes_read.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}
