//! Finding the offers that match: block by block, column by column, a bit for each offer that is still in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use schema::Location;

use crate::index::columns::{Columns, NO_FLOOR};
use crate::index::filter::{Range, Resolved};

/// Offers looked at between two checks of the deadline.
const BLOCK: usize = 4096;
const WORD: usize = u64::BITS as usize;

/// When a search has to stop: at its deadline, or when nobody waits for it any more.
#[derive(Debug, Clone)]
pub struct Stop {
    deadline: Instant,
    cancelled: Arc<AtomicBool>,
}

/// A search was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped at its deadline")]
pub struct Stopped;

impl Stop {
    /// Stops at `deadline`, or once `cancelled` is set.
    pub fn new(deadline: Instant, cancelled: Arc<AtomicBool>) -> Self {
        Self {
            deadline,
            cancelled,
        }
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Stopped`] at the deadline and after it, and once the search was cancelled.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}

/// The places of the offers that match, in the order of searches.
pub struct Matches<'a> {
    columns: &'a Columns,
    filter: &'a Resolved,
    /// One bit per place: whether the offer there is still current. `None`: all are.
    current: Option<&'a [u64]>,
    /// Changes beyond this number are passed over.
    as_of: i64,
    stop: &'a Stop,
    /// The first place from which to look.
    start: usize,
    /// Where the block at hand begins, and which of its offers are still to be handed out.
    block: usize,
    mask: [u64; BLOCK / WORD],
    word: usize,
}

impl<'a> Matches<'a> {
    /// The matches among `columns` from place `start` on.
    pub fn new(
        (columns, current): (&'a Columns, Option<&'a [u64]>),
        filter: &'a Resolved,
        (start, as_of): (usize, i64),
        stop: &'a Stop,
    ) -> Self {
        Self {
            columns,
            filter,
            current,
            as_of,
            stop,
            start,
            block: start - start % BLOCK,
            mask: [0; BLOCK / WORD],
            // As if the block before had been handed out wholly.
            word: usize::MAX,
        }
    }

    /// The next match.
    ///
    /// # Errors
    /// [`Stopped`] when the search had to stop.
    pub fn next(&mut self) -> Result<Option<usize>, Stopped> {
        loop {
            if self.word == usize::MAX {
                if self.block >= self.columns.len() {
                    return Ok(None);
                }
                self.stop.check()?;
                self.fill();
                self.word = 0;
            }
            while let Some(word) = self.mask.get_mut(self.word) {
                if *word != 0 {
                    let bit = word.trailing_zeros() as usize;
                    *word &= *word - 1;
                    return Ok(Some(self.block + self.word * WORD + bit));
                }
                self.word += 1;
            }
            self.block += BLOCK;
            self.word = usize::MAX;
        }
    }

    /// Decides the block at hand.
    fn fill(&mut self) {
        let end = (self.block + BLOCK).min(self.columns.len());
        self.mask = [0; BLOCK / WORD];
        for (number, word) in self.mask.iter_mut().enumerate() {
            let first = self.block + number * WORD;
            let current = self.current.map_or(u64::MAX, |bits| {
                bits.get(first / WORD).copied().unwrap_or(0)
            });
            *word =
                current & from(self.start.saturating_sub(first)) & !from(end.saturating_sub(first));
        }
        self.refine(end);
    }

    fn refine(&mut self, end: usize) {
        let (columns, filter, mask) = (self.columns, self.filter, &mut self.mask);
        let block = self.block..end;
        let from = filter.expires_from;
        refine(mask, &columns.expires_at[block.clone()], |expires_at| {
            expires_at >= from
        });
        for (column, wanted) in columns.codes.iter().zip(filter.codes) {
            if let Some(wanted) = wanted {
                refine(mask, &column[block.clone()], |code| code == wanted);
            }
        }
        for (column, wanted) in [
            (&columns.district, filter.district),
            (&columns.neighborhood, filter.neighborhood),
        ] {
            if let Some(wanted) = wanted {
                refine(mask, &column[block.clone()], |code| code == wanted);
            }
        }
        for (column, range) in columns.figures.iter().zip(filter.figures) {
            within(mask, &column[block.clone()], range);
        }
        for (column, range) in columns
            .floors
            .iter()
            .zip(filter.floors)
            .filter(|(_, range)| !range.is_open())
        {
            refine(mask, &column[block.clone()], |floor| {
                floor != NO_FLOOR && range.contains(f64::from(floor))
            });
        }
        if self.as_of < i64::MAX {
            let as_of = self.as_of;
            refine(mask, &columns.change[block.clone()], |change| {
                change <= as_of
            });
        }
        if let Some(circle) = filter.circle {
            let (south, north) = circle.lat();
            let (west, east) = circle.lng();
            within(
                mask,
                &columns.lat[block.clone()],
                Range {
                    min: Some(south),
                    max: Some(north),
                },
            );
            within(
                mask,
                &columns.lng[block.clone()],
                Range {
                    min: Some(west),
                    max: Some(east),
                },
            );
            let first = block.start;
            keep(mask, |place| {
                circle.contains(Location {
                    lat: columns.lat[first + place],
                    lng: columns.lng[first + place],
                })
            });
        }
    }
}

/// A word whose bits are set from `bit` on.
fn from(bit: usize) -> u64 {
    if bit >= WORD { 0 } else { u64::MAX << bit }
}

fn within(mask: &mut [u64], values: &[f64], range: Range) {
    match range {
        Range {
            min: None,
            max: None,
        } => {}
        Range {
            min: Some(min),
            max: None,
        } => refine(mask, values, |value| value >= min),
        Range {
            min: None,
            max: Some(max),
        } => refine(mask, values, |value| value <= max),
        Range {
            min: Some(min),
            max: Some(max),
        } => {
            refine(mask, values, |value| value >= min && value <= max);
        }
    }
}

/// Clears the bits of the values that fail the test; words that are empty already are not looked at.
fn refine<T: Copy>(mask: &mut [u64], values: &[T], test: impl Fn(T) -> bool) {
    for (word, values) in mask.iter_mut().zip(values.chunks(WORD)) {
        if *word != 0 {
            let passed = values.iter().enumerate().fold(0, |bits, (bit, value)| {
                bits | u64::from(test(*value)) << bit
            });
            *word &= passed;
        }
    }
}

/// Clears the bits that fail a test too dear for every value.
fn keep(mask: &mut [u64], test: impl Fn(usize) -> bool) {
    for (number, word) in mask.iter_mut().enumerate() {
        let mut left = *word;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            if !test(number * WORD + bit) {
                *word &= !(1 << bit);
            }
        }
    }
}
