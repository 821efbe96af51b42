//! Reading the registry's files as they are published.
//!
//! In the order of the flow: [`archive`] finds them, [`table`] reads their text, and by its columns a table is one of
//! [`addresses`] or of [`hierarchy`]; [`vfr`] reads the exchange format. What they say goes into a draft, what cannot be
//! read is named.

mod addresses;
mod archive;
mod hierarchy;
mod table;
mod vfr;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::draft::Draft;
use super::import::Problem;

/// How many tables wait to be read at most: each is in memory.
const WAITING: usize = 16;
/// How many problems are kept with their words; beyond them they are counted.
const PROBLEMS_KEPT: usize = 10_000;

/// A file's name, and what it says.
#[derive(Debug, Clone)]
struct FileName {
    /// With its folder or archive, as it is shown.
    shown: String,
    /// The day of the edition, `YYYYMMDD`: of its own name, or of the archive it lies in.
    date: Option<u32>,
    /// Kód obce: `20220430_OB_500011_ADR.csv`.
    municipality: Option<u32>,
}

impl FileName {
    fn of(shown: &str, outer: Option<u32>) -> Self {
        let file = shown.rsplit(['/', '\\']).next().unwrap_or_default();
        let date = file
            .split_once('_')
            .filter(|(digits, _)| digits.len() == 8)
            .and_then(|(digits, _)| digits.parse().ok());
        let municipality = file
            .split_once("_OB_")
            .and_then(|(_, rest)| rest.split_once("_ADR"));
        Self {
            shown: shown.to_owned(),
            date: date
                .filter(|date| (19_000_000..30_000_000).contains(date))
                .or(outer),
            municipality: municipality.and_then(|(code, _)| code.parse().ok()),
        }
    }

    /// The name of what lies in the archive of this name.
    fn member(&self, name: &str) -> Self {
        Self::of(&format!("{}/{name}", self.shown), self.date)
    }

    fn lower(&self) -> String {
        self.shown.to_ascii_lowercase()
    }
}

/// A table that was found and not read yet.
struct Member {
    name: FileName,
    bytes: Vec<u8>,
    whole_country: Option<Arc<WholeCountry>>,
}

/// An archive that holds the whole country, as its name says: `20260731_OB_ADR_csv.zip`.
struct WholeCountry {
    date: u32,
    broken: AtomicBool,
    tables: AtomicU64,
}

impl WholeCountry {
    fn named_by(name: &FileName) -> Option<Arc<Self>> {
        let date = name.date?;
        let is_named = name.lower().ends_with(&format!("{date}_ob_adr_csv.zip"));
        let new = || {
            Arc::new(Self {
                date,
                broken: AtomicBool::new(false),
                tables: AtomicU64::new(0),
            })
        };
        is_named.then(new)
    }

    /// Something in it could not be read: nothing may be concluded from what it lacks.
    fn is_broken(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }
}

/// What was read of some files.
#[derive(Default)]
pub(super) struct Reading {
    pub draft: Draft,
    pub problems: Vec<Problem>,
    /// Of these problems: rows and elements left out, values left out, files that could not be read.
    pub bad_rows: u64,
    pub bad_values: u64,
    pub bad_files: u64,
    /// Rows of address tables.
    pub rows: u64,
    /// Files that were read.
    pub files: u64,
    whole_country: Vec<Arc<WholeCountry>>,
}

impl Reading {
    fn of_unreadable(file: &str, reason: String) -> Self {
        let mut reading = Self::default();
        reading.unreadable(file, reason);
        reading
    }

    /// A file that could not be read, or not to its end.
    fn unreadable(&mut self, file: &str, reason: String) {
        self.bad_files += 1;
        self.note(Problem {
            file: file.to_owned(),
            line: None,
            reason,
        });
    }

    fn bad_row(&mut self, file: &str, line: u64, reason: &dyn fmt::Display) {
        self.bad_rows += 1;
        self.note(Problem {
            file: file.to_owned(),
            line: Some(line),
            reason: reason.to_string(),
        });
    }

    fn bad_value(&mut self, file: &str, line: u64, reason: &dyn fmt::Display) {
        self.bad_values += 1;
        self.note(Problem {
            file: file.to_owned(),
            line: Some(line),
            reason: reason.to_string(),
        });
    }

    fn bad_element(&mut self, file: &str, id: &str, reason: &dyn fmt::Display) {
        self.bad_rows += 1;
        self.note(Problem {
            file: file.to_owned(),
            line: None,
            reason: format!("{id}: {reason}"),
        });
    }

    fn note(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS_KEPT {
            self.problems.push(problem);
        }
    }

    fn join(&mut self, other: Self) {
        self.draft.join(other.draft);
        self.bad_rows += other.bad_rows;
        self.bad_values += other.bad_values;
        self.bad_files += other.bad_files;
        self.rows += other.rows;
        self.files += other.files;
        self.whole_country.extend(other.whole_country);
        for problem in other.problems {
            self.note(problem);
        }
    }

    /// Concludes what only all files together say.
    fn conclude(&mut self) {
        self.problems.sort();
        for whole_country in std::mem::take(&mut self.whole_country) {
            let is_whole = !whole_country.broken.load(Ordering::Relaxed)
                && whole_country.tables.load(Ordering::Relaxed) > 0;
            if is_whole {
                self.draft.whole_country = self.draft.whole_country.max(whole_country.date);
            }
        }
    }
}

/// Reads a table of whatever kind.
fn read_table(member: &Member) -> Reading {
    let mut reading = Reading {
        files: 1,
        ..Reading::default()
    };
    let text = table::text(&member.bytes);
    let table = table::Table::open(&text);
    if addresses::is_table(&table.header) {
        addresses::read(table, &member.name, &mut reading);
    } else if let Some(subject) = hierarchy::subject(&table.header, &member.name) {
        hierarchy::read(table, subject, &member.name, &mut reading);
    } else {
        let reason = format!(
            "no table of the registry has these columns: {}",
            table.header.shown()
        );
        reading.unreadable(&member.name.shown, reason);
    }
    if let Some(whole_country) = &member.whole_country {
        whole_country.tables.fetch_add(1, Ordering::Relaxed);
        if reading.bad_files > 0 {
            whole_country.is_broken();
        }
    }
    reading
}

/// Hands tables to the readers, and readings to the result.
struct Hands<'a> {
    tables: mpsc::SyncSender<Member>,
    result: &'a Mutex<Reading>,
}

impl archive::Sink for Hands<'_> {
    fn table(&mut self, member: Member) {
        // The readers end after the finder; if one of them is gone, so is the whole process.
        let _ = self.tables.send(member);
    }

    fn reading(&mut self, reading: Reading) {
        add(self.result, reading);
    }
}

fn add(result: &Mutex<Reading>, reading: Reading) {
    result
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .join(reading);
}

/// Reads everything under `paths` on all cores. `progress` is told the bytes and rows read so far.
pub(super) fn read_all(paths: &[PathBuf], progress: &(dyn Fn(u64, u64) + Sync)) -> Reading {
    let result = Mutex::new(Reading::default());
    let bytes = Arc::new(AtomicU64::new(0));
    let rows = AtomicU64::new(0);
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        let mut hands = Hands {
            tables: sender,
            result: &result,
        };
        let bytes = &bytes;
        scope.spawn(move || {
            for path in paths {
                archive::find(path, bytes, &mut hands);
            }
        });
        receiver
            .into_iter()
            .par_bridge()
            .for_each(|member: Member| {
                let reading = read_table(&member);
                let rows = rows.fetch_add(reading.rows, Ordering::Relaxed) + reading.rows;
                progress(bytes.load(Ordering::Relaxed), rows);
                add(&result, reading);
            });
    });
    let mut result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.conclude();
    result
}

/// Reads tables that are in memory already, each with its file name.
pub(super) fn read_tables(tables: &[(&str, &[u8])]) -> Reading {
    let mut result = Reading::default();
    for (name, bytes) in tables {
        let name = FileName::of(name, None);
        result.join(read_table(&Member {
            name,
            bytes: bytes.to_vec(),
            whole_country: None,
        }));
    }
    result.conclude();
    result
}

/// How many bytes lie under `paths`, for a bar of progress.
pub(super) fn bytes(path: &Path) -> u64 {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        return entries.map(|entry| bytes(&entry.path())).sum();
    }
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}
