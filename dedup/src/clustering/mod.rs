//! From scored pairs to clusters: which listings are one property.
//!
//! The clusters of a connected component are a function of its listings alone: members and ties are ordered by
//! portal and number, never by row. A chain of weak links glues nothing together: two clusters join by their evidence
//! against each other as a whole.

mod components;
mod decisions;
mod linkage;
mod look_alikes;

use std::collections::{HashMap, HashSet};

use crate::profile::Profile;
use crate::scoring::weights;

pub use components::components;
pub use decisions::{Decisions, contradiction};
pub use linkage::{CLAMP, Fit, agreement};
pub use look_alikes::Linked;

/// The weight of a link that a person drew: it joins first, whatever else is known.
pub const DECIDED: f32 = f32::INFINITY;

/// A scored pair above the link weight, without a veto; places in the member list, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Place of one member.
    pub left: u32,
    /// Place of the other.
    pub right: u32,
    /// Its match weight, or [`DECIDED`].
    pub weight: f32,
}

/// A link, and the weight that look-alikes leave of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// The link.
    pub link: Link,
    /// What is left of its weight.
    pub strength: f32,
}

impl Tie {
    /// Whether enough is left to join its ends.
    pub fn holds(&self) -> bool {
        self.strength >= weights::LINK
    }
}

/// What becomes of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Its ends are in one cluster.
    Joined,
    /// Look-alikes took so much off that this weight is left, which is not enough.
    Doubted(f32),
    /// The clusters of its ends do not fit together.
    Refused(Fit),
}

impl Outcome {
    /// The same of members under other names.
    #[must_use]
    pub fn renamed(self, name: impl Fn(u32) -> u32) -> Self {
        let Self::Refused(fit) = self else {
            return self;
        };
        Self::Refused(match fit {
            Fit::Apart(left, right) => Fit::Apart(name(left), name(right)),
            Fit::Vetoed(left, right, veto) => Fit::Vetoed(name(left), name(right), veto),
            Fit::Weighed {
                mean,
                worst,
                worst_pair: (left, right),
            } => Fit::Weighed {
                mean,
                worst,
                worst_pair: (name(left), name(right)),
            },
        })
    }
}

/// Pairs that a person decided to be different, by place, the smaller first.
pub type Apart = HashSet<(u32, u32)>;

/// Weights of the linked pairs by place.
type Weights = HashMap<(u32, u32), f32>;

/// Clusters the members of one connected component; each cluster lists places in `members`, in order of first place.
///
/// `members` must be sorted by [`schema::ListingKey`]; `ties` are all that hold among them, `apart` the pairs that are
/// never in one cluster, not even through others.
pub fn cluster(members: &[&Profile], ties: &[Tie], apart: &Apart) -> Vec<Vec<u32>> {
    joined(members, ties, apart, |_, _| ())
}

/// What became of the link between two members, the smaller first, when [`cluster`] tried it; `None` where there is
/// none.
pub fn outcome(
    members: &[&Profile],
    ties: &[Tie],
    apart: &Apart,
    (left, right): (u32, u32),
) -> Option<Outcome> {
    let mut found = None;
    joined(members, ties, apart, |link, outcome| {
        if (link.left, link.right) == (left, right) {
            found = Some(outcome);
        }
    });
    found
}

/// Tries the links, the strongest first, and tells of each what became of it.
fn joined(
    members: &[&Profile],
    ties: &[Tie],
    apart: &Apart,
    mut tell: impl FnMut(&Link, Outcome),
) -> Vec<Vec<u32>> {
    let weights: Weights = ties
        .iter()
        .map(|tie| ((tie.link.left, tie.link.right), tie.link.weight))
        .collect();
    let mut ranked = ties.to_vec();
    ranked.sort_by(|one, other| {
        let ends = |tie: &Tie| (tie.link.left, tie.link.right);
        other
            .strength
            .total_cmp(&one.strength)
            .then(ends(one).cmp(&ends(other)))
    });
    let mut clusters = linkage::Clusters::singletons(members, &weights, apart);
    for Tie { link, .. } in &ranked {
        tell(link, clusters.join(link));
    }
    clusters.into_lists()
}
