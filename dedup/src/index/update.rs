//! The update after a listing changed: the blocks that it leaves and enters, the pairs in these
//! blocks, and the components around them.

use std::collections::BTreeSet;

use super::{Index, PortalCounts};
use crate::blocking::{self, Member, PairFilter, passing_members};
use crate::clustering::{Edge, Link, MUST_LINK};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::scoring::{self, Veto};
use crate::statistics;
use crate::weights;

impl Index {
    /// Moves a member from its old keys to its new keys, both sorted. Adds to `affected` the members of
    /// blocks whose pairs or frequencies change with their size.
    pub(super) fn rekey(
        &mut self,
        member: Member,
        old: &[i64],
        new: &[i64],
        affected: &mut BTreeSet<Member>,
    ) {
        for key in old.iter().filter(|key| new.binary_search(key).is_err()) {
            let before = self.blocks.remove(*key, member);
            if blocking::size_change_matters(*key, before, before - 1) {
                affected.extend(self.blocks.members(*key));
            }
        }
        for key in new.iter().filter(|key| old.binary_search(key).is_err()) {
            let before = self.blocks.add(*key, member);
            if blocking::size_change_matters(*key, before, before + 1) {
                affected.extend(self.blocks.members(*key));
            }
        }
    }

    /// Finds the links of the affected members again. Returns the members whose clusters may change:
    /// the affected members, and the ends of every edge that changed and is or was strong.
    pub(super) fn rematch(&mut self, affected: &BTreeSet<Member>) -> BTreeSet<Member> {
        let mut seeds = affected.clone();
        // The members whose links may change the strength of other links.
        let mut touched = affected.clone();
        for member in affected {
            for other in self.graph.remove_links(*member) {
                touched.insert(other);
                if self
                    .strengths
                    .remove(&ends(*member, other))
                    .is_some_and(is_strong)
                {
                    seeds.insert(other);
                }
            }
            self.apply_statistics(*member);
        }
        for member in affected {
            for (other, weight) in self.links_of(*member, affected) {
                self.graph.add_link(*member, other, weight);
                touched.insert(other);
            }
        }
        // Whether a look-alike counts depends on its other links.
        let look_alikes_of = |member: &Member| self.graph.neighbours(*member).iter();
        let beside: Vec<Member> = touched
            .iter()
            .flat_map(look_alikes_of)
            .map(|(other, _)| *other)
            .collect();
        touched.extend(beside);
        self.update_strengths(&touched, &mut seeds);
        seeds
    }

    /// Updates the strength of the links of these members. Adds to `seeds` the ends of links whose
    /// strength changed.
    fn update_strengths(&mut self, touched: &BTreeSet<Member>, seeds: &mut BTreeSet<Member>) {
        for member in touched {
            for (other, weight) in self.graph.neighbours(*member) {
                if other < member && touched.contains(other) {
                    continue;
                }
                let (left, right) = ends(*member, *other);
                let link = Link {
                    left,
                    right,
                    weight: *weight,
                };
                let profile = |member: Member| self.profiles.get(member as usize)?.as_ref();
                let strength = self.graph.strength(&link, profile);
                let before = self.strengths.insert((left, right), strength);
                if before != Some(strength)
                    && (is_strong(strength) || before.is_some_and(is_strong))
                {
                    seeds.extend([left, right]);
                }
            }
        }
    }

    /// Sets on the profile of a member what depends on the whole set of listings.
    fn apply_statistics(&mut self, member: Member) {
        let Some(profile) = &mut self.profiles[member as usize] else {
            return;
        };
        let counts = self.portals.get(&profile.key.site_id);
        let portal = counts.map(PortalCounts::portal).unwrap_or_default();
        statistics::apply_counts(profile, portal, |key| self.blocks.members(key).len());
    }

    /// The links of a member by evidence and by must-link constraints. A link between two affected
    /// members is returned only for the smaller one.
    fn links_of(&self, member: Member, affected: &BTreeSet<Member>) -> Vec<(Member, f32)> {
        let Some(own) = self.profile(member) else {
            return Vec::new();
        };
        let is_listed_here =
            |other: &Member| *other != member && (*other > member || !affected.contains(other));
        let by_evidence = |other: Member| {
            let (weight, vetoed) = engine::score_pair(&self.table, own, self.profile(other)?)?;
            (!vetoed && weight >= weights::LINK).then_some((other, weight))
        };
        let by_constraint = |other: Member| {
            let possible =
                scoring::veto_between(own, self.profile(other)?) != Some(Veto::OfferType);
            possible.then_some((other, MUST_LINK))
        };
        let unconstrained = self
            .candidates(member, own)
            .into_iter()
            .filter(is_listed_here);
        let unconstrained = unconstrained.filter(|other| !self.reviews.is_decided(member, *other));
        let must_link = self.reviews.same_as(member).filter(is_listed_here);
        unconstrained
            .filter_map(by_evidence)
            .chain(must_link.filter_map(by_constraint))
            .collect()
    }

    /// The members that a member is compared with, and the member itself.
    fn candidates(&self, member: Member, own: &Profile) -> Vec<Member> {
        let coarse_facts = &self.coarse_facts[member as usize];
        let mut found: Vec<Member> = Vec::new();
        for key in blocking::keys(own) {
            let block = self.blocks.members(key);
            if let Some(filter) = PairFilter::for_block(key, block.len()) {
                found.extend(passing_members(
                    filter,
                    coarse_facts,
                    block,
                    &self.coarse_facts,
                ));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Clusters the components of these members again. Returns the clusters that are new.
    pub(super) fn recluster(&mut self, seeds: BTreeSet<Member>) -> Vec<Vec<Member>> {
        let members: Vec<Member> = self.connected(seeds).into_iter().collect();
        let position = |member: Member| {
            members
                .binary_search(&member)
                .ok()
                .map(|position| position as Member)
        };
        let mut edges = Vec::new();
        for (left, member) in (0..).zip(&members) {
            for (other, weight) in self
                .graph
                .neighbours(*member)
                .iter()
                .filter(|(other, _)| other > member)
            {
                let strength = self
                    .strengths
                    .get(&(*member, *other))
                    .copied()
                    .filter(|strength| is_strong(*strength));
                let edge = |(right, strength)| Edge {
                    link: Link {
                        left,
                        right,
                        weight: *weight,
                    },
                    strength,
                };
                edges.extend(position(*other).zip(strength).map(edge));
            }
        }
        let cannot_link = self.reviews.cannot_link(members.iter().copied(), position);
        let profiles: Vec<&Profile> = members
            .iter()
            .filter_map(|member| self.profile(*member))
            .collect();
        let cannot_link = cannot_link.into_iter();
        let found = Components::from_edges(&self.table, profiles.len(), edges, cannot_link)
            .clusters(&profiles);
        let by_member = |cluster: Vec<Member>| {
            cluster
                .iter()
                .map(|position| members[*position as usize])
                .collect()
        };
        self.clusters
            .replace(found.into_iter().map(by_member).collect())
    }

    /// All members that strong edges connect with these members, without removed members.
    fn connected(&self, seeds: BTreeSet<Member>) -> BTreeSet<Member> {
        let mut reached: BTreeSet<Member> = seeds
            .into_iter()
            .filter(|member| self.profile(*member).is_some())
            .collect();
        let mut next: Vec<Member> = reached.iter().copied().collect();
        while let Some(member) = next.pop() {
            for (other, _) in self.graph.neighbours(member) {
                let strong = self
                    .strengths
                    .get(&ends(member, *other))
                    .copied()
                    .is_some_and(is_strong);
                if strong && reached.insert(*other) {
                    next.push(*other);
                }
            }
        }
        reached
    }
}

/// Two members, the smaller first.
fn ends(one: Member, other: Member) -> (Member, Member) {
    (one.min(other), one.max(other))
}

fn is_strong(strength: f32) -> bool {
    strength >= weights::LINK
}
