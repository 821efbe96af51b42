//! The tiles of a PMTiles file, version 3 (<https://github.com/protomaps/PMTiles>).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::directory::{DEEPEST, Entry, entries, tile_number};

const MAGIC: &[u8; 7] = b"PMTiles";
const HEADER: usize = 127;
/// The largest directory, metadata or tile that is read, unpacked, in bytes.
const LARGEST: u64 = 16 << 20;
/// How many directories may lead to a tile.
const DEPTH: usize = 4;

/// Why a street map cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StreetMapError {
    /// The file could not be read.
    #[error("the street map {} could not be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The file is something else.
    #[error(
        "the street map {} is {found}; accepted: PMTiles version 3 with vector tiles, packed by gzip or not at all, \
         such as `pmtiles extract` writes", path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The file is cut off or damaged.
    #[error("the street map {} is damaged: {what} cannot be read; copy it here again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What cannot be read.
        what: &'static str,
    },
}

/// A street map in a PMTiles file. Tiles are read from the file when a page needs them.
#[derive(Debug)]
pub struct StreetMap {
    path: PathBuf,
    file: Mutex<File>,
    root: Vec<Entry>,
    leaves_at: u64,
    tiles_at: u64,
    /// Whether directories and metadata are packed, and whether tiles are.
    packed: (bool, bool),
    /// The least and the greatest zoom.
    pub(super) zooms: (u8, u8),
    attribution: String,
}

impl StreetMap {
    /// Opens a PMTiles file.
    ///
    /// # Errors
    /// [`StreetMapError`]
    pub fn open(path: &Path) -> Result<Self, StreetMapError> {
        let failed = |source| StreetMapError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(failed)?;
        let mut header = Vec::new();
        let mut start = Read::by_ref(&mut file).take(HEADER as u64);
        start.read_to_end(&mut header).map_err(failed)?;
        let format = |found: String| StreetMapError::Format {
            path: path.to_owned(),
            found,
        };
        let header: Option<&[u8; HEADER]> = header.as_slice().try_into().ok();
        let header = header.filter(|header| header.starts_with(MAGIC));
        let header = header.ok_or_else(|| format("not a PMTiles file".to_owned()))?;
        if header[7] != 3 {
            return Err(format(format!("PMTiles version {}", header[7])));
        }
        if header[99] != 1 {
            return Err(format("a file of images, not of vector tiles".to_owned()));
        }
        let packing = |code: u8| match code {
            1 => Ok(false),
            2 => Ok(true),
            code => Err(format(format!("packed in another way (code {code})"))),
        };
        let number = |at: usize| {
            let bytes = header.get(at..at + 8).and_then(|part| part.try_into().ok());
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        let mut map = Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            root: Vec::new(),
            leaves_at: number(40),
            tiles_at: number(56),
            packed: (packing(header[97])?, packing(header[98])?),
            zooms: (header[100], header[101].min(DEEPEST)),
            attribution: String::new(),
        };
        map.root = map.directory(number(8), number(16))?;
        map.attribution = map.read_attribution(number(24), number(32));
        Ok(map)
    }

    /// Whose data the map shows, as its metadata says; empty if they do not.
    pub(crate) fn attribution(&self) -> &str {
        &self.attribution
    }

    /// The content of a tile; `None` if the file has none there.
    pub(super) fn tile(&self, zoom: u8, x: u32, y: u32) -> Result<Option<Vec<u8>>, StreetMapError> {
        let wanted = tile_number(zoom, x, y);
        let mut leaf: Vec<Entry>;
        let mut entries = self.root.as_slice();
        for _ in 0..DEPTH {
            let after = entries.partition_point(|entry| entry.first <= wanted);
            let Some(entry) = after.checked_sub(1).and_then(|at| entries.get(at)) else {
                return Ok(None);
            };
            if entry.tiles > 0 {
                let is_here = wanted - entry.first < entry.tiles;
                let at = self.tiles_at.saturating_add(entry.at);
                let read = || self.read(at, entry.length, self.packed.1, "a tile");
                return is_here.then(read).transpose();
            }
            leaf = self.directory(self.leaves_at.saturating_add(entry.at), entry.length)?;
            entries = &leaf;
        }
        Err(self.damaged("a directory"))
    }

    fn directory(&self, at: u64, length: u64) -> Result<Vec<Entry>, StreetMapError> {
        let bytes = self.read(at, length, self.packed.0, "a directory")?;
        entries(&bytes).ok_or_else(|| self.damaged("a directory"))
    }

    fn read_attribution(&self, at: u64, length: u64) -> String {
        let bytes = self.read(at, length, self.packed.0, "the metadata");
        let metadata = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let text = metadata
            .as_ref()
            .and_then(|all| all.get("attribution")?.as_str());
        without_tags(text.unwrap_or_default())
    }

    fn read(
        &self,
        at: u64,
        length: u64,
        is_packed: bool,
        what: &'static str,
    ) -> Result<Vec<u8>, StreetMapError> {
        if length > LARGEST {
            return Err(self.damaged(what));
        }
        let bytes = self
            .range(at, length)
            .map_err(|source| StreetMapError::Io {
                path: self.path.clone(),
                source,
            })?;
        if bytes.len() as u64 != length {
            return Err(self.damaged(what));
        }
        if !is_packed {
            return Ok(bytes);
        }
        let mut unpacked = Vec::new();
        let unpacking = MultiGzDecoder::new(bytes.as_slice())
            .take(LARGEST)
            .read_to_end(&mut unpacked);
        match unpacking {
            Ok(_) => Ok(unpacked),
            Err(_) => Err(self.damaged(what)),
        }
    }

    fn range(&self, at: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        Read::by_ref(&mut *file)
            .take(length)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn damaged(&self, what: &'static str) -> StreetMapError {
        StreetMapError::Damaged {
            path: self.path.clone(),
            what,
        }
    }
}

/// A text without markup.
fn without_tags(text: &str) -> String {
    let mut is_tag = false;
    let kept = text.chars().filter(|letter| {
        let was_tag = is_tag;
        is_tag = match letter {
            '<' => true,
            '>' => false,
            _ => is_tag,
        };
        !was_tag && !is_tag
    });
    kept.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_the_metadata_is_left_out() {
        let text = "<a href=\"https://www.openstreetmap.org/copyright\">&copy; OpenStreetMap</a>";
        assert_eq!(without_tags(text), "&copy; OpenStreetMap");
    }
}
