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

/// Pairs that a person decided to be different, by place, the smaller first.
pub type Apart = HashSet<(u32, u32)>;

/// Weights of the linked pairs by place.
type Weights = HashMap<(u32, u32), f32>;

/// Clusters the members of one connected component; each cluster lists places in `members`, in order of first place.
///
/// `members` must be sorted by [`schema::ListingKey`]; `links` are all links among them, `apart` the pairs that are never
/// in one cluster, not even through others.
pub fn cluster(members: &[&Profile], links: &[Link], apart: &Apart) -> Vec<Vec<u32>> {
    let weights: Weights = links.iter().map(|link| ((link.left, link.right), link.weight)).collect();
    let mut ranked = look_alikes::discounted(members, links, &weights);
    ranked.sort_by(|one, other| {
        other.weight.total_cmp(&one.weight).then((one.left, one.right).cmp(&(other.left, other.right)))
    });
    let mut clusters = linkage::Clusters::singletons(members, &weights, apart);
    for link in ranked.iter().filter(|link| link.weight >= weights::LINK) {
        clusters.join(link);
    }
    clusters.into_lists()
}
