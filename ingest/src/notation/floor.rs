//! Floors. The spec counts from the ground: 0 is the ground floor (přízemí), negative is below it.
//!
//! Czech has two ways to count. *Patro* starts above the ground floor, so `1. patro` is 1. *Podlaží* and *nadzemní
//! podlaží* (NP) start with the ground floor, so `1. NP` is 0. Below ground, `1. PP` (podzemní podlaží) and the
//! basement (suterén) are -1. Where one value says both, as `1. patro (2. NP)`, patro is taken. A raised or lowered
//! ground floor is the ground floor.

use super::tokens::{Tokens, whole};

/// How a portal's bare ordinal counts (`3.`, `3./6.`), which only the portal's own habit can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// As patro: the ground floor is 0.
    FromGround,
    /// As podlaží: the ground floor is 1.
    FromOne,
}

/// Floors that are believed.
const BELIEVED: std::ops::RangeInclusive<i64> = -3..=40;
/// Numbers of floors that are believed.
const BELIEVED_COUNT: std::ops::RangeInclusive<i64> = 1..=80;

/// What names a floor, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Patro,
    GroundFloor,
    AboveGround,
    BelowGround,
    Basement,
}

/// The floor that is the value of a field. A building's total (`z celkem 6`, `šestipodlažní`, `2 podlaží`) is not a
/// floor.
///
/// ```
/// use ingest::notation::floor::{Counting, floor};
/// assert_eq!(floor("1. patro (2. NP)", Counting::FromOne), Some(1));
/// assert_eq!(floor("přízemí (1. NP = nadzemní podlaží)", Counting::FromOne), Some(0));
/// assert_eq!(floor("6. podlaží z celkem 6", Counting::FromOne), Some(5));
/// assert_eq!(floor("3./6.", Counting::FromOne), Some(2));
/// assert_eq!(floor("2 podlaží", Counting::FromOne), None);
/// ```
pub fn floor(text: &str, bare: Counting) -> Option<i16> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let named = (0..keys.len())
        .filter_map(|at| named_at(&keys, at))
        .min_by_key(|(unit, _)| *unit);
    believed(
        named
            .map(|(_, floor)| floor)
            .or_else(|| bare_ordinal(&keys, bare))?,
    )
}

/// The number of floors that is the value of a field: `5 podlaží`, `6`.
pub fn count(text: &str) -> Option<i16> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let first = whole(keys.first()?).filter(|count| BELIEVED_COUNT.contains(count))?;
    match keys.get(1..)? {
        []
        | [
            "podlazi" | "np" | "pater" | "patra" | "nadzemni" | "nadzemnich",
            ..,
        ] => Some(first as i16),
        _ => None,
    }
}

/// The building's number of floors beside the unit's floor: `3. patro z 6`, `6. podlaží z celkem 8`, `3./6.`.
pub fn total(text: &str) -> Option<i16> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let total = (0..keys.len()).find_map(|at| match keys.get(at..)? {
        ["z" | "ze", "celkem" | "celkovych" | "celkoveho", n, ..]
        | ["z" | "ze", n, ..]
        | [".", "/", n, ..] => whole(n),
        [first, "/", n, ..] if at == 0 && whole(first).is_some() => whole(n),
        _ => None,
    })?;
    BELIEVED_COUNT.contains(&total).then_some(total as i16)
}

pub(super) fn believed(floor: i64) -> Option<i16> {
    BELIEVED.contains(&floor).then_some(floor as i16)
}

pub(super) fn named_at(keys: &[&str], at: usize) -> Option<(Unit, i64)> {
    let before = at
        .checked_sub(1)
        .and_then(|before| keys.get(before))
        .copied();
    if matches!(before, Some("z" | "ze" | "celkem" | "celkovych")) {
        return None;
    }
    let rest = keys.get(at..)?;
    match rest {
        ["prizemi" | "prizemnim", ..] => return Some((Unit::GroundFloor, 0)),
        ["suteren" | "suterenu", ..] => return Some((Unit::Basement, -1)),
        _ => {}
    }
    let (n, dotted, unit) = ordinal(rest)?;
    match unit {
        ["patro" | "patre", ..] if before == Some("-") && at == 1 => Some((Unit::Patro, -n)),
        ["patro" | "patre", ..] => Some((Unit::Patro, n)),
        ["np", ..] | ["n", ".", "p", ..] if n > 0 => Some((Unit::AboveGround, n - 1)),
        ["nadzemni" | "nadzemnim" | "podlazi", ..] if dotted && n > 0 => {
            Some((Unit::AboveGround, n - 1))
        }
        ["pp", ..] | ["p", ".", "p", ..] if n > 0 => Some((Unit::BelowGround, -n)),
        ["podzemni" | "podzemnim", ..] if dotted && n > 0 => Some((Unit::BelowGround, -n)),
        _ => None,
    }
}

/// An ordinal at the start, whether it was marked as one (by a dot or by being a word), and what follows.
fn ordinal<'a, 'b>(keys: &'a [&'b str]) -> Option<(i64, bool, &'a [&'b str])> {
    match keys {
        [n, ".", rest @ ..] if whole(n).is_some() => Some((whole(n)?, true, rest)),
        [n, rest @ ..] if whole(n).is_some() => Some((whole(n)?, false, rest)),
        [word, rest @ ..] => Some((ordinal_word(word)?, true, rest)),
        [] => None,
    }
}

fn ordinal_word(word: &str) -> Option<i64> {
    const WORDS: [[&str; 2]; 10] = [
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
    ];
    (1..)
        .zip(WORDS)
        .find(|(_, forms)| forms.contains(&word))
        .map(|(floor, _)| floor)
}

/// A value that is only an ordinal: `3.`, `3`, `3./6.`, `3 / 6`, `3. z 6`, `-1`.
pub(super) fn bare_ordinal(keys: &[&str], counting: Counting) -> Option<i64> {
    let (sign, keys) = match keys {
        ["-", rest @ ..] => (-1, rest),
        _ => (1, keys),
    };
    let (n, _, rest) =
        ordinal(keys).filter(|_| keys.first().is_some_and(|key| whole(key).is_some()))?;
    match rest {
        [] | ["/" | "z" | "ze", ..] => {}
        _ => return None,
    }
    Some(match counting {
        Counting::FromOne if sign > 0 && n > 0 => n - 1,
        _ => sign * n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Option<i16>) {
        assert_eq!(floor(text, Counting::FromOne), expected, "{text}");
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
        assert_eq!(floor("3./6.", Counting::FromOne), Some(2));
        assert_eq!(floor("3./6.", Counting::FromGround), Some(3));
        assert_eq!(floor("4", Counting::FromOne), Some(3));
        assert_eq!(floor("0", Counting::FromOne), Some(0));
        assert_eq!(total("3./6."), Some(6));
        assert_eq!(total("3/6"), Some(6));
        assert_eq!(total("6. podlaží z celkem 8 včetně 1 podzemního"), Some(8));
        assert_eq!(total("1. patro (2. NP)"), None);
    }

    #[test]
    fn a_building_total_is_no_floor() {
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
        assert_eq!(count("2 podlaží"), Some(2));
        assert_eq!(count("22 podlaží"), Some(22));
        assert_eq!(count("6"), Some(6));
        assert_eq!(count("0 podlaží"), None);
        assert_eq!(count("2. patro"), None);
        assert_eq!(count(""), None);
    }
}
