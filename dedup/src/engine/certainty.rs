//! How certain the clusters are: what holds each of them together, and what was nearly joined to it.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use super::{Components, ScoredPair};
use crate::blocking::Member;
use crate::clustering::{self, Constraints, Linkage, Tie};
use crate::profile::Profile;
use crate::weights;

/// The clusters of a set of listings, with the ties of each and the rivals among them.
#[derive(Debug, Clone, PartialEq)]
pub struct Certainty {
    /// The clusters, as [`Components::clusters`] returns them.
    pub clusters: Vec<Vec<Member>>,
    /// The ties of each cluster, the heaviest first.
    pub ties: Vec<Vec<Tie>>,
    /// Pairs of clusters that were nearly joined, in the order of the clusters.
    pub rivals: Vec<Rivals>,
}

/// Two clusters that were nearly joined: without a veto or a person's decision between them, and not
/// much too light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rivals {
    /// The two clusters, the smaller number first.
    pub clusters: (usize, usize),
    /// A listing of the first cluster.
    pub left: Member,
    /// A listing of the second. The two are the strongest pair between the clusters.
    pub right: Member,
    /// What joining them lacks, so below 0: the strength of the strongest pair or the weight of the two
    /// clusters compared field by field, whichever is less.
    pub weight: f32,
}

/// Two parts of a cluster and the weight of the tie between them.
pub type Parts = (Vec<Member>, Vec<Member>, Tie);

impl Certainty {
    /// Finds the ties and rivals. `pairs` are the kept pairs that `components` were built from.
    pub fn of_clusters<P: Borrow<Profile> + Sync>(
        components: &Components,
        profiles: &[P],
        pairs: &[ScoredPair],
        constraints: &Constraints,
    ) -> Self {
        let clusters = components.clusters(profiles);
        let mut cluster_of = vec![0usize; profiles.len()];
        for (number, cluster) in clusters.iter().enumerate() {
            for member in cluster {
                cluster_of[*member as usize] = number;
            }
        }
        let mut ties = vec![Vec::new(); clusters.len()];
        for tie in components.ties(profiles) {
            ties[cluster_of[tie.left as usize]].push(tie);
        }
        for ties in &mut ties {
            ties.sort_unstable_by(|one, other| {
                let by_weight = other.weight.total_cmp(&one.weight);
                by_weight.then((one.left, one.right).cmp(&(other.left, other.right)))
            });
        }
        let nearest = nearest_pairs(components, pairs, &cluster_of, constraints);
        let rivals = nearest.into_par_iter().filter_map(|rivals| {
            let (one, other) = rivals.clusters;
            let joint = joint_weight(components, profiles, &clusters[one], &clusters[other])?;
            let weight = rivals.weight.min(joint);
            (weight >= weights::KEPT).then_some(Rivals { weight, ..rivals })
        });
        Self {
            rivals: rivals.collect(),
            clusters,
            ties,
        }
    }

    /// The lightest tie of a cluster; `None` if it has one listing.
    pub fn weakest_tie(&self, cluster: usize) -> Option<Tie> {
        self.ties[cluster].last().copied()
    }

    /// The rivals of every cluster, the heaviest first.
    pub fn rivals_by_cluster(&self) -> Vec<Vec<Rivals>> {
        let mut by_cluster = vec![Vec::new(); self.clusters.len()];
        for rivals in &self.rivals {
            by_cluster[rivals.clusters.0].push(*rivals);
            by_cluster[rivals.clusters.1].push(*rivals);
        }
        for list in &mut by_cluster {
            list.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        }
        by_cluster
    }

    /// The parts that each tie of a cluster joins, from the heaviest tie to the lightest. Each pair of
    /// listings of the cluster is between the two parts of one entry, and the weight of its tie is
    /// what holds the pair together.
    pub fn parts(&self, cluster: usize) -> Vec<Parts> {
        let mut part_of: HashMap<Member, usize> = HashMap::new();
        let mut parts: Vec<Vec<Member>> = Vec::new();
        for (number, member) in self.clusters[cluster].iter().enumerate() {
            part_of.insert(*member, number);
            parts.push(vec![*member]);
        }
        let mut found = Vec::with_capacity(self.ties[cluster].len());
        for tie in &self.ties[cluster] {
            let (into, from) = (part_of[&tie.left], part_of[&tie.right]);
            let (one, other) = (parts[into].clone(), std::mem::take(&mut parts[from]));
            for member in &other {
                part_of.insert(*member, into);
            }
            parts[into].extend(&other);
            found.push((one, other, *tie));
        }
        found
    }
}

/// The strongest pair between every two clusters that no decision separates. Its weight is the strength
/// of the link if the pair is a link, and otherwise the match weight.
fn nearest_pairs(
    components: &Components,
    pairs: &[ScoredPair],
    cluster_of: &[usize],
    constraints: &Constraints,
) -> Vec<Rivals> {
    let strengths: HashMap<(Member, Member), f32> = components
        .edges()
        .map(|edge| (edge.link.ends(), edge.strength))
        .collect();
    let cluster = |member: Member| cluster_of[member as usize];
    let clusters = |one: Member, other: Member| {
        let (one, other) = (cluster(one), cluster(other));
        (one.min(other), one.max(other))
    };
    let separated: HashSet<(usize, usize)> = constraints
        .cannot_link()
        .map(|(one, other)| clusters(one, other))
        .collect();
    let mut nearest: BTreeMap<(usize, usize), Rivals> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| !pair.vetoed) {
        let between = clusters(pair.left, pair.right);
        if between.0 == between.1 || separated.contains(&between) {
            continue;
        }
        let in_order = cluster(pair.left) == between.0;
        let (left, right) = if in_order {
            (pair.left, pair.right)
        } else {
            (pair.right, pair.left)
        };
        let strength = strengths.get(&(pair.left, pair.right));
        let found = Rivals {
            clusters: between,
            left,
            right,
            weight: strength.copied().unwrap_or(pair.weight),
        };
        let known = nearest.entry(between).or_insert(found);
        if found.weight > known.weight {
            *known = found;
        }
    }
    nearest.into_values().collect()
}

/// The weight of two clusters compared field by field; `None` if a veto forbids them to be one.
fn joint_weight<P: Borrow<Profile>>(
    components: &Components,
    profiles: &[P],
    one: &[Member],
    other: &[Member],
) -> Option<f32> {
    if one.len() == 1 && other.len() == 1 {
        return Some(f32::INFINITY);
    }
    let profile = |member: &Member| profiles[*member as usize].borrow();
    let mut members: Vec<(&Profile, bool)> = one
        .iter()
        .map(|member| (profile(member), true))
        .chain(other.iter().map(|member| (profile(member), false)))
        .collect();
    members.sort_unstable_by(|(one, _), (other, _)| one.key.cmp(&other.key));
    let ranks = |is_one: bool| -> Vec<u32> {
        (0..)
            .zip(&members)
            .filter(|(_, (_, side))| *side == is_one)
            .map(|(rank, _)| rank)
            .collect()
    };
    // Floating-point sums depend on the order, so the cluster with the smallest key comes first.
    let (one, other) = if members[0].1 {
        (ranks(true), ranks(false))
    } else {
        (ranks(false), ranks(true))
    };
    let members: Vec<&Profile> = members.iter().map(|(profile, _)| *profile).collect();
    match clustering::linkage_between(components.table(), &members, &one, &other) {
        Linkage::Weighed { weight, .. } => Some(weight),
        Linkage::CannotLink(..) | Linkage::Vetoed(..) => None,
    }
}
