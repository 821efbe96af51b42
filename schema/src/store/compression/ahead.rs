//! Compressing before the transaction that stores the result, while another one waits for the database.

use std::collections::BTreeMap;

use super::Kind;
use super::dictionary::{self, Group};

/// A text that was compressed before its transaction began, with the dictionary that its group used last.
#[derive(Debug, Clone)]
pub(in crate::store) struct Ahead {
    dictionary: i64,
    frame: Vec<u8>,
}

impl Ahead {
    /// The zstd frame, if this is the dictionary to use.
    pub(in crate::store) fn frame(&self, dictionary: Option<i64>) -> Option<&[u8]> {
        (dictionary == Some(self.dictionary)).then_some(&self.frame)
    }
}

/// Compresses texts of these groups on all cores. The results are in the order given. `None` for those of groups of which
/// this process has stored nothing yet.
pub(in crate::store) fn compress_ahead(texts: &[((&str, Kind), &[u8])]) -> Vec<Option<Ahead>> {
    let mut places_of: BTreeMap<(&str, Kind), Vec<usize>> = BTreeMap::new();
    for (place, (group, _)) in texts.iter().enumerate() {
        places_of.entry(*group).or_default().push(place);
    }
    let groups = places_of.into_iter().filter_map(|(group, places)| {
        let dictionary = Some(dictionary::last(group)?);
        let texts = places.iter().map(|place| texts[*place].1).collect();
        Some((Group { dictionary, texts }, places))
    });
    let (groups, places): (Vec<Group<'_>>, Vec<Vec<usize>>) = groups.unzip();
    let mut ahead = vec![None; texts.len()];
    // What cannot be compressed is reported when it is stored.
    let compressed = dictionary::compress_all(&groups).unwrap_or_default();
    for ((group, frames), places) in groups.iter().zip(compressed).zip(places) {
        let Some(dictionary) = group.dictionary.as_ref().map(|found| found.id) else {
            continue;
        };
        for (frame, place) in frames.into_iter().zip(places) {
            ahead[place] = Some(Ahead { dictionary, frame });
        }
    }
    ahead
}
