//! Blocking: which pairs are worth comparing. Listings meet in a block when they share a key; a block over the bound
//! makes no pairs, for the finer keys of the same rule split it.

mod keys;

use rayon::prelude::*;

pub use keys::{RULES, keys, keys_by_rule};

/// The most listings a block may hold and still make pairs.
pub const BOUND: usize = 40;

/// A listing's place in the slice that is being blocked.
pub type Member = u32;

/// The pairs of members that share a block within the bound, each once, the smaller member first, in order.
pub fn pairs(mut entries: Vec<(i64, Member)>) -> Vec<(Member, Member)> {
    entries.par_sort_unstable();
    entries.dedup();
    let mut found: Vec<(Member, Member)> = entries
        .par_chunk_by(|one, other| one.0 == other.0)
        .filter(|block| (2..=BOUND).contains(&block.len()))
        .flat_map_iter(|block| {
            block.iter().enumerate().flat_map(move |(place, (_, one))| {
                block[place + 1..].iter().map(move |(_, other)| (*one, *other))
            })
        })
        .collect();
    found.par_sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_over_the_bound_makes_no_pairs() {
        let block = |count: u32| (0..count).map(|member| (7, member)).collect::<Vec<_>>();
        assert_eq!(pairs(block(3)), [(0, 1), (0, 2), (1, 2)]);
        assert!(pairs(block(BOUND as u32 + 1)).is_empty());
    }

    #[test]
    fn a_pair_that_meets_twice_is_one_pair() {
        assert_eq!(pairs(vec![(1, 0), (1, 1), (2, 1), (2, 0)]), [(0, 1)]);
    }
}
