//! The candidate pairs: the pairs that are compared.

use rayon::prelude::*;

use super::{Blocks, CoarseFacts, Member, PairFilter, passing_members};

/// The pairs of members that share a block and pass its filter. Each pair is stored once, with the
/// smaller member.
#[derive(Debug, Default)]
pub struct CandidatePairs {
    /// Where the partners of each member start, and one past the last.
    starts: Vec<u32>,
    others: Vec<Member>,
}

impl CandidatePairs {
    /// The candidate pairs of the initial blocks. `coarse_facts` are those of the members.
    pub fn from_blocks(blocks: &Blocks, coarse_facts: &[CoarseFacts]) -> Self {
        let met: Vec<Vec<(Member, Member)>> = blocks
            .initial_blocks()
            .filter(|(_, members)| members.len() > 1)
            .filter_map(|(key, members)| {
                Some((PairFilter::for_block(key, members.len())?, members))
            })
            .fold(Vec::new, |mut met, (filter, members)| {
                for (place, one) in members.iter().enumerate() {
                    let own = &coarse_facts[*one as usize];
                    let others = passing_members(filter, own, &members[place + 1..], coarse_facts);
                    met.extend(others.map(|other| (*one, other)));
                }
                met
            })
            .collect();
        Self::sorted(met, coarse_facts.len())
    }

    /// Sorts the pairs by member and removes repeats.
    fn sorted(met: Vec<Vec<(Member, Member)>>, members: usize) -> Self {
        let mut starts = vec![0u32; members + 1];
        for (one, _) in met.iter().flatten() {
            starts[*one as usize + 1] += 1;
        }
        for member in 0..members {
            starts[member + 1] += starts[member];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[members] as usize];
        for (one, other) in met.into_iter().flatten() {
            let at = &mut next[one as usize];
            others[*at as usize] = other;
            *at += 1;
        }
        let mut candidates = Self {
            starts: vec![0],
            others: Vec::new(),
        };
        for member in 0..members {
            let own = &mut others[starts[member] as usize..starts[member + 1] as usize];
            own.sort_unstable();
            let mut last = None;
            candidates.others.extend(
                own.iter()
                    .copied()
                    .filter(|other| last.replace(*other) != Some(*other)),
            );
            candidates.starts.push(candidates.others.len() as u32);
        }
        candidates
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
