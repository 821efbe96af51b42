//! One file of documents. Each begins with a header at a multiple of [`UNIT`]:
//!
//! | bytes | content |
//! |---|---|
//! | 8, 8 | row and change, by which a reader notices another document than it expects |
//! | 16 | the tag |
//! | 8 | the length of the detail |
//!
//! The detail follows. A summary is the beginning of it, so that one read fetches it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::documents::document::{Document, Tag};
use crate::documents::{Place, Version};

/// Documents begin at multiples of this number of bytes.
pub(super) const UNIT: u64 = 16;
const HEADER: usize = 40;

/// A file without a name, to which documents are appended.
#[derive(Debug)]
pub(super) struct DocumentFile {
    /// Its number, in the places of its documents.
    pub(super) number: u16,
    file: File,
    /// Where the next document is written.
    end: AtomicU64,
    appended: AtomicU64,
}

impl DocumentFile {
    /// Creates an empty file in a folder.
    pub(super) fn create(folder: &Path, number: u16) -> io::Result<Self> {
        Ok(Self {
            number,
            file: tempfile::tempfile_in(folder)?,
            end: AtomicU64::new(0),
            appended: AtomicU64::new(0),
        })
    }

    /// How many documents were appended.
    pub(super) fn appended(&self) -> u64 {
        self.appended.load(Ordering::Relaxed)
    }

    /// Appends documents and returns their places. If that fails, the next documents overwrite what was written of them.
    /// Only one thread may append at a time.
    pub(super) fn append(&self, documents: &[Document]) -> io::Result<Vec<Place>> {
        let start = self.end.load(Ordering::Relaxed);
        let size: usize = documents
            .iter()
            .map(|one| one.detail.len() + HEADER + UNIT as usize)
            .sum();
        let mut bytes = Vec::with_capacity(size);
        let mut places = Vec::with_capacity(documents.len());
        for document in documents {
            let offset = start + bytes.len() as u64;
            let place = Place::new(self.number, offset, document.summary_length);
            let (Some(place), Ok(length)) = (place, u32::try_from(document.detail.len())) else {
                places.push(Place::NOWHERE);
                continue;
            };
            places.push(place);
            bytes.extend_from_slice(&document.version.row.to_le_bytes());
            bytes.extend_from_slice(&document.version.change.to_le_bytes());
            bytes.extend_from_slice(&document.tag());
            bytes.extend_from_slice(&u64::from(length).to_le_bytes());
            bytes.extend_from_slice(&document.detail);
            bytes.resize(bytes.len().next_multiple_of(UNIT as usize), 0);
        }
        write_all_at(&self.file, &bytes, start)?;
        self.end
            .store(start + bytes.len() as u64, Ordering::Relaxed);
        self.appended
            .fetch_add(documents.len() as u64, Ordering::Relaxed);
        Ok(places)
    }

    /// Appends the summary of a document to `body`, with one read.
    pub(super) fn read_summary(
        &self,
        place: Place,
        version: Version,
        body: &mut Vec<u8>,
    ) -> Option<Tag> {
        let start = body.len();
        body.resize(start + HEADER + place.summary_length(), 0);
        let header = self.fill(place.offset(), &mut body[start..]);
        let header = header.and_then(|()| Header::read(body.get(start..)?));
        let Some(header) = header.filter(|header| header.version == version) else {
            body.truncate(start);
            return None;
        };
        body.copy_within(start + HEADER.., start);
        body.truncate(start + place.summary_length());
        if let Some(last) = body.last_mut() {
            *last = b'}';
        }
        Some(header.tag)
    }

    /// Reads a document.
    pub(super) fn read(&self, place: Place, version: Version) -> Option<(Document, Tag)> {
        let mut head = [0; HEADER];
        self.fill(place.offset(), &mut head)?;
        let header = Header::read(&head).filter(|header| header.version == version)?;
        let mut detail = vec![0; header.length];
        self.fill(place.offset() + HEADER as u64, &mut detail)?;
        let document = Document {
            version,
            detail,
            summary_length: place.summary_length(),
        };
        Some((document, header.tag))
    }

    /// Fills `bytes` from the file. A failure is logged; the caller reads the database instead.
    fn fill(&self, offset: u64, bytes: &mut [u8]) -> Option<()> {
        read_exact_at(&self.file, bytes, offset)
            .inspect_err(|error| tracing::warn!(%error, "reading a document from the file of this process failed"))
            .ok()
    }
}

struct Header {
    version: Version,
    tag: Tag,
    length: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (row, rest) = bytes.split_first_chunk()?;
        let (change, rest) = rest.split_first_chunk()?;
        let (tag, rest) = rest.split_first_chunk()?;
        let (length, _) = rest.split_first_chunk()?;
        Some(Self {
            version: Version {
                row: i64::from_le_bytes(*row),
                change: i64::from_le_bytes(*change),
            },
            tag: *tag,
            length: u64::from_le_bytes(*length) as usize,
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Elsewhere documents are read from the database.
#[cfg(not(unix))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn write_all_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
