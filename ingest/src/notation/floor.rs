//! Floors. The spec counts from the ground: 0 is the ground floor (přízemí), negative is below it.
//!
//! Czech has two ways to count. *Patro* starts above the ground floor, so `1. patro` is 1. *Podlaží* and *nadzemní
//! podlaží* (NP) start with the ground floor, so `1. NP` is 0. Below ground, `1. PP` (podzemní podlaží) and the
//! basement (suterén) are -1. Where one value says both, as `1. patro (2. NP)`, patro is taken. A raised or lowered
//! ground floor is the ground floor.

use super::tokens::{Tokens, sentences, whole};

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
enum Unit {
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
    let named = (0..keys.len()).filter_map(|at| named_at(&keys, at)).min_by_key(|(unit, _)| *unit);
    believed(named.map(|(_, floor)| floor).or_else(|| bare_ordinal(&keys, bare))?)
}

/// The number of floors that is the value of a field: `5 podlaží`, `6`.
pub fn count(text: &str) -> Option<i16> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let first = whole(keys.first()?).filter(|count| BELIEVED_COUNT.contains(count))?;
    match keys.get(1..)? {
        [] | ["podlazi" | "np" | "pater" | "patra" | "nadzemni" | "nadzemnich", ..] => Some(first as i16),
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

/// The floor of a flat or room as a running text states it, `None` unless all of its statements agree.
///
/// Counted are a floor in a sentence about the unit (`byt se nachází ve 3. patře`), a label of its own line
/// (`Patro: 2. z 7`) and a floor set off by commas (`Ostrava-Poruba, 2. patro.`). Not counted: what lies on a floor
/// (`1. patro: ložnice, koupelna`), cellars, and what is said of the house.
pub fn floor_in_text(text: &str) -> Option<i16> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let mut found = None;
    for sentence in sentences(&keys) {
        let sentence = keys.get(sentence).unwrap_or_default();
        for floor in stated_in(sentence) {
            match found {
                Some(other) if other != floor => return None,
                _ => found = Some(floor),
            }
        }
    }
    believed(found?)
}

fn believed(floor: i64) -> Option<i16> {
    BELIEVED.contains(&floor).then_some(floor as i16)
}

fn named_at(keys: &[&str], at: usize) -> Option<(Unit, i64)> {
    let before = at.checked_sub(1).and_then(|before| keys.get(before)).copied();
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
        ["nadzemni" | "nadzemnim" | "podlazi", ..] if dotted && n > 0 => Some((Unit::AboveGround, n - 1)),
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
    (1..).zip(WORDS).find(|(_, forms)| forms.contains(&word)).map(|(floor, _)| floor)
}

/// A value that is only an ordinal: `3.`, `3`, `3./6.`, `3 / 6`, `3. z 6`, `-1`.
fn bare_ordinal(keys: &[&str], counting: Counting) -> Option<i64> {
    let (sign, keys) = match keys {
        ["-", rest @ ..] => (-1, rest),
        _ => (1, keys),
    };
    let (n, _, rest) = ordinal(keys).filter(|_| keys.first().is_some_and(|key| whole(key).is_some()))?;
    match rest {
        [] | ["/" | "z" | "ze", ..] => {}
        _ => return None,
    }
    Some(match counting {
        Counting::FromOne if sign > 0 && n > 0 => n - 1,
        _ => sign * n,
    })
}

/// The floors that a sentence states of the unit.
fn stated_in(sentence: &[&str]) -> Vec<i64> {
    let mut found = Vec::new();
    if let Some(floor) = labelled(sentence) {
        return vec![floor];
    }
    for at in 0..sentence.len() {
        let Some((unit, floor)) = named_at(sentence, at) else { continue };
        if matches!(unit, Unit::BelowGround | Unit::Basement) {
            continue;
        }
        let before = sentence.get(..at).unwrap_or_default();
        let of_the_unit = match before {
            [.., "v" | "ve"] | [.., "v" | "ve", _] if speaks_of_unit(before) => true,
            [.., "," | "-"] if unit != Unit::GroundFloor => set_off(sentence, at),
            _ => false,
        };
        if of_the_unit {
            found.push(floor);
        }
    }
    found
}

/// `Patro: 2. z 7`, `Podlaží: 3/6`, `Podlaží: přízemí`.
fn labelled(sentence: &[&str]) -> Option<i64> {
    let (label, value) = match sentence {
        [label, ":", value @ ..] | ["-" | "*" | "–", label, ":", value @ ..] => (*label, value),
        _ => return None,
    };
    let counting = match label {
        "patro" => Counting::FromGround,
        "podlazi" => Counting::FromOne,
        _ => return None,
    };
    let named = (0..value.len()).filter_map(|at| named_at(value, at)).min_by_key(|(unit, _)| *unit);
    // "Podlaží: 3" may as well be the number of floors.
    let marked = value.len() > 1 || counting == Counting::FromGround;
    named.map(|(_, floor)| floor).or_else(|| marked.then(|| bare_ordinal(value, counting)).flatten())
}

/// Whether the words before a floor are about the unit on offer and not about a part of it or of the house.
fn speaks_of_unit(before: &[&str]) -> bool {
    const UNIT: [&str; 6] = ["byt", "bytu", "bytova", "garsonka", "garsoniera", "apartman"];
    const UNIT_STEMS: [&str; 4] = ["jednotk", "kancelar", "prostor", "nemovitost"];
    const PART: [&str; 12] = [
        "sklep", "koj", "kolarn", "kocark", "komor", "zahrad", "garaz", "terasa", "obchod", "prodejn",
        "pokoj", "loznic",
    ];
    let near = before.get(before.len().saturating_sub(14)..).unwrap_or_default();
    let Some(unit) = near
        .iter()
        .rposition(|word| UNIT.contains(word) || UNIT_STEMS.iter().any(|stem| word.starts_with(stem)))
    else {
        return false;
    };
    let between = near.get(unit + 1..).unwrap_or_default();
    !between.iter().any(|word| PART.iter().any(|part| word.starts_with(part)))
}

/// `…, 2. patro.`: nothing but the end, a comma or the total follows.
fn set_off(sentence: &[&str], at: usize) -> bool {
    let after = sentence.get(at..).unwrap_or_default();
    let unit = after.iter().position(|word| matches!(*word, "patro" | "np" | "podlazi"));
    unit.and_then(|unit| after.get(unit + 1..))
        .is_some_and(|after| matches!(after, [] | ["," | "(" | "z" | "ze", ..]))
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

    #[test]
    fn a_text_states_the_floor_of_the_flat() {
        for (text, expected) in [
            ("Byt je umístěn v pátém patře novostavby šestipodlažního bytového domu.", Some(5)),
            ("Nabízíme byt 2+1 ve 3. NP panelového domu s výtahem.", Some(2)),
            ("Byt se nachází ve zvýšeném přízemí.", Some(0)),
            ("Patro: 2. z 7\nVýtah: ano", Some(2)),
            ("Podlaží: 3/6", Some(2)),
            ("Pronájem bytu v moderní výstavbě Ostrava-Poruba, 2. patro.", Some(2)),
        ] {
            assert_eq!(floor_in_text(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_about_something_else_states_no_floor() {
        for text in [
            "1. patro: ložnice, koupelna",
            "V přízemí domu je kolárna a kočárkárna.",
            "K bytu náleží sklep v 1. PP.",
            "V prvním podlaží se nacházejí dvě bytové jednotky.",
            "Dům má 2 NP a podkroví.",
            "Byt ve 2. patře. Druhý byt ve 3. patře.",
            "Byt má sklep v přízemí.",
            "Celkem 10 pater",
        ] {
            assert_eq!(floor_in_text(text), None, "{text}");
        }
    }
}
