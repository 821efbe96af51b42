//! The match graph: listings as nodes, links as edges, and how much look-alikes weaken a link.

use super::Link;
use crate::profile::Advertised;
use crate::weights::look_alikes::{CLEARLY, EACH_DOUBLING, MOST};

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
    /// end that it competes with, was live together with that end and is not linked to it. A look-alike
    /// that has found another match does not compete.
    pub fn strength<'a>(
        &self,
        link: &Link,
        advertised: impl Fn(u32) -> Option<Advertised<'a>>,
    ) -> f32 {
        let doublings = |from: u32, to: u32| {
            let competes = |(other, weight): &&(u32, f32)| {
                *other != to
                    && self.is_beside(*other, to, &advertised)
                    && !self.has_found_another(*other, from, *weight, &advertised)
            };
            let rivals = self.neighbours(from).iter().filter(competes);
            candidates(link.weight, rivals.map(|(_, weight)| *weight)).log2()
        };
        let doublings = doublings(link.left, link.right) + doublings(link.right, link.left);
        link.weight + (EACH_DOUBLING * doublings).max(MOST)
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

/// How many candidates there are for one end of a link: the link itself and its look-alikes. A
/// look-alike that matches as well counts as one, and half as much for each bit that it matches worse.
fn candidates(weight: f32, rivals: impl Iterator<Item = f32>) -> f32 {
    let mut counted: Vec<f32> = rivals.map(|rival| (rival - weight).exp2()).collect();
    // Sums of floating-point numbers depend on their order, and neighbours are in the order of arrival.
    counted.sort_unstable_by(f32::total_cmp);
    1.0 + counted.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_alike_counts_half_as_much_for_each_bit_that_it_matches_worse() {
        let candidates = |rivals: &[f32]| candidates(4.0, rivals.iter().copied());
        assert!((candidates(&[]) - 1.0).abs() < 1e-6);
        assert!((candidates(&[4.0]) - 2.0).abs() < 1e-6);
        assert!((candidates(&[3.0, 2.0]) - 1.75).abs() < 1e-6);
        assert!((candidates(&[5.0]) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn the_order_of_the_look_alikes_changes_no_bit() {
        let rivals = [9.1, 0.3, 0.1, 7.7, 2.2, 5.9, 0.2];
        let forwards = candidates(4.7, rivals.iter().copied());
        let backwards = candidates(4.7, rivals.iter().rev().copied());
        assert_eq!(forwards.to_bits(), backwards.to_bits());
    }
}
