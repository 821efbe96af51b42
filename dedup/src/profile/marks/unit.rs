//! The designation of a unit in a text: `byt č. 12`, `pokoj č. 2`, `stání P27`, `dům SO 04`.

use czech::fold::fold_char;
use czech::tokens::Piece;
use czech::tokens::pieces::{is_square_metres, skip_number_sign};

use crate::profile::{Hash, hash};

/// The kind of unit that a designation belongs to. Designations of different kinds cannot be compared.
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
    /// The kind of unit.
    pub kind: UnitKind,
    /// The designation, hashed.
    pub code: Hash,
    /// Whether it has at most two letters or digits. It is then weak evidence, because every shared flat has a room 2.
    pub short: bool,
}

impl Unit {
    /// The unit of this kind with this designation.
    pub fn new(kind: UnitKind, designation: &str) -> Self {
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

/// The nouns before a designation, folded, with the kind of unit that each names.
const UNIT_NOUNS: [(&str, UnitKind); 17] = [
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

/// The unit that the word at `at` names, if a designation follows it.
pub(super) fn unit_at(word: &str, pieces: &[Piece], at: usize) -> Option<Unit> {
    let (_, kind) = UNIT_NOUNS.iter().find(|(noun, _)| *noun == word)?;
    designation(pieces, at + 1).map(|code| Unit::new(*kind, &code))
}

/// The designation from `from` on: behind a number sign anything with a digit, else only a code that is neither a room
/// layout nor a size.
fn designation(pieces: &[Piece], from: usize) -> Option<String> {
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
