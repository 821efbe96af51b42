//! Blocking: which pairs are worth comparing. Listings meet in a block when they share a key; a block over the bound
//! makes no pairs, for finer keys split it. Of blocks whose key says little, only pairs whose figures fit are worth it.

mod by_figures;
mod by_mark;
mod by_rooms;
mod cells;
mod figures;
mod keys;
mod outline;

use rayon::prelude::*;

use crate::profile::Sharing;

pub use keys::{RULES, Tells, counted, keys, keys_by_rule};
pub use outline::Outline;

/// The most listings a block may hold and still make pairs.
pub const BOUND: usize = 40;

/// A listing's place in the slice that is being blocked.
pub type Member = u32;

/// Whether a block of one size bears upon its members otherwise than one of another size: it makes pairs or does not,
/// or what its key tells has become less.
pub fn counts_differently(key: i64, one: usize, other: usize) -> bool {
    let sharing = |size| (Tells::of(key) == Tells::LessByMany).then(|| Sharing::of(size));
    (one > BOUND) != (other > BOUND) || sharing(one) != sharing(other)
}

/// The pairs of members that share a block within the bound and are worth comparing, each once, the smaller member
/// first, in order; `outlines` are those of the members.
pub fn pairs(mut entries: Vec<(i64, Member)>, outlines: &[Outline]) -> Vec<(Member, Member)> {
    entries.par_sort_unstable();
    entries.dedup();
    let mut found: Vec<(Member, Member)> = entries
        .par_chunk_by(|one, other| one.0 == other.0)
        .filter(|block| (2..=BOUND).contains(&block.len()))
        .flat_map_iter(|block| {
            let coarse = Tells::of(block[0].0) != Tells::Much;
            block.iter().enumerate().flat_map(move |(place, (_, one))| {
                let own = &outlines[*one as usize];
                block[place + 1..]
                    .iter()
                    .filter(move |(_, other)| !coarse || own.fits(&outlines[*other as usize]))
                    .map(move |(_, other)| (*one, *other))
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
        let alike = [Outline::default(); BOUND + 1];
        assert_eq!(pairs(block(3), &alike), [(0, 1), (0, 2), (1, 2)]);
        assert!(pairs(block(BOUND as u32 + 1), &alike).is_empty());
    }

    #[test]
    fn a_pair_that_meets_twice_is_one_pair() {
        assert_eq!(pairs(vec![(1, 0), (1, 1), (2, 1), (2, 0)], &[Outline::default(); 2]), [(0, 1)]);
    }
}
