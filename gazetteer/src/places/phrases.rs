//! The phrase dictionary: all names of all places, looked up word by word or with typing errors.

use crate::level::Level;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::place::{Place, PlaceId};
use super::typos::{Deletions, Pattern, forgiven};

/// The index of a phrase.
pub(super) type PhraseId = u32;

/// The rank for places that lie in no municipality.
pub(super) const NO_TOWN: u32 = u32::MAX;

/// A place with a certain name, and the properties of it that are needed before the place itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub place: PlaceId,
    /// The rank of the municipality that it is or lies in, 0 for the most important one, or [`NO_TOWN`].
    pub town: u32,
    /// The penalty of the name in hundredths: 0 for the place's own name, a little for an alias.
    pub penalty: u8,
    pub level: Level,
    /// As the index of the variant; `u8::MAX` if unknown.
    pub district: u8,
    pub region: u8,
}

/// What the words read so far are.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The phrase of exactly these words.
    phrase: Option<PhraseId>,
    /// Whether a longer phrase begins with them.
    goes_on: bool,
}

/// The hash of the first words of a phrase, extended word by word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk(u64);

impl Walk {
    pub const START: Self = Self(0xcbf2_9ce4_8422_2325);

    /// The hash with one more word.
    pub fn step(self, word: &str) -> Self {
        let mut hash = if self.0 == Self::START.0 {
            self.0
        } else {
            mix(self.0, b' ')
        };
        for byte in word.bytes() {
            hash = mix(hash, byte);
        }
        Self(hash)
    }
}

const fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| mix(hash, *byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash ^ (hash >> 32);
    }
}

type Entries = HashMap<u64, Entry, BuildHasherDefault<AsIs>>;

/// Collects names.
#[derive(Debug, Default)]
pub(super) struct PhraseBuilder {
    entries: Entries,
    keys: String,
    ends: Vec<u32>,
    named: Vec<(PhraseId, PlaceId, u8)>,
}

impl PhraseBuilder {
    /// The index of a phrase, which is added if it is new; `None` for an empty phrase.
    pub fn phrase(&mut self, key: &str) -> Option<PhraseId> {
        let mut walk = Walk::START;
        let mut words = key.split(' ').filter(|word| !word.is_empty()).peekable();
        words.peek()?;
        let next = self.ends.len() as PhraseId;
        while let Some(word) = words.next() {
            walk = walk.step(word);
            let entry = self.entries.entry(walk.0).or_default();
            if words.peek().is_some() {
                entry.goes_on = true;
            } else if let Some(known) = entry.phrase {
                return Some(known);
            } else {
                entry.phrase = Some(next);
            }
        }
        self.keys.push_str(key);
        self.ends.push(self.keys.len() as u32);
        Some(next)
    }

    /// Adds a phrase as the name of a place.
    pub fn name(&mut self, phrase: PhraseId, place: PlaceId, penalty: f64) {
        self.named
            .push((phrase, place, (penalty * 100.0).round() as u8));
    }

    /// Adds a key as the name of a place.
    pub fn add(&mut self, key: &str, place: PlaceId, penalty: f64) {
        if let Some(phrase) = self.phrase(key) {
            self.name(phrase, place, penalty);
        }
    }

    /// Builds the dictionary. `place` returns a place and the rank of its municipality.
    pub fn finish<'a>(mut self, place: impl Fn(PlaceId) -> Option<(&'a Place, u32)>) -> Phrases {
        // Of two names with one key the one with the smaller penalty counts.
        self.named.sort_unstable();
        self.named
            .dedup_by_key(|(phrase, place, _)| (*phrase, *place));
        let mut postings = Vec::with_capacity(self.named.len());
        let mut of_towns: HashMap<u32, Vec<PhraseId>> = HashMap::new();
        let mut starts = Vec::with_capacity(self.ends.len() + 1);
        let mut named = self.named.into_iter().peekable();
        for phrase in 0..self.ends.len() as PhraseId {
            let start = postings.len();
            starts.push(start as u32);
            while let Some((_, id, penalty)) = named.next_if(|(other, ..)| *other == phrase) {
                if let Some((place, town)) = place(id) {
                    postings.push(posting(id, place, town, penalty));
                    if let Some(town) = place.municipality {
                        let phrases = of_towns.entry(town.0).or_default();
                        if phrases.last() != Some(&phrase) {
                            phrases.push(phrase);
                        }
                    }
                }
            }
            if let Some(own) = postings.get_mut(start..) {
                own.sort_unstable_by_key(|posting| {
                    (
                        posting.level == Level::Street,
                        posting.town,
                        posting.level,
                        posting.place,
                    )
                });
            }
        }
        starts.push(postings.len() as u32);
        let mut phrases = Phrases {
            entries: self.entries,
            keys: self.keys,
            ends: self.ends,
            starts,
            postings,
            deletions: Deletions::default(),
            of_towns,
        };
        phrases.entries.shrink_to_fit();
        phrases.postings.shrink_to_fit();
        phrases.deletions =
            Deletions::index((0..phrases.ends.len() as PhraseId).map(|id| phrases.key(id)));
        phrases
    }
}

fn posting(id: PlaceId, place: &Place, town: u32, penalty: u8) -> Posting {
    Posting {
        place: id,
        town,
        penalty,
        level: place.level,
        district: place.district.map_or(u8::MAX, |district| district as u8),
        region: place.region.map_or(u8::MAX, |region| region as u8),
    }
}

/// The dictionary.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    entries: Entries,
    keys: String,
    /// The end of each phrase in `keys`.
    ends: Vec<u32>,
    /// The start of each phrase in `postings`, and the end of the last one.
    starts: Vec<u32>,
    /// Places by phrase: streets last, and both groups ordered by the rank of the municipality.
    postings: Vec<Posting>,
    deletions: Deletions,
    /// The phrases of the streets and quarters of each municipality, by the index of its place.
    of_towns: HashMap<u32, Vec<PhraseId>>,
}

/// A phrase and its number of edits from the text.
pub(super) type Near = (PhraseId, usize);

impl Phrases {
    /// The phrase of exactly these words, and whether a longer phrase begins with them. `walk` is their hash.
    pub fn at<'a>(
        &self,
        walk: Walk,
        words: impl Iterator<Item = &'a str>,
    ) -> (Option<PhraseId>, bool) {
        let Some(entry) = self.entries.get(&walk.0) else {
            return (None, false);
        };
        let phrase = entry
            .phrase
            .filter(|phrase| words.eq(self.key(*phrase).split(' ')));
        (phrase, entry.goes_on)
    }

    pub fn exact(&self, key: &str) -> Option<PhraseId> {
        let walk = key.split(' ').fold(Walk::START, Walk::step);
        self.at(walk, key.split(' ')).0
    }

    pub fn key(&self, phrase: PhraseId) -> &str {
        let phrase = phrase as usize;
        let from = phrase
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |end| *end as usize);
        self.ends
            .get(phrase)
            .and_then(|to| self.keys.get(from..*to as usize))
            .unwrap_or_default()
    }

    pub fn postings(&self, phrase: PhraseId) -> &[Posting] {
        let bounds = (
            self.starts.get(phrase as usize),
            self.starts.get(phrase as usize + 1),
        );
        let (Some(from), Some(to)) = bounds else {
            return &[];
        };
        self.postings
            .get(*from as usize..*to as usize)
            .unwrap_or_default()
    }

    /// The phrases of the streets and quarters of a municipality.
    pub fn of_town(&self, town: PlaceId) -> &[PhraseId] {
        self.of_towns.get(&town.0).map_or(&[], Vec::as_slice)
    }

    /// Finds the misspelt phrases: those within the number of edits that is forgiven for the length of `key`, but not the
    /// exact one.
    pub fn near(&self, key: &str, scratch: &mut Vec<u32>, found: &mut Vec<Near>) {
        found.clear();
        let limit = forgiven(key.len() + 1).min(if key.len() < 7 { 1 } else { 2 });
        let Some(pattern) = Pattern::compile(key).filter(|_| limit > 0) else {
            return;
        };
        self.deletions.proposals(key, limit, scratch);
        for phrase in scratch.iter().copied() {
            let other = self.key(phrase);
            let allowed = limit.min(forgiven(other.len()));
            if other.len().abs_diff(key.len()) > allowed || !may_be_misspelt(key, other) {
                continue;
            }
            let edits = pattern.edits(other);
            if (1..=allowed).contains(&edits) {
                found.push((phrase, edits));
            }
        }
    }
}

/// Whether a difference may be a typing error. `Praha 1` is not a misspelt `Praha 2`, and the adjective `Pardubická` is a
/// street, not a misspelt `Pardubice`.
pub(super) fn may_be_misspelt(typed: &str, known: &str) -> bool {
    let adjective = |key: &str| key.ends_with("ska") || key.ends_with("cka");
    (adjective(known) || !adjective(typed))
        && typed
            .bytes()
            .filter(u8::is_ascii_digit)
            .eq(known.bytes().filter(u8::is_ascii_digit))
}
