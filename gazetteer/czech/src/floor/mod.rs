//! Floors. The API counts from the ground: 0 is the ground floor (přízemí), a negative number is below ground.
//!
//! Czech counts in two ways. *Patro* starts above the ground floor, so `1. patro` is 1. *Podlaží* and *nadzemní
//! podlaží* (NP) start with the ground floor, so `1. NP` is 0. Below ground, `1. PP` (podzemní podlaží) and the
//! basement (suterén) are -1. A raised or lowered ground floor is the ground floor.
//!
//! Three readers share these words:
//!
//! | reader | reads | says |
//! |---|---|---|
//! | [`floor_of_field`], [`floor_count`] | the value of a field | the floor, or how many floors the house has |
//! | [`stated_floor`] | running text, for a listing | the floor, if all statements about the unit agree |
//! | [`mentioned_floor`] | running text, for comparison | the first floor that is mentioned at all |
//!
//! The last two differ on purpose. A wrong floor in a listing is a wrong answer of the API, so [`stated_floor`] returns
//! `None` in doubt. For comparison, two adverts that mention the same floor first are alike even if the floor is that
//! of the cellar.

mod field;
mod mentioned;
mod stated;

pub use field::{Counting, floor_count, floor_of_field};
pub use mentioned::{floor_after_number, mentioned_floor};
pub use stated::stated_floor;

/// Ordinals from 1 on, in the forms that precede `patro` and `patře`, folded.
const ORDINALS: [[&str; 2]; 12] = [
    ["prvni", "prvnim"],
    ["druhe", "druhem"],
    ["treti", "tretim"],
    ["ctvrte", "ctvrtem"],
    ["pate", "patem"],
    ["seste", "sestem"],
    ["sedme", "sedmem"],
    ["osme", "osmem"],
    ["devate", "devatem"],
    ["desate", "desatem"],
    ["jedenacte", "jedenactem"],
    ["dvanacte", "dvanactem"],
];

/// The number of a folded ordinal: 5 for `pate` and `patem`.
fn ordinal_number(word: &str) -> Option<i16> {
    (1..)
        .zip(ORDINALS)
        .find(|(_, forms)| forms.contains(&word))
        .map(|(number, _)| number)
}

/// What a word behind an ordinal counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storey {
    /// Patro: floors above the ground floor.
    Patro,
    /// Nadzemní podlaží: floors from the ground floor on.
    AboveGround,
    /// Podzemní podlaží: floors below ground.
    BelowGround,
}

impl Storey {
    /// What a folded word counts; `None` for any other word.
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "patro" | "patre" => Some(Self::Patro),
            "np" | "nadzemni" | "nadzemnim" | "podlazi" => Some(Self::AboveGround),
            "pp" | "podzemni" | "podzemnim" => Some(Self::BelowGround),
            _ => None,
        }
    }

    /// The floor with this number; `None` if counting starts at 1 and the number is smaller.
    fn floor(self, number: i64) -> Option<i64> {
        match self {
            Self::Patro => Some(number),
            Self::AboveGround => (number > 0).then_some(number - 1),
            Self::BelowGround => (number > 0).then_some(-number),
        }
    }
}
