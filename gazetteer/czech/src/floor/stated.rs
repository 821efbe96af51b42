//! The floor that a running text states of the unit on offer.

use super::field::{Counting, Unit, bare_ordinal, named_floor, named_floor_at, plausible};
use crate::tokens::{Tokens, sentences};

/// How many words before a floor may name the unit that is on it.
const WORDS_BEFORE: usize = 14;

/// The floor of a flat or room, as a running text states it. `None` if the text states no floor, or several.
///
/// A statement is a floor in a sentence about the unit (`byt se nachází ve 3. patře`), a label on its own line
/// (`Patro: 2. z 7`), or a floor between commas (`Ostrava-Poruba, 2. patro.`). Not a statement: the rooms on a floor
/// (`1. patro: ložnice, koupelna`), cellars, and floors of the house.
///
/// ```
/// use czech::floor::stated_floor;
/// assert_eq!(stated_floor("Byt se nachází ve 3. patře."), Some(3));
/// assert_eq!(stated_floor("Byt má sklep v přízemí."), None);
/// ```
pub fn stated_floor(text: &str) -> Option<i16> {
    let tokens = Tokens::parse(text);
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
    plausible(found?)
}

/// The floors that a sentence states of the unit.
fn stated_in(sentence: &[&str]) -> Vec<i64> {
    if let Some(floor) = labelled_floor(sentence) {
        return vec![floor];
    }
    let mut found = Vec::new();
    for at in 0..sentence.len() {
        let Some((unit, floor)) = named_floor_at(sentence, at) else {
            continue;
        };
        if matches!(unit, Unit::BelowGround | Unit::Basement) {
            continue;
        }
        let before = sentence.get(..at).unwrap_or_default();
        let is_of_unit = match before {
            [.., "v" | "ve"] | [.., "v" | "ve", _] if speaks_of_unit(before) => true,
            // The hyphen of "v -1 patře" is a minus sign.
            [.., "v" | "ve", "-"] => false,
            [.., "," | "-"] => is_set_off(sentence, at),
            _ => false,
        };
        if is_of_unit {
            found.push(floor);
        }
    }
    found
}

/// The floor in a line such as `Patro: 2. z 7`, `Podlaží: 3/6`, `Podlaží: přízemí`.
fn labelled_floor(sentence: &[&str]) -> Option<i64> {
    let (label, value) = match sentence {
        [label, ":", value @ ..] | ["-" | "*" | "–", label, ":", value @ ..] => (*label, value),
        _ => return None,
    };
    let counting = match label {
        "patro" => Counting::FromGround,
        "podlazi" => Counting::FromOne,
        _ => return None,
    };
    // "Podlaží: 3" may also be the number of floors.
    let is_floor = value.len() > 1 || counting == Counting::FromGround;
    named_floor(value).or_else(|| is_floor.then(|| bare_ordinal(value, counting)).flatten())
}

/// Whether the words before a floor are about the unit on offer, and not about a part of it or of the house.
fn speaks_of_unit(before: &[&str]) -> bool {
    const UNIT: [&str; 6] = [
        "byt",
        "bytu",
        "bytova",
        "garsonka",
        "garsoniera",
        "apartman",
    ];
    const UNIT_STEMS: [&str; 4] = ["jednotk", "kancelar", "prostor", "nemovitost"];
    const PART: [&str; 14] = [
        "sklep", "koj", "kolarn", "kocark", "komor", "zahrad", "garaz", "terasa", "obchod",
        "prodejn", "pokoj", "loznic", "parkov", "stani",
    ];
    let near = before
        .get(before.len().saturating_sub(WORDS_BEFORE)..)
        .unwrap_or_default();
    let Some(unit) = near.iter().rposition(|word| {
        UNIT.contains(word) || UNIT_STEMS.iter().any(|stem| word.starts_with(stem))
    }) else {
        return false;
    };
    let between = near.get(unit + 1..).unwrap_or_default();
    !between
        .iter()
        .any(|word| PART.iter().any(|part| word.starts_with(part)))
}

/// Whether the floor is alone between commas: `…, 2. patro.`, `…, přízemí, cihla`, `…, 3. patro z 6`.
fn is_set_off(sentence: &[&str], at: usize) -> bool {
    let after = sentence.get(at..).unwrap_or_default();
    let unit = after
        .iter()
        .position(|word| matches!(*word, "patro" | "np" | "podlazi" | "prizemi"));
    unit.and_then(|unit| after.get(unit + 1..))
        .is_some_and(|after| {
            matches!(
                after,
                [] | ["," | "(" | "z" | "ze" | "s" | "se" | "bez", ..]
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_states_the_floor_of_the_flat() {
        for (text, expected) in [
            (
                "Byt je umístěn v pátém patře novostavby šestipodlažního bytového domu.",
                Some(5),
            ),
            (
                "Nabízíme byt 2+1 ve 3. NP panelového domu s výtahem.",
                Some(2),
            ),
            ("Byt se nachází ve zvýšeném přízemí.", Some(0)),
            ("Patro: 2. z 7\nVýtah: ano", Some(2)),
            ("Podlaží: 3/6", Some(2)),
            (
                "Pronájem bytu v moderní výstavbě Ostrava-Poruba, 2. patro.",
                Some(2),
            ),
            ("Byt 2+kk, Bořivojova, 3. patro bez výtahu, cihla", Some(3)),
            ("Byt 2+1 Přerov, přízemí, cihla, 60m2", Some(0)),
        ] {
            assert_eq!(stated_floor(text), expected, "{text}");
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
            "K bytu náleží parkovací stání v přízemí domu.",
            "Možnost pronajmout stání v -1 patře.",
            "Celkem 10 pater",
        ] {
            assert_eq!(stated_floor(text), None, "{text}");
        }
    }
}
