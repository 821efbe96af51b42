//! Compares two listings field by field. Each file holds one comparison, which reaches a level of
//! the table in [`weights`](crate::weights), or no level if a value is missing. Every comparison is
//! symmetric.

mod building;
mod floor;
mod identifiers;
mod kind;
mod layout;
mod parts;
mod place;
mod plot;
mod price;
mod size;
mod text;
mod time;

use crate::profile::Profile;
use crate::weight_table::WeightTable;
use crate::weights::Level;

pub(crate) use price::explains_prices;

/// One comparison of the model.
pub(crate) struct Comparison {
    /// Its name in explanations and in [`LEVELS`](crate::weights::LEVELS).
    pub name: &'static str,
    /// Adds the levels that two listings reach: for most comparisons at most one.
    pub compare: fn(&Profile, &Profile, &mut Levels<'_>),
    /// The compared value of a listing in plain words; empty if it has none.
    pub show: fn(&Profile) -> String,
}

impl Comparison {
    /// The weight of this comparison alone; `None` if it reaches no level.
    pub fn weight(&self, table: &WeightTable, a: &Profile, b: &Profile) -> Option<f32> {
        let mut levels = Levels::new(table);
        (self.compare)(a, b, &mut levels);
        levels.reached.then_some(levels.weight)
    }
}

/// Every comparison, in the order of explanations.
pub(crate) const COMPARISONS: &[Comparison] = &[
    Comparison {
        name: "place",
        compare: place::compare,
        show: place::show,
    },
    Comparison {
        name: "kind",
        compare: kind::compare,
        show: kind::show,
    },
    Comparison {
        name: "size",
        compare: size::compare,
        show: size::show,
    },
    Comparison {
        name: "plot",
        compare: plot::compare,
        show: plot::show,
    },
    Comparison {
        name: "layout",
        compare: layout::compare,
        show: layout::show,
    },
    Comparison {
        name: "floor",
        compare: floor::compare,
        show: floor::show,
    },
    Comparison {
        name: "price",
        compare: price::compare,
        show: price::show,
    },
    Comparison {
        name: "text",
        compare: text::compare,
        show: text::show,
    },
    Comparison {
        name: "identifiers",
        compare: identifiers::compare,
        show: identifiers::show,
    },
    Comparison {
        name: "parts",
        compare: parts::compare,
        show: parts::show,
    },
    Comparison {
        name: "building",
        compare: building::compare,
        show: building::show,
    },
    Comparison {
        name: "time",
        compare: time::compare,
        show: time::show,
    },
];

/// Adds up the levels that a pair reaches. Only explanations need the single levels, so only
/// [`Levels::kept`] keeps them.
#[derive(Debug)]
pub(crate) struct Levels<'a> {
    /// The sum of the weights.
    pub weight: f32,
    reached: bool,
    kept: Option<Vec<Level>>,
    table: &'a WeightTable,
}

impl<'a> Levels<'a> {
    /// Adds up the levels with the weights of a table.
    pub fn new(table: &'a WeightTable) -> Self {
        Self {
            weight: 0.0,
            reached: false,
            kept: None,
            table,
        }
    }

    /// Adds up the levels and keeps them.
    pub fn kept(table: &'a WeightTable) -> Self {
        Self {
            kept: Some(Vec::new()),
            ..Self::new(table)
        }
    }

    /// Adds a level.
    pub fn reach(&mut self, level: Level) {
        let weight = self.table.weight(level);
        self.weight += weight;
        self.reached = true;
        if let Some(kept) = &mut self.kept {
            kept.push(Level { weight, ..level });
        }
    }

    /// The levels kept since the last call.
    pub fn take(&mut self) -> Vec<Level> {
        self.kept.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

/// Units under this many m² are rooms, garages and the like.
const SMALL_SIZE: f64 = 25.0;

/// Whether both are small units, as far as their sizes are stated. Small units come in few sizes and
/// prices.
fn are_small(a: &Profile, b: &Profile) -> bool {
    let mut sizes = [a.size(), b.size()].into_iter().flatten().peekable();
    sizes.peek().is_some() && sizes.all(|size| size < SMALL_SIZE)
}

/// The difference of two values as a share of the larger one; 0 for two zeros.
fn relative_gap(a: f64, b: f64) -> f64 {
    let larger = a.abs().max(b.abs());
    if larger == 0.0 {
        0.0
    } else {
        (a - b).abs() / larger
    }
}

/// How many values two sorted lists share.
fn common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut left, mut right, mut count) = (0, 0, 0);
    while left < a.len() && right < b.len() {
        match a[left].cmp(&b[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                left += 1;
                right += 1;
            }
        }
    }
    count
}
