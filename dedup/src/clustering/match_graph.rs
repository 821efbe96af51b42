//! The match graph: listings as nodes, links as edges, and how much look-alikes weaken a link.

use super::Link;
use crate::profile::Advertised;
use crate::weights::look_alikes::{CLEARLY, EACH, MARGIN, MOST};

/// The links of every member, with their weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchGraph(Vec<Vec<(u32, f32)>>);

impl MatchGraph {
    /// The graph of `members` members with these links.
    pub fn from_links(members: usize, links: impl Iterator<Item = Link>) -> Self {
        let mut graph = Self(vec![Vec::new(); members]);
        for link in links {
            graph.0[link.left as usize].push((link.right, link.weight));
            graph.0[link.right as usize].push((link.left, link.weight));
        }
        for list in &mut graph.0 {
            list.sort_unstable_by_key(|(other, _)| *other);
        }
        graph
    }

    /// Adds a member without links.
    pub fn add_member(&mut self) {
        self.0.push(Vec::new());
    }

    /// The members that a member is linked to, in order, with the weights of the links.
    pub fn neighbours(&self, member: u32) -> &[(u32, f32)] {
        &self.0[member as usize]
    }

    /// Links two members that are not linked yet.
    pub fn add_link(&mut self, one: u32, other: u32, weight: f32) {
        for (from, to) in [(one, other), (other, one)] {
            let list = &mut self.0[from as usize];
            list.insert(
                list.partition_point(|(linked, _)| *linked < to),
                (to, weight),
            );
        }
    }

    /// Removes all links of a member. Returns the members that it was linked to.
    pub fn remove_links(&mut self, member: u32) -> Vec<u32> {
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
        self.neighbours(one)
            .binary_search_by_key(&other, |(linked, _)| *linked)
            .is_ok()
    }

    /// The weight of a link less what look-alikes take off. Members up to two links from its ends decide
    /// about that; of them only where and when they were advertised is asked.
    ///
    /// A look-alike competes with one end of the link for the other. It is on the portal of the
    /// end that it competes with, was live together with that end and is not linked to it, and its
    /// own link is about as heavy. A look-alike that has found another match does not compete.
    pub fn strength<'a>(
        &self,
        link: &Link,
        advertised: impl Fn(u32) -> Option<Advertised<'a>>,
    ) -> f32 {
        let enough = (MOST / EACH) as usize;
        let count = |from: u32, to: u32| {
            let competes = |(other, weight): &&(u32, f32)| {
                *other != to
                    && *weight >= link.weight - MARGIN
                    && self.is_beside(*other, to, &advertised)
                    && !self.has_found_another(*other, from, *weight, &advertised)
            };
            let found = self.neighbours(from).iter().filter(competes);
            found.take(enough).count()
        };
        let look_alikes = count(link.left, link.right) + count(link.right, link.left);
        link.weight + (EACH * look_alikes as f32).max(MOST)
    }

    /// Whether two members are different units of one portal: live there together, and not linked.
    fn is_beside<'a>(
        &self,
        one: u32,
        other: u32,
        advertised: &impl Fn(u32) -> Option<Advertised<'a>>,
    ) -> bool {
        let both = advertised(one).zip(advertised(other));
        both.is_some_and(|(left, right)| {
            left.portal == right.portal
                && left.lifetime.portal_is_watched
                && left.lifetime.overlap(right.lifetime) > 0
        }) && !self.are_linked(one, other)
    }

    /// Whether a member that is linked to `end` with this weight has a clearly heavier link to another
    /// unit of the portal of `end`.
    fn has_found_another<'a>(
        &self,
        member: u32,
        end: u32,
        weight: f32,
        advertised: &impl Fn(u32) -> Option<Advertised<'a>>,
    ) -> bool {
        self.neighbours(member).iter().any(|(found, heavier)| {
            *found != end && *heavier >= weight + CLEARLY && self.is_beside(*found, end, advertised)
        })
    }
}
