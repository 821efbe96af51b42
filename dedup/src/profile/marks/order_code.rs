//! The agency's own order numbers (číslo zakázky), the same on every portal that the agency exports to.

use super::following::{is_square_metres, word_at};
use crate::profile::words::{Piece, fold_char};
use crate::profile::{Hash, hash};

/// An agency's order number. Unique within one agency only: a short one says little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderCode {
    /// The number without the differences of portals.
    pub code: Hash,
    /// Letters as they are, digits as `0`: `ZKR3413` and `ZKR3416` are of one shape.
    pub shape: Hash,
    /// Letters and digits.
    pub length: u8,
    /// Whether letters are part of it: then its shape tells agencies apart.
    pub lettered: bool,
}

/// What an order number follows.
pub(super) const ORDER_WORDS: [&str; 8] = [
    "id",
    "zakazka",
    "zakazky",
    "zak",
    "evidencni",
    "ev",
    "kod",
    "nabidky",
];

impl OrderCode {
    /// Reads an order number without the differences of portals: `IDNES-N116466`, `ID: n116466` and `N116466` are one.
    pub fn read(code: &str) -> Option<Self> {
        let plain: String = code
            .trim_start_matches("IDNES-")
            .chars()
            .map(fold_char)
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let shape: String = plain
            .chars()
            .map(|sign| if sign.is_ascii_digit() { '0' } else { sign })
            .collect();
        (!plain.is_empty()).then(|| Self {
            code: hash(&["order", &plain]),
            shape: hash(&["shape", &shape]),
            length: u8::try_from(plain.len()).unwrap_or(u8::MAX),
            lettered: shape.bytes().any(|sign| sign != b'0'),
        })
    }
}

/// An order number: a code or a number of four digits and more that is no phone, price or size.
pub(super) fn order_code(pieces: &[Piece], from: usize) -> Option<String> {
    let mut at = from;
    while matches!(
        word_at(pieces, at),
        Some("nabidky" | "zakazky" | "nemovitosti" | "cislo" | "c")
    ) {
        at += 1;
        if pieces.get(at) == Some(&Piece::Stop) {
            at += 1;
        }
    }
    match pieces.get(at)? {
        Piece::Code(code) if code.len() >= 4 && !code.contains('+') && code != "m2" => {
            Some(code.clone())
        }
        Piece::Number { digits, .. }
            if (4..=12).contains(&digits.len())
                && !is_square_metres(pieces, at + 1)
                && !matches!(word_at(pieces, at + 1), Some("kc" | "czk")) =>
        {
            Some(digits.clone())
        }
        _ => None,
    }
}
