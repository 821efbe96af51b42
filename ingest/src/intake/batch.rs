//! Batches of lines. The next batch is read on its own thread while the previous one is written.

use std::thread::{self, JoinHandle};

use rayon::iter::{Either, IntoParallelIterator, ParallelIterator};
use schema::store::rejects::Reject;
use tokio::sync::mpsc;

use super::read::{self, Entry, ReadObservation};
use crate::dumps::{DumpItem, Lines, Truncation};

/// Lines in a batch: enough to make the cost of a transaction small, few enough to keep it short.
const MAX_LINES: usize = 1000;

/// Bytes after which a batch is closed: a thousand of the longest lines would not fit in memory.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many batches are read ahead.
const READ_AHEAD: usize = 2;

/// What one transaction stores.
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    pub(super) rejects: Vec<Reject>,
    pub(super) truncated: Vec<Truncation>,
    /// Bytes of the dumps that were read up to the end of the batch.
    pub(super) bytes_read: u64,
}

impl Batch {
    /// The observations of a crawl, read on all cores.
    pub(super) fn from_observations(source: &str, observations: &[ReadObservation]) -> Self {
        let observations: Vec<_> = (1..).zip(observations).collect();
        let (entries, rejects) =
            observations
                .into_par_iter()
                .partition_map(|(number, observation)| {
                    either(read::read_observation(source, number, observation))
                });
        Self {
            entries,
            rejects,
            truncated: Vec::new(),
            bytes_read: 0,
        }
    }

    /// The next lines, read on all cores. `None` at the end.
    fn next_of(lines: &mut Lines) -> Option<Self> {
        let mut batch = Vec::with_capacity(MAX_LINES);
        let mut truncated = Vec::new();
        let mut bytes = 0;
        while batch.len() < MAX_LINES && bytes < MAX_BYTES {
            match lines.next() {
                Some(DumpItem::Line(line)) => {
                    bytes += line.content.len();
                    batch.push(line);
                }
                Some(DumpItem::Truncated(truncation)) => truncated.push(truncation),
                None if batch.is_empty() && truncated.is_empty() => return None,
                None => break,
            }
        }
        let (entries, rejects) = batch
            .into_par_iter()
            .partition_map(|line| either(read::read_dump_line(line)));
        Some(Self {
            entries,
            rejects,
            truncated,
            bytes_read: lines.bytes_read(),
        })
    }

    /// How many lines it has, apart from blank ones.
    pub(super) fn lines(&self) -> u64 {
        (self.entries.len() + self.rejects.len()) as u64
    }
}

fn either(read: Result<Entry, Reject>) -> Either<Entry, Reject> {
    match read {
        Ok(entry) => Either::Left(entry),
        Err(reject) => Either::Right(reject),
    }
}

/// Reads `lines` in batches on its own thread, a few batches ahead of the receiver.
///
/// It is a thread and not a task, because a task that waits for standard input would keep the runtime from shutting down.
pub(super) fn read_ahead(mut lines: Lines) -> (mpsc::Receiver<Batch>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let reader = thread::spawn(move || {
        while let Some(batch) = Batch::next_of(&mut lines) {
            // The receiver is gone because writing has failed: the rest is not needed.
            if sender.blocking_send(batch).is_err() {
                return;
            }
        }
    });
    (receiver, reader)
}
