//! Finds the offers that match, block by block: the sets of the filters are intersected, with one bit for each offer of
//! the block, and what the sets leave open is compared offer by offer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::index::columns::{Columns, NEVER};
use crate::index::filter::{Range, ResolvedFilter};
use crate::index::sets::{Restriction, WORD, number_of_floor};

/// The number of offers that are intersected together.
const BLOCK: usize = 4096;
/// The work between two checks of the deadline. To compare one offer is 1.
const WORK_PER_CHECK: usize = 1024;
/// The work to intersect one block.
const WORK_OF_BLOCK: usize = 128;
/// A list of fewer than one in this number of offers is followed offer by offer: that is less work than to intersect the
/// blocks in which they are.
const FEW: usize = 128;

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
    /// The offers that may match and have not been compared yet, if they are few.
    few: Option<&'a [u32]>,
    /// The other sets that the matches are in.
    restrictions: Vec<Restriction<'a>>,
    /// One bit for each offer: whether it is current. `None` if all are.
    current: Option<&'a [u64]>,
    /// Offers with a higher change number are skipped.
    as_of: i64,
    stop: &'a Stop,
    /// The index at which to begin.
    start: usize,
    /// The index at which the current block begins.
    block: usize,
    /// The offers of the current block that have not been compared yet.
    mask: [u64; BLOCK / WORD],
    word: usize,
    /// The work since the deadline was last checked.
    unchecked_work: usize,
}

impl<'a> Matches<'a> {
    /// The matches in `columns`, from the index `start`.
    pub fn new(
        (columns, current): (&'a Columns, Option<&'a [u64]>),
        filter: &'a ResolvedFilter<'a>,
        (start, as_of): (usize, i64),
        stop: &'a Stop,
    ) -> Self {
        let mut restrictions = columns.sets.restrictions(filter);
        Self {
            columns,
            filter,
            few: take_few(&mut restrictions, columns.len(), start),
            restrictions,
            current,
            as_of,
            stop,
            start,
            block: start - start % BLOCK,
            mask: [0; BLOCK / WORD],
            // No block is filled yet.
            word: usize::MAX,
            unchecked_work: 0,
        }
    }

    /// The next match.
    ///
    /// # Errors
    /// [`Stopped`] if the search must stop.
    pub fn next(&mut self) -> Result<Option<usize>, Stopped> {
        if self.few.is_some() {
            return self.next_of_few();
        }
        loop {
            if self.word == usize::MAX {
                self.skip_empty_blocks();
                if self.block >= self.columns.len() {
                    return Ok(None);
                }
                self.check_after(WORK_OF_BLOCK)?;
                self.fill();
                self.word = 0;
            }
            while let Some(word) = self.mask.get_mut(self.word) {
                if *word == 0 {
                    self.word += 1;
                    continue;
                }
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                let index = self.block + self.word * WORD + bit;
                if self.matches(index) {
                    return Ok(Some(index));
                }
                self.check_after(1)?;
            }
            self.block += BLOCK;
            self.word = usize::MAX;
        }
    }

    fn next_of_few(&mut self) -> Result<Option<usize>, Stopped> {
        while let Some((index, rest)) = self.few.and_then(<[u32]>::split_first) {
            self.few = Some(rest);
            let index = *index as usize;
            if self.is_in_sets(index) && self.matches(index) {
                return Ok(Some(index));
            }
            self.check_after(1)?;
        }
        Ok(None)
    }

    /// Whether an offer is in the sets, as [`Matches::fill`] finds it for a block.
    fn is_in_sets(&self, index: usize) -> bool {
        let has = |set: &[u64]| set[index / WORD] >> (index % WORD) & 1 == 1;
        self.current.is_none_or(has)
            && self
                .restrictions
                .iter()
                .all(|restriction| match restriction {
                    Restriction::In(set) => has(set),
                    Restriction::NotIn(set) => !has(set),
                    Restriction::Listed(list) => list.binary_search(&(index as u32)).is_ok(),
                })
    }

    /// Checks the deadline from time to time, after this much more work.
    fn check_after(&mut self, work: usize) -> Result<(), Stopped> {
        self.unchecked_work += work;
        if self.unchecked_work < WORK_PER_CHECK {
            return Ok(());
        }
        self.unchecked_work = 0;
        self.stop.check()
    }

    /// Moves on to the next block that has offers of every rare value. The lists then begin in that block or later.
    fn skip_empty_blocks(&mut self) {
        let mut last = None;
        // A list may move on to a block that lies behind what is left of the lists before it.
        while last.replace(self.block) != Some(self.block) {
            for restriction in &mut self.restrictions {
                if let Restriction::Listed(list) = restriction {
                    let begun = self.start.max(self.block);
                    if list.first().is_some_and(|first| (*first as usize) < begun) {
                        *list = &list[list.partition_point(|index| (*index as usize) < begun)..];
                    }
                    let next = list
                        .first()
                        .map_or(self.columns.len(), |index| *index as usize);
                    self.block = self.block.max(next - next % BLOCK);
                }
            }
        }
    }

    /// Intersects the sets in the current block.
    fn fill(&mut self) {
        let end = (self.block + BLOCK).min(self.columns.len());
        let words = self.block / WORD..end.div_ceil(WORD);
        self.mask = [0; BLOCK / WORD];
        let mask = &mut self.mask[..words.len()];
        mask.fill(u64::MAX);
        if let (Some(last), used @ 1..) = (mask.last_mut(), end % WORD) {
            *last = (1 << used) - 1;
        }
        if self.start > self.block {
            for (number, word) in mask.iter_mut().enumerate() {
                let first = self.block + number * WORD;
                *word &= bits_from(self.start.saturating_sub(first));
            }
        }
        if let Some(current) = self.current {
            intersect(mask, &current[words.clone()], |bits| bits);
        }
        for restriction in &mut self.restrictions {
            match restriction {
                Restriction::In(set) => intersect(mask, &set[words.clone()], |bits| bits),
                Restriction::NotIn(set) => intersect(mask, &set[words.clone()], |bits| !bits),
                Restriction::Listed(list) => {
                    intersect(mask, &take_until(list, self.block, end), |bits| bits);
                }
            }
        }
    }

    /// Whether an offer that is in all sets matches.
    fn matches(&self, index: usize) -> bool {
        let (columns, filter) = (self.columns, self.filter);
        let criteria = filter.criteria;
        let within = |range: Range, number: f64| range.is_open() || range.contains(number);
        let floor_within = |range, floor| within(range, number_of_floor(floor));
        // The sets know which offers are live.
        (filter.expires_from == NEVER || columns.expires_at[index] >= filter.expires_from)
            && (self.as_of == i64::MAX || columns.change(index) <= self.as_of)
            && within(criteria.price, columns.price[index])
            && within(criteria.living_area, columns.living_area[index])
            && within(criteria.land_area, columns.land_area[index])
            && floor_within(criteria.floor, columns.floor[index])
            && floor_within(criteria.floor_count, columns.floor_count[index])
            && filter.circle.is_none_or(|circle| {
                let location = columns.location[index];
                // The box excludes most positions cheaply, and NaN.
                let (lat, lng) = (circle.lat(), circle.lng());
                (lat.0..=lat.1).contains(&location.lat)
                    && (lng.0..=lng.1).contains(&location.lng)
                    && circle.contains(location)
            })
    }
}

/// Takes the shortest list out of the restrictions of a search among `count` offers, from the index `start`, if it has few.
fn take_few<'a>(
    restrictions: &mut Vec<Restriction<'a>>,
    count: usize,
    start: usize,
) -> Option<&'a [u32]> {
    let lists = restrictions.iter().enumerate();
    let lists = lists.filter_map(|(place, restriction)| match restriction {
        Restriction::Listed(list) => Some((list.len(), place, *list)),
        Restriction::In(_) | Restriction::NotIn(_) => None,
    });
    let (length, place, list) = lists.min_by_key(|(length, ..)| *length)?;
    if length * FEW >= count.max(1) {
        return None;
    }
    restrictions.swap_remove(place);
    Some(&list[list.partition_point(|index| (*index as usize) < start)..])
}

/// Takes the indexes below `end` off the front of a list, as bits of the block that begins at `begin`. None is before it.
fn take_until(list: &mut &[u32], begin: usize, end: usize) -> [u64; BLOCK / WORD] {
    let mut bits = [0; BLOCK / WORD];
    while let Some((index, rest)) = list.split_first() {
        let index = *index as usize;
        if index >= end {
            break;
        }
        *list = rest;
        let place = index - begin;
        bits[place / WORD] |= 1 << (place % WORD);
    }
    bits
}

/// Clears the bits of `mask` that a set does not have.
fn intersect(mask: &mut [u64], set: &[u64], of: impl Fn(u64) -> u64) {
    for (word, bits) in mask.iter_mut().zip(set) {
        *word &= of(*bits);
    }
}

/// A word with the bits from `bit` upwards set.
fn bits_from(bit: usize) -> u64 {
    if bit >= WORD { 0 } else { u64::MAX << bit }
}
