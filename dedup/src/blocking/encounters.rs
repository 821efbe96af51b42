//! Which later members each member meets in its blocks.

use std::ops::Range;

use super::{Blocks, MAX_BLOCK_SIZE, Member, PairFilter};

// The members of a block that makes pairs are counted in one byte.
const _: () = assert!(MAX_BLOCK_SIZE <= u8::MAX as usize);

/// The later members of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encounter {
    /// What a pair must pass to be compared.
    pub filter: PairFilter,
    /// How many later members there are.
    count: u8,
    /// The place of the first one in [`Blocks`].
    first: u32,
}

impl Encounter {
    /// The places of the later members in [`Blocks`].
    pub fn places(self) -> Range<u32> {
        self.first..self.first + u32::from(self.count)
    }
}

/// The encounters of every member.
#[derive(Debug)]
pub(super) struct Encounters {
    /// Where the encounters of each member start, and one past the last.
    starts: Vec<u32>,
    all: Vec<Encounter>,
}

impl Encounters {
    /// The encounters in the initial blocks of so many members.
    pub fn in_blocks(blocks: &Blocks, members: usize) -> Self {
        let mut starts = vec![0; members + 1];
        for_each(blocks, |member, _| starts[member as usize + 1] += 1);
        for member in 0..members {
            starts[member + 1] += starts[member];
        }
        let empty = Encounter {
            filter: PairFilter::Any,
            count: 0,
            first: 0,
        };
        let mut all = vec![empty; starts[members] as usize];
        let mut next = starts.clone();
        for_each(blocks, |member, encounter| {
            let place = &mut next[member as usize];
            all[*place as usize] = encounter;
            *place += 1;
        });
        Self { starts, all }
    }

    /// The encounters of one member.
    pub fn of_member(&self, member: Member) -> &[Encounter] {
        let member = member as usize;
        &self.all[self.starts[member] as usize..self.starts[member + 1] as usize]
    }
}

/// Calls a function with every encounter of a member, in the order of the blocks.
fn for_each(blocks: &Blocks, mut call: impl FnMut(Member, Encounter)) {
    for (key, places) in blocks.initial_blocks() {
        let Some(filter) = PairFilter::for_block(key, places.len()) else {
            continue;
        };
        let mut count = places.len() as u8;
        for (first, member) in (places.start + 1..).zip(blocks.initial_members(places.clone())) {
            count -= 1;
            if count > 0 {
                call(
                    *member,
                    Encounter {
                        filter,
                        count,
                        first,
                    },
                );
            }
        }
    }
}
