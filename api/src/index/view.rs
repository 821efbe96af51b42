//! The index at one change number.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use schema::store::offers::IndexRow;

use crate::index::columns::{Columns, Position, Record};
use crate::index::filter::{Filter, Resolved};
use crate::index::names::Names;
use crate::index::scan::{Matches, Stop, Stopped};

/// Changed offers are kept beside the columns up to this many, or up to a share of all, before they are folded in.
const FEW: usize = 4096;
const SHARE: usize = 64;

/// The index at one change number: immutable, so that readers never wait. It is exactly the state of the store at that
/// number: every change up to it is in, none beyond.
#[derive(Debug, Default)]
pub struct View {
    /// Most offers, and one bit for each: whether it is still current.
    base: Arc<Columns>,
    current: Arc<Vec<u64>>,
    /// The offers changed since the base was built.
    overlay: Columns,
    names: Arc<Names>,
    change: i64,
}

/// Changes to be put into a view.
#[derive(Debug)]
pub struct Batch {
    names: Arc<Names>,
    records: Vec<Record>,
    /// The latest retirement of each row.
    retired: HashMap<i64, i64>,
}

impl Batch {
    /// No changes yet to `view`.
    pub fn new(view: &View) -> Self {
        Self {
            names: Arc::clone(&view.names),
            records: Vec::new(),
            retired: HashMap::new(),
        }
    }

    /// An offer as it is now.
    pub fn changed(&mut self, row: &IndexRow) {
        self.records.push(Record::new(row, &mut self.names));
    }

    /// A row that was retired with change number `change`.
    pub fn retired(&mut self, change: i64, row: i64) {
        let latest = self.retired.entry(row).or_insert(change);
        *latest = change.max(*latest);
    }
}

/// Where a search begins, and how much of it is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    /// The last offer of the page before; `None` for the first page.
    pub after: Option<Position>,
    /// Offers changed beyond this number are passed over; `None` on the first page.
    pub as_of: Option<i64>,
    /// Offers wanted.
    pub limit: usize,
}

/// An offer that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Where it stands.
    pub position: Position,
    /// The number of its latest change.
    pub change: i64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The offers, in order, no more than were wanted.
    pub hits: Vec<Hit>,
    /// Whether there are more.
    pub more: bool,
}

impl View {
    /// The number of the last change that is in it.
    pub fn change(&self) -> i64 {
        self.change
    }

    /// How many offers there are.
    pub fn len(&self) -> usize {
        self.current
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum::<usize>()
            + self.overlay.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the latest change of the offer in a row; `None` where there is none (any more).
    pub fn change_of(&self, row: i64) -> Option<i64> {
        match self.overlay.find(row) {
            Some(place) => Some(self.overlay.change[place]),
            None => self
                .base
                .find(row)
                .filter(|place| self.is_current(*place))
                .map(|place| self.base.change[place]),
        }
    }

    fn is_current(&self, place: usize) -> bool {
        self.current
            .get(place / 64)
            .is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Finds the offers of one page.
    ///
    /// # Errors
    /// [`Stopped`] when the search had to stop.
    pub fn search(&self, filter: &Filter, walk: Walk, stop: &Stop) -> Result<Found, Stopped> {
        stop.check()?;
        let mut found = Found {
            hits: Vec::with_capacity(walk.limit),
            more: false,
        };
        let Some(filter) = filter.resolve(&self.names) else {
            return Ok(found);
        };
        let mut base = matches((&self.base, Some(&self.current)), &filter, walk, stop);
        let mut overlay = matches((&self.overlay, None), &filter, walk, stop);
        let (mut old, mut new) = (base.next()?, overlay.next()?);
        loop {
            let old_first = match (old, new) {
                (None, None) => return Ok(found),
                (Some(old), Some(new)) => self.base.position(old) > self.overlay.position(new),
                (old, _) => old.is_some(),
            };
            if found.hits.len() == walk.limit {
                found.more = true;
                return Ok(found);
            }
            let (columns, next, matches) = if old_first {
                (&*self.base, &mut old, &mut base)
            } else {
                (&self.overlay, &mut new, &mut overlay)
            };
            if let Some(place) = *next {
                found.hits.push(Hit {
                    position: columns.position(place),
                    change: columns.change[place],
                });
            }
            *next = matches.next()?;
        }
    }

    /// The view after the changes of a batch that was begun for it, at change number `change`.
    #[must_use]
    pub fn after(&self, batch: Batch, change: i64) -> Self {
        let Batch {
            names,
            mut records,
            retired,
        } = batch;
        records.sort_unstable_by_key(|record| (record.row(), Reverse(record.change())));
        records.dedup_by_key(|record| record.row());
        // A row that was used again after it was retired stays.
        let is_gone = |row: i64, current: Option<i64>| {
            current
                .zip(retired.get(&row))
                .is_some_and(|(current, retired)| *retired > current)
        };
        let mut touched: Vec<i64> = records.iter().map(Record::row).collect();
        touched.extend(
            retired
                .keys()
                .filter(|row| is_gone(**row, self.change_of(**row))),
        );
        touched.sort_unstable();
        records.retain(|record| !is_gone(record.row(), Some(record.change())));
        let untouched = |record: &Record| touched.binary_search(&record.row()).is_err();
        records.extend(
            (0..self.overlay.len())
                .map(|place| self.overlay.get(place))
                .filter(untouched),
        );
        Record::sort(&mut records);
        let current = self.without(&touched);
        if records.len() > FEW.max(self.base.len() / SHARE) {
            return Self::folded((&self.base, &current), &records, names, change);
        }
        let overlay = Columns::from_sorted(records.len(), records.into_iter());
        Self {
            base: Arc::clone(&self.base),
            current: Arc::new(current),
            overlay,
            names,
            change,
        }
    }

    /// The bits of the base's current offers without these rows.
    fn without(&self, rows: &[i64]) -> Vec<u64> {
        let mut current = self.current.to_vec();
        for place in rows.iter().filter_map(|row| self.base.find(*row)) {
            if let Some(word) = current.get_mut(place / 64) {
                *word &= !(1 << (place % 64));
            }
        }
        current
    }

    /// One run of columns from the current offers of `base` and `records`, both in order.
    fn folded(
        (base, current): (&Columns, &[u64]),
        records: &[Record],
        names: Arc<Names>,
        change: i64,
    ) -> Self {
        let mut old = (0..base.len())
            .filter(|place| {
                current
                    .get(place / 64)
                    .is_some_and(|word| word >> (place % 64) & 1 == 1)
            })
            .map(|place| base.get(place))
            .peekable();
        let mut new = records.iter().copied().peekable();
        let merged = std::iter::from_fn(|| match (old.peek(), new.peek()) {
            (Some(left), Some(right)) if left.position() > right.position() => old.next(),
            (_, Some(_)) => new.next(),
            (_, None) => old.next(),
        });
        let base = Columns::from_sorted(base.len() + records.len(), merged);
        let current = (0..base.len().div_ceil(64)).map(|_| u64::MAX).collect();
        let mut view = Self {
            base: Arc::new(base),
            current: Arc::new(current),
            names,
            change,
            ..Self::default()
        };
        view.trim();
        view
    }

    /// Clears the bits past the last offer.
    fn trim(&mut self) {
        let used = self.base.len() % 64;
        if used != 0
            && let Some(last) = Arc::make_mut(&mut self.current).last_mut()
        {
            *last = (1 << used) - 1;
        }
    }
}

fn matches<'a>(
    (columns, current): (&'a Columns, Option<&'a Vec<u64>>),
    filter: &'a Resolved,
    walk: Walk,
    stop: &'a Stop,
) -> Matches<'a> {
    let start = walk
        .after
        .map_or(0, |position| columns.first_after(position));
    let as_of = walk.as_of.unwrap_or(i64::MAX);
    Matches::new(
        (columns, current.map(Vec::as_slice)),
        filter,
        (start, as_of),
        stop,
    )
}
