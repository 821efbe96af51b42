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

mod decode;
mod encode;
mod fixed;
mod record;

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::Registry;
use super::sources::Sources;
use decode::{Decoder, Fault};
use fixed::Fixed;

pub(super) use encode::encode;

const MAGIC: &[u8; 8] = b"JEDENGAZ";
/// To be raised with every change of what the file holds.
const VERSION: u32 = 1;
/// Magic, version, number of sections, checksum.
const HEAD: usize = 48;

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
    let io = |source| OpenError::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    Ok(head(path, &mut file)?.1)
}

/// Number of sections and id.
fn head(path: &Path, source: &mut impl Read) -> Result<(u32, [u8; 32]), OpenError> {
    let not_one = || OpenError::NotOne {
        path: path.to_owned(),
    };
    let mut head = [0; HEAD];
    source
        .read_exact(&mut head)
        .map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => not_one(),
            _ => OpenError::Io {
                path: path.to_owned(),
                source,
            },
        })?;
    let mut fields = head.strip_prefix(MAGIC).ok_or_else(not_one)?;
    let (version, sections) = (u32::read(&mut fields), u32::read(&mut fields));
    if version != VERSION {
        return Err(OpenError::Version {
            path: path.to_owned(),
            found: version,
        });
    }
    Ok((sections, Fixed::read(&mut fields)))
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
    let io = |source| OpenError::Io {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(io)?;
    let length = file
        .metadata()
        .map_err(io)?
        .len()
        .saturating_sub(HEAD as u64);
    let mut source = BufReader::new(file);
    let (sections, id) = head(path, &mut source)?;
    let decode = || {
        let mut decoder = Decoder::new(source, sections, length)?;
        let mut registry = decode::registry(&mut decoder, id)?;
        let rest = rest(&mut decoder)?;
        if !decoder.has_checksum(id) {
            return Err(Fault::Damaged("its checksum is wrong"));
        }
        registry.on_streets_starts = registry.starts();
        Ok((registry, rest))
    };
    decode().map_err(|fault| match fault {
        Fault::Io(source) => io(source),
        Fault::Damaged(reason) => OpenError::Damaged {
            path: path.to_owned(),
            reason,
        },
    })
}

/// Writes `bytes` to `path` in one step: whoever opens it meanwhile reads what was there before.
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
