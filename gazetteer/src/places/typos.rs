//! Names within a few typing errors of a text.
//!
//! Names are indexed by deletion, like in `SymSpell`: if two words are within two edits, then deleting at most two bytes
//! from each gives the same form. Only the beginning of a name is indexed, which keeps the index small; the proposed names
//! are then compared in full.

/// The length of the indexed beginning of a name, in bytes.
const PREFIX: usize = 9;
/// The most names proposed for one form, which limits the work for a text made to be slow.
const LONGEST_BUCKET: usize = 300;
/// The bits of a hash that the directory uses.
const DIRECTORY_BITS: u32 = 17;
/// The longest text that is compared, in bytes: the bits of a machine word.
pub(super) const LONGEST_NAME: usize = 64;

/// The number of edits forgiven in a known name of this many bytes.
pub(super) const fn forgiven(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    }
}

/// The deletion forms of all names.
#[derive(Debug, Default)]
pub(super) struct Deletions {
    /// The start in `forms` of the hashes with these first bits.
    directory: Vec<u32>,
    /// The hash of a form (high half) and the index of its name (low half), sorted.
    forms: Vec<u64>,
}

impl Deletions {
    /// Indexes the names. The index of a name is its position in the sequence.
    pub fn index<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut forms = Vec::new();
        let mut hashes = Vec::new();
        for (number, name) in names.enumerate() {
            deletion_hashes(name.as_bytes(), forgiven(name.len()), &mut hashes);
            forms.extend(
                hashes
                    .iter()
                    .map(|hash| u64::from(*hash) << 32 | number as u64),
            );
        }
        forms.sort_unstable();
        forms.shrink_to_fit();
        let mut directory = vec![0; (1 << DIRECTORY_BITS) + 1];
        for form in &forms {
            if let Some(count) = directory.get_mut(slot(*form) + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut directory {
            sum += *count;
            *count = sum;
        }
        Self { directory, forms }
    }

    /// Finds the indexes of the names that share a form with `name` after up to this many deletions, sorted.
    pub fn proposals(&self, name: &str, deletions: usize, proposed: &mut Vec<u32>) {
        proposed.clear();
        let mut hashes = Vec::with_capacity(48);
        deletion_hashes(name.as_bytes(), deletions, &mut hashes);
        for hash in hashes {
            let slot = slot(u64::from(hash) << 32);
            let (Some(from), Some(to)) = (self.directory.get(slot), self.directory.get(slot + 1))
            else {
                continue;
            };
            let forms = self
                .forms
                .get(*from as usize..*to as usize)
                .unwrap_or_default();
            let bucket = forms
                .iter()
                .skip_while(|form| (**form >> 32) as u32 != hash);
            let bucket = bucket.take_while(|form| (**form >> 32) as u32 == hash);
            proposed.extend(bucket.take(LONGEST_BUCKET).map(|form| *form as u32));
        }
        proposed.sort_unstable();
        proposed.dedup();
    }
}

const fn slot(form: u64) -> usize {
    (form >> (64 - DIRECTORY_BITS)) as usize
}

/// The hashes of the beginning of `name` with up to this many bytes deleted.
fn deletion_hashes(name: &[u8], deletions: usize, hashes: &mut Vec<u32>) {
    hashes.clear();
    let prefix = name.get(..PREFIX).unwrap_or(name);
    hashes.push(hash(prefix, PREFIX, PREFIX));
    if deletions >= 1 {
        for first in 0..prefix.len() {
            hashes.push(hash(prefix, first, PREFIX));
            if deletions >= 2 {
                hashes.extend((first + 1..prefix.len()).map(|second| hash(prefix, first, second)));
            }
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
}

/// FNV-1a of all bytes but two, multiplied to spread the bits upwards. It is the same on every machine.
fn hash(bytes: &[u8], first: usize, second: usize) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    for (index, byte) in bytes.iter().enumerate() {
        if index != first && index != second {
            hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }
    hash.wrapping_mul(0x9e37_79b1)
}

/// A text to compare names with. The distance is the number of edits (a byte deleted, inserted or replaced, two
/// neighbours swapped), computed with the bit-parallel algorithm of Hyyrö (2003).
pub(super) struct Pattern {
    masks: [u64; 256],
    length: usize,
}

impl Pattern {
    /// `None` if the text is empty or longer than [`LONGEST_NAME`].
    pub fn compile(text: &str) -> Option<Self> {
        if text.is_empty() || text.len() > LONGEST_NAME {
            return None;
        }
        let mut masks = [0; 256];
        for (index, byte) in text.bytes().enumerate() {
            masks[usize::from(byte)] |= 1 << index;
        }
        Some(Self {
            masks,
            length: text.len(),
        })
    }

    /// The number of edits between the text and a name.
    pub fn edits(&self, name: &str) -> usize {
        let last = 1_u64 << (self.length - 1);
        let (mut up, mut down, mut diagonal, mut before) = (u64::MAX, 0_u64, 0_u64, 0_u64);
        let mut edits = self.length;
        for byte in name.bytes() {
            let mask = self.masks[usize::from(byte)];
            let swapped = ((!diagonal & mask) << 1) & before;
            diagonal = ((mask & up).wrapping_add(up) ^ up) | mask | down | swapped;
            let right = down | !(diagonal | up);
            let left = diagonal & up;
            edits = edits + usize::from(right & last != 0) - usize::from(left & last != 0);
            let right = (right << 1) | 1;
            up = (left << 1) | !(diagonal | right);
            down = right & diagonal;
            before = mask;
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edits_are_those_of_the_reference_implementation(a in "[a-d ]{1,24}", b in "[a-d ]{0,24}") {
            let pattern = Pattern::compile(&a).expect("neither empty nor long");
            prop_assert_eq!(pattern.edits(&b), strsim::osa_distance(&a, &b));
        }

        #[test]
        fn a_name_within_the_forgiven_edits_is_proposed(name in "[a-e]{8,14}", at in 0..8_usize, other in 0..8_usize) {
            let typed: String = name
                .chars()
                .enumerate()
                .filter(|(index, _)| *index != at)
                .map(|(index, c)| if index == other { 'x' } else { c })
                .collect();
            let names = [name.as_str(), "zzzz"];
            let deletions = Deletions::index(names.into_iter());
            let mut proposed = Vec::new();
            deletions.proposals(&typed, 2, &mut proposed);
            prop_assert!(proposed.contains(&0), "{} {}", name, typed);
        }
    }
}
