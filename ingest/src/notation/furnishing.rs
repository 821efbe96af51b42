//! How furnished a dwelling is, as its text says.

use czech::tokens::sentences;
use schema::Equipment;

/// Reads how furnished the flat is: from an adjective that stands alone (`zařízený, 2. patro`) or in a sentence that
/// names the flat. The same adjective is used for a fitted kitchen or floor heating, which do not count.
pub(crate) fn furnishing(keys: &[&str]) -> Option<Equipment> {
    sentences(keys).into_iter().find_map(|sentence| {
        let sentence = keys.get(sentence)?;
        let at = sentence.iter().position(|word| {
            ["zarizen", "zarizeny", "vybaven", "vybaveny"]
                .contains(&word.strip_prefix("ne").unwrap_or(word))
        })?;
        let before = sentence.get(..at)?;
        let after = sentence.get(at + 1..)?;
        let names_flat = sentence
            .iter()
            .any(|word| matches!(*word, "byt" | "bytu" | "garsonka" | "pronajem"));
        let on_its_own = matches!(before, [] | [.., ","]);
        let with_something = !matches!(
            after,
            [] | ["," | "." | "(" | "a" | "nabytkem" | "byt" | "vcetne", ..]
        );
        if with_something || !(names_flat || on_its_own) {
            return None;
        }
        let none = sentence.get(at).is_some_and(|word| word.starts_with("ne"));
        Some(match (before.last(), none) {
            (Some(&"castecne"), _) => Equipment::Partial,
            (_, true) => Equipment::None,
            (_, false) => Equipment::Full,
        })
    })
}

#[cfg(test)]
mod tests {
    use czech::tokens::Tokens;

    use super::*;

    fn furnishing_in(text: &str) -> Option<Equipment> {
        furnishing(&Tokens::parse(text).keys())
    }

    #[test]
    fn a_flat_is_furnished_if_the_adjective_is_about_the_flat() {
        for (text, expected) in [
            ("Byt je zařízený.", Some(Equipment::Full)),
            (
                "Byt 2+kk, částečně zařízený, 2. patro",
                Some(Equipment::Partial),
            ),
            ("Pronájem bytu, nezařízený", Some(Equipment::None)),
            ("Kuchyň je vybavena linkou.", None),
            ("Dům je v klidné ulici.", None),
        ] {
            assert_eq!(furnishing_in(text), expected, "{text}");
        }
    }
}
