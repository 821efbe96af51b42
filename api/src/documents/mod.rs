//! The ready JSON of offers, in a temporary file of each process.
//!
//! A page is answered from this file, without a question to the database. The file only repeats what the database
//! holds: it has no name, it disappears with the process, and if it cannot be written or read, documents are read from
//! the database instead. Documents are appended; a [`Place`] says where one is. When more than half of the file is
//! garbage, a new file is begun and the documents move to it.
//!
//! `document` joins the summary and the rest of a detail to one document. `file` is one file of them, [`Documents`] the
//! files of the process, and `hot` keeps in memory what is read often. The search index keeps the places and fills the
//! file ([`crate::index`]).

mod document;
mod file;
mod hot;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

pub(crate) use document::{Document, Tag, tag_of};
use file::DocumentFile;
use hot::HotSummaries;

/// Where a document is: the number of the file (12 bits), the position in it in units of 16 bytes (32 bits), and the
/// length of the summary (20 bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(u64);

impl Place {
    /// The place of a document that is in no file.
    pub(crate) const NOWHERE: Self = Self(u64::MAX);

    /// `None` if a number is too large: the file is full, or the summary is longer than a megabyte.
    fn new(file: u16, offset: u64, summary: usize) -> Option<Self> {
        let unit = u32::try_from(offset / file::UNIT).ok()?;
        let summary = u64::try_from(summary).ok().filter(|it| *it < 1 << 20)?;
        let file = u64::from(file & FILE_NUMBERS);
        Some(Self(file << 52 | u64::from(unit) << 20 | summary))
    }

    fn file(self) -> u16 {
        (self.0 >> 52) as u16
    }

    fn offset(self) -> u64 {
        (self.0 >> 20 & u64::from(u32::MAX)) * file::UNIT
    }

    /// The length of the summary there; meaningless for [`Place::NOWHERE`].
    pub(crate) fn summary_length(self) -> usize {
        (self.0 & 0xf_ffff) as usize
    }
}

/// The numbers of files begin again after this one, which is left out because of [`Place::NOWHERE`].
const FILE_NUMBERS: u16 = 0xfff;

/// A place that can change while it is read.
#[derive(Debug)]
pub(crate) struct AtomicPlace(AtomicU64);

impl AtomicPlace {
    /// A place that is `place` at first.
    pub(crate) fn new(place: Place) -> Self {
        Self(AtomicU64::new(place.0))
    }

    /// The current place.
    pub(crate) fn get(&self) -> Place {
        Place(self.0.load(Ordering::Acquire))
    }

    /// Replaces the place.
    pub(crate) fn set(&self, place: Place) {
        self.0.store(place.0, Ordering::Release);
    }
}

/// Which document is expected at a place: that of a row as of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// The row of the offer.
    pub row: i64,
    /// The number of the change that wrote the document.
    pub change: i64,
}

/// The document files of one process. The last one is written; there is another one only while documents move.
#[derive(Debug)]
pub(crate) struct Documents {
    /// The folders to create files in, the first that works.
    folders: Vec<PathBuf>,
    files: ArcSwap<Vec<Arc<DocumentFile>>>,
    /// Held while documents are appended.
    writing: Mutex<()>,
    hot: HotSummaries,
}

impl Documents {
    /// No documents yet. The first document that is stored creates a file in `folder`, or else in the folder of the
    /// system for temporary files.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folders: folder.into_iter().chain([std::env::temp_dir()]).collect(),
            files: ArcSwap::default(),
            writing: Mutex::new(()),
            hot: HotSummaries::new(),
        }
    }

    /// Appends documents to the last file, and returns their places in the same order. Writes to the disk, so it must
    /// not run on a thread that serves requests.
    ///
    /// # Errors
    /// Why the file cannot be created or written; then nothing was stored.
    pub(crate) fn append(&self, documents: &[Document]) -> io::Result<Vec<Place>> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.files.load();
        if let Some(last) = files.last() {
            return last.append(documents);
        }
        let first = Arc::new(self.create(0)?);
        self.files.store(Arc::new(vec![Arc::clone(&first)]));
        first.append(documents)
    }

    /// Whether documents at a place are to move to the last file, or are in none.
    pub(crate) fn misplaced(&self) -> impl Fn(Place) -> bool + use<> {
        let last = self.files.load().last().map(|last| last.number);
        move |place| last != Some(place.file())
    }

    /// Begins another file if more documents were appended to the last one than twice as many as are `current`, and some
    /// more. The documents of the older files have to be moved then. Returns whether another file was begun.
    ///
    /// # Errors
    /// Why the file cannot be created.
    pub(crate) fn begin_file_if_mostly_garbage(&self, current: usize) -> io::Result<bool> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.files.load_full();
        let Some(last) = files.last() else {
            return Ok(false);
        };
        if last.appended() <= 2 * current as u64 + GARBAGE {
            return Ok(false);
        }
        let number = last.number + 1;
        let next = self.create(if number >= FILE_NUMBERS { 0 } else { number })?;
        let mut files = Vec::clone(&files);
        files.push(Arc::new(next));
        self.files.store(Arc::new(files));
        Ok(true)
    }

    /// Closes all files but the last. Documents in them are then no longer found.
    pub(crate) fn drop_older_files(&self) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.files.load_full();
        if files.len() > 1 {
            self.files
                .store(Arc::new(files.last().cloned().into_iter().collect()));
        }
    }

    /// Appends the summary of a document to `body`, and returns the document's tag. `None`, with `body` as it was, if the
    /// document is not there or cannot be read.
    pub(crate) fn read_summary(
        &self,
        place: Place,
        version: Version,
        body: &mut Vec<u8>,
    ) -> Option<Tag> {
        let files = self.files.load();
        let file = files.iter().find(|file| file.number == place.file())?;
        if let Some(tag) = self.hot.read(place, version, body) {
            return Some(tag);
        }
        let start = body.len();
        let tag = file.read_summary(place, version, body)?;
        self.hot.note(place, version, (&body[start..], tag));
        Some(tag)
    }

    /// A document. `None` if it is not there or cannot be read.
    pub(crate) fn read(&self, place: Place, version: Version) -> Option<(Document, Tag)> {
        let files = self.files.load();
        let file = files.iter().find(|file| file.number == place.file())?;
        file.read(place, version)
    }

    fn create(&self, number: u16) -> io::Result<DocumentFile> {
        let mut failure = None;
        for folder in &self.folders {
            match DocumentFile::create(folder, number) {
                Ok(file) => return Ok(file),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }
}

/// So many outdated documents are never worth another file.
const GARBAGE: u64 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn document(row: i64, change: i64) -> Document {
        let summary = format!(
            r#"{{"id":"offer-{row}","title":"{}"}}"#,
            "x".repeat(change as usize % 90)
        );
        let rest = format!(r#"{{"portalLinks":[],"priceHistory":[{change}]}}"#);
        Document::join(Version { row, change }, summary.as_bytes(), rest.as_bytes()).unwrap()
    }

    fn read(documents: &Documents, place: Place, expected: &Document) -> bool {
        let mut body = b"before".to_vec();
        let tag = documents.read_summary(place, expected.version, &mut body);
        let whole = documents.read(place, expected.version);
        assert_eq!(tag.is_some(), whole.is_some());
        let Some((document, whole_tag)) = whole else {
            assert_eq!(body, b"before");
            return false;
        };
        assert_eq!(document, *expected);
        assert_eq!((tag, whole_tag), (Some(expected.tag()), expected.tag()));
        assert_eq!(body, [b"before", expected.summary(), b"}"].concat());
        true
    }

    #[test]
    fn a_place_holds_a_file_a_position_and_a_length() {
        for (file, offset, summary) in [
            (0, 0, 0),
            (3, 16 * 77, 1234),
            (0xffe, 16 * 0xffff_fffe, 0xf_ffff),
        ] {
            let place = Place::new(file, offset, summary).unwrap();
            assert_eq!(
                (place.file(), place.offset(), place.summary_length()),
                (file, offset, summary)
            );
            assert_ne!(place, Place::NOWHERE);
        }
        assert_eq!(Place::new(0, 16 << 32, 1), None);
        assert_eq!(Place::new(0, 0, 1 << 20), None);
    }

    #[test]
    fn documents_are_read_as_they_were_stored_until_their_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let documents = Documents::new(Some(folder.path().to_owned()));
        assert!(!read(&documents, Place::NOWHERE, &document(1, 1)));
        let all: Vec<Document> = (0..9).map(|row| document(row, 100 + row)).collect();
        let mut places = documents.append(&all[..4]).unwrap();
        places.extend(documents.append(&all[4..]).unwrap());
        for (place, expected) in places.iter().zip(&all) {
            assert!(read(&documents, *place, expected));
            assert!(!documents.misplaced()(*place));
            assert!(!read(
                &documents,
                *place,
                &document(expected.version.row, 7)
            ));
        }
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "the file has no name"
        );

        let more: Vec<Document> = (0..i64::try_from(GARBAGE).unwrap())
            .map(|row| document(row, 1))
            .collect();
        let later = documents.append(&more).unwrap();
        documents.begin_file_if_mostly_garbage(100).unwrap();
        assert!(
            !documents.misplaced()(later[0]),
            "it is not mostly garbage yet"
        );
        documents.begin_file_if_mostly_garbage(4).unwrap();
        assert!(places.iter().all(|place| documents.misplaced()(*place)));
        assert!(read(&documents, places[0], &all[0]));
        let moved = documents.append(&all[..1]).unwrap();
        documents.drop_older_files();
        assert!(!read(&documents, places[0], &all[0]));
        assert!(read(&documents, moved[0], &all[0]));
    }

    #[test]
    fn without_a_folder_nothing_is_stored() {
        let mut documents = Documents::new(Some("/nonexistent/folder".into()));
        documents.folders.truncate(1);
        assert!(documents.append(&[document(1, 1)]).is_err());
        documents.begin_file_if_mostly_garbage(0).unwrap();
        assert!(documents.misplaced()(Place::NOWHERE));
    }
}
