//! Changes that were read from the feed and are not in the tables yet.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Changed records: the last state of each, in the order of their last changes. The states are in a file without a name,
/// so that a long absence does not need their size in memory.
#[derive(Debug)]
pub struct Pending {
    file: BufWriter<File>,
    length: u64,
    changes: u64,
    records: HashMap<String, Last>,
}

/// The last change of a record.
#[derive(Debug, Clone, Copy)]
struct Last {
    /// The place of the change among all that were read.
    order: u64,
    /// Where the detail is; `None` if the record is not among those that are followed.
    place: Option<(u64, usize)>,
}

impl Pending {
    /// No changes; their states will be in this folder.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::new(tempfile::tempfile_in(folder)?),
            length: 0,
            changes: 0,
            records: HashMap::new(),
        })
    }

    /// Adds a change: the detail of the record as JSON, or `None` if it is no longer among those that are followed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&mut self, id: &str, detail: Option<&[u8]>) -> io::Result<()> {
        let place = match detail {
            None => None,
            Some(detail) => {
                self.file.write_all(detail)?;
                let place = (self.length, detail.len());
                self.length += detail.len() as u64;
                Some(place)
            }
        };
        self.changes += 1;
        let order = self.changes;
        self.records.insert(id.to_owned(), Last { order, place });
        Ok(())
    }

    /// How many changes were added.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The ids of the changed records.
    pub(crate) fn ids(&self) -> HashSet<&str> {
        self.records.keys().map(String::as_str).collect()
    }

    /// Shows `visit` the detail of each record that is followed, in the order of their last changes.
    pub(crate) fn visit<E: From<io::Error>>(
        &mut self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.file.flush()?;
        let file = self.file.get_mut();
        let mut all: Vec<&Last> = self.records.values().collect();
        all.sort_unstable_by_key(|last| last.order);
        let mut detail = Vec::new();
        for (at, length) in all.into_iter().filter_map(|last| last.place) {
            detail.resize(length, 0);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut detail)?;
            visit(&detail)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_of_a_record_counts_in_the_order_of_the_last_changes() {
        let folder = tempfile::tempdir().unwrap();
        let mut pending = Pending::new(folder.path()).unwrap();
        for (id, detail) in [
            ("a", Some("a1")),
            ("b", Some("b1")),
            ("c", Some("c1")),
            ("a", Some("a2, longer")),
            ("b", None),
        ] {
            pending.put(id, detail.map(str::as_bytes)).unwrap();
        }
        let mut seen = Vec::new();
        pending
            .visit::<io::Error>(&mut |detail| {
                seen.push(String::from_utf8_lossy(detail).into_owned());
                Ok(())
            })
            .unwrap();
        assert_eq!(seen, ["c1", "a2, longer"]);
        assert_eq!((pending.ids().len(), pending.changes()), (3, 5));
        assert_eq!(
            folder.path().read_dir().unwrap().count(),
            0,
            "the file has no name"
        );
    }
}
