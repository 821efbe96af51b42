//! The street that a running text announces: `ul. Polní 12/3`, `v ulici Na Balkáně`.

use crate::house_number::house_number_at;
use crate::tokens::{Tokens, whole};

/// The longest name of a street, in words.
const LONGEST_NAME: usize = 4;
/// How many words before a street may say that it is only near.
const WORDS_BEFORE: usize = 2;

/// A street, with the house number if one follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Street {
    /// The name as written, without "ulice".
    pub name: String,
    /// The house number as written: `12`, `1290/16`, `12a`.
    pub house_number: Option<String>,
}

/// The street that a running text says the property is in. `None` if the text names no street or several, or if it is
/// not clear where the name ends (`v ulici Obránců míru` may be one word or two).
///
/// ```
/// use czech::street_in_text::street_in_text;
/// let street = street_in_text("Byt v ulici Na Balkáně, Tanvald").unwrap();
/// assert_eq!(street.name, "Na Balkáně");
/// assert_eq!(street_in_text("Kousek od ulice Vídeňská."), None);
/// ```
pub fn street_in_text(text: &str) -> Option<Street> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let mut found: Option<Street> = None;
    for at in 0..keys.len() {
        let street = match (before_the_word(&tokens, &keys, at), announced_at(&keys, at)) {
            (Some(street), _) => street,
            (None, Some(name_at)) => street_at(&tokens, &keys, name_at)?,
            (None, None) => continue,
        };
        match &found {
            Some(other) if other.name != street.name => return None,
            Some(other) if other.house_number.is_some() => {}
            _ => found = Some(street),
        }
    }
    found
}

/// Words before a street that say that it is only near, or that something else is there.
const NEAR: [&str; 14] = [
    "od",
    "nedaleko",
    "blizko",
    "pobliz",
    "u",
    "z",
    "ze",
    "do",
    "smerem",
    "soubezne",
    "roh",
    "rohu",
    "pres",
    "krizovatce",
];

/// Where the name begins after `ul.`, `v ulici`, `na ulici`; `None` if the street is only near.
fn announced_at(keys: &[&str], at: usize) -> Option<usize> {
    let name_at = match keys.get(at..)? {
        ["ul", ".", ..] | ["v" | "na", "ulici", ..] | ["ulice", ":", ..] => at + 2,
        _ => return None,
    };
    let before = keys
        .get(at.saturating_sub(WORDS_BEFORE)..at)
        .unwrap_or_default();
    (!before.iter().any(|word| NEAR.contains(word))).then_some(name_at)
}

/// The street in `Moskevská ul.` or `Severní ulice,`: one adjective or possessive before the word.
fn before_the_word(tokens: &Tokens, keys: &[&str], at: usize) -> Option<Street> {
    let (["ul", ".", after @ ..] | ["ulice", after @ ..]) = keys.get(at..)? else {
        return None;
    };
    let ends = after
        .first()
        .is_none_or(|word| matches!(*word, "," | "." | "\n" | "-" | "("));
    let written = tokens.written(at.checked_sub(1)?);
    let is_name = is_capital(written)
        && ["á", "í", "ova"]
            .iter()
            .any(|ending| written.ends_with(ending));
    let before = keys
        .get((at - 1).saturating_sub(WORDS_BEFORE)..at - 1)
        .unwrap_or_default();
    let near = before.iter().any(|word| NEAR.contains(word));
    (ends && is_name && !near).then(|| Street {
        name: written.to_owned(),
        house_number: None,
    })
}

/// Words at the start of a street's name behind which one word in lower case is part of the name (`Na strži`).
const OPENING: [&str; 14] = [
    "na", "u", "pod", "nad", "za", "v", "ve", "k", "ke", "pri", "pred", "mezi", "do", "ku",
];

/// The street whose name begins at `start`.
fn street_at(tokens: &Tokens, keys: &[&str], start: usize) -> Option<Street> {
    // `5. května`, `17. listopadu`
    if let [day, ".", month, ..] = keys.get(start..)?
        && whole(day).is_some()
    {
        let is_word = month.chars().all(char::is_alphabetic);
        let words = [*day, ".", tokens.written(start + 2)];
        return is_word
            .then(|| street_if_ended(tokens, keys, &words, start + 3))
            .flatten();
    }
    let mut at = start;
    let mut words: Vec<&str> = Vec::new();
    while words.len() < LONGEST_NAME && is_name_word(tokens, keys, start, at) {
        words.push(tokens.written(at));
        at += 1;
        // `Dr. Beneše`, `J. Palacha`, `Kpt. Jaroše`
        if keys.get(at) == Some(&".")
            && keys.get(at - 1).is_some_and(|key| is_abbreviation(key))
            && is_capital(tokens.written(at + 1))
        {
            words.push(".");
            at += 1;
        }
    }
    (!words.is_empty())
        .then(|| street_if_ended(tokens, keys, &words, at))
        .flatten()
}

/// Whether the word at `at` is part of the name that begins at `start`: it has a capital, or it follows the
/// preposition that the name begins with.
fn is_name_word(tokens: &Tokens, keys: &[&str], start: usize, at: usize) -> bool {
    let written = tokens.written(at);
    let is_town = at > start && keys.get(at).is_some_and(|key| TOWNS.contains(key));
    let after_opening =
        at == start + 1 && keys.get(start).is_some_and(|word| OPENING.contains(word));
    (is_capital(written) && !is_town) || (after_opening && is_letter(written))
}

/// Towns that follow a street without a comma.
const TOWNS: [&str; 6] = ["praha", "praze", "brno", "ostrava", "plzen", "olomouc"];

/// Whether a word of a street's name is an abbreviation: an initial, a rank, a title.
fn is_abbreviation(key: &str) -> bool {
    const SHORT: [&str; 16] = [
        "dr", "ing", "prof", "mudr", "mjr", "kpt", "gen", "plk", "npor", "por", "sv", "arm", "nam",
        "bri", "cs", "st",
    ];
    key.chars().count() == 1 || SHORT.contains(&key)
}

/// Words that do not belong to a street's name before them.
const FOLLOWING: [&str; 26] = [
    "v", "ve", "na", "s", "se", "je", "o", "a", "i", "u", "k", "c", "cp", "cislo", "nedaleko",
    "blizko", "pobliz", "kousek", "ktera", "ktery", "kde", "byt", "dum", "nabizime", "z", "do",
];

/// The street of these words, if the word behind them shows that the name has ended.
fn street_if_ended(tokens: &Tokens, keys: &[&str], words: &[&str], end: usize) -> Option<Street> {
    let next = keys.get(end).copied().unwrap_or("\n");
    let is_town = TOWNS.contains(&next);
    if is_letter(next) && !is_town && !FOLLOWING.contains(&next) {
        return None;
    }
    Some(Street {
        name: words.join(" ").replace(" .", "."),
        house_number: (!is_town)
            .then(|| house_number_at(tokens, keys, end))
            .flatten(),
    })
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn is_letter(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, name: &str, number: Option<&str>) {
        let expected = Street {
            name: name.to_owned(),
            house_number: number.map(str::to_owned),
        };
        assert_eq!(street_in_text(text), Some(expected), "{text}");
    }

    #[test]
    fn an_announced_street_is_found() {
        reads(
            "Pronájem bytu, ul. Závodní 12/3, Ostrava",
            "Závodní",
            Some("12/3"),
        );
        reads("Byt v ulici Na Balkáně v Tanvaldu.", "Na Balkáně", None);
        reads("Dům na ulici Na strži.", "Na strži", None);
        reads("Byt na ulici Jana Palacha, 3. patro", "Jana Palacha", None);
        reads(
            "Byt v ulici 17. listopadu, Pardubice",
            "17. listopadu",
            None,
        );
        reads("garáž ul. Kpt. Jaroše 5a", "Kpt. Jaroše", Some("5a"));
        reads("v ulici Polní č.p. 117", "Polní", Some("117"));
        reads("Byt v ulici V Háji. Vstup je na čip.", "V Háji", None);
        reads("Dům v ulici Hejtmanská Praha-Kyje", "Hejtmanská", None);
        reads("Ulice: Polní\nCena: 1 000 Kč", "Polní", None);
        reads("Byt 2+1 K. Vary Moskevská ul., 65m2", "Moskevská", None);
        reads(
            "Byt 2+kk na Žižkově, Bořivojova ulice, 3. patro",
            "Bořivojova",
            None,
        );
    }

    #[test]
    fn streets_that_are_near_unclear_or_several_are_ignored() {
        for text in [
            "",
            "Kousek od ul. Vídeňská",
            "v ulici Obránců míru",
            "na ulici Závodní souběžná s ulicí Rudná",
            "Byt v ulici Polní. Druhý byt v ulici Lesní.",
            "v ulici plné zeleně",
            "ul.",
            "v klidné ulici",
        ] {
            assert_eq!(street_in_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_something_else_is_not_a_house_number() {
        reads("ul. Polní, 57 m2", "Polní", None);
        reads("v ulici Polní 57 m2", "Polní", None);
        reads("v ulici Polní 3+1", "Polní", None);
    }
}
