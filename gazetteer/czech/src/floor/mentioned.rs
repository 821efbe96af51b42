//! The first floor that a text mentions, for comparison.

use super::{Storey, ordinal_number};
use crate::tokens::pieces::{Piece, skip_stop, word_at};

/// The floor at the piece `at`, which is the word `word`: `přízemí`, or an ordinal with a word for floors behind it.
pub fn mentioned_floor(word: &str, pieces: &[Piece], at: usize) -> Option<i16> {
    if word == "prizemi" {
        return Some(0);
    }
    floor_after_number(ordinal_number(word)?, pieces, at + 1)
}

/// The floor with this number, if the pieces from `from` on begin with a word for floors: `4. patro` is 4, `4. NP` is
/// 3, `2. PP` is -2.
///
/// More forms count than in a listing: `patra`, `poschodí` and `p.` too.
pub fn floor_after_number(number: i16, pieces: &[Piece], from: usize) -> Option<i16> {
    let storey = match word_at(pieces, skip_stop(pieces, from))? {
        "patra" | "poschodi" | "p" => Storey::Patro,
        word => Storey::from_word(word)?,
    };
    storey
        .floor(i64::from(number))
        .and_then(|floor| i16::try_from(floor).ok())
}
