//! Blocking: selects the pairs that are worth comparing.
//!
//! Listings that share a key form a block, and only pairs within a block are compared. A block
//! larger than [`MAX_BLOCK_SIZE`] makes no pairs, because finer keys split it. If the key is weak,
//! only pairs that pass a [`PairFilter`] are compared; the filter is stricter for larger blocks.

mod blocks;
mod candidates;
mod cells;
mod day_rules;
mod encounters;
mod identifier_rules;
mod key_parts;
mod pair_filter;
mod place_rules;
mod rules;

use crate::profile::Frequency;

pub use blocks::Blocks;
pub use candidates::CandidatePairs;
pub use pair_filter::{ALIKE_FROM, CLOSE_FROM, CoarseFacts, PairFilter};
pub use rules::{keys, rule_names};

pub(crate) use pair_filter::passing_members;
pub(crate) use rules::{KeyStrength, RULES, keys_with_rules, shared_value_keys};

/// The most listings that a block may hold and still make pairs.
pub const MAX_BLOCK_SIZE: usize = 40;

/// The index of a listing in the slice that is matched.
pub type Member = u32;

/// Whether the members of a block must be matched again after its size changed: it makes pairs
/// now or no longer, another filter applies, or the frequency of the shared value changed.
pub(crate) fn size_change_matters(key: i64, before: usize, after: usize) -> bool {
    let frequency = |size| {
        KeyStrength::of_key(key)
            .is_counted()
            .then(|| Frequency::from_count(size))
    };
    PairFilter::for_block(key, before) != PairFilter::for_block(key, after)
        || frequency(before) != frequency(after)
}
