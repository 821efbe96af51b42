//! Who shares each key.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Fit, Member, Outline};

/// The members of every key, each sorted and without repeats.
///
/// Those of a set that is given at once lie in lists, in the order of their keys, at a tenth of what a table of lists
/// would need; a block that changes later moves into a table.
#[derive(Debug, Default)]
pub struct Blocks {
    /// Keys in ascending order.
    keys: Vec<i64>,
    /// Where the members of each key begin, and at the end where the last ones end.
    starts: Vec<u32>,
    members: Vec<Member>,
    /// Where the keys of each beginning begin.
    directory: Vec<u32>,
    /// How far a key is shifted to get its beginning.
    shift: u32,
    changed: HashMap<i64, Vec<Member>>,
}

impl Blocks {
    /// The blocks of keys with their members.
    pub fn of(mut entries: Vec<(i64, Member)>) -> Self {
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

    /// Keys are hashes, so that as many beginnings as keys lead to about one key each.
    fn index_keys(&mut self) {
        let bits = (self.keys.len() / 4).max(2).ilog2();
        self.shift = u64::BITS - bits;
        self.directory.reserve_exact((1 << bits) + 1);
        for (place, key) in (0..).zip(&self.keys) {
            let beginning = beginning(*key, self.shift);
            while self.directory.len() <= beginning {
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
            None => self.given(key),
        }
    }

    /// Adds a member to the block of a key; answers with how many there were before.
    pub fn add(&mut self, key: i64, member: Member) -> usize {
        self.change(key, |members| {
            if let Err(place) = members.binary_search(&member) {
                members.insert(place, member);
            }
        })
    }

    /// Takes a member out of the block of a key; answers with how many there were before.
    pub fn take_out(&mut self, key: i64, member: Member) -> usize {
        self.change(key, |members| {
            if let Ok(place) = members.binary_search(&member) {
                members.remove(place);
            }
        })
    }

    fn change(&mut self, key: i64, change: impl FnOnce(&mut Vec<Member>)) -> usize {
        if !self.changed.contains_key(&key) {
            let given = self.given(key).to_vec();
            self.changed.insert(key, given);
        }
        let members = self.changed.entry(key).or_default();
        let before = members.len();
        change(members);
        before
    }

    fn given(&self, key: i64) -> &[Member] {
        let at = beginning(key, self.shift);
        let (Some(from), Some(to)) = (self.directory.get(at), self.directory.get(at + 1)) else {
            return &[];
        };
        match self.keys[*from as usize..*to as usize].binary_search(&key) {
            Ok(place) => self.at(*from as usize + place),
            Err(_) => &[],
        }
    }

    /// Every key that was given at once, with the members that it was given with; of no use once blocks have changed.
    pub fn given_at_once(&self) -> impl IndexedParallelIterator<Item = (i64, &[Member])> {
        self.keys
            .par_iter()
            .enumerate()
            .map(|(place, key)| (*key, self.at(place)))
    }

    fn at(&self, place: usize) -> &[Member] {
        &self.members[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// The first bits of a key, in the order of keys.
fn beginning(key: i64, shift: u32) -> usize {
    (key.cast_unsigned() ^ (1 << 63))
        .checked_shr(shift)
        .unwrap_or_default() as usize
}

/// Of some members of a block those with whom a listing is worth comparing, where the block asks for such a fit.
pub fn worth_comparing<'a>(
    fit: Fit,
    own: &'a Outline,
    members: &'a [Member],
    outlines: &'a [Outline],
) -> impl Iterator<Item = Member> + 'a {
    members
        .iter()
        .copied()
        .filter(move |other| own.fits(&outlines[*other as usize], fit))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    proptest::proptest! {
        #[test]
        fn blocks_hold_what_was_added_and_not_taken_out(
            given in proptest::collection::vec((0i64..20, 0u32..9), 0..60),
            changes in proptest::collection::vec((0i64..20, 0u32..9, proptest::bool::ANY), 0..40),
        ) {
            let spread = |key: i64| key.wrapping_mul(0x1234_5678_9ABC_DEF1);
            let mut expected: BTreeMap<i64, BTreeSet<u32>> = BTreeMap::new();
            for (key, member) in &given {
                expected.entry(*key).or_default().insert(*member);
            }
            let mut blocks = Blocks::of(given.iter().map(|(key, member)| (spread(*key), *member)).collect());
            for (key, member, comes) in changes {
                let members = expected.entry(key).or_default();
                let before = members.len();
                let found = if comes {
                    members.insert(member);
                    blocks.add(spread(key), member)
                } else {
                    members.remove(&member);
                    blocks.take_out(spread(key), member)
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
