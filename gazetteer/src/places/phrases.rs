//! The phrase dictionary: every name of every place, found exactly or with typing errors.
//!
//! Typing errors are found by deletion (as `SymSpell` does it): two words within two edits share a form after at most
//! two deletions from each. Only the beginning of a phrase is indexed, which keeps the index small; whatever it
//! proposes is then measured whole.

use std::collections::HashMap;

use super::place::PlaceId;

/// How much of a phrase's beginning the deletion index covers, in bytes.
const PREFIX: usize = 9;
/// Most phrases of one deletion form that are measured: a bound on the work for a text made to be slow.
const LONGEST_BUCKET: usize = 300;

/// A phrase's number.
pub(super) type PhraseId = u32;

/// A place with this name, and how far the name is from its own (an alias costs a little).
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub place: PlaceId,
    pub penalty: f64,
}

#[derive(Debug, Default)]
pub(super) struct Phrases {
    by_key: HashMap<String, PhraseId>,
    keys: Vec<String>,
    postings: Vec<Vec<Posting>>,
    /// Hashes of deletion forms with their phrases, sorted.
    deletions: Vec<(u32, PhraseId)>,
}

/// Edits that are forgiven in a phrase of `length` bytes.
pub(super) const fn forgiven(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

impl Phrases {
    /// Names a place; of two names with one key the nearer counts.
    pub fn add(&mut self, key: &str, place: PlaceId, penalty: f64) {
        if key.is_empty() {
            return;
        }
        let phrase = self.by_key.get(key).copied().unwrap_or_else(|| {
            self.by_key.insert(key.to_owned(), self.keys.len() as PhraseId);
            self.keys.push(key.to_owned());
            self.postings.push(Vec::new());
            self.keys.len() as PhraseId - 1
        });
        let Some(postings) = self.postings.get_mut(phrase as usize) else { return };
        match postings.iter_mut().find(|posting| posting.place == place) {
            Some(posting) => posting.penalty = posting.penalty.min(penalty),
            None => postings.push(Posting { place, penalty }),
        }
    }

    /// To be called when all names are in: sorts postings by importance and indexes the deletions.
    pub fn finish(&mut self, importance: impl Fn(PlaceId) -> f64) {
        for postings in &mut self.postings {
            postings.sort_by(|a, b| {
                importance(b.place).total_cmp(&importance(a.place)).then(a.place.cmp(&b.place))
            });
        }
        let mut deletions = Vec::new();
        for (phrase, key) in self.keys.iter().enumerate() {
            for hash in deletion_hashes(key, forgiven(key.len())) {
                deletions.push((hash, phrase as PhraseId));
            }
        }
        deletions.sort_unstable();
        deletions.dedup();
        deletions.shrink_to_fit();
        self.deletions = deletions;
    }

    pub fn exact(&self, key: &str) -> Option<PhraseId> {
        self.by_key.get(key).copied()
    }

    pub fn key(&self, phrase: PhraseId) -> &str {
        self.keys.get(phrase as usize).map_or("", String::as_str)
    }

    pub fn postings(&self, phrase: PhraseId) -> &[Posting] {
        self.postings.get(phrase as usize).map_or(&[], Vec::as_slice)
    }

    /// The phrases nearest to `key` within the edits its length forgives, with the edits; the exact one is not among
    /// them.
    pub fn nearest(&self, key: &str) -> Vec<(PhraseId, usize)> {
        let limit = forgiven(key.len());
        let mut proposed = Vec::new();
        for hash in deletion_hashes(key, limit) {
            let from = self.deletions.partition_point(|(other, _)| *other < hash);
            let bucket = self.deletions.iter().skip(from).take_while(|(other, _)| *other == hash);
            proposed.extend(bucket.take(LONGEST_BUCKET).map(|(_, phrase)| *phrase));
        }
        proposed.sort_unstable();
        proposed.dedup();
        let mut found = Vec::new();
        let mut best = limit;
        for phrase in proposed {
            let other = self.key(phrase);
            let allowed = best.min(forgiven(other.len()));
            let alike = adjectives_agree(key, other) && digits(key).eq(digits(other));
            if other.len().abs_diff(key.len()) > allowed || other == key || !alike {
                continue;
            }
            let edits = strsim::osa_distance(key, other);
            if edits <= allowed {
                if edits < best {
                    best = edits;
                    found.clear();
                }
                found.push((phrase, edits));
            }
        }
        found
    }
}

/// `Pardubická` is a street, not `Pardubice` with typing errors.
fn adjectives_agree(typed: &str, known: &str) -> bool {
    let adjective = |key: &str| key.ends_with("ska") || key.ends_with("cka");
    adjective(typed) == adjective(known)
}

/// `Praha 1` is not `Praha 2` with a typing error.
fn digits(key: &str) -> impl Iterator<Item = u8> + '_ {
    key.bytes().filter(u8::is_ascii_digit)
}

/// Hashes of the beginning of `key` with up to `deletions` bytes left out.
fn deletion_hashes(key: &str, deletions: usize) -> Vec<u32> {
    let prefix: Vec<u8> = key.bytes().take(PREFIX).collect();
    let mut hashes = vec![hash(prefix.iter().copied())];
    if deletions >= 1 {
        for skipped in 0..prefix.len() {
            hashes.push(hash(without(&prefix, &[skipped])));
            if deletions >= 2 {
                hashes.extend(
                    (skipped + 1..prefix.len()).map(|second| hash(without(&prefix, &[skipped, second]))),
                );
            }
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

fn without<'a>(prefix: &'a [u8], skipped: &'a [usize]) -> impl Iterator<Item = u8> + 'a {
    prefix.iter().enumerate().filter(|(index, _)| !skipped.contains(index)).map(|(_, byte)| *byte)
}

/// FNV-1a: the same on every machine and in every version.
fn hash(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
