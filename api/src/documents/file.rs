//! One file of documents. Each begins at a multiple of [`UNIT`] with the summary. A label follows:
//!
//! | bytes | content |
//! |---|---|
//! | 8, 8 | row and change, by which a reader notices another document than it expects |
//! | 16 | the tag |
//! | 8 | the length of the detail |
//!
//! The rest of the detail follows the label. So one read fetches a summary to the place in a page where it stays.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::documents::document::{Document, Tag};
use crate::documents::{Place, Version};

/// Documents begin at multiples of this number of bytes.
pub(super) const UNIT: u64 = 16;
const LABEL: usize = 40;

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
            .map(|one| one.detail.len() + LABEL + UNIT as usize)
            .sum();
        let mut bytes = Vec::with_capacity(size);
        let mut places = Vec::with_capacity(documents.len());
        for document in documents {
            let offset = start + bytes.len() as u64;
            let place = Place::new(self.number, offset, document.summary_length);
            let length = u32::try_from(document.detail.len());
            let parts = document.detail.split_at_checked(document.summary_length);
            let (Some(place), Ok(length), Some((summary, rest))) = (place, length, parts) else {
                places.push(Place::NOWHERE);
                continue;
            };
            places.push(place);
            bytes.extend_from_slice(summary);
            bytes.extend_from_slice(&document.version.row.to_le_bytes());
            bytes.extend_from_slice(&document.version.change.to_le_bytes());
            bytes.extend_from_slice(&document.tag());
            bytes.extend_from_slice(&u64::from(length).to_le_bytes());
            bytes.extend_from_slice(rest);
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
        let label = self.read_label(place, version, body)?;
        if let Some(last) = body.last_mut() {
            *last = b'}';
        }
        Some(label.tag)
    }

    /// Reads a document.
    pub(super) fn read(&self, place: Place, version: Version) -> Option<(Document, Tag)> {
        let mut detail = Vec::new();
        let label = self.read_label(place, version, &mut detail)?;
        let read = detail.len();
        detail.resize(label.length, 0);
        let rest = place.offset() + (read + LABEL) as u64;
        self.fill(rest, detail.get_mut(read..)?)?;
        let document = Document {
            version,
            detail,
            summary_length: place.summary_length(),
        };
        Some((document, label.tag))
    }

    /// Reads the label of a document, and appends what precedes it to `body`. If it is not of this version, `body` stays
    /// as it is.
    fn read_label(&self, place: Place, version: Version, body: &mut Vec<u8>) -> Option<Label> {
        let start = body.len();
        let end = start + place.summary_length();
        body.resize(end + LABEL, 0);
        let label = self.fill(place.offset(), &mut body[start..]);
        let label = label
            .and_then(|()| Label::read(body.get(end..)?))
            .filter(|label| label.version == version);
        body.truncate(if label.is_some() { end } else { start });
        label
    }

    /// Fills `bytes` from the file. A failure is logged; the caller reads the database instead.
    fn fill(&self, offset: u64, bytes: &mut [u8]) -> Option<()> {
        read_exact_at(&self.file, bytes, offset)
            .inspect_err(|error| tracing::warn!(%error, "reading a document from the file of this process failed"))
            .ok()
    }
}

struct Label {
    version: Version,
    tag: Tag,
    length: usize,
}

impl Label {
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
