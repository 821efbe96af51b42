//! Finds the offers that match, block by block and column by column, with one bit for each offer of the block.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use schema::{Location, SpecEnum};

use crate::index::circle::Circle;
use crate::index::columns::{Code, Columns, NO_FLOOR};
use crate::index::filter::{Range, ResolvedFilter};

/// The number of offers between two checks of the deadline.
const BLOCK: usize = 4096;
const WORD: usize = u64::BITS as usize;

/// When a search must stop: at its deadline, or when it is cancelled.
#[derive(Debug, Clone)]
pub struct Stop {
    deadline: Instant,
    cancelled: Arc<AtomicBool>,
}

/// A search was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search reached its deadline or was cancelled")]
pub struct Stopped;

impl Stop {
    /// Stops at `deadline`, or once `cancelled` is set.
    pub fn new(deadline: Instant, cancelled: Arc<AtomicBool>) -> Self {
        Self {
            deadline,
            cancelled,
        }
    }

    /// Checks whether the search may continue.
    ///
    /// # Errors
    /// [`Stopped`] if the deadline has passed or the search was cancelled.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}

/// The indexes of the offers that match, in the order of searches.
pub(crate) struct Matches<'a> {
    columns: &'a Columns,
    filter: &'a ResolvedFilter<'a>,
    /// One bit for each offer: whether it is current. `None` if all are.
    current: Option<&'a [u64]>,
    /// Offers with a higher change number are skipped.
    as_of: i64,
    stop: &'a Stop,
    /// The index at which to begin.
    start: usize,
    /// The index at which the current block begins.
    block: usize,
    /// The matches of the current block that have not been returned yet.
    mask: [u64; BLOCK / WORD],
    word: usize,
}

impl<'a> Matches<'a> {
    /// The matches in `columns`, from the index `start`.
    pub fn new(
        (columns, current): (&'a Columns, Option<&'a [u64]>),
        filter: &'a ResolvedFilter<'a>,
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
            // No block is filled yet.
            word: usize::MAX,
        }
    }

    /// The next match.
    ///
    /// # Errors
    /// [`Stopped`] if the search must stop.
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

    /// Finds the matches of the current block.
    fn fill(&mut self) {
        let end = (self.block + BLOCK).min(self.columns.len());
        self.mask = [0; BLOCK / WORD];
        for (number, word) in self.mask.iter_mut().enumerate() {
            let first = self.block + number * WORD;
            let current = self.current.map_or(u64::MAX, |bits| {
                bits.get(first / WORD).copied().unwrap_or(0)
            });
            *word = current
                & bits_from(self.start.saturating_sub(first))
                & !bits_from(end.saturating_sub(first));
        }
        self.refine(end);
    }

    /// Clears the bits of the offers that do not match.
    fn refine(&mut self, end: usize) {
        let (columns, filter, mask) = (self.columns, self.filter, &mut self.mask);
        let (criteria, block) = (filter.criteria, self.block..end);
        let from = filter.expires_from;
        retain(mask, &columns.expires_at[block.clone()], |expires_at| {
            expires_at >= from
        });
        retain_equal(
            mask,
            &columns.offer_type[block.clone()],
            criteria.offer_type,
        );
        retain_equal(
            mask,
            &columns.property_type[block.clone()],
            criteria.property_type,
        );
        retain_equal(mask, &columns.subtype[block.clone()], criteria.subtype);
        retain_equal(
            mask,
            &columns.arrangement[block.clone()],
            criteria.arrangement,
        );
        retain_equal(mask, &columns.equipment[block.clone()], criteria.equipment);
        retain_equal(mask, &columns.ownership[block.clone()], criteria.ownership);
        retain_equal(
            mask,
            &columns.property_state[block.clone()],
            criteria.property_state,
        );
        retain_equal(
            mask,
            &columns.building_type[block.clone()],
            criteria.building_type,
        );
        retain_named(mask, &columns.district[block.clone()], filter.district);
        retain_named(
            mask,
            &columns.neighborhood[block.clone()],
            filter.neighborhood,
        );
        retain_within(mask, &columns.price[block.clone()], criteria.price);
        retain_within(
            mask,
            &columns.living_area[block.clone()],
            criteria.living_area,
        );
        retain_within(mask, &columns.land_area[block.clone()], criteria.land_area);
        retain_floor_within(mask, &columns.floor[block.clone()], criteria.floor);
        retain_floor_within(
            mask,
            &columns.floor_count[block.clone()],
            criteria.floor_count,
        );
        if self.as_of < i64::MAX {
            let as_of = self.as_of;
            retain(mask, &columns.change[block.clone()], |change| {
                change <= as_of
            });
        }
        if let Some(circle) = filter.circle {
            retain_in_circle(
                mask,
                &columns.lat[block.clone()],
                &columns.lng[block],
                circle,
            );
        }
    }
}

/// Clears the bits of the values that differ from `wanted`. Without a wanted value, all bits stay.
fn retain_equal<E: SpecEnum + PartialEq>(mask: &mut [u64], values: &[Code<E>], wanted: Option<E>) {
    if wanted.is_some() {
        let wanted = Code::from(wanted);
        retain(mask, values, |value| value == wanted);
    }
}

/// The same for names, which the columns hold as numbers.
fn retain_named(mask: &mut [u64], values: &[u32], wanted: Option<u32>) {
    if let Some(wanted) = wanted {
        retain(mask, values, |value| value == wanted);
    }
}

fn retain_floor_within(mask: &mut [u64], values: &[i16], range: Range) {
    if !range.is_open() {
        retain(mask, values, |floor| {
            floor != NO_FLOOR && range.contains(f64::from(floor))
        });
    }
}

fn retain_in_circle(mask: &mut [u64], lat: &[f64], lng: &[f64], circle: Circle) {
    for (values, (min, max)) in [(lat, circle.lat()), (lng, circle.lng())] {
        let range = Range {
            min: Some(min),
            max: Some(max),
        };
        retain_within(mask, values, range);
    }
    retain_slowly(mask, |index| {
        circle.contains(Location {
            lat: lat[index],
            lng: lng[index],
        })
    });
}

/// A word with the bits from `bit` upwards set.
fn bits_from(bit: usize) -> u64 {
    if bit >= WORD { 0 } else { u64::MAX << bit }
}

fn retain_within(mask: &mut [u64], values: &[f64], range: Range) {
    match range {
        Range {
            min: None,
            max: None,
        } => {}
        Range {
            min: Some(min),
            max: None,
        } => retain(mask, values, |value| value >= min),
        Range {
            min: None,
            max: Some(max),
        } => retain(mask, values, |value| value <= max),
        Range {
            min: Some(min),
            max: Some(max),
        } => {
            retain(mask, values, |value| value >= min && value <= max);
        }
    }
}

/// Clears the bits of the values that fail the test. Words without a bit are skipped.
fn retain<T: Copy>(mask: &mut [u64], values: &[T], test: impl Fn(T) -> bool) {
    for (word, values) in mask.iter_mut().zip(values.chunks(WORD)) {
        if *word != 0 {
            let passed = values.iter().enumerate().fold(0, |bits, (bit, value)| {
                bits | u64::from(test(*value)) << bit
            });
            *word &= passed;
        }
    }
}

/// Clears the bits that fail a test. The test runs only for bits that are set, because it is expensive.
fn retain_slowly(mask: &mut [u64], test: impl Fn(usize) -> bool) {
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
