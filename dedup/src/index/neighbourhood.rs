//! What a changed listing bears upon: the blocks it leaves and enters, the pairs of those, and the components around.

use std::collections::BTreeSet;

use super::Index;
use crate::blocking::{self, Fit, Member, worth_comparing};
use crate::clustering::{DECIDED, Link, Tie};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::scoring::{self, Veto, weights};
use crate::survey;

impl Index {
    /// Moves a member from its old keys to its new ones, both sorted; adds to `again` the members of the blocks that
    /// thereby count differently.
    pub(super) fn rekey(
        &mut self,
        place: Member,
        old: &[i64],
        new: &[i64],
        again: &mut BTreeSet<Member>,
    ) {
        for key in old.iter().filter(|key| new.binary_search(key).is_err()) {
            let before = self.blocks.take_out(*key, place);
            if blocking::counts_differently(*key, before, before - 1) {
                again.extend(self.blocks.members(*key));
            }
        }
        for key in new.iter().filter(|key| old.binary_search(key).is_err()) {
            let before = self.blocks.add(*key, place);
            if blocking::counts_differently(*key, before, before + 1) {
                again.extend(self.blocks.members(*key));
            }
        }
    }

    /// Compares those members with all that they share a block with; answers with those whose clusters may change:
    /// these members, and the ends of links that came, went or changed, where they hold or held.
    pub(super) fn rematch(&mut self, again: &BTreeSet<Member>) -> BTreeSet<Member> {
        let mut seeds = again.clone();
        // Whose links the strength of other links may hang on.
        let mut touched = again.clone();
        for member in again {
            for other in self.linked.unlink(*member) {
                touched.insert(other);
                if self
                    .strengths
                    .remove(&ends(*member, other))
                    .is_some_and(holds)
                {
                    seeds.insert(other);
                }
            }
            self.survey(*member);
        }
        for member in again {
            for (other, weight) in self.found_linked(*member, again) {
                self.linked.link(*member, other, weight);
                touched.insert(other);
            }
        }
        self.weigh_links(&touched, &mut seeds);
        seeds
    }

    /// Weighs anew what look-alikes leave of the links of these members; adds the ends of those that changed.
    fn weigh_links(&mut self, touched: &BTreeSet<Member>, seeds: &mut BTreeSet<Member>) {
        for member in touched {
            for (other, weight) in self.linked.with(*member) {
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
                let strength = self.linked.strength(&link, profile);
                let before = self.strengths.insert((left, right), strength);
                if before != Some(strength) && (holds(strength) || before.is_some_and(holds)) {
                    seeds.extend([left, right]);
                }
            }
        }
    }

    /// Notes on a member what only the whole set tells.
    fn survey(&mut self, member: Member) {
        let Some(profile) = &mut self.profiles[member as usize] else {
            return;
        };
        let watched = self
            .ended
            .get(&profile.key.site_id)
            .is_some_and(|count| *count > 0);
        survey::note(profile, watched, |key| self.blocks.members(key).len());
    }

    /// Those that a member is linked to, by evidence or by a person's decision. Of two members of `again` only the first
    /// answers.
    fn found_linked(&self, member: Member, again: &BTreeSet<Member>) -> Vec<(Member, f32)> {
        let Some(own) = self.profile(member) else {
            return Vec::new();
        };
        let turn = |other: &Member| *other != member && (*other > member || !again.contains(other));
        let by_evidence = |other: Member| {
            let (weight, vetoed) = engine::weighed(own, self.profile(other)?)?;
            (!vetoed && weight >= weights::LINK).then_some((other, weight))
        };
        let by_decision = |other: Member| {
            let possible = scoring::veto::of(own, self.profile(other)?) != Some(Veto::OfferType);
            possible.then_some((other, DECIDED))
        };
        let undecided = self.candidates(member, own).into_iter().filter(turn);
        let undecided = undecided.filter(|other| !self.reviews.is_decided(member, *other));
        let decided = self.reviews.same_as(member).filter(turn);
        undecided
            .filter_map(by_evidence)
            .chain(decided.filter_map(by_decision))
            .collect()
    }

    /// Those that a member is worth comparing with, and itself.
    fn candidates(&self, member: Member, own: &Profile) -> Vec<Member> {
        let outline = &self.outlines[member as usize];
        let mut found: Vec<Member> = Vec::new();
        for key in blocking::keys(own) {
            let block = self.blocks.members(key);
            if let Some(fit) = Fit::asked(key, block.len()) {
                found.extend(worth_comparing(fit, outline, block, &self.outlines));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Clusters the components of these members anew; answers with the clusters that were not there before.
    pub(super) fn recluster(&mut self, seeds: BTreeSet<Member>) -> Vec<Vec<Member>> {
        let members: Vec<Member> = self.reach(seeds).into_iter().collect();
        let place = |member: Member| {
            members
                .binary_search(&member)
                .ok()
                .map(|place| place as Member)
        };
        let mut ties = Vec::new();
        for (left, member) in (0..).zip(&members) {
            for (other, weight) in self
                .linked
                .with(*member)
                .iter()
                .filter(|(other, _)| other > member)
            {
                let strength = self
                    .strengths
                    .get(&(*member, *other))
                    .copied()
                    .filter(|left| holds(*left));
                let tie = |(right, strength)| Tie {
                    link: Link {
                        left,
                        right,
                        weight: *weight,
                    },
                    strength,
                };
                ties.extend(place(*other).zip(strength).map(tie));
            }
        }
        let different = self.reviews.different(members.iter().copied(), place);
        let profiles: Vec<&Profile> = members
            .iter()
            .filter_map(|member| self.profile(*member))
            .collect();
        let found =
            Components::tied(profiles.len(), ties, different.into_iter()).clusters(&profiles);
        let named = |cluster: Vec<Member>| {
            cluster
                .iter()
                .map(|place| members[*place as usize])
                .collect()
        };
        self.clusters
            .replace(found.into_iter().map(named).collect())
    }

    /// Everything that is connected with these members, without those that are not there.
    fn reach(&self, seeds: BTreeSet<Member>) -> BTreeSet<Member> {
        let mut reached: BTreeSet<Member> = seeds
            .into_iter()
            .filter(|member| self.profile(*member).is_some())
            .collect();
        let mut next: Vec<Member> = reached.iter().copied().collect();
        while let Some(member) = next.pop() {
            for (other, _) in self.linked.with(member) {
                let held = self
                    .strengths
                    .get(&ends(member, *other))
                    .copied()
                    .is_some_and(holds);
                if held && reached.insert(*other) {
                    next.push(*other);
                }
            }
        }
        reached
    }
}

fn ends(one: Member, other: Member) -> (Member, Member) {
    (one.min(other), one.max(other))
}

fn holds(strength: f32) -> bool {
    strength >= weights::LINK
}
