//! Batches of lines, read ahead on a thread of their own while the one before is written.

use std::thread::{self, JoinHandle};

use rayon::iter::{Either, IntoParallelIterator, ParallelIterator};
use schema::Observation;
use schema::store::rejects::Reject;
use tokio::sync::mpsc;

use super::read::{self, Entry};
use crate::dumps::{Item, Lines, Truncation};

/// Lines in a batch: enough that a transaction costs little, few enough that it is short.
const LINES: usize = 1000;

/// Bytes of lines after which a batch is closed: a thousand of the longest lines would fill the memory.
const BYTES: usize = 16 * 1024 * 1024;

/// Batches that are read ahead.
const AHEAD: usize = 2;

/// What one transaction takes in.
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    pub(super) rejects: Vec<Reject>,
    pub(super) truncated: Vec<Truncation>,
    /// Bytes of the dumps read up to its end.
    pub(super) bytes_read: u64,
}

impl Batch {
    /// What a crawl found.
    pub(super) fn of_observations(source: &str, observations: &[Observation]) -> Self {
        let observations: Vec<_> = (1..).zip(observations).collect();
        let (entries, rejects) =
            observations
                .into_par_iter()
                .partition_map(|(number, observation)| {
                    either(read::observation(source, number, observation))
                });
        Self {
            entries,
            rejects,
            truncated: Vec::new(),
            bytes_read: 0,
        }
    }

    /// The next lines, read on all cores; `None` at the end.
    fn of_lines(lines: &mut Lines) -> Option<Self> {
        let mut batch = Vec::with_capacity(LINES);
        let mut truncated = Vec::new();
        let mut bytes = 0;
        while batch.len() < LINES && bytes < BYTES {
            match lines.next() {
                Some(Item::Line(line)) => {
                    bytes += line.content.len();
                    batch.push(line);
                }
                Some(Item::Truncated(truncation)) => truncated.push(truncation),
                None if batch.is_empty() && truncated.is_empty() => return None,
                None => break,
            }
        }
        let (entries, rejects) = batch
            .into_par_iter()
            .partition_map(|line| either(read::dump_line(line)));
        Some(Self {
            entries,
            rejects,
            truncated,
            bytes_read: lines.bytes_read(),
        })
    }

    /// How many lines are in it, blank ones aside.
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

/// Reads `lines` in batches on a thread of its own, a few batches ahead of their receiver.
///
/// A thread, not a task: one that waits for standard input would hold up the end of the runtime.
pub(super) fn read_ahead(mut lines: Lines) -> (mpsc::Receiver<Batch>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let reader = thread::spawn(move || {
        while let Some(batch) = Batch::of_lines(&mut lines) {
            // Without a receiver the writing has failed, and nobody wants the rest.
            if sender.blocking_send(batch).is_err() {
                return;
            }
        }
    });
    (receiver, reader)
}
