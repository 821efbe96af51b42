//! What stands behind a piece of a text: a word, a unit of area, a number sign.

use crate::profile::words::Piece;

/// The word at `at`.
pub(super) fn word_at(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at) {
        Some(Piece::Word { text, .. }) => Some(text),
        _ => None,
    }
}

/// The word at `at + 1`, over a full stop: the `c` of `p. č.`.
pub(super) fn word_after_stop(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at + 1) {
        Some(Piece::Stop) => word_at(pieces, at + 2),
        _ => word_at(pieces, at + 1),
    }
}

/// Whether `m²` stands at `at`, in any spelling.
pub(in crate::profile) fn is_square_metres(pieces: &[Piece], at: usize) -> bool {
    match pieces.get(at) {
        Some(Piece::Code(code)) => code == "m2",
        Some(Piece::Word { text: word, .. }) => {
            word == "metru"
                || word == "ctverecnich"
                || (word == "m"
                    && matches!(pieces.get(at + 1), Some(Piece::Number { digits, .. }) if digits == "2"))
        }
        _ => false,
    }
}

/// Where the number begins after `č.`, `č`, `číslo`; `from` itself where there is no such sign.
pub(super) fn skip_number_sign(pieces: &[Piece], from: usize) -> usize {
    let mut at = from;
    if pieces.get(at) == Some(&Piece::Stop) {
        at += 1;
    }
    if matches!(word_at(pieces, at), Some("c" | "cislo" | "cisla" | "cis")) {
        at += 1;
        if pieces.get(at) == Some(&Piece::Stop) {
            at += 1;
        }
        at
    } else {
        from
    }
}
