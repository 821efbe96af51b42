//! Joining clusters by the evidence of all members against all members.

use super::{Apart, DECIDED, Link, Outcome, Weights};
use crate::comparison::price;
use crate::profile::Profile;
use crate::scoring::{self, Veto};

/// From this many members on, a cluster is judged by those nearest in time: chains of re-listings drift.
const NEAREST: usize = 6;

/// One pair weighs at most this much for or against a join: no single pair decides over a whole cluster.
pub const CLAMP: f32 = 10.0;

/// How much the worst pair counts beside the mean of all.
const WORST_SHARE: f32 = 0.6;

/// Whether two clusters fit together; pairs are places, of a member of the first and one of the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fit {
    /// A person decided that this pair is of different properties.
    Apart(u32, u32),
    /// This pair may never be one record.
    Vetoed(u32, u32, Veto),
    /// All pairs between the two were weighed.
    Weighed {
        /// The mean of all, log₂.
        mean: f32,
        /// The least of all, log₂.
        worst: f32,
        /// The pair that weighs least.
        worst_pair: (u32, u32),
    },
}

impl Fit {
    /// Whether the clusters may join.
    pub fn joins(&self) -> bool {
        match self {
            Self::Apart(..) | Self::Vetoed(..) => false,
            Self::Weighed { mean, worst, .. } => agreement(*mean, *worst) >= 0.0,
        }
    }
}

/// What all pairs between two clusters say together, log₂: the mean of all, and the least of all where it speaks against.
/// From 0 on the clusters join.
pub fn agreement(mean: f32, worst: f32) -> f32 {
    mean + WORST_SHARE * worst.min(0.0)
}

/// Clusters while they are being joined.
pub struct Clusters<'a> {
    members: &'a [&'a Profile],
    weights: &'a Weights,
    apart: &'a Apart,
    cluster_of: Vec<u32>,
    lists: Vec<Vec<u32>>,
}

impl<'a> Clusters<'a> {
    /// Every member alone.
    pub fn singletons(members: &'a [&'a Profile], weights: &'a Weights, apart: &'a Apart) -> Self {
        let count = members.len() as u32;
        Self {
            members,
            weights,
            apart,
            cluster_of: (0..count).collect(),
            lists: (0..count).map(|member| vec![member]).collect(),
        }
    }

    /// Joins the clusters of two linked members if all of their evidence together allows it, or a person decided so.
    pub fn join(&mut self, link: &Link) -> Outcome {
        let (one, other) = (
            self.cluster_of[link.left as usize],
            self.cluster_of[link.right as usize],
        );
        if one == other {
            return Outcome::Joined;
        }
        if let Some(fit) = self.objection(link) {
            return Outcome::Refused(fit);
        }
        let (into, from) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.lists[from as usize]);
        for member in &moved {
            self.cluster_of[*member as usize] = into;
        }
        self.lists[into as usize].extend(moved);
        Outcome::Joined
    }

    /// The clusters, members ascending, by first member.
    pub fn into_lists(self) -> Vec<Vec<u32>> {
        let mut lists: Vec<Vec<u32>> = self
            .lists
            .into_iter()
            .filter(|list| !list.is_empty())
            .collect();
        for list in &mut lists {
            list.sort_unstable();
        }
        lists.sort_unstable_by_key(|list| list[0]);
        lists
    }

    /// Why the clusters of two linked members may not join: nothing but another decision stands against a decision.
    fn objection(&self, link: &Link) -> Option<Fit> {
        let list = |member: u32| &*self.lists[self.cluster_of[member as usize] as usize];
        let (one, other) = (list(link.left), list(link.right));
        if link.weight == DECIDED {
            return self
                .apart(one, other)
                .map(|(left, right)| Fit::Apart(left, right));
        }
        Some(self.fit(one, other)).filter(|fit| !fit.joins())
    }

    /// Whether all pairs between two lists of members speak for one property; of a pair the first is of the first list.
    fn fit(&self, one: &[u32], other: &[u32]) -> Fit {
        if let Some((left, right)) = self.apart(one, other) {
            return Fit::Apart(left, right);
        }
        let vetoed = between(one, other).find_map(|(left, right)| {
            let veto =
                scoring::veto::of(self.members[left as usize], self.members[right as usize])?;
            Some(Fit::Vetoed(left, right, veto))
        });
        if let Some(vetoed) = vetoed {
            return vetoed;
        }
        let (one, other) = (self.nearest(one, other), self.nearest(other, one));
        let (mut sum, mut worst, mut worst_pair) = (0.0, f32::INFINITY, (0, 0));
        for (left, right) in between(&one, &other) {
            let weight = self
                .weight_among(left, right, &one, &other)
                .clamp(-CLAMP, CLAMP);
            sum += weight;
            if weight < worst {
                (worst, worst_pair) = (weight, (left, right));
            }
        }
        Fit::Weighed {
            mean: sum / (one.len() * other.len()) as f32,
            worst,
            worst_pair,
        }
    }

    /// A pair between two lists that a person decided to be of different properties.
    fn apart(&self, one: &[u32], other: &[u32]) -> Option<(u32, u32)> {
        let decided = |pair: &(u32, u32)| {
            self.apart
                .contains(&(pair.0.min(pair.1), pair.0.max(pair.1)))
        };
        if self.apart.is_empty() {
            None
        } else {
            between(one, other).find(decided)
        }
    }

    /// The weight of a pair among those it would be one property with: prices that differ are no objection where a
    /// third advert explains how both came to be asked.
    fn weight_among(&self, left: u32, right: u32, one: &[u32], other: &[u32]) -> f32 {
        let weight = self.weight(left, right);
        if weight >= 0.0 {
            return weight;
        }
        let (a, b) = (self.members[left as usize], self.members[right as usize]);
        let objection = price::weight(a, b);
        let explains = |member: &u32| price::explains(self.members[*member as usize], a, b);
        if objection < 0.0 && one.iter().chain(other).any(explains) {
            weight - objection
        } else {
            weight
        }
    }

    fn weight(&self, left: u32, right: u32) -> f32 {
        let (low, high) = (left.min(right), left.max(right));
        match self.weights.get(&(low, high)) {
            Some(weight) => *weight,
            None => scoring::weight(self.members[low as usize], self.members[high as usize]),
        }
    }

    /// The members of `list` that were advertised nearest to the time of `to`.
    fn nearest(&self, list: &[u32], to: &[u32]) -> Vec<u32> {
        if list.len() <= NEAREST {
            return list.to_vec();
        }
        let gap = |member: u32| {
            let life = self.members[member as usize].life;
            to.iter()
                .map(|other| -life.overlap(self.members[*other as usize].life).min(0))
                .min()
                .unwrap_or(0)
        };
        let mut ranked: Vec<(i64, u32)> =
            list.iter().map(|member| (gap(*member), *member)).collect();
        ranked.sort_unstable();
        ranked
            .into_iter()
            .take(NEAREST)
            .map(|(_, member)| member)
            .collect()
    }
}

/// Every pair of one member of each list.
fn between<'a>(one: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    one.iter()
        .flat_map(move |left| other.iter().map(move |right| (*left, *right)))
}
