//! The summaries that are read often, in memory: to read one from the file costs several times as much as to copy it.
//!
//! Each place belongs to one set of a few slots. A summary gets a slot when it is read a second time while no other one of
//! its set was read from the file: so what is read once, as on a walk through all pages, leaves the others where they are.

use std::sync::{Mutex, PoisonError};

use crate::documents::document::Tag;
use crate::documents::{Place, Version};

/// The number of sets is two to the power of this, so there are at most some 18 MB of summaries of 2 KB.
const SETS: u32 = 12;
const SLOTS: usize = 2;
/// Longer summaries are read from the file each time.
const LONGEST: usize = 4096;

/// The summaries of the documents at some places.
#[derive(Debug)]
pub(super) struct HotSummaries {
    sets: Vec<Mutex<Set>>,
}

#[derive(Debug, Default)]
struct Set {
    /// The last one that was used comes first.
    slots: [Option<Summary>; SLOTS],
    /// The place that was read from the file last.
    candidate: Option<Place>,
}

#[derive(Debug)]
struct Summary {
    place: Place,
    version: Version,
    tag: Tag,
    text: Box<[u8]>,
}

impl HotSummaries {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            sets: (0..1 << SETS).map(|_| Mutex::default()).collect(),
        }
    }

    fn with_set<T>(&self, place: Place, on: impl FnOnce(&mut Set) -> T) -> Option<T> {
        // Spreads neighbouring places (Knuth's multiplicative hash).
        let number = place.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SETS);
        let set = self.sets.get(number as usize)?;
        // A poisoned lock is not a problem, because no change to a set can panic halfway.
        Some(on(&mut set.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Appends the summary at a place to `body`, and returns the tag of its document; `None` if it is not in memory.
    pub(super) fn read(&self, place: Place, version: Version, body: &mut Vec<u8>) -> Option<Tag> {
        self.with_set(place, |set| {
            let is_wanted = |slot: &Option<Summary>| {
                let summary = slot.as_ref();
                summary.is_some_and(|it| it.place == place && it.version == version)
            };
            let number = set.slots.iter().position(is_wanted)?;
            set.slots[..=number].rotate_right(1);
            let summary = set.slots[0].as_ref()?;
            body.extend_from_slice(&summary.text);
            Some(summary.tag)
        })?
    }

    /// Notes that a summary was read from the file. It takes the slot that was used least recently if it is its second time.
    pub(super) fn note(&self, place: Place, version: Version, (text, tag): (&[u8], Tag)) {
        if text.len() > LONGEST {
            return;
        }
        self.with_set(place, |set| {
            if set.candidate.replace(place) == Some(place) {
                set.slots.rotate_right(1);
                set.slots[0] = Some(Summary {
                    place,
                    version,
                    tag,
                    text: text.into(),
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: Version = Version { row: 7, change: 70 };

    fn place(number: u64) -> Place {
        Place::new(0, number * 16, 2_000).unwrap()
    }

    /// Reads a summary from the file, if it is not in memory. Returns whether it was.
    fn look(hot: &HotSummaries, place: Place, text: &[u8]) -> bool {
        let mut body = b"[".to_vec();
        if let Some(tag) = hot.read(place, VERSION, &mut body) {
            assert_eq!((tag, body), ([9; 16], [b"[", text].concat()));
            return true;
        }
        assert_eq!(body, b"[");
        hot.note(place, VERSION, (text, [9; 16]));
        false
    }

    #[test]
    fn a_summary_that_was_read_twice_is_in_memory() {
        let hot = HotSummaries::new();
        let found: Vec<bool> = (0..4).map(|_| look(&hot, place(1), b"{}")).collect();
        assert_eq!(found, [false, false, true, true]);
        let later = Version { row: 7, change: 71 };
        assert_eq!(hot.read(place(1), later, &mut Vec::new()), None);
    }

    #[test]
    fn a_walk_through_everything_displaces_nothing() {
        let hot = HotSummaries::new();
        for _ in 0..2 {
            look(&hot, place(1), b"{}");
        }
        for number in 2..100_000 {
            assert!(!look(&hot, place(number), b"{}"));
        }
        assert!(look(&hot, place(1), b"{}"));
    }

    #[test]
    fn a_long_summary_is_not_kept() {
        let hot = HotSummaries::new();
        let long = vec![b'x'; LONGEST + 1];
        assert!((0..3).all(|_| !look(&hot, place(1), &long)));
    }
}
