//! The index at one change number.

use std::collections::HashMap;
use std::sync::Arc;

use schema::store::offers::IndexRow;

use crate::documents::{Place, Version};
use crate::index::columns::{Columns, Position, Record, Rows};
use crate::index::figures::Figures;
use crate::index::filter::{Filter, ResolvedFilter};
use crate::index::names::Names;
use crate::index::scan::{Matches, Stop, Stopped};

/// Up to this number of changed offers, or up to this share of all offers (1/64), are kept beside the columns. Beyond that
/// they are merged into the columns.
const MAX_OVERLAY: usize = 4096;
const MAX_OVERLAY_SHARE: usize = 64;

/// The index at one change number. It is immutable, so that readers never wait. It is exactly the state of the store at
/// that number: it has every change up to that number, and no later one.
#[derive(Debug, Default)]
pub struct View {
    /// Most of the offers.
    pub(super) base: Arc<Columns>,
    /// One bit for each offer in `base`: whether it is current.
    current: Arc<Vec<u64>>,
    /// The offers that changed since `base` was built.
    pub(super) overlay: Columns,
    names: Arc<Names>,
    change: i64,
}

/// Changes to be applied to a view.
#[derive(Debug)]
pub struct Batch {
    names: Arc<Names>,
    changed: Rows,
    /// The latest retirement of each row.
    retired: HashMap<i64, i64>,
}

impl Batch {
    /// An empty batch for `view`.
    pub fn new(view: &View) -> Self {
        Self {
            names: Arc::clone(&view.names),
            changed: Rows::default(),
            retired: HashMap::new(),
        }
    }

    /// Adds an offer with its current values.
    pub fn changed(&mut self, row: &IndexRow) {
        self.changed.push(&Record::new(row, &mut self.names));
    }

    /// Adds a row that was retired by change number `change`.
    pub fn retired(&mut self, change: i64, row: i64) {
        let latest = self.retired.entry(row).or_insert(change);
        *latest = change.max(*latest);
    }
}

/// Which page of a search is wanted.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest {
    /// The last offer of the previous page; `None` for the first page.
    pub after: Option<Position>,
    /// Offers with a higher change number are skipped; `None` on the first page.
    pub as_of: Option<i64>,
    /// The number of offers wanted.
    pub limit: usize,
}

/// A matching offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its position in the order of searches.
    pub position: Position,
    /// The number of its latest change.
    pub change: i64,
    /// Where its document is.
    pub(crate) place: Place,
}

impl Hit {
    /// Which document it has.
    pub(crate) fn version(&self) -> Version {
        Version {
            row: self.position.row,
            change: self.change,
        }
    }
}

/// The offers of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The offers, in order, at most the number wanted.
    pub hits: Vec<Hit>,
    /// Whether more offers match.
    pub more: bool,
}

impl View {
    /// The change number of the view.
    pub fn change(&self) -> i64 {
        self.change
    }

    /// The number of offers.
    pub fn len(&self) -> usize {
        self.current
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum::<usize>()
            + self.overlay.len()
    }

    /// Whether there are no offers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the latest change of the offer in a row; `None` if the row has no offer.
    pub fn change_of(&self, row: i64) -> Option<i64> {
        match self.overlay.find(row) {
            Some(index) => Some(self.overlay.change(index)),
            None => self
                .base
                .find(row)
                .filter(|index| self.is_current(*index))
                .map(|index| self.base.change(index)),
        }
    }

    /// Whether the offer at an index of `base` has not changed since `base` was built.
    pub(super) fn is_current(&self, index: usize) -> bool {
        self.current
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Finds the offers of one page.
    ///
    /// # Errors
    /// [`Stopped`] if the search had to stop.
    pub fn search(
        &self,
        filter: &Filter,
        request: PageRequest,
        stop: &Stop,
    ) -> Result<Found, Stopped> {
        stop.check()?;
        let mut found = Found {
            hits: Vec::with_capacity(request.limit),
            more: false,
        };
        let Some(filter) = filter.resolve(&self.names) else {
            return Ok(found);
        };
        let mut base = matches((&self.base, Some(&self.current)), &filter, request, stop);
        let mut overlay = matches((&self.overlay, None), &filter, request, stop);
        let (mut old, mut new) = (base.next()?, overlay.next()?);
        loop {
            let old_first = match (old, new) {
                (None, None) => return Ok(found),
                (Some(old), Some(new)) => self.base.position(old) > self.overlay.position(new),
                (old, _) => old.is_some(),
            };
            if found.hits.len() == request.limit {
                found.more = true;
                return Ok(found);
            }
            let (columns, next, matches) = if old_first {
                (&*self.base, &mut old, &mut base)
            } else {
                (&self.overlay, &mut new, &mut overlay)
            };
            if let Some(index) = *next {
                found.hits.push(Hit {
                    position: columns.position(index),
                    change: columns.change(index),
                    place: columns.place(index),
                });
            }
            *next = matches.next()?;
        }
    }

    /// Shows `visit` the figures of every offer that matches, in no particular order.
    ///
    /// # Errors
    /// [`Stopped`] if the search had to stop.
    pub fn visit(
        &self,
        filter: &Filter,
        stop: &Stop,
        visit: &mut dyn FnMut(Figures<'_>),
    ) -> Result<(), Stopped> {
        stop.check()?;
        let Some(filter) = filter.resolve(&self.names) else {
            return Ok(());
        };
        let everything = PageRequest {
            after: None,
            as_of: None,
            limit: usize::MAX,
        };
        let districts = self.names.district_names();
        let base = matches((&self.base, Some(&self.current)), &filter, everything, stop);
        let overlay = matches((&self.overlay, None), &filter, everything, stop);
        for (columns, mut matches) in [(&*self.base, base), (&self.overlay, overlay)] {
            while let Some(index) = matches.next()? {
                let district = districts.get(columns.district[index] as usize);
                visit(columns.figures(index, district.map(AsRef::as_ref)));
            }
        }
        Ok(())
    }

    /// The names of the districts that offers have, in order of the alphabet.
    pub fn districts(&self) -> Vec<Box<str>> {
        let mut names = self.names.district_names();
        names.sort_unstable();
        names
    }

    /// The view at change number `change`, after the changes of a batch that was created for this view.
    #[must_use]
    pub fn after(&self, batch: Batch, change: i64) -> Self {
        let Batch {
            names,
            mut changed,
            retired,
        } = batch;
        // A row that was retired and then used again stays.
        let is_retired = |row: i64, current: Option<i64>| {
            current
                .zip(retired.get(&row))
                .is_some_and(|(current, retired)| *retired > current)
        };
        let mut latest = changed.latest_by_row();
        let mut touched: Vec<i64> = latest
            .iter()
            .map(|index| changed.row(*index as usize))
            .collect();
        touched.extend(
            retired
                .keys()
                .filter(|row| is_retired(**row, self.change_of(**row))),
        );
        touched.sort_unstable();
        latest.retain(|index| {
            let Version { row, change } = changed.version(*index as usize);
            !is_retired(row, Some(change))
        });
        let current = self.without(&touched);
        for index in 0..self.overlay.len() {
            if touched.binary_search(&self.overlay.row(index)).is_err() {
                latest.push(changed.len() as u32);
                changed.push(&self.overlay.get(index));
            }
        }
        drop(touched);
        let order = changed.in_order_of_searches(&latest);
        let changed = changed.into_ordered(&order);
        if changed.len() > MAX_OVERLAY.max(self.base.len() / MAX_OVERLAY_SHARE) {
            return Self::merged((&self.base, &current), changed, names, change);
        }
        Self {
            base: Arc::clone(&self.base),
            current: Arc::new(current),
            overlay: Columns::of_sorted(changed),
            names,
            change,
        }
    }

    /// The bits of the current offers of `base`, without these rows.
    fn without(&self, rows: &[i64]) -> Vec<u64> {
        let mut current = self.current.to_vec();
        for index in rows.iter().filter_map(|row| self.base.find(*row)) {
            if let Some(word) = current.get_mut(index / 64) {
                *word &= !(1 << (index % 64));
            }
        }
        current
    }

    /// A view with one set of columns, made of the current offers of `base` and of `changed`, both in order.
    fn merged(
        (base, current): (&Columns, &[u64]),
        changed: Rows,
        names: Arc<Names>,
        change: i64,
    ) -> Self {
        let rows = if base.len() == 0 {
            changed
        } else {
            merge((base, current), &changed)
        };
        let base = Columns::of_sorted(rows);
        let current = (0..base.len().div_ceil(64)).map(|_| u64::MAX).collect();
        let mut view = Self {
            base: Arc::new(base),
            current: Arc::new(current),
            names,
            change,
            ..Self::default()
        };
        view.clear_unused_bits();
        view
    }

    /// Clears the bits after the last offer.
    fn clear_unused_bits(&mut self) {
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
    filter: &'a ResolvedFilter<'a>,
    request: PageRequest,
    stop: &'a Stop,
) -> Matches<'a> {
    let start = request
        .after
        .map_or(0, |position| columns.first_after(position));
    let as_of = request.as_of.unwrap_or(i64::MAX);
    Matches::new(
        (columns, current.map(Vec::as_slice)),
        filter,
        (start, as_of),
        stop,
    )
}

/// The current offers of `base` and those of `changed`, both in order.
fn merge((base, current): (&Columns, &[u64]), changed: &Rows) -> Rows {
    let is_current = |index: &usize| {
        current
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    };
    let mut old = (0..base.len()).filter(is_current).peekable();
    let mut new = (0..changed.len()).peekable();
    let merged = std::iter::from_fn(|| {
        let old_first = match (old.peek(), new.peek()) {
            (Some(left), Some(right)) => base.position(*left) > changed.position(*right),
            (old, _) => old.is_some(),
        };
        if old_first {
            old.next().map(|index| base.get(index))
        } else {
            new.next().map(|index| changed.get(index))
        }
    });
    Rows::of_records(base.len() + changed.len(), merged)
}
