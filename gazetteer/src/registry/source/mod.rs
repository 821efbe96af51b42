//! Reading the registry's files as they are published.
//!
//! In the order of the flow: [`archive`] finds the files; [`table`] reads a table's text, and its columns tell whether
//! it holds [`addresses`] or part of the [`hierarchy`]; [`vfr`] reads the exchange format. What the files state goes
//! into a draft; what cannot be read is reported as a problem.

mod addresses;
mod archive;
mod hierarchy;
mod table;
mod vfr;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::draft::Draft;
use super::problem::Problem;
use archive::{Finder, Found};

/// How many unread tables are kept in memory at most.
const WAITING: usize = 16;
/// How many problems are kept with their text; further ones are only counted.
const PROBLEMS_KEPT: usize = 10_000;

/// A file's name and what it tells.
#[derive(Debug, Clone)]
struct FileName {
    /// With its folder or archive, as it is shown.
    shown: String,
    /// The day of the edition, `YYYYMMDD`: from its own name, or from the archive that holds it.
    date: Option<u32>,
    /// Kód obce: `20220430_OB_500011_ADR.csv`.
    municipality: Option<u32>,
    /// The day of the edition of the whole country that it is, or that holds it: `20260731_OB_ADR_csv.zip`.
    whole_country: Option<u32>,
}

impl FileName {
    /// Reads the name of a file; `archive` is the name of the archive that holds it.
    fn parse(shown: &str, archive: Option<&Self>) -> Self {
        let file = shown.rsplit(['/', '\\']).next().unwrap_or_default();
        let date = file
            .split_once('_')
            .filter(|(digits, _)| digits.len() == 8)
            .and_then(|(digits, _)| digits.parse().ok())
            .filter(|date| (19_000_000..30_000_000).contains(date));
        let municipality = file
            .split_once("_OB_")
            .and_then(|(_, rest)| rest.split_once("_ADR"))
            .and_then(|(code, _)| code.parse().ok());
        let is_whole_country = file.to_ascii_lowercase().ends_with("_ob_adr_csv.zip");
        Self {
            shown: shown.to_owned(),
            date: date.or(archive.and_then(|archive| archive.date)),
            municipality,
            whole_country: match archive {
                None => date.filter(|_| is_whole_country),
                Some(archive) => archive.whole_country,
            },
        }
    }

    /// The name of a file in the archive of this name.
    fn member(&self, name: &str) -> Self {
        Self::parse(&format!("{}/{name}", self.shown), Some(self))
    }

    /// The name of the file that a compressed file holds: `a.tar.gz` holds `a.tar`.
    fn uncompressed(&self) -> Self {
        let name = self.shown.rsplit_once('.').map_or("", |(name, _)| name);
        Self::parse(name, Some(self))
    }

    fn lower(&self) -> String {
        self.shown.to_ascii_lowercase()
    }
}

/// A table that was found but not read yet.
struct Member {
    name: FileName,
    bytes: Vec<u8>,
}

/// What was read from some files.
#[derive(Default)]
pub(super) struct Reading {
    pub draft: Draft,
    pub problems: Vec<Problem>,
    /// Rows and elements left out.
    pub bad_rows: u64,
    /// Values left out of rows that were kept.
    pub bad_values: u64,
    /// Files that could not be read to their end.
    pub bad_files: u64,
    /// Rows of address tables.
    pub rows: u64,
    /// Files that were read.
    pub files: u64,
    /// The days of the editions of the whole country, and whether all of each could be read.
    whole_country: BTreeMap<u32, bool>,
}

impl Reading {
    /// Reports a file that could not be read to its end.
    fn unreadable(&mut self, file: &FileName, reason: String) {
        self.bad_files += 1;
        self.read_of_whole_country(file, false);
        self.report(file, None, reason);
    }

    /// Reports a row that was left out.
    fn bad_row(&mut self, file: &FileName, line: u64, reason: &dyn fmt::Display) {
        self.bad_rows += 1;
        self.report(file, Some(line), reason.to_string());
    }

    /// Reports a value that was left out of a row.
    fn bad_value(&mut self, file: &FileName, line: u64, reason: &dyn fmt::Display) {
        self.bad_values += 1;
        self.report(file, Some(line), reason.to_string());
    }

    /// Reports an XML element of which something was left out.
    fn bad_element(&mut self, file: &FileName, id: &str, reason: &dyn fmt::Display) {
        self.bad_rows += 1;
        self.report(file, None, format!("{id}: {reason}"));
    }

    fn report(&mut self, file: &FileName, line: Option<u64>, reason: String) {
        self.keep(Problem {
            file: file.shown.clone(),
            line,
            reason,
        });
    }

    fn keep(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS_KEPT {
            self.problems.push(problem);
        }
    }

    /// Notes that a file, if it belongs to an edition of the whole country, could or could not be read.
    fn read_of_whole_country(&mut self, file: &FileName, is_readable: bool) {
        if let Some(date) = file.whole_country {
            *self.whole_country.entry(date).or_insert(true) &= is_readable;
        }
    }

    fn join(&mut self, other: Self) {
        self.draft.join(other.draft);
        self.bad_rows += other.bad_rows;
        self.bad_values += other.bad_values;
        self.bad_files += other.bad_files;
        self.rows += other.rows;
        self.files += other.files;
        for (date, is_readable) in other.whole_country {
            *self.whole_country.entry(date).or_insert(true) &= is_readable;
        }
        for problem in other.problems {
            self.keep(problem);
        }
    }

    /// Concludes what only all files together tell: an edition of the whole country with an unreadable file does not
    /// tell which municipalities no longer exist.
    fn conclude(&mut self) {
        self.problems.sort();
        let mut complete = self.whole_country.iter().filter(|(_, is_read)| **is_read);
        let newest = complete.next_back().map_or(0, |(date, _)| *date);
        self.draft.whole_country = self.draft.whole_country.max(newest);
    }
}

/// Reads a table of any kind.
fn read_table(member: &Member) -> Reading {
    let mut reading = Reading {
        files: 1,
        ..Reading::default()
    };
    let text = table::decode(&member.bytes);
    let table = table::Table::open(&text);
    if addresses::is_address_table(&table.header) {
        addresses::read_table(table, &member.name, &mut reading);
    } else if let Some(content) = hierarchy::content(&table.header, &member.name) {
        hierarchy::read_table(table, content, &member.name, &mut reading);
    } else {
        let reason = format!(
            "no table of the registry has the columns {}",
            table.header.shown()
        );
        reading.unreadable(&member.name, reason);
    }
    reading.read_of_whole_country(&member.name, true);
    reading
}

/// Reads everything under `paths` on all cores. `progress` receives the bytes and rows read so far.
pub(super) fn read_all(paths: &[PathBuf], progress: &(dyn Fn(u64, u64) + Sync)) -> Reading {
    let result = Mutex::new(Reading::default());
    let add = |reading| {
        let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
        result.join(reading);
    };
    let (bytes, rows) = (AtomicU64::new(0), AtomicU64::new(0));
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Moved here, so that the channel closes when the last file is found.
            let sender = sender;
            let mut finder = Finder {
                bytes: &bytes,
                found: &mut |found| match found {
                    // The receiver lives until the channel closes, so sending cannot fail.
                    Found::Table(member) => drop(sender.send(member)),
                    Found::Reading(reading) => add(reading),
                },
            };
            for path in paths {
                finder.find(path);
            }
        });
        receiver
            .into_iter()
            .par_bridge()
            .for_each(|member: Member| {
                let reading = read_table(&member);
                let rows = rows.fetch_add(reading.rows, Ordering::Relaxed) + reading.rows;
                progress(bytes.load(Ordering::Relaxed), rows);
                add(reading);
            });
    });
    let mut result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.conclude();
    result
}

/// Reads tables that are in memory, each with its file name.
pub(super) fn read_tables(tables: &[(&str, &[u8])]) -> Reading {
    let mut result = Reading::default();
    for (name, bytes) in tables {
        result.join(read_table(&Member {
            name: FileName::parse(name, None),
            bytes: bytes.to_vec(),
        }));
    }
    result.conclude();
    result
}

/// The number of bytes under a path, for the progress bar.
pub(super) fn bytes_under(path: &Path) -> u64 {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        return entries.map(|entry| bytes_under(&entry.path())).sum();
    }
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}
