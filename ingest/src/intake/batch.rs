//! Batches of lines. The next batch is read on its own thread while the previous one is written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rayon::iter::{Either, IntoParallelIterator, ParallelIterator};
use schema::store::rejects::Reject;
use schema::store::{listings, raw_listings};
use schema::{Timestamp, background};
use tokio::sync::mpsc;

use super::read::{self, Entry, ObservedListing, ReadObservation};
use crate::dumps::{DumpItem, DumpLine, Lines, Truncation};
use crate::timeline::Event;

/// Lines in a batch: enough to make the cost of a transaction small, few enough to keep it short.
const MAX_LINES: usize = 1000;

/// Bytes after which a batch is closed: a thousand of the longest lines would not fit in memory.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many batches are read ahead.
const READ_AHEAD: usize = 2;

/// The name of standard input as a source.
const STANDARD_INPUT: &str = "-";

/// Lines of one dump, from the first to the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineRange {
    pub(super) source: String,
    pub(super) first: u64,
    pub(super) last: u64,
}

/// What one transaction stores.
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    pub(super) rejects: Vec<Reject>,
    /// The lines of dumps that the batch holds. Rejects of what stood on these lines before are out of date.
    pub(super) read_lines: Vec<LineRange>,
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
            read_lines: Vec::new(),
            truncated: Vec::new(),
            bytes_read: 0,
        }
    }

    /// The next lines, read on all cores. Times after `latest` are not accepted. `None` at the end.
    fn next_of(lines: &mut Lines, latest: Timestamp) -> Option<Self> {
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
        let read_lines = LineRange::of_each_source(&batch);
        // Only this: standard input may be waited for, which must keep no one else waiting.
        let (entries, rejects) = background::ahead(|| {
            batch
                .into_par_iter()
                .partition_map(|line| either(read::read_dump_line(line, latest)))
        });
        Some(Self {
            entries,
            rejects,
            read_lines,
            truncated,
            bytes_read: lines.bytes_read(),
        })
    }

    /// Compresses its contents and listings, so that the transaction that stores them need not.
    fn compress(&mut self) {
        let mut seen: Vec<&mut ObservedListing> = self
            .entries
            .iter_mut()
            .filter_map(|entry| match entry {
                Entry::Listing(listing) => Some(&mut **listing),
                Entry::Crawl(_) | Entry::Nothing => None,
            })
            .filter(|listing| listing.raw.is_some())
            .collect();
        let contents = seen
            .iter()
            .filter_map(|seen| Some((seen.key.site_id.as_str(), seen.raw.as_ref()?)));
        let contents = raw_listings::compress_ahead(&contents.collect::<Vec<_>>());
        let listings = seen.iter().filter_map(|seen| match &seen.event {
            Event::Seen(sighting) => {
                let site_id = seen.key.site_id.as_str();
                Some((site_id, &sighting.listing, sighting.url.as_deref()))
            }
            Event::Gone { .. } | Event::Crawled { .. } => None,
        });
        let listings = listings::compress_listings(&listings.collect::<Vec<_>>());
        for ((seen, content), listing) in seen.iter_mut().zip(contents).zip(listings) {
            seen.content_ahead = content;
            seen.listing_ahead = listing;
        }
    }

    /// How many lines it has, apart from blank ones.
    pub(super) fn lines(&self) -> u64 {
        (self.entries.len() + self.rejects.len()) as u64
    }
}

impl LineRange {
    /// The lines of each dump in these lines, which are in order. Standard input has no lines that can be read again.
    fn of_each_source(lines: &[DumpLine]) -> Vec<LineRange> {
        let mut ranges: Vec<LineRange> = Vec::new();
        for line in lines.iter().filter(|line| &*line.source != STANDARD_INPUT) {
            match ranges.last_mut() {
                Some(range) if range.source == *line.source => range.last = line.number,
                _ => ranges.push(LineRange {
                    source: line.source.to_string(),
                    first: line.number,
                    last: line.number,
                }),
            }
        }
        ranges
    }
}

fn either(read: Result<Entry, Reject>) -> Either<Entry, Reject> {
    match read {
        Ok(entry) => Either::Left(entry),
        Err(reject) => Either::Right(reject),
    }
}

/// Reads `lines` in batches on its own thread, a few batches ahead of the receiver. Times after `latest` are not accepted.
/// While `is_new` is set, contents and listings are compressed too: compressing what is stored already would be in vain.
///
/// It is a thread and not a task, because a task that waits for standard input would keep the runtime from shutting down.
pub(super) fn read_ahead(
    mut lines: Lines,
    latest: Timestamp,
    is_new: Arc<AtomicBool>,
) -> (mpsc::Receiver<Batch>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let reader = thread::spawn(move || {
        while let Some(mut batch) = Batch::next_of(&mut lines, latest) {
            if is_new.load(Ordering::Relaxed) {
                background::ahead(|| batch.compress());
            }
            // The receiver is gone because writing has failed: the rest is not needed.
            if sender.blocking_send(batch).is_err() {
                return;
            }
        }
    });
    (receiver, reader)
}
