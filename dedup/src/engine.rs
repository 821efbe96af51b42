//! The whole of matching over listings in memory: profiles in, clusters out. A pure function of the set of profiles.

use rayon::prelude::*;

use crate::blocking::{self, Member};
use crate::clustering::{self, Link};
use crate::profile::Profile;
use crate::scoring::{self, weights};

/// A pair that was compared and is worth keeping; places in the slice of profiles, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// Place of one listing.
    pub left: Member,
    /// Place of the other.
    pub right: Member,
    /// Match weight.
    pub weight: f32,
    /// Whether a veto forbids it.
    pub vetoed: bool,
}

impl ScoredPair {
    /// Whether the pair by itself speaks for one property.
    pub fn links(&self) -> bool {
        !self.vetoed && self.weight >= weights::LINK
    }
}

/// The outcome of a run over a set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Every kept pair, in order of places.
    pub pairs: Vec<ScoredPair>,
    /// Pairs that were compared.
    pub compared: usize,
    /// The clusters: places ascending, each listing in exactly one.
    pub clusters: Vec<Vec<Member>>,
}

/// Finds which of the listings are one property.
pub fn partition(profiles: &[Profile]) -> Partition {
    let entries = entries(profiles);
    let candidates = blocking::pairs(entries);
    let pairs = score(profiles, &candidates);
    let clusters = clusters(profiles, &pairs);
    Partition { compared: candidates.len(), pairs, clusters }
}

/// Every blocking key with the place of the listing that has it.
pub fn entries(profiles: &[Profile]) -> Vec<(i64, Member)> {
    let of = |(place, profile): (usize, &Profile)| {
        blocking::keys(profile).into_iter().map(move |key| (key, place as Member))
    };
    profiles.par_iter().enumerate().flat_map_iter(of).collect()
}

/// Scores candidate pairs and keeps those that could matter.
pub fn score(profiles: &[Profile], candidates: &[(Member, Member)]) -> Vec<ScoredPair> {
    let scored = candidates.par_iter().filter_map(|(left, right)| {
        let (one, other) = in_order(&profiles[*left as usize], &profiles[*right as usize]);
        let weight = scoring::weight(one, other);
        let pair = || ScoredPair {
            left: *left,
            right: *right,
            weight,
            vetoed: scoring::veto::of(one, other).is_some(),
        };
        (weight >= weights::KEPT).then(pair)
    });
    scored.collect()
}

/// Clusters all listings under the kept pairs.
pub fn clusters(profiles: &[Profile], pairs: &[ScoredPair]) -> Vec<Vec<Member>> {
    let links: Vec<Link> = pairs
        .iter()
        .filter(|pair| pair.links())
        .map(|pair| Link { left: pair.left, right: pair.right, weight: pair.weight })
        .collect();
    let components = clustering::components(profiles.len(), &links);
    let mut component_of = vec![0u32; profiles.len()];
    for (number, component) in components.iter().enumerate() {
        for member in component {
            component_of[*member as usize] = number as u32;
        }
    }
    let mut links_of: Vec<Vec<Link>> = vec![Vec::new(); components.len()];
    for link in links {
        links_of[component_of[link.left as usize] as usize].push(link);
    }
    let mut found: Vec<Vec<Member>> = components
        .par_iter()
        .zip(links_of)
        .flat_map_iter(|(component, links)| cluster_component(profiles, component, &links))
        .collect();
    found.par_sort_unstable_by_key(|cluster| cluster[0]);
    found
}

/// Clusters one component in the order of portal and number, whatever the places of its members.
fn cluster_component(profiles: &[Profile], component: &[Member], links: &[Link]) -> Vec<Vec<Member>> {
    if component.len() == 1 {
        return vec![component.to_vec()];
    }
    let mut ordered = component.to_vec();
    ordered.sort_unstable_by(|one, other| profiles[*one as usize].key.cmp(&profiles[*other as usize].key));
    let members: Vec<&Profile> = ordered.iter().map(|place| &profiles[*place as usize]).collect();
    let rank: std::collections::HashMap<Member, u32> = ordered.iter().copied().zip(0..).collect();
    let links: Vec<Link> = links
        .iter()
        .map(|link| {
            let (one, other) = (rank[&link.left], rank[&link.right]);
            Link { left: one.min(other), right: one.max(other), weight: link.weight }
        })
        .collect();
    let clusters = clustering::cluster(&members, &links);
    clusters
        .into_iter()
        .map(|cluster| {
            let mut places: Vec<Member> = cluster.into_iter().map(|rank| ordered[rank as usize]).collect();
            places.sort_unstable();
            places
        })
        .collect()
}

/// The two in the order of portal and number: sums of fractions must not depend on who came first.
pub fn in_order<'a>(one: &'a Profile, other: &'a Profile) -> (&'a Profile, &'a Profile) {
    if one.key <= other.key { (one, other) } else { (other, one) }
}
