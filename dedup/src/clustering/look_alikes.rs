//! Look-alikes: as many as one portal shows at the same time, that many different units there are.

use super::Link;
use crate::profile::Profile;
use crate::scoring::weights::look_alikes::{EACH, MARGIN, MOST};

/// Of every member those that it is linked to, in order, and the weights.
#[derive(Debug, Clone, Default)]
pub struct Linked(Vec<Vec<(u32, f32)>>);

impl Linked {
    /// Of so many members, by their links.
    pub fn of(members: usize, links: impl Iterator<Item = Link>) -> Self {
        let mut linked = Self(vec![Vec::new(); members]);
        for link in links {
            linked.0[link.left as usize].push((link.right, link.weight));
            linked.0[link.right as usize].push((link.left, link.weight));
        }
        for list in &mut linked.0 {
            list.sort_unstable_by_key(|(other, _)| *other);
        }
        linked
    }

    /// Makes room for one more member.
    pub fn grow(&mut self) {
        self.0.push(Vec::new());
    }

    /// Those that a member is linked to, and the weights.
    pub fn with(&self, member: u32) -> &[(u32, f32)] {
        &self.0[member as usize]
    }

    /// Links two members that are not linked.
    pub fn link(&mut self, one: u32, other: u32, weight: f32) {
        for (from, to) in [(one, other), (other, one)] {
            let list = &mut self.0[from as usize];
            list.insert(
                list.partition_point(|(linked, _)| *linked < to),
                (to, weight),
            );
        }
    }

    /// Takes all links of a member away; answers with those that it was linked to.
    pub fn unlink(&mut self, member: u32) -> Vec<u32> {
        let others: Vec<u32> = std::mem::take(&mut self.0[member as usize])
            .into_iter()
            .map(|(other, _)| other)
            .collect();
        for other in &others {
            self.0[*other as usize].retain(|(linked, _)| *linked != member);
        }
        others
    }

    fn are_linked(&self, one: u32, other: u32) -> bool {
        self.with(one)
            .binary_search_by_key(&other, |(linked, _)| *linked)
            .is_ok()
    }

    /// The weight of a link with the doubt taken off that look-alikes raise: for each end, every listing on the other's
    /// portal that was live together with it, is linked about as well, and is not itself linked to it.
    pub fn strength<'a>(&self, link: &Link, profile: impl Fn(u32) -> Option<&'a Profile>) -> f32 {
        let rivals = |from: u32, to: u32| {
            let Some(chosen) = profile(to) else { return 0 };
            let is_rival = |(other, weight): &&(u32, f32)| {
                *other != to
                    && *weight >= link.weight - MARGIN
                    && profile(*other).is_some_and(|candidate| {
                        candidate.key.site_id == chosen.key.site_id
                            && candidate.life.watched
                            && candidate.life.overlap(chosen.life) > 0
                    })
                    && !self.are_linked(*other, to)
            };
            self.with(from).iter().filter(is_rival).count()
        };
        let count = rivals(link.left, link.right) + rivals(link.right, link.left);
        link.weight + (EACH * count as f32).max(MOST)
    }
}
