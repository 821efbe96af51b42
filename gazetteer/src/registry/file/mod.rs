//! The compiled registry as one file.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `JEDENGAZ` |
//! | 4 | version of the format |
//! | 4 | number of sections |
//! | 32 | blake3 of everything behind it: the edition's id |
//! | 16 a section | its tag (4 letters), size of a record, number of records |
//! | | the sections' records, one section behind the other |
//!
//! Everything is little-endian. The file is read as a stream into typed arrays, checksummed as it passes, and refused
//! unless the checksum is right; it is written under another name and then renamed, so that a reader finds the old one
//! or the new one, whole.

mod record;

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Registry;
use super::edition::{Counts, Edition};
use super::names::Names;
use super::sources::Sources;
use record::{In, Out, Record};

const MAGIC: &[u8; 8] = b"JEDENGAZ";
/// To be raised with every change of what the file holds.
const VERSION: u32 = 1;
/// Magic, version, number of sections, checksum.
const HEAD: usize = 48;
/// Tag, size, count.
const ENTRY: usize = 16;
/// Sections, in their order.
const SECTIONS: usize = 16;
/// How much of the file is decoded at once.
const CHUNK: usize = 1 << 20;

/// Why a compiled registry could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file could not be read.
    #[error("the gazetteer {path} could not be read")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is something else.
    #[error("{path} is no gazetteer: `jeden gazetteer import` makes one")]
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// The file is of another version of jeden.
    #[error(
        "the gazetteer {path} has format {found}, this jeden reads {VERSION}: import the registry's files again"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The file is not what was written.
    #[error("the gazetteer {path} is damaged ({reason}): import the registry's files again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: &'static str,
    },
}

/// Writes sections.
struct Encoder {
    entries: Vec<u8>,
    body: Vec<u8>,
    count: u32,
}

impl Encoder {
    fn section<T: Record>(&mut self, tag: [u8; 4], records: &[T]) {
        self.count += 1;
        self.entries.extend_from_slice(&tag);
        let mut out = Out(&mut self.entries);
        out.u32(T::SIZE as u32);
        out.u64(records.len() as u64);
        self.body.reserve(records.len() * T::SIZE);
        for record in records {
            record.write(&mut Out(&mut self.body));
        }
    }
}

/// The bytes of the file, and the edition's id.
pub(super) fn encode(registry: &Registry, sources: &Sources) -> (Vec<u8>, [u8; 32]) {
    let mut encoder = Encoder { entries: Vec::new(), body: Vec::new(), count: 0 };
    let edition = &registry.edition;
    encoder.section(*b"EDIT", &edition_record(edition));
    encoder.section(*b"ATTR", edition.attribution.as_bytes());
    encoder.section(*b"TEXT", registry.names.text.as_bytes());
    encoder.section(*b"NAME", &registry.names.ends);
    encoder.section(*b"FORM", &registry.forms);
    encoder.section(*b"MUNI", &registry.municipalities);
    encoder.section(*b"QUAR", &registry.quarters);
    encoder.section(*b"CITY", &registry.city_parts);
    encoder.section(*b"STRE", &registry.streets);
    encoder.section(*b"AREA", &registry.areas);
    encoder.section(*b"POST", &registry.postal_areas);
    encoder.section(*b"PLAC", &registry.places);
    encoder.section(*b"ONST", &registry.on_streets);
    // What only an import reads stands last.
    encoder.section(*b"TABL", &sources.tables);
    encoder.section(*b"SHAD", &sources.shadowed);
    encoder.section(*b"FACT", &sources.facts);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&encoder.entries);
    hasher.update(&encoder.body);
    let id = *hasher.finalize().as_bytes();
    let mut bytes = Vec::with_capacity(HEAD + encoder.entries.len() + encoder.body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&encoder.count.to_le_bytes());
    bytes.extend_from_slice(&id);
    bytes.append(&mut encoder.entries);
    bytes.append(&mut encoder.body);
    (bytes, id)
}

fn edition_record(edition: &Edition) -> [u32; 11] {
    let counts = &edition.counts;
    [
        edition.date,
        edition.whole_country,
        counts.municipalities,
        counts.with_district,
        counts.quarters,
        counts.city_parts,
        counts.streets,
        counts.postal_codes,
        counts.places,
        counts.without_position,
        counts.declined,
    ]
}

/// Reads sections, and sums up what passes.
struct Decoder<R> {
    source: R,
    hasher: blake3::Hasher,
    entries: std::vec::IntoIter<([u8; 4], u32, u64)>,
    buffer: Vec<u8>,
}

/// Why sections could not be read.
enum Fault {
    Io(io::Error),
    Damaged(&'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Damaged("it breaks off");
        }
        Self::Io(error)
    }
}

impl<R: Read> Decoder<R> {
    /// `length` is what remains of the file behind its head.
    fn new(mut source: R, sections: u32, length: u64) -> Result<Self, Fault> {
        if sections as usize != SECTIONS {
            return Err(Fault::Damaged("the number of sections is wrong"));
        }
        let mut table = vec![0; SECTIONS * ENTRY];
        source.read_exact(&mut table)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&table);
        let mut entries = Vec::new();
        let mut sum = table.len() as u64;
        for entry in table.as_chunks::<ENTRY>().0 {
            let [a, b, c, d, rest @ ..] = entry;
            let mut fields = In(rest);
            let (size, count) = (fields.u32(), fields.u64());
            sum = sum.saturating_add(u64::from(size).saturating_mul(count));
            entries.push(([*a, *b, *c, *d], size, count));
        }
        if sum != length {
            return Err(Fault::Damaged("its length is wrong"));
        }
        Ok(Self { source, hasher, entries: entries.into_iter(), buffer: Vec::new() })
    }

    fn section<T: Record>(&mut self, tag: [u8; 4]) -> Result<Vec<T>, Fault> {
        let (found, size, count) = self.entries.next().ok_or(Fault::Damaged("a section is missing"))?;
        if found != tag || size as usize != T::SIZE {
            return Err(Fault::Damaged("a section is not the expected one"));
        }
        let mut left = usize::try_from(count).or(Err(Fault::Damaged("a section is too long")))?;
        let mut records = Vec::with_capacity(left);
        let at_once = CHUNK / T::SIZE;
        while left > 0 {
            let now = left.min(at_once);
            self.buffer.resize(now * T::SIZE, 0);
            self.source.read_exact(&mut self.buffer)?;
            self.hasher.update(&self.buffer);
            records.extend(self.buffer.chunks_exact(T::SIZE).map(|bytes| T::read(&mut In(bytes))));
            left -= now;
        }
        Ok(records)
    }

    /// Sums up what is left, without reading it.
    fn skip(&mut self) -> Result<(), Fault> {
        self.buffer.resize(CHUNK, 0);
        loop {
            let read = self.source.read(&mut self.buffer)?;
            self.hasher.update(self.buffer.get(..read).unwrap_or_default());
            if read == 0 {
                return Ok(());
            }
        }
    }

    fn text(&mut self, tag: [u8; 4]) -> Result<String, Fault> {
        String::from_utf8(self.section(tag)?).or(Err(Fault::Damaged("a text is no UTF-8")))
    }
}

impl Registry {
    /// Opens a compiled registry.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        open_with(path, Decoder::skip).map(|(registry, ())| registry)
    }
}

/// The id of the edition in a file, without reading more of it than its head.
///
/// # Errors
/// [`OpenError`].
pub fn edition_id(path: &Path) -> Result<[u8; 32], OpenError> {
    let io = |source| OpenError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(io)?;
    Ok(head(path, &mut file)?.1)
}

/// Number of sections and id.
fn head(path: &Path, source: &mut impl Read) -> Result<(u32, [u8; 32]), OpenError> {
    let not_one = || OpenError::NotOne { path: path.to_owned() };
    let mut head = [0; HEAD];
    source.read_exact(&mut head).map_err(|source| match source.kind() {
        io::ErrorKind::UnexpectedEof => not_one(),
        _ => OpenError::Io { path: path.to_owned(), source },
    })?;
    let fields = head.strip_prefix(MAGIC).ok_or_else(not_one)?;
    let mut fields = In(fields);
    let (version, sections) = (fields.u32(), fields.u32());
    if version != VERSION {
        return Err(OpenError::Version { path: path.to_owned(), found: version });
    }
    let id = fields.0.first_chunk().copied().unwrap_or_default();
    Ok((sections, id))
}

/// Opens a compiled registry with what it was made of.
pub(super) fn open(path: &Path) -> Result<(Registry, Sources), OpenError> {
    open_with(path, |decoder| {
        Ok(Sources {
            tables: decoder.section(*b"TABL")?,
            shadowed: decoder.section(*b"SHAD")?,
            facts: decoder.section(*b"FACT")?,
        })
    })
}

fn open_with<T>(
    path: &Path,
    rest: impl FnOnce(&mut Decoder<BufReader<File>>) -> Result<T, Fault>,
) -> Result<(Registry, T), OpenError> {
    let io = |source| OpenError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len().saturating_sub(HEAD as u64);
    let mut source = BufReader::new(file);
    let (sections, id) = head(path, &mut source)?;
    let decode = || {
        let mut decoder = Decoder::new(source, sections, length)?;
        let mut registry = decode(&mut decoder, id)?;
        let rest = rest(&mut decoder)?;
        if *decoder.hasher.finalize().as_bytes() != id {
            return Err(Fault::Damaged("its checksum is wrong"));
        }
        registry.on_streets_starts = registry.starts();
        Ok((registry, rest))
    };
    decode().map_err(|fault| match fault {
        Fault::Io(source) => io(source),
        Fault::Damaged(reason) => OpenError::Damaged { path: path.to_owned(), reason },
    })
}

/// All sections but those that only an import reads.
fn decode(decoder: &mut Decoder<impl Read>, id: [u8; 32]) -> Result<Registry, Fault> {
    let edition: Vec<u32> = decoder.section(*b"EDIT")?;
    let attribution = decoder.text(*b"ATTR")?;
    Ok(Registry {
        edition: read_edition(&edition, attribution, id)?,
        names: Names { text: decoder.text(*b"TEXT")?, ends: decoder.section(*b"NAME")? },
        forms: decoder.section(*b"FORM")?,
        municipalities: decoder.section(*b"MUNI")?,
        quarters: decoder.section(*b"QUAR")?,
        city_parts: decoder.section(*b"CITY")?,
        streets: decoder.section(*b"STRE")?,
        areas: decoder.section(*b"AREA")?,
        postal_areas: decoder.section(*b"POST")?,
        places: decoder.section(*b"PLAC")?,
        by_code: OnceLock::new(),
        on_streets: decoder.section(*b"ONST")?,
        on_streets_starts: Vec::new(),
    })
}

fn read_edition(numbers: &[u32], attribution: String, id: [u8; 32]) -> Result<Edition, Fault> {
    let [
        date,
        whole_country,
        municipalities,
        with_district,
        quarters,
        city_parts,
        streets,
        postal_codes,
        places,
        without_position,
        declined,
    ] = *numbers
    else {
        return Err(Fault::Damaged("the edition is not the expected one"));
    };
    let counts = Counts {
        municipalities,
        with_district,
        quarters,
        city_parts,
        streets,
        postal_codes,
        places,
        without_position,
        declined,
    };
    Ok(Edition { date, whole_country, attribution, counts, id })
}

/// Writes `bytes` to `path` in one step: whoever opens it meanwhile reads what was there before.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new().prefix(".gazetteer-").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    readable_by_all(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are for their owner alone; the registry is public, and a server may run as somebody else.
#[cfg(unix)]
fn readable_by_all(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
const fn readable_by_all(_: &File) -> io::Result<()> {
    Ok(())
}
