//! Joining clusters by the evidence of all members against all members.

use super::Weights;
use crate::profile::Profile;
use crate::scoring;

/// From this many members on, a cluster is judged by those nearest in time: chains of re-listings drift.
const NEAREST: usize = 6;

/// One pair weighs at most this much for or against a join: no single pair decides over a whole cluster.
const CLAMP: f32 = 10.0;

/// How much the worst pair counts beside the mean of all.
const WORST_SHARE: f32 = 1.0;

/// Clusters while they are being joined.
pub struct Clusters<'a> {
    members: &'a [&'a Profile],
    weights: &'a Weights,
    cluster_of: Vec<u32>,
    lists: Vec<Vec<u32>>,
}

impl<'a> Clusters<'a> {
    /// Every member alone.
    pub fn singletons(members: &'a [&'a Profile], weights: &'a Weights) -> Self {
        let count = members.len() as u32;
        Self {
            members,
            weights,
            cluster_of: (0..count).collect(),
            lists: (0..count).map(|member| vec![member]).collect(),
        }
    }

    /// Joins the clusters of two members if all of their evidence together allows it.
    pub fn join(&mut self, left: u32, right: u32) {
        let (one, other) = (self.cluster_of[left as usize], self.cluster_of[right as usize]);
        if one == other || !self.allowed(&self.lists[one as usize], &self.lists[other as usize]) {
            return;
        }
        let (into, from) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.lists[from as usize]);
        for member in &moved {
            self.cluster_of[*member as usize] = into;
        }
        self.lists[into as usize].extend(moved);
    }

    /// The clusters, members ascending, by first member.
    pub fn into_lists(self) -> Vec<Vec<u32>> {
        let mut lists: Vec<Vec<u32>> = self.lists.into_iter().filter(|list| !list.is_empty()).collect();
        for list in &mut lists {
            list.sort_unstable();
        }
        lists.sort_unstable_by_key(|list| list[0]);
        lists
    }

    fn allowed(&self, one: &[u32], other: &[u32]) -> bool {
        let vetoed = one.iter().any(|left| {
            other.iter().any(|right| {
                scoring::veto::of(self.members[*left as usize], self.members[*right as usize]).is_some()
            })
        });
        if vetoed {
            return false;
        }
        let (one, other) = (self.nearest(one, other), self.nearest(other, one));
        let (mut sum, mut worst) = (0.0, f32::INFINITY);
        for left in &one {
            for right in &other {
                let weight = self.weight(*left, *right).clamp(-CLAMP, CLAMP);
                sum += weight;
                worst = worst.min(weight);
            }
        }
        let mean = sum / (one.len() * other.len()) as f32;
        mean + WORST_SHARE * worst.min(0.0) >= 0.0
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
            to.iter().map(|other| -life.overlap(self.members[*other as usize].life).min(0)).min().unwrap_or(0)
        };
        let mut ranked: Vec<(i64, u32)> = list.iter().map(|member| (gap(*member), *member)).collect();
        ranked.sort_unstable();
        ranked.into_iter().take(NEAREST).map(|(_, member)| member).collect()
    }
}
