//! Streets in running text, only where the text clearly says one: `ul. Polní 12/3`, `v ulici Na Balkáně`.

use super::tokens::{Tokens, whole};

/// A street, with a house number where one follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Street {
    /// The name as written, without "ulice".
    pub name: String,
    /// The house number as written: `12`, `1290/16`, `12a`.
    pub house_number: Option<String>,
}

/// The street that a running text says the property is in. `None` where it names none, several, or where the name
/// cannot be told from the words after it (`v ulici Obránců míru` may be one word or two).
///
/// ```
/// use ingest::notation::street::street_in_text;
/// let street = street_in_text("Byt v ulici Na Balkáně, Tanvald").unwrap();
/// assert_eq!(street.name, "Na Balkáně");
/// assert_eq!(street_in_text("Kousek od ulice Vídeňská."), None);
/// ```
pub fn street_in_text(text: &str) -> Option<Street> {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    let mut found: Option<Street> = None;
    for at in 0..keys.len() {
        let street = match (before_the_word(&tokens, &keys, at), announced_at(&keys, at)) {
            (Some(street), _) => street,
            (None, Some(name_at)) => name(&tokens, &keys, name_at)?,
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

/// Words before a street that is only near, or where something else happens.
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

/// Where the name begins after `ul.`, `v ulici`, `na ulici`; `None` where the street is only near.
fn announced_at(keys: &[&str], at: usize) -> Option<usize> {
    let name_at = match keys.get(at..)? {
        ["ul", ".", ..] | ["v" | "na", "ulici", ..] | ["ulice", ":", ..] => at + 2,
        _ => return None,
    };
    let before = keys.get(at.saturating_sub(2)..at).unwrap_or_default();
    (!before.iter().any(|word| NEAR.contains(word))).then_some(name_at)
}

/// `Moskevská ul.`, `Severní ulice,`: one adjective or possessive in front of the word.
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
    let before = keys.get(at.saturating_sub(3)..at - 1).unwrap_or_default();
    let near = before.iter().any(|word| NEAR.contains(word));
    (ends && is_name && !near).then(|| Street {
        name: written.to_owned(),
        house_number: None,
    })
}

/// Words that begin a street's name and take a further word with them, even one in lower case (`Na strži`).
const OPENING: [&str; 14] = [
    "na", "u", "pod", "nad", "za", "v", "ve", "k", "ke", "pri", "pred", "mezi", "do", "ku",
];

fn name(tokens: &Tokens, keys: &[&str], start: usize) -> Option<Street> {
    let mut at = start;
    let mut words: Vec<&str> = Vec::new();
    // `5. května`, `17. listopadu`
    if let [day, ".", month, ..] = keys.get(at..)?
        && whole(day).is_some()
    {
        let month_written = tokens.written(at + 2);
        if !month.chars().all(char::is_alphabetic) {
            return None;
        }
        return finish(tokens, keys, &[day, ".", month_written], at + 3);
    }
    while words.len() < 4 {
        let written = tokens.written(at);
        let capital = is_capital(written)
            && !(at > start && TOWNS.contains(&keys.get(at).copied().unwrap_or_default()));
        let after_opening = at > start
            && at == start + 1
            && keys.get(start).is_some_and(|word| OPENING.contains(word));
        if !(capital || (after_opening && written.chars().next().is_some_and(char::is_alphabetic)))
        {
            break;
        }
        words.push(written);
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
    if words.is_empty() {
        None
    } else {
        finish(tokens, keys, &words, at)
    }
}

/// Towns that writers put right behind a street, without a comma.
const TOWNS: [&str; 6] = ["praha", "praze", "brno", "ostrava", "plzen", "olomouc"];

/// Words of street names that end in a dot: an initial, a rank, a title.
fn is_abbreviation(key: &str) -> bool {
    const SHORT: [&str; 16] = [
        "dr", "ing", "prof", "mudr", "mjr", "kpt", "gen", "plk", "npor", "por", "sv", "arm", "nam",
        "bri", "cs", "st",
    ];
    key.chars().count() == 1 || SHORT.contains(&key)
}

fn is_capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Words that begin something new after a street's name.
const FOLLOWING: [&str; 26] = [
    "v", "ve", "na", "s", "se", "je", "o", "a", "i", "u", "k", "c", "cp", "cislo", "nedaleko",
    "blizko", "pobliz", "kousek", "ktera", "ktery", "kde", "byt", "dum", "nabizime", "z", "do",
];

/// The street of these words, if what follows shows that the name has ended.
fn finish(tokens: &Tokens, keys: &[&str], words: &[&str], end: usize) -> Option<Street> {
    if TOWNS.contains(&keys.get(end).copied().unwrap_or_default()) {
        return Some(Street {
            name: joined(words),
            house_number: None,
        });
    }
    let next = keys.get(end).copied().unwrap_or("\n");
    let is_word = next.chars().next().is_some_and(char::is_alphabetic);
    if is_word && !FOLLOWING.contains(&next) {
        return None;
    }
    Some(Street {
        name: joined(words),
        house_number: house_number(tokens, keys, end),
    })
}

fn joined(words: &[&str]) -> String {
    words.join(" ").replace(" .", ".")
}

/// `12`, `12/3`, `1290/16a`, past "č. p." and the like. A number with a unit or an ordinal is none.
fn house_number(tokens: &Tokens, keys: &[&str], at: usize) -> Option<String> {
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
    match keys.get(end).copied() {
        Some(letter @ ("a" | "b" | "c" | "d" | "e" | "f"))
            if keys.get(end + 1).is_none_or(|next| !is_letter(next)) =>
        {
            Some(format!("{number}{letter}"))
        }
        Some("m" | "+" | "." | "kc" | "%" | "kk" | "min" | "minut" | "km" | "byt" | "bytu") => None,
        _ => Some(number),
    }
}

fn is_letter(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_alphabetic)
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
    fn streets_are_read_where_they_are_announced() {
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
    fn streets_that_are_near_doubtful_or_several_are_none() {
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
    fn a_number_of_something_else_is_no_house_number() {
        reads("ul. Polní, 57 m2", "Polní", None);
        reads("v ulici Polní 57 m2", "Polní", None);
        reads("v ulici Polní 3+1", "Polní", None);
    }
}
