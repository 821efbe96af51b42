//! Comparing two listings field by field: each file holds one comparison and answers with a level of the weight table,
//! or nothing where a value is missing. Every comparison is symmetric.

mod floor;
mod kind;
mod layout;
mod marks;
mod place;
mod plot;
pub(crate) mod price;
mod rooms;
mod size;
mod text;
mod time;
mod traits;

use crate::profile::Profile;
use crate::scoring::weights::Level;

/// One comparison of the model.
pub struct Comparison {
    /// Its name in explanations.
    pub name: &'static str,
    /// The levels that two listings reach; most comparisons reach at most one.
    pub compare: fn(&Profile, &Profile, &mut Levels),
    /// The compared value of a listing in plain words, for explanations.
    pub show: fn(&Profile) -> String,
}

/// Every comparison, in the order in which an explanation shows them.
pub const COMPARISONS: &[Comparison] = &[
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
        name: "marks",
        compare: marks::compare,
        show: marks::show,
    },
    Comparison {
        name: "rooms",
        compare: rooms::compare,
        show: rooms::show,
    },
    Comparison {
        name: "features",
        compare: traits::compare,
        show: traits::show,
    },
    Comparison {
        name: "time",
        compare: time::compare,
        show: time::show,
    },
];

/// The levels reached so far, summed; kept one by one only where an explanation asks for them.
#[derive(Debug, Default)]
pub struct Levels {
    /// Sum of the weights.
    pub weight: f32,
    kept: Option<Vec<Level>>,
}

impl Levels {
    /// Levels that are summed and kept.
    pub fn kept() -> Self {
        Self {
            weight: 0.0,
            kept: Some(Vec::new()),
        }
    }

    /// Adds a level.
    pub fn reach(&mut self, level: Level) {
        self.weight += level.weight;
        if let Some(kept) = &mut self.kept {
            kept.push(level);
        }
    }

    /// The levels kept since the last call.
    pub fn take(&mut self) -> Vec<Level> {
        self.kept.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

/// How far two figures are apart, as a share of the larger; 0 for two zeros.
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
