//! Whether details are to be believed, taken together: one advert may say anything, many at once may not.

use std::collections::HashMap;

use schema::Listing;

use super::fields::{KEPT, STEADY};
use super::stored::Stored;
use crate::crawl::alarm::Alarm;

/// How many details must be like that before they are more than chance.
const FEW: usize = 5;
/// How many details a share is taken of at least.
const SOME: usize = 10;
/// How many details are expected to have a field at least, before their lack of it means something.
const MANY: f64 = 20.0;
/// After how many details the earlier ones count half.
const MEMORY: usize = 400;

/// A detail as it is looked at.
#[derive(Debug)]
pub(in crate::crawl) enum Looked<'a> {
    /// It says this; the listing said `before` until now.
    Read {
        listing: &'a Listing,
        before: Option<&'a Listing>,
    },
    /// The adapter cannot read it.
    Unreadable(String),
    /// It is not what the portal is known to answer.
    Unexpected(String),
    /// It is the same as before, or says that the advert is gone.
    Settled,
}

/// The details of a crawl so far, and the portal's listings before it.
#[derive(Debug, Default)]
pub(in crate::crawl) struct DetailChecks {
    so_far: Tally,
    stored: Stored,
}

/// What many details have in common.
#[derive(Debug, Clone, Default)]
struct Tally {
    asked: usize,
    unexpected: usize,
    unreadable: usize,
    example: Option<String>,
    read: usize,
    /// Of those read of whose kind enough listings are stored: how many have each field, and how many would if they
    /// were like these.
    have: [usize; KEPT.len()],
    expected: [f64; KEPT.len()],
    /// Of those read again, how many had each field, and how many have lost it.
    had: [usize; KEPT.len()],
    lost: [usize; KEPT.len()],
    /// Of those read again, of how many each field can be compared, and in how many it is quite another.
    compared: [usize; STEADY.len()],
    other: [usize; STEADY.len()],
    contents: HashMap<[u8; 32], usize>,
}

impl DetailChecks {
    /// Checks against these listings of the portal.
    pub(in crate::crawl) fn against<'a>(stored: impl IntoIterator<Item = &'a Listing>) -> Self {
        Self {
            so_far: Tally::default(),
            stored: Stored::of(stored),
        }
    }

    /// Takes in details that were read together.
    ///
    /// # Errors
    /// The alarm that they give, alone or with those before.
    pub(in crate::crawl) fn take(&mut self, together: &[Looked<'_>]) -> Result<(), Alarm> {
        let mut now = Tally::default();
        for looked in together {
            now.add(looked, &self.stored);
            self.so_far.add(looked, &self.stored);
        }
        for tally in [&now, &self.so_far] {
            if let Some(alarm) = tally.alarm() {
                return Err(alarm);
            }
        }
        if self.so_far.asked > MEMORY {
            self.so_far.halve();
        }
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, looked: &Looked<'_>, stored: &Stored) {
        self.asked += 1;
        match looked {
            Looked::Read { listing, before } => self.add_read(listing, *before, stored),
            Looked::Unreadable(why) => {
                self.unreadable += 1;
                self.example.get_or_insert_with(|| why.clone());
            }
            Looked::Unexpected(why) => {
                self.unexpected += 1;
                self.example.get_or_insert_with(|| why.clone());
            }
            Looked::Settled => {}
        }
    }

    fn add_read(&mut self, listing: &Listing, before: Option<&Listing>, stored: &Stored) {
        self.read += 1;
        let text = serde_json::to_vec(listing).unwrap_or_default();
        *self
            .contents
            .entry(*blake3::hash(&text).as_bytes())
            .or_default() += 1;
        for (place, (_, has)) in KEPT.iter().enumerate() {
            if let Some(share) = stored.share(listing, place) {
                self.have[place] += usize::from(has(listing));
                self.expected[place] += share;
            }
            if before.is_some_and(has) {
                self.had[place] += 1;
                self.lost[place] += usize::from(!has(listing));
            }
        }
        let Some(before) = before else { return };
        for (place, (_, is_other)) in STEADY.iter().enumerate() {
            if let Some(is_other) = is_other(before, listing) {
                self.compared[place] += 1;
                self.other[place] += usize::from(is_other);
            }
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        let first = || self.example.clone().unwrap_or_default();
        if self.unexpected >= FEW && self.unexpected * 5 > self.asked {
            return Some(Alarm::Details {
                count: self.unexpected,
                of: self.asked,
                first: first(),
            });
        }
        let tried = self.read + self.unreadable;
        if self.unreadable >= FEW && self.unreadable * 4 > tried {
            return Some(Alarm::Unreadable {
                count: self.unreadable,
                of: tried,
                first: first(),
            });
        }
        let (count, of) = (
            self.contents.values().copied().max().unwrap_or_default(),
            self.read,
        );
        if of >= SOME && count * 2 > of {
            return Some(Alarm::OneContent { count, of });
        }
        self.lost_field()
            .or_else(|| self.rare_field())
            .or_else(|| self.changed_field())
    }

    fn lost_field(&self) -> Option<Alarm> {
        (0..KEPT.len()).find_map(|place| {
            let (count, of) = (self.lost[place], self.had[place]);
            (of >= SOME && count * 5 > of * 2).then_some(Alarm::Lost {
                field: KEPT[place].0,
                count,
                of,
            })
        })
    }

    /// A field that less than a quarter have of those that would be expected to.
    fn rare_field(&self) -> Option<Alarm> {
        (0..KEPT.len()).find_map(|place| {
            let (count, expected) = (self.have[place], self.expected[place]);
            let is_rare = expected >= MANY && count as f64 * 4.0 < expected;
            let field = KEPT[place].0;
            is_rare.then(|| Alarm::Rare {
                field,
                count,
                of: self.read,
                expected: expected.round() as usize,
            })
        })
    }

    fn changed_field(&self) -> Option<Alarm> {
        (0..STEADY.len()).find_map(|place| {
            let (count, of) = (self.other[place], self.compared[place]);
            (of >= SOME && count * 10 > of * 3).then_some(Alarm::Changed {
                field: STEADY[place].0,
                count,
                of,
            })
        })
    }

    fn halve(&mut self) {
        for count in [
            &mut self.asked,
            &mut self.unexpected,
            &mut self.unreadable,
            &mut self.read,
        ] {
            *count /= 2;
        }
        let kept = [&mut self.have, &mut self.had, &mut self.lost];
        let steady = [&mut self.compared, &mut self.other];
        for count in kept
            .into_iter()
            .flatten()
            .chain(steady.into_iter().flatten())
        {
            *count /= 2;
        }
        for expected in &mut self.expected {
            *expected /= 2.0;
        }
        self.contents.retain(|_, count| {
            *count /= 2;
            *count > 0
        });
    }
}
