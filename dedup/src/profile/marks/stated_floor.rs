//! The floor that a text states, ground = 0.

use super::following::word_at;
use crate::profile::words::Piece;

/// Ordinals as they stand before `patře` or `podlaží`.
const FLOOR_ORDINALS: [(&str, i16); 20] = [
    ("prvnim", 1),
    ("druhem", 2),
    ("tretim", 3),
    ("ctvrtem", 4),
    ("patem", 5),
    ("sestem", 6),
    ("sedmem", 7),
    ("osmem", 8),
    ("devatem", 9),
    ("desatem", 10),
    ("jedenactem", 11),
    ("dvanactem", 12),
    ("prvni", 1),
    ("druhe", 2),
    ("treti", 3),
    ("ctvrte", 4),
    ("pate", 5),
    ("seste", 6),
    ("sedme", 7),
    ("osme", 8),
];

/// `4. patro` is 4, `4. NP` is 3, `2. PP` is -2.
pub(super) fn floor_of(count: i16, pieces: &[Piece], from: usize) -> Option<i16> {
    let at = if pieces.get(from) == Some(&Piece::Stop) {
        from + 1
    } else {
        from
    };
    match word_at(pieces, at)? {
        "patro" | "patre" | "patra" | "poschodi" | "p" => Some(count),
        "np" | "nadzemni" | "nadzemnim" | "podlazi" if count > 0 => Some(count - 1),
        "pp" | "podzemni" | "podzemnim" if count > 0 => Some(-count),
        _ => None,
    }
}

pub(super) fn floor_word(word: &str, pieces: &[Piece], at: usize) -> Option<i16> {
    if word == "prizemi" {
        return Some(0);
    }
    let (_, count) = FLOOR_ORDINALS
        .iter()
        .find(|(ordinal, _)| *ordinal == word)?;
    floor_of(*count, pieces, at + 1)
}
