//! The members of each blocking key.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::Member;
use super::rules::KEY_BITS;

/// The members of every key, sorted and without repeats.
///
/// The initial blocks lie in flat lists in the order of their keys, which takes a tenth of the
/// memory of a map of lists. A block that changes later moves into a map.
#[derive(Debug, Default)]
pub struct Blocks {
    /// Keys in ascending order.
    keys: Vec<i64>,
    /// Where the members of each key start, and one past the last.
    starts: Vec<u32>,
    members: Vec<Member>,
    /// Where the keys of each prefix start.
    directory: Vec<u32>,
    /// How far a key is shifted right to get its prefix.
    shift: u32,
    changed: HashMap<i64, Vec<Member>>,
}

impl Blocks {
    /// Builds the blocks from keys with their members.
    pub fn from_entries(mut entries: Vec<(i64, Member)>) -> Self {
        entries.par_sort_unstable();
        entries.dedup();
        let mut blocks = Self {
            members: Vec::with_capacity(entries.len()),
            ..Self::default()
        };
        for (key, member) in entries {
            if blocks.keys.last() != Some(&key) {
                blocks.keys.push(key);
                blocks.starts.push(blocks.members.len() as u32);
            }
            blocks.members.push(member);
        }
        blocks.starts.push(blocks.members.len() as u32);
        blocks.keys.shrink_to_fit();
        blocks.starts.shrink_to_fit();
        blocks.index_keys();
        blocks
    }

    /// Keys are hashes, so a directory with about as many prefixes as keys leaves few keys to search
    /// under each prefix.
    fn index_keys(&mut self) {
        let bits = (self.keys.len() / 4).max(2).ilog2();
        self.shift = KEY_BITS - bits;
        self.directory.reserve_exact((1 << bits) + 1);
        for (place, key) in (0..).zip(&self.keys) {
            let prefix = prefix(*key, self.shift);
            while self.directory.len() <= prefix {
                self.directory.push(place);
            }
        }
        self.directory
            .resize((1 << bits) + 1, self.keys.len() as u32);
    }

    /// The members of a key.
    pub fn members(&self, key: i64) -> &[Member] {
        match self.changed.get(&key) {
            Some(members) => members,
            None => self.initial_block(key),
        }
    }

    /// Adds a member to the block of a key. Returns the size of the block before.
    pub fn add(&mut self, key: i64, member: Member) -> usize {
        self.change(key, |members| {
            if let Err(place) = members.binary_search(&member) {
                members.insert(place, member);
            }
        })
    }

    /// Removes a member from the block of a key. Returns the size of the block before.
    pub fn remove(&mut self, key: i64, member: Member) -> usize {
        self.change(key, |members| {
            if let Ok(place) = members.binary_search(&member) {
                members.remove(place);
            }
        })
    }

    fn change(&mut self, key: i64, change: impl FnOnce(&mut Vec<Member>)) -> usize {
        if !self.changed.contains_key(&key) {
            let initial = self.initial_block(key).to_vec();
            self.changed.insert(key, initial);
        }
        let members = self.changed.entry(key).or_default();
        let before = members.len();
        change(members);
        before
    }

    fn initial_block(&self, key: i64) -> &[Member] {
        let at = prefix(key, self.shift);
        let (Some(from), Some(to)) = (self.directory.get(at), self.directory.get(at + 1)) else {
            return &[];
        };
        match self.keys[*from as usize..*to as usize].binary_search(&key) {
            Ok(place) => {
                let place = *from as usize + place;
                self.initial_members(self.starts[place]..self.starts[place + 1])
            }
            Err(_) => &[],
        }
    }

    /// Every initial key with the places of its initial members, without later changes.
    pub(super) fn initial_blocks(&self) -> impl Iterator<Item = (i64, Range<u32>)> {
        let places = self.starts.windows(2).map(|ends| ends[0]..ends[1]);
        self.keys.iter().copied().zip(places)
    }

    /// The initial members at these places.
    pub(super) fn initial_members(&self, places: Range<u32>) -> &[Member] {
        &self.members[places.start as usize..places.end as usize]
    }
}

/// The first bits of a key; prefixes are in the order of the keys.
fn prefix(key: i64, shift: u32) -> usize {
    (key.cast_unsigned() >> shift) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// A key as the rules make it: a hash of so many bits.
    fn spread(key: i64) -> i64 {
        let mixed = key.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - KEY_BITS)).cast_signed()
    }

    #[test]
    fn few_keys_are_searched_under_each_prefix() {
        let blocks = Blocks::from_entries((1..=10_000).map(|key| (spread(key), 0)).collect());
        let searched = blocks.directory.windows(2).map(|ends| ends[1] - ends[0]);
        assert!(searched.max().is_some_and(|most| most <= 30));
    }

    proptest::proptest! {
        #[test]
        fn a_block_holds_the_members_that_were_added_and_not_removed(
            given in proptest::collection::vec((0i64..20, 0u32..9), 0..60),
            changes in proptest::collection::vec((0i64..20, 0u32..9, proptest::bool::ANY), 0..40),
        ) {
            let mut expected: BTreeMap<i64, BTreeSet<u32>> = BTreeMap::new();
            for (key, member) in &given {
                expected.entry(*key).or_default().insert(*member);
            }
            let mut blocks = Blocks::from_entries(given.iter().map(|(key, member)| (spread(*key), *member)).collect());
            for (key, member, comes) in changes {
                let members = expected.entry(key).or_default();
                let before = members.len();
                let found = if comes {
                    members.insert(member);
                    blocks.add(spread(key), member)
                } else {
                    members.remove(&member);
                    blocks.remove(spread(key), member)
                };
                proptest::prop_assert_eq!(found, before);
            }
            for key in 0..20 {
                let members: Vec<u32> = expected.remove(&key).into_iter().flatten().collect();
                proptest::prop_assert_eq!(blocks.members(spread(key)), members.as_slice());
            }
        }
    }
}
