//! House numbers behind the name of a street, as written: in a field, and in running text.
//!
//! Both readers return the text of the number. Its kind is decided later, when the whole address is read.

use crate::fold::fold;
use crate::tokens::{Tokens, whole};

/// The street and the house number of a field such as `Kubelíkova 1250/12`. A number that is part of the name
/// (`Sídliště 2`, `17. listopadu`) is not a house number.
///
/// ```
/// use czech::house_number::split_house_number;
/// assert_eq!(split_house_number("Dlouhá 12a"), ("Dlouhá", Some("12a")));
/// assert_eq!(split_house_number("17. listopadu"), ("17. listopadu", None));
/// ```
pub fn split_house_number(street: &str) -> (&str, Option<&str>) {
    match street.rsplit_once(' ') {
        Some((name, number)) if is_number(number) && !takes_a_number(name) => {
            (name.trim_end(), Some(number))
        }
        _ => (street, None),
    }
}

/// Whether a word is `12`, `1250/12`, `12a` or the like.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/')
}

/// Whether the name of a street includes the number behind it: `Sídliště 2`.
fn takes_a_number(name: &str) -> bool {
    let name = fold(name);
    name.ends_with("sidliste") || name.ends_with("sidl.")
}

/// The house number at this token of a running text: `12`, `12/3`, `1290/16a`, also behind `č. p.` and the like. A
/// number with a unit, a layout or an ordinal is not a house number.
pub(crate) fn house_number_at(tokens: &Tokens, keys: &[&str], at: usize) -> Option<String> {
    let skipped = match keys.get(at..)? {
        ["c", ".", "p", ".", ..] => 4,
        ["cp" | "c" | "cislo", ".", ..] => 2,
        ["cp" | "cislo", ..] => 1,
        _ => 0,
    };
    let at = at + skipped;
    let is_number = |at: usize| {
        keys.get(at)
            .is_some_and(|key| whole(key).is_some_and(|n| (1..=9999).contains(&n)))
    };
    if !is_number(at) {
        return None;
    }
    let mut number = tokens.written(at).to_owned();
    let mut end = at + 1;
    if keys.get(end) == Some(&"/") && is_number(end + 1) {
        number = format!("{number}/{}", tokens.written(end + 1));
        end += 2;
    }
    let starts_word = |key: &&str| key.starts_with(char::is_alphabetic);
    match keys.get(end).copied() {
        Some(letter @ ("a" | "b" | "c" | "d" | "e" | "f"))
            if !keys.get(end + 1).is_some_and(starts_word) =>
        {
            Some(format!("{number}{letter}"))
        }
        Some("m" | "+" | "." | "kc" | "%" | "kk" | "min" | "minut" | "km" | "byt" | "bytu") => None,
        _ => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_number_is_split_from_the_street() {
        for (street, name, number) in [
            ("Kubelíkova 1250/12", "Kubelíkova", Some("1250/12")),
            ("Čsl. partyzánů 378", "Čsl. partyzánů", Some("378")),
            ("Dlouhá 12a", "Dlouhá", Some("12a")),
            ("17. listopadu", "17. listopadu", None),
            ("Sídliště 2", "Sídliště 2", None),
            ("Hlavní", "Hlavní", None),
            ("Hlavní a", "Hlavní a", None),
            ("", "", None),
        ] {
            assert_eq!(split_house_number(street), (name, number));
        }
    }
}
