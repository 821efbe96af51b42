//! Whether two clusters may join, by all pairs between them.

use super::{CannotLink, Link, LinkOutcome, MUST_LINK, Weights};
use crate::comparison;
use crate::profile::Profile;
use crate::scoring::{self, Veto};

/// Of a larger cluster only this many members, those nearest in time, are compared: adverts of a
/// property that is advertised again for years drift in price and words.
const NEAREST: usize = 6;

/// The most that one pair weighs for or against joining, so that no single pair decides alone.
pub(crate) const MAX_PAIR_WEIGHT: f32 = 10.0;

/// How much the worst pair counts in addition to the mean.
const WORST_SHARE: f32 = 0.6;

/// What all pairs between two clusters say. A pair is one member of the first cluster and one of the
/// second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Linkage {
    /// A cannot-link constraint separates this pair.
    CannotLink(u32, u32),
    /// A veto forbids this pair.
    Vetoed(u32, u32, Veto),
    /// No pair is forbidden, so the weights decide.
    Weighed {
        /// The mean weight of the pairs.
        mean: f32,
        /// The lowest weight of a pair.
        worst: f32,
        /// The pair with that weight.
        worst_pair: (u32, u32),
    },
}

impl Linkage {
    /// Whether the clusters may join.
    fn allows_joining(&self) -> bool {
        match self {
            Self::CannotLink(..) | Self::Vetoed(..) => false,
            Self::Weighed { mean, worst, .. } => agreement(*mean, *worst) >= 0.0,
        }
    }
}

/// The weight of all pairs between two clusters together: the mean, plus a share of the worst pair
/// if that pair is negative. At 0 or more the clusters join.
pub(crate) fn agreement(mean: f32, worst: f32) -> f32 {
    mean + WORST_SHARE * worst.min(0.0)
}

/// The clusters of one component while they are joined.
pub struct Clusters<'a> {
    members: &'a [&'a Profile],
    weights: &'a Weights,
    cannot_link: &'a CannotLink,
    cluster_of: Vec<u32>,
    lists: Vec<Vec<u32>>,
}

impl<'a> Clusters<'a> {
    /// One cluster for each member.
    pub fn singletons(
        members: &'a [&'a Profile],
        weights: &'a Weights,
        cannot_link: &'a CannotLink,
    ) -> Self {
        let count = members.len() as u32;
        Self {
            members,
            weights,
            cannot_link,
            cluster_of: (0..count).collect(),
            lists: (0..count).map(|member| vec![member]).collect(),
        }
    }

    /// Joins the clusters of two linked members if their linkage or a must-link constraint allows it.
    pub fn join(&mut self, link: &Link) -> LinkOutcome {
        let (one, other) = (
            self.cluster_of[link.left as usize],
            self.cluster_of[link.right as usize],
        );
        if one == other {
            return LinkOutcome::Joined;
        }
        if let Some(linkage) = self.objection(link) {
            return LinkOutcome::Refused(linkage);
        }
        let (into, from) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.lists[from as usize]);
        for member in &moved {
            self.cluster_of[*member as usize] = into;
        }
        self.lists[into as usize].extend(moved);
        LinkOutcome::Joined
    }

    /// The clusters in the order of their first member, with members in ascending order.
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

    /// Why the clusters of two linked members may not join. Only a cannot-link constraint can stop a
    /// must-link constraint.
    fn objection(&self, link: &Link) -> Option<Linkage> {
        let list = |member: u32| &*self.lists[self.cluster_of[member as usize] as usize];
        let (one, other) = (list(link.left), list(link.right));
        if link.weight == MUST_LINK {
            return self
                .cannot_link_between(one, other)
                .map(|(left, right)| Linkage::CannotLink(left, right));
        }
        Some(self.linkage(one, other)).filter(|linkage| !linkage.allows_joining())
    }

    /// What all pairs between two lists of members say.
    fn linkage(&self, one: &[u32], other: &[u32]) -> Linkage {
        if let Some((left, right)) = self.cannot_link_between(one, other) {
            return Linkage::CannotLink(left, right);
        }
        let vetoed = between(one, other).find_map(|(left, right)| {
            let veto =
                scoring::veto_between(self.members[left as usize], self.members[right as usize])?;
            Some(Linkage::Vetoed(left, right, veto))
        });
        if let Some(vetoed) = vetoed {
            return vetoed;
        }
        let (one, other) = (self.nearest(one, other), self.nearest(other, one));
        let (mut sum, mut worst, mut worst_pair) = (0.0, f32::INFINITY, (0, 0));
        for (left, right) in between(&one, &other) {
            let weight = self
                .weight_among(left, right, &one, &other)
                .clamp(-MAX_PAIR_WEIGHT, MAX_PAIR_WEIGHT);
            sum += weight;
            if weight < worst {
                (worst, worst_pair) = (weight, (left, right));
            }
        }
        Linkage::Weighed {
            mean: sum / (one.len() * other.len()) as f32,
            worst,
            worst_pair,
        }
    }

    /// The first pair between two lists that a cannot-link constraint separates.
    fn cannot_link_between(&self, one: &[u32], other: &[u32]) -> Option<(u32, u32)> {
        let is_constrained = |pair: &(u32, u32)| {
            self.cannot_link
                .contains(&(pair.0.min(pair.1), pair.0.max(pair.1)))
        };
        if self.cannot_link.is_empty() {
            None
        } else {
            between(one, other).find(is_constrained)
        }
    }

    /// The weight of a pair within the cluster that it would become part of. If a third advert
    /// explains why the prices differ, the price does not count against the pair.
    fn weight_among(&self, left: u32, right: u32, one: &[u32], other: &[u32]) -> f32 {
        let weight = self.weight(left, right);
        if weight >= 0.0 {
            return weight;
        }
        let (a, b) = (self.members[left as usize], self.members[right as usize]);
        let price_weight = comparison::price_weight(a, b);
        let explains =
            |member: &u32| comparison::explains_prices(self.members[*member as usize], a, b);
        if price_weight < 0.0 && one.iter().chain(other).any(explains) {
            weight - price_weight
        } else {
            weight
        }
    }

    fn weight(&self, left: u32, right: u32) -> f32 {
        let (low, high) = (left.min(right), left.max(right));
        match self.weights.get(&(low, high)) {
            Some(weight) => *weight,
            None => scoring::match_weight(self.members[low as usize], self.members[high as usize]),
        }
    }

    /// The members of `list` that were advertised nearest in time to those of `to`.
    fn nearest(&self, list: &[u32], to: &[u32]) -> Vec<u32> {
        if list.len() <= NEAREST {
            return list.to_vec();
        }
        let gap = |member: u32| {
            let life = self.members[member as usize].lifetime;
            to.iter()
                .map(|other| -life.overlap(self.members[*other as usize].lifetime).min(0))
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
