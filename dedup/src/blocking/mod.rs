//! Blocking: which pairs are worth comparing. Listings meet in a block when they share a key; a block over the bound
//! makes no pairs, for finer keys split it. Of blocks whose key says little, only pairs whose figures fit are worth it, and
//! the better the more listings share the key.

mod blocks;
mod by_figures;
mod by_mark;
mod by_rooms;
mod candidates;
mod cells;
mod figures;
mod keys;
mod outline;

use crate::profile::Sharing;

pub use blocks::{Blocks, worth_comparing};
pub use candidates::Candidates;
pub use keys::{RULES, Tells, counted, keys, keys_by_rule};
pub use outline::{CROWDED, FULL, Fit, Outline};

/// The most listings a block may hold and still make pairs.
pub const BOUND: usize = 40;

/// A listing's place in the slice that is being blocked.
pub type Member = u32;

/// Whether a block of one size bears upon its members otherwise than one of another size: it makes pairs or does not,
/// asks for another fit, or what its key tells has become less.
pub fn counts_differently(key: i64, one: usize, other: usize) -> bool {
    let sharing = |size| (Tells::of(key) == Tells::LessByMany).then(|| Sharing::of(size));
    Fit::asked(key, one) != Fit::asked(key, other) || sharing(one) != sharing(other)
}
