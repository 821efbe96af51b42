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

/// Clusters the members of one connected component. Each cluster lists indices into `members`;
/// clusters are in the order of their first member.
///
/// `members` must be sorted by [`schema::ListingKey`]. `edges` are all strong edges among them.
/// `cannot_link` are pairs that must not be in one cluster, not even through other members.
pub(crate) fn cluster(
    members: &[&Profile],
    edges: &[Edge],
    cannot_link: &CannotLink,
) -> Vec<Vec<u32>> {
    join_links(members, edges, cannot_link, |_, _| ())
}

/// What [`cluster`] does with the link between two members, the smaller first; `None` if they are
/// not linked.
pub(crate) fn link_outcome(
    members: &[&Profile],
    edges: &[Edge],
    cannot_link: &CannotLink,
    ends: (u32, u32),
) -> Option<LinkOutcome> {
    let mut found = None;
    join_links(members, edges, cannot_link, |link, outcome| {
        if link.ends() == ends {
            found = Some(outcome);
        }
    });
    found
}

/// Tries to join the ends of each link, strongest link first, and reports each outcome.
fn join_links(
    members: &[&Profile],
    edges: &[Edge],
    cannot_link: &CannotLink,
    mut report: impl FnMut(&Link, LinkOutcome),
) -> Vec<Vec<u32>> {
    let mut strongest_first = edges.to_vec();
    strongest_first.sort_by(|one, other| {
        other
            .strength
            .total_cmp(&one.strength)
            .then(one.link.ends().cmp(&other.link.ends()))
    });
    let mut clusters = linkage::Clusters::singletons(members, cannot_link);
    for Edge { link, .. } in &strongest_first {
        report(link, clusters.join(link));
    }
    clusters.into_lists()
}
