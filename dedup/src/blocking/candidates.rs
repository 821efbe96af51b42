//! The candidate pairs: the pairs that are compared.

use rayon::prelude::*;

use super::encounters::Encounters;
use super::{Blocks, CoarseFacts, Member, passing_members};

/// The pairs of members that share a block and pass its filter. Each pair is stored once, with the
/// smaller member.
#[derive(Debug, Default)]
pub struct CandidatePairs {
    /// Where the partners of each member start, and one past the last.
    starts: Vec<u32>,
    others: Vec<Member>,
}

/// The pairs of consecutive members.
#[derive(Default)]
struct Part {
    /// Where the partners of each member end.
    ends: Vec<u32>,
    others: Vec<Member>,
    /// The partners of the next member, in each block where they meet.
    met: Vec<Member>,
}

impl Part {
    fn add_met(&mut self) {
        self.met.sort_unstable();
        self.met.dedup();
        self.others.append(&mut self.met);
        self.ends.push(self.others.len() as u32);
    }
}

impl CandidatePairs {
    /// The candidate pairs of the initial blocks. `coarse_facts` are those of the members.
    pub fn from_blocks(blocks: &Blocks, coarse_facts: &[CoarseFacts]) -> Self {
        let encounters = Encounters::in_blocks(blocks, coarse_facts.len());
        let members = 0..coarse_facts.len() as Member;
        let parts: Vec<Part> = members
            .into_par_iter()
            .fold(Part::default, |mut part, member| {
                let own = &coarse_facts[member as usize];
                for encounter in encounters.of_member(member) {
                    let later = blocks.initial_members(encounter.places());
                    let passing = passing_members(encounter.filter, own, later, coarse_facts);
                    part.met.extend(passing);
                }
                part.add_met();
                part
            })
            .collect();
        let mut all = Self {
            starts: vec![0],
            others: Vec::with_capacity(parts.iter().map(|part| part.others.len()).sum()),
        };
        for part in parts {
            let before = all.others.len() as u32;
            all.starts.extend(part.ends.iter().map(|end| before + end));
            all.others.extend(part.others);
        }
        all
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.others.len()
    }

    /// The larger members that a member is compared with, in order.
    pub fn after(&self, member: Member) -> &[Member] {
        &self.others
            [self.starts[member as usize] as usize..self.starts[member as usize + 1] as usize]
    }

    /// Whether two members are compared.
    pub fn contains(&self, one: Member, other: Member) -> bool {
        self.after(one.min(other))
            .binary_search(&one.max(other))
            .is_ok()
    }

    /// Every pair, in order.
    pub fn pairs(&self) -> impl ParallelIterator<Item = (Member, Member)> {
        self.par_iter()
            .flat_map_iter(|(one, others)| others.iter().map(move |other| (one, *other)))
    }

    /// Every member with the larger members that it is compared with, in order.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (Member, &[Member])> {
        let members = self.starts.len() as Member - 1;
        (0..members)
            .into_par_iter()
            .map(|member| (member, self.after(member)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocking::MAX_BLOCK_SIZE;

    fn pairs(entries: Vec<(i64, Member)>, members: usize) -> Vec<(Member, Vec<Member>)> {
        let found = CandidatePairs::from_blocks(
            &Blocks::from_entries(entries),
            &vec![CoarseFacts::default(); members],
        );
        found
            .par_iter()
            .map(|(member, others)| (member, others.to_vec()))
            .collect()
    }

    #[test]
    fn a_block_that_is_too_large_makes_no_pairs() {
        let strong_key = 8;
        let block = |count: u32| {
            (0..count)
                .map(|member| (strong_key, member))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            pairs(block(3), 3),
            [(0, vec![1, 2]), (1, vec![2]), (2, vec![])]
        );
        let over = pairs(block(MAX_BLOCK_SIZE as u32 + 1), MAX_BLOCK_SIZE + 1);
        assert!(over.iter().all(|(_, others)| others.is_empty()));
    }

    #[test]
    fn a_pair_that_shares_two_blocks_is_one_pair() {
        assert_eq!(
            pairs(vec![(1, 0), (1, 1), (2, 1), (2, 0)], 2),
            [(0, vec![1]), (1, vec![])]
        );
    }
}
