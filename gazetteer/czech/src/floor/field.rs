//! Floors in the value of a field.

use std::ops::RangeInclusive;

use super::{Storey, ordinal_number};
use crate::tokens::{Tokens, whole};

/// How a portal counts if it gives only a number (`3.`, `3./6.`). The value itself does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// As patro: the ground floor is 0.
    FromGround,
    /// As podlaží: the ground floor is 1.
    FromOne,
}

/// Floors that a listing may have; anything else is a mistake.
const PLAUSIBLE_FLOOR: RangeInclusive<i64> = -3..=40;
/// Numbers of floors that a house may have.
const PLAUSIBLE_COUNT: RangeInclusive<i64> = 1..=80;

/// What names a floor. Where a value names several, as `1. patro (2. NP)`, the first variant here counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Patro,
    GroundFloor,
    AboveGround,
    BelowGround,
    Basement,
}

/// The floor that is the value of a field. A building's total (`z celkem 6`, `šestipodlažní`, `2 podlaží`) is not a
/// floor. `bare`: how the portal counts if the value is only a number.
///
/// ```
/// use czech::floor::{Counting, floor_of_field};
/// assert_eq!(floor_of_field("1. patro (2. NP)", Counting::FromOne), Some(1));
/// assert_eq!(floor_of_field("přízemí (1. NP = nadzemní podlaží)", Counting::FromOne), Some(0));
/// assert_eq!(floor_of_field("6. podlaží z celkem 6", Counting::FromOne), Some(5));
/// assert_eq!(floor_of_field("3./6.", Counting::FromOne), Some(2));
/// assert_eq!(floor_of_field("2 podlaží", Counting::FromOne), None);
/// ```
pub fn floor_of_field(text: &str, bare: Counting) -> Option<i16> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let floor = named_floor(&keys).or_else(|| bare_ordinal(&keys, bare))?;
    plausible(floor)
}

/// The number of floors that is the value of a field: `5 podlaží`, `6`.
pub fn floor_count(text: &str) -> Option<i16> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let first = whole(keys.first()?).filter(|count| PLAUSIBLE_COUNT.contains(count))?;
    match keys.get(1..)? {
        []
        | [
            "podlazi" | "np" | "pater" | "patra" | "nadzemni" | "nadzemnich",
            ..,
        ] => Some(first as i16),
        _ => None,
    }
}

/// The floor, if a listing may have it.
pub(super) fn plausible(floor: i64) -> Option<i16> {
    PLAUSIBLE_FLOOR.contains(&floor).then_some(floor as i16)
}

/// The floor that the words name; of several, the one with the first [`Unit`].
pub(super) fn named_floor(keys: &[&str]) -> Option<i64> {
    (0..keys.len())
        .filter_map(|at| named_floor_at(keys, at))
        .min_by_key(|(unit, _)| *unit)
        .map(|(_, floor)| floor)
}

/// The floor that is named at this word. After `z` or `celkem` comes the number of floors of the building.
pub(super) fn named_floor_at(keys: &[&str], at: usize) -> Option<(Unit, i64)> {
    let before = at.checked_sub(1).and_then(|before| keys.get(before));
    let before = before.copied();
    if matches!(before, Some("z" | "ze" | "celkem" | "celkovych")) {
        return None;
    }
    let rest = keys.get(at..)?;
    match rest {
        ["prizemi" | "prizemnim", ..] => return Some((Unit::GroundFloor, 0)),
        ["suteren" | "suterenu", ..] => return Some((Unit::Basement, -1)),
        _ => {}
    }
    let Ordinal {
        number,
        is_marked,
        rest,
    } = Ordinal::parse(rest)?;
    let (storey, is_short) = match rest {
        ["n", ".", "p", ..] => (Storey::AboveGround, true),
        ["p", ".", "p", ..] => (Storey::BelowGround, true),
        [word, ..] => (Storey::from_word(word)?, matches!(*word, "np" | "pp")),
        [] => return None,
    };
    // `3 podlaží` is a number of floors, `3. podlaží` a floor.
    if storey != Storey::Patro && !is_short && !is_marked {
        return None;
    }
    let is_negative = before == Some("-") && at == 1 && storey == Storey::Patro;
    let floor = storey.floor(if is_negative { -number } else { number })?;
    Some((Unit::from(storey), floor))
}

impl From<Storey> for Unit {
    fn from(storey: Storey) -> Self {
        match storey {
            Storey::Patro => Self::Patro,
            Storey::AboveGround => Self::AboveGround,
            Storey::BelowGround => Self::BelowGround,
        }
    }
}

/// A number at the start of some words.
struct Ordinal<'a, 'b> {
    number: i64,
    /// Whether it is marked as an ordinal, by a full stop or by being a word.
    is_marked: bool,
    /// The words behind it.
    rest: &'a [&'b str],
}

impl<'a, 'b> Ordinal<'a, 'b> {
    fn parse(keys: &'a [&'b str]) -> Option<Self> {
        let (first, rest) = keys.split_first()?;
        let Some(number) = whole(first) else {
            return Some(Self {
                number: i64::from(ordinal_number(first)?),
                is_marked: true,
                rest,
            });
        };
        let (is_marked, rest) = match rest {
            [".", rest @ ..] => (true, rest),
            _ => (false, rest),
        };
        Some(Self {
            number,
            is_marked,
            rest,
        })
    }
}

/// A value that is only a number: `3.`, `3`, `3./6.`, `3 / 6`, `3. z 6`, `-1`.
pub(super) fn bare_ordinal(keys: &[&str], counting: Counting) -> Option<i64> {
    let (sign, keys) = match keys {
        ["-", rest @ ..] => (-1, rest),
        _ => (1, keys),
    };
    whole(keys.first()?)?;
    let Ordinal { number, rest, .. } = Ordinal::parse(keys)?;
    match rest {
        [] | ["/" | "z" | "ze", ..] => {}
        _ => return None,
    }
    Some(match counting {
        Counting::FromOne if sign > 0 && number > 0 => number - 1,
        _ => sign * number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Option<i16>) {
        assert_eq!(floor_of_field(text, Counting::FromOne), expected, "{text}");
    }

    #[test]
    fn patro_counts_from_the_ground_and_podlazi_from_one() {
        reads("1. patro (2. NP)", Some(1));
        reads("17. patro (18. NP)", Some(17));
        reads("ve 4. patře", Some(4));
        reads("3. NP", Some(2));
        reads("3.NP", Some(2));
        reads("2. nadzemní podlaží", Some(1));
        reads("6. podlaží z celkem 6", Some(5));
        reads("čtvrté patro", Some(4));
    }

    #[test]
    fn the_ground_floor_is_zero_raised_or_lowered() {
        reads("přízemí (1. NP = nadzemní podlaží)", Some(0));
        reads("zvýšené přízemí (1. NP)", Some(0));
        reads("snížené přízemí (1. PP = podzemní podlaží)", Some(0));
    }

    #[test]
    fn below_ground_is_negative() {
        reads("1. PP", Some(-1));
        reads("2. podzemní podlaží", Some(-2));
        reads("suterén", Some(-1));
        reads("-1", Some(-1));
    }

    #[test]
    fn a_bare_ordinal_counts_as_the_portal_does() {
        assert_eq!(floor_of_field("3./6.", Counting::FromOne), Some(2));
        assert_eq!(floor_of_field("3./6.", Counting::FromGround), Some(3));
        assert_eq!(floor_of_field("4", Counting::FromOne), Some(3));
        assert_eq!(floor_of_field("0", Counting::FromOne), Some(0));
    }

    #[test]
    fn the_total_of_a_building_is_not_a_floor() {
        for text in [
            "2 podlaží",
            "šestipodlažní dům",
            "z celkových 10 pater",
            "celkem 6",
            "",
            "podkroví",
            "99. patro",
        ] {
            reads(text, None);
        }
        assert_eq!(floor_count("2 podlaží"), Some(2));
        assert_eq!(floor_count("22 podlaží"), Some(22));
        assert_eq!(floor_count("6"), Some(6));
        assert_eq!(floor_count("0 podlaží"), None);
        assert_eq!(floor_count("2. patro"), None);
        assert_eq!(floor_count(""), None);
    }
}
