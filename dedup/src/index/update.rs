//! The update after a listing changed: the blocks that it leaves and enters, the pairs in these
//! blocks, and the components around them.

use std::collections::BTreeSet;

use super::Index;
use crate::blocking::{self, Member, PairFilter, passing_members};
use crate::clustering::{Edge, Link, MUST_LINK};
use crate::engine::{self, Components, ScoredPair};
use crate::profile::Profile;
use crate::scoring::{self, Veto};
use crate::statistics::{self, PortalCounts};
use crate::weights;

/// What was found about the pairs of the affected members.
#[derive(Default)]
pub(super) struct FoundPairs {
    /// The pairs to keep, each once.
    pub pairs: Vec<ScoredPair>,
    /// How many pairs were compared.
    pub compared: usize,
    /// The members whose clusters may change.
    pub seeds: BTreeSet<Member>,
}

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

    /// Finds the pairs and links of the affected members again. The members whose clusters may change are
    /// the affected members, and the ends of every edge that changed and is or was strong.
    pub(super) fn find_pairs(&mut self, affected: &BTreeSet<Member>) -> FoundPairs {
        let mut found = FoundPairs {
            seeds: affected.clone(),
            ..FoundPairs::default()
        };
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
                    found.seeds.insert(other);
                }
            }
            self.apply_statistics(*member);
        }
        for member in affected {
            let first = found.pairs.len();
            found.compared += self.add_pairs_of(*member, affected, &mut found.pairs);
            for (other, weight) in self.links_of(*member, &found.pairs[first..], affected) {
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
        self.update_strengths(&touched, &mut found.seeds);
        found
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
                let advertised = |member: Member| {
                    let profile = self.profiles.get(member as usize)?.as_ref();
                    profile.map(Profile::advertised)
                };
                let strength = self.graph.strength(&link, advertised);
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

    /// Adds the pairs of a member that are heavy enough to keep. A pair of two affected members is added
    /// only for the smaller one. Returns how many pairs were compared.
    fn add_pairs_of(
        &self,
        member: Member,
        affected: &BTreeSet<Member>,
        pairs: &mut Vec<ScoredPair>,
    ) -> usize {
        let Some(own) = self.profile(member) else {
            return 0;
        };
        let mut compared = 0;
        for other in self.candidates(member, own) {
            if !is_listed_with(member, other, affected) {
                continue;
            }
            let Some(profile) = self.profile(other) else {
                continue;
            };
            compared += 1;
            let (left, right) = ends(member, other);
            let kept = engine::score_pair(&self.table, own, profile);
            pairs.extend(kept.map(|(weight, vetoed)| ScoredPair {
                left,
                right,
                weight,
                vetoed,
            }));
        }
        compared
    }

    /// The links of a member by evidence, which its pairs give, and by must-link constraints. A link of two
    /// affected members is returned only for the smaller one.
    fn links_of(
        &self,
        member: Member,
        pairs: &[ScoredPair],
        affected: &BTreeSet<Member>,
    ) -> Vec<(Member, f32)> {
        let Some(own) = self.profile(member) else {
            return Vec::new();
        };
        let by_evidence = |pair: &ScoredPair| {
            let other = if pair.left == member {
                pair.right
            } else {
                pair.left
            };
            (pair.is_link() && !self.reviews.is_decided(member, other))
                .then_some((other, pair.weight))
        };
        let by_constraint = |other: Member| {
            let possible =
                scoring::veto_between(own, self.profile(other)?) != Some(Veto::OfferType);
            possible.then_some((other, MUST_LINK))
        };
        let must_link = self.reviews.same_as(member);
        let must_link = must_link.filter(|other| is_listed_with(member, *other, affected));
        pairs
            .iter()
            .filter_map(by_evidence)
            .chain(must_link.filter_map(by_constraint))
            .collect()
    }

    /// The members that a member is compared with, and the member itself.
    pub(super) fn candidates(&self, member: Member, own: &Profile) -> Vec<Member> {
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

/// Whether the pair of an affected member and another is listed with the first.
fn is_listed_with(member: Member, other: Member, affected: &BTreeSet<Member>) -> bool {
    other != member && (other > member || !affected.contains(&other))
}

/// Two members, the smaller first.
fn ends(one: Member, other: Member) -> (Member, Member) {
    (one.min(other), one.max(other))
}

fn is_strong(strength: f32) -> bool {
    strength >= weights::LINK
}
