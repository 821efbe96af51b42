//! The compiled registry as one file.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `JEDENGAZ` |
//! | 4 | version of the format, little-endian |
//! | 32 | blake3 checksum of everything after it, which is the id of the edition |
//! | | parts: the length of each (4 bytes, little-endian), then its content |
//!
//! The first part is the [`Registry`] without its address places. After it come the address places, which are nine tenths
//! of the file: cut into parts, they are decoded from a small buffer, and as records of a fixed size they are decoded
//! faster than the variable-length integers of postcard. Then comes the [`Draft`] that the next import continues from, and
//! last, if a file with boundaries was imported, the outlines. All but the address places is encoded by postcard.
//!
//! A file is written under a temporary name and then renamed, so a reader sees either the old file or the new one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::Registry;
use super::draft::Draft;
use super::place::PackedPlace;

const MAGIC: &[u8; 8] = b"JEDENGAZ";
/// Raise this when the content of the file changes: a type that is encoded, or the order of its fields or variants.
const VERSION: u32 = 2;
/// Address places in one part.
const PLACES_IN_PART: usize = 1 << 15;

/// Why a compiled registry could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file could not be read.
    #[error("the address registry {path} could not be read")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The file is not a compiled registry.
    #[error("{path} is not a compiled address registry: create one with `jeden gazetteer import`")]
    NotAGazetteer {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version of jeden.
    #[error(
        "the address registry {path} has format {found}, but this version of jeden reads format {VERSION}: \
         import the registry's files again with `jeden gazetteer import`"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The file is not what was written.
    #[error(
        "the address registry {path} is damaged ({reason}): \
         import the registry's files again with `jeden gazetteer import`"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: &'static str,
    },
}

impl Registry {
    /// Opens a compiled registry.
    ///
    /// # Errors
    /// [`OpenError`]
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        open_with(path, |parts| parts.next_bytes().map(|_| ())).map(|(registry, ())| registry)
    }
}

/// Opens a compiled registry and the draft that the next import continues from.
pub(super) fn open_with_draft(path: &Path) -> Result<(Registry, Draft), OpenError> {
    open_with(path, Parts::next)
}

/// Reads only the id of the edition in a file.
///
/// # Errors
/// [`OpenError`]
pub fn edition_id(path: &Path) -> Result<[u8; 32], OpenError> {
    let read = || read_head(&mut File::open(path)?);
    read().map_err(|fault| fault.into_error(path))
}

/// The bytes of a file with this registry and this draft, and the id of the edition.
pub(super) fn encode(registry: &Registry, draft: &Draft) -> postcard::Result<(Vec<u8>, [u8; 32])> {
    let mut parts = Vec::new();
    push_part(&mut parts, &postcard::to_stdvec(registry)?);
    for places in registry.places.chunks(PLACES_IN_PART) {
        let records: Vec<u8> = places
            .iter()
            .copied()
            .flat_map(PackedPlace::to_bytes)
            .collect();
        push_part(&mut parts, &records);
    }
    push_part(&mut parts, &postcard::to_stdvec(draft)?);
    if !registry.outlines.is_empty() {
        push_part(&mut parts, &postcard::to_stdvec(&registry.outlines)?);
    }
    let id = *blake3::hash(&parts).as_bytes();
    Ok((
        [MAGIC, &VERSION.to_le_bytes()[..], &id, &parts].concat(),
        id,
    ))
}

fn push_part(parts: &mut Vec<u8>, content: &[u8]) {
    parts.extend_from_slice(&(content.len() as u32).to_le_bytes());
    parts.extend_from_slice(content);
}

/// Why a file could not be read, without its path.
enum Fault {
    Io(io::Error),
    NotAGazetteer,
    Version(u32),
    Damaged(&'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Damaged("it ends too early");
        }
        Self::Io(error)
    }
}

impl Fault {
    fn into_error(self, path: &Path) -> OpenError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => OpenError::Io { path, source },
            Self::NotAGazetteer => OpenError::NotAGazetteer { path },
            Self::Version(found) => OpenError::Version { path, found },
            Self::Damaged(reason) => OpenError::Damaged { path, reason },
        }
    }
}

/// Reads everything before the parts and returns the edition's id.
fn read_head(source: &mut impl Read) -> Result<[u8; 32], Fault> {
    let (mut magic, mut version, mut id) = ([0; 8], [0; 4], [0; 32]);
    for field in [&mut magic[..], &mut version, &mut id] {
        source
            .read_exact(field)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => Fault::NotAGazetteer,
                _ => Fault::Io(error),
            })?;
    }
    let version = u32::from_le_bytes(version);
    if magic != *MAGIC {
        return Err(Fault::NotAGazetteer);
    }
    if version != VERSION {
        return Err(Fault::Version(version));
    }
    Ok(id)
}

/// The parts of a file, read one after the other and hashed on the way.
struct Parts {
    source: BufReader<File>,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Parts {
    fn next_bytes(&mut self) -> Result<&[u8], Fault> {
        let mut length = [0; 4];
        self.source.read_exact(&mut length)?;
        self.hasher.update(&length);
        let length = u32::from_le_bytes(length);
        self.buffer.clear();
        let read = Read::by_ref(&mut self.source)
            .take(u64::from(length))
            .read_to_end(&mut self.buffer)?;
        if read < length as usize {
            return Err(Fault::Damaged("it ends too early"));
        }
        self.hasher.update(&self.buffer);
        Ok(&self.buffer)
    }

    fn next<T: DeserializeOwned>(&mut self) -> Result<T, Fault> {
        postcard::from_bytes(self.next_bytes()?)
            .or(Err(Fault::Damaged("a part of it cannot be decoded")))
    }

    /// The next part, or nothing at the end of the file.
    fn next_if_any<T: DeserializeOwned + Default>(&mut self) -> Result<T, Fault> {
        if self.source.fill_buf()?.is_empty() {
            return Ok(T::default());
        }
        self.next()
    }

    /// Checks that all parts were read and that they are the ones that were written.
    fn finish(mut self, id: [u8; 32]) -> Result<(), Fault> {
        if self.source.read(&mut [0])? > 0 {
            return Err(Fault::Damaged("it goes on after its end"));
        }
        if *self.hasher.finalize().as_bytes() != id {
            return Err(Fault::Damaged("its checksum is wrong"));
        }
        Ok(())
    }
}

/// Opens a compiled registry; `read_draft` takes the last part.
fn open_with<T>(
    path: &Path,
    read_draft: impl FnOnce(&mut Parts) -> Result<T, Fault>,
) -> Result<(Registry, T), OpenError> {
    let read = || {
        let mut source = BufReader::new(File::open(path)?);
        let id = read_head(&mut source)?;
        let mut parts = Parts {
            source,
            hasher: blake3::Hasher::new(),
            buffer: Vec::new(),
        };
        let mut registry: Registry = parts.next()?;
        let expected = registry.edition.counts.places as usize;
        for _ in 0..expected.div_ceil(PLACES_IN_PART) {
            let (records, rest) = parts.next_bytes()?.as_chunks();
            if records.len() > PLACES_IN_PART || !rest.is_empty() {
                return Err(Fault::Damaged("a part of it cannot be decoded"));
            }
            if registry.places.is_empty() {
                registry.places.reserve_exact(expected);
            }
            let places = records.iter().map(PackedPlace::from_bytes);
            registry.places.extend(places);
        }
        let draft = read_draft(&mut parts)?;
        registry.outlines = parts.next_if_any()?;
        parts.finish(id)?;
        registry.edition.id = id;
        registry.on_streets_starts = registry.starts();
        Ok((registry, draft))
    };
    read().map_err(|fault: Fault| fault.into_error(path))
}

/// Replaces the file at `path` in one step: a process that opens it in the meantime reads the old content.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new()
        .prefix(".gazetteer-")
        .tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    make_readable(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Lets every user read the file, which only its owner may read otherwise: the registry is public data, and the server
/// may run under another account.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
const fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}
