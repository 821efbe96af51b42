//! Clustering: turns links between listings into clusters, each of which is one property.
//!
//! The clusters of a connected component depend only on its listings: members and edges are ordered
//! by portal and number, never by row. A chain of weak links does not join everything it touches,
//! because two clusters join only if all pairs between them together allow it.

mod components;
mod constraints;
mod linkage;
mod match_graph;

use std::collections::HashSet;

use crate::profile::Profile;
use crate::weight_table::WeightTable;
use crate::weights;

pub use constraints::{Constraints, contradiction};
pub use linkage::Linkage;

pub(crate) use components::components;
pub(crate) use match_graph::MatchGraph;

/// The weight of a must-link constraint: it joins before every other link.
pub(crate) const MUST_LINK: f32 = f32::INFINITY;

/// A pair whose match weight suffices and that has no veto. Members are indices into the list of
/// members; `left` is the smaller one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    /// One member.
    pub left: u32,
    /// The other member.
    pub right: u32,
    /// Its match weight, or [`MUST_LINK`].
    pub weight: f32,
}

impl Link {
    /// Both members, the smaller first.
    pub fn ends(&self) -> (u32, u32) {
        (self.left, self.right)
    }
}

/// An edge of the match graph: a link and its strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    /// The link.
    pub link: Link,
    /// The weight of the link less what look-alikes take off.
    pub strength: f32,
}

impl Edge {
    /// Whether the edge is strong enough to join its ends.
    pub fn is_strong(&self) -> bool {
        self.strength >= weights::LINK
    }
}

/// What holds a cluster together: the link by which two parts of it were joined.
///
/// The ties of a cluster are a tree: without one of them, the cluster falls into two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// One end of the link.
    pub left: u32,
    /// The other end.
    pub right: u32,
    /// By how much the weights exceeded what joining needs: the strength of the link or the weight of
    /// the two parts compared field by field, whichever is less. Infinite if a person decided.
    pub weight: f32,
}

/// What clustering did with a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinkOutcome {
    /// Its ends are in one cluster.
    Joined,
    /// Look-alikes left this strength, which is not enough.
    TooWeak(f32),
    /// The clusters of its ends may not join.
    Refused(Linkage),
}

impl LinkOutcome {
    /// The same outcome with other numbers for the members.
    #[must_use]
    pub(crate) fn renumbered(self, number: impl Fn(u32) -> u32) -> Self {
        let Self::Refused(linkage) = self else {
            return self;
        };
        Self::Refused(match linkage {
            Linkage::CannotLink(left, right) => Linkage::CannotLink(number(left), number(right)),
            Linkage::Vetoed(left, right, veto) => {
                Linkage::Vetoed(number(left), number(right), veto)
            }
            Linkage::Weighed {
                weight,
                worst_pair: (left, right),
            } => Linkage::Weighed {
                weight,
                worst_pair: (number(left), number(right)),
            },
        })
    }
}

/// Pairs of members that may not be in one cluster, the smaller member first.
pub(crate) type CannotLink = HashSet<(u32, u32)>;

/// The members and edges of one connected component.
#[derive(Clone, Copy)]
pub(crate) struct LinkedMembers<'a> {
    /// The weights of the levels.
    pub table: &'a WeightTable,
    /// The members, sorted by [`schema::ListingKey`].
    pub members: &'a [&'a Profile],
    /// All strong edges among them.
    pub edges: &'a [Edge],
    /// Pairs that must not be in one cluster, not even through other members.
    pub cannot_link: &'a CannotLink,
}

/// Clusters the members of one connected component. Each cluster lists indices into the members;
/// clusters are in the order of their first member. The ties are in the order in which they were made.
pub(crate) fn cluster(linked: LinkedMembers<'_>) -> (Vec<Vec<u32>>, Vec<Tie>) {
    join_links(linked, |_, _| ())
}

/// What [`cluster`] does with the link between two members, the smaller first; `None` if they are
/// not linked.
pub(crate) fn link_outcome(linked: LinkedMembers<'_>, ends: (u32, u32)) -> Option<LinkOutcome> {
    let mut found = None;
    join_links(linked, |link, outcome| {
        if link.ends() == ends {
            found = Some(outcome);
        }
    });
    found
}

/// What all pairs between two clusters say. No constraint is considered. The members of both clusters
/// are indices into `members`, which must be sorted by [`schema::ListingKey`].
pub(crate) fn linkage_between(
    table: &WeightTable,
    members: &[&Profile],
    one: &[u32],
    other: &[u32],
) -> Linkage {
    let unconstrained = CannotLink::new();
    linkage::Clusters::singletons(table, members, &unconstrained).linkage(one, other)
}

/// Tries to join the ends of each link, strongest link first, and reports each outcome.
fn join_links(
    linked: LinkedMembers<'_>,
    mut report: impl FnMut(&Link, LinkOutcome),
) -> (Vec<Vec<u32>>, Vec<Tie>) {
    let mut strongest_first = linked.edges.to_vec();
    strongest_first.sort_by(|one, other| {
        other
            .strength
            .total_cmp(&one.strength)
            .then(one.link.ends().cmp(&other.link.ends()))
    });
    let mut clusters =
        linkage::Clusters::singletons(linked.table, linked.members, linked.cannot_link);
    for edge in &strongest_first {
        report(&edge.link, clusters.join(edge));
    }
    let ties = clusters.ties().to_vec();
    (clusters.into_lists(), ties)
}
