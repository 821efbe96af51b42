//! How a text names the unit itself: `byt č. 12`, `pokoj č. 2`, `stání P27`, `dům SO 04`.

use super::following::{is_square_metres, skip_number_sign};
use crate::profile::words::{Piece, fold_char};
use crate::profile::{Hash, hash};

/// What a designation counts: a flat's number says nothing against the number of its house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    /// Flat or unit of a building (byt, jednotka).
    Flat,
    /// Room of a shared flat (pokoj).
    Room,
    /// Garage or parking place (garáž, stání).
    Parking,
    /// Office or other commercial space (kancelář, prostor).
    Space,
    /// House of a project (dům).
    House,
}

/// The designation of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// What it counts.
    pub kind: UnitKind,
    /// The designation.
    pub code: Hash,
    /// Whether it has at most two letters or digits: there is a room no. 2 everywhere.
    pub short: bool,
}

impl Unit {
    /// Reads a designation.
    pub fn read(kind: UnitKind, designation: &str) -> Self {
        let plain: String = designation
            .chars()
            .map(fold_char)
            .filter(|letter| !letter.is_whitespace())
            .collect();
        Self {
            kind,
            code: hash(&["unit", &plain]),
            short: plain.chars().count() <= 2,
        }
    }
}

/// What a unit's designation follows: `byt č. 12`, `pokoj č. 2`, `stání P27`, `dům SO 04`.
pub(super) const UNIT_NOUNS: [(&str, UnitKind); 17] = [
    ("byt", UnitKind::Flat),
    ("bytu", UnitKind::Flat),
    ("bytova", UnitKind::Flat),
    ("jednotka", UnitKind::Flat),
    ("jednotky", UnitKind::Flat),
    ("jednotku", UnitKind::Flat),
    ("pokoj", UnitKind::Room),
    ("pokoje", UnitKind::Room),
    ("stani", UnitKind::Parking),
    ("garaz", UnitKind::Parking),
    ("garaze", UnitKind::Parking),
    ("box", UnitKind::Parking),
    ("kancelar", UnitKind::Space),
    ("kancelare", UnitKind::Space),
    ("prostor", UnitKind::Space),
    ("dum", UnitKind::House),
    ("domu", UnitKind::House),
];

/// The designation of a unit: after a number sign anything with a digit, else only what cannot be a layout or size.
pub(super) fn designation(pieces: &[Piece], from: usize) -> Option<String> {
    let layout = matches!(pieces.get(from), Some(Piece::Code(code)) if code.contains('+'));
    let from = if layout { from + 1 } else { from };
    let at = skip_number_sign(pieces, from);
    let signed = at != from;
    match pieces.get(at)? {
        Piece::Code(code) if code.contains('+') || code == "m2" => None,
        Piece::Code(code) => {
            let shaped =
                code.contains('-') || code.starts_with(|first: char| first.is_ascii_alphabetic());
            (signed || shaped).then(|| code.clone())
        }
        Piece::Number { digits, .. } if signed && !is_square_metres(pieces, at + 1) => {
            Some(digits.clone())
        }
        Piece::Word { text, .. } if text == "so" => match pieces.get(at + 1)? {
            Piece::Number { digits, .. } => Some(format!("so{digits}")),
            _ => None,
        },
        Piece::Word { text, .. } if signed && text.len() == 1 => Some(text.clone()),
        _ => None,
    }
}
