//! The agency's order number (číslo zakázky) in running text. It is the same on every portal that the agency exports
//! to.
//!
//! Two readers differ on purpose. [`order_code_in_text`] fills a field of the listing, so only *zakázka* introduces a
//! code, and of two codes neither counts. [`order_code_at`] collects evidence for comparison, so more words introduce a code,
//! and all codes count.

use crate::fold::fold_char;
use crate::tokens::Tokens;
use crate::tokens::pieces::{Piece, is_square_metres, skip_stop, word_at};

/// The longest code that is believed, in characters.
const LONGEST_CODE: usize = 30;
/// How many words behind the label are searched for the code.
const WORDS_AFTER: usize = 3;

/// The code behind `číslo zakázky`, `ID zakázky`, `zakázka č.` and the like, as written: a word with at least one digit.
/// `None` if the text has no such label, or several codes.
///
/// ```
/// use czech::order_code::order_code_in_text;
/// assert_eq!(order_code_in_text("Číslo zakázky: N116466"), Some("N116466".to_owned()));
/// assert_eq!(order_code_in_text("ev. č. 370"), None);
/// ```
pub fn order_code_in_text(text: &str) -> Option<String> {
    let mut found: Option<&str> = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for at in 0..words.len() {
            let Some(code) = words.get(at..).and_then(code_after_label) else {
                continue;
            };
            if found.is_some_and(|other| other != code) {
                return None;
            }
            found = Some(code);
        }
    }
    found.map(str::to_owned)
}

/// The code in the words, which begin with the label. `č.`, `číslo`, `ID` and a colon after the label are skipped.
fn code_after_label<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (label, rest) = words.split_first()?;
    if !is_label(label) {
        return None;
    }
    let glued = label.split_once(':').map_or("", |(_, after)| after);
    std::iter::once(glued)
        .chain(rest.iter().copied())
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .take(WORDS_AFTER)
        .find(|word| {
            !matches!(
                word.to_lowercase().as_str(),
                "č" | "číslo" | "id" | "c" | "cislo"
            )
        })
        .filter(|word| {
            word.chars().any(|c| c.is_ascii_digit()) && word.chars().count() <= LONGEST_CODE
        })
}

fn is_label(word: &str) -> bool {
    let tokens = Tokens::parse(word);
    matches!(
        tokens.keys().first(),
        Some(&("zakazka" | "zakazky" | "zakazce"))
    )
}

/// Words that introduce an order number in a text for comparison, folded.
const LABELS: [&str; 8] = [
    "id",
    "zakazka",
    "zakazky",
    "zak",
    "evidencni",
    "ev",
    "kod",
    "nabidky",
];

/// The order number that the word at `at` introduces: a code of four characters or more, or a number of 4 to 12 digits
/// that is not an area or a price.
pub fn order_code_at(pieces: &[Piece], at: usize) -> Option<&str> {
    if !LABELS.contains(&word_at(pieces, at)?) {
        return None;
    }
    let mut at = at + 1;
    while matches!(
        word_at(pieces, at),
        Some("nabidky" | "zakazky" | "nemovitosti" | "cislo" | "c")
    ) {
        at = skip_stop(pieces, at + 1);
    }
    match pieces.get(at)? {
        Piece::Code(code) if code.len() >= 4 && !code.contains('+') && code != "m2" => Some(code),
        Piece::Number { digits, .. }
            if (4..=12).contains(&digits.len())
                && !is_square_metres(pieces, at + 1)
                && !matches!(word_at(pieces, at + 1), Some("kc" | "czk")) =>
        {
            Some(digits)
        }
        _ => None,
    }
}

/// The code without what portals add to it: folded letters and digits only, without the prefix of idnes.
/// `IDNES-N116466`, `n116466` and `N 116466` are one code.
pub fn plain_order_code(code: &str) -> String {
    code.trim_start_matches("IDNES-")
        .chars()
        .map(fold_char)
        .filter(char::is_ascii_alphanumeric)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_behind_every_form_of_the_label() {
        for text in [
            "Číslo zakázky: N116466",
            "ID zakázky:N116466.",
            "Zakázka č. N116466",
            "zakázka číslo: N116466, volejte",
            "Č. zakázky N116466\nČíslo zakázky: N116466",
        ] {
            assert_eq!(
                order_code_in_text(text).as_deref(),
                Some("N116466"),
                "{text}"
            );
        }
    }

    #[test]
    fn words_without_digits_and_contradicting_codes_are_ignored() {
        for text in [
            "",
            "zakázka",
            "zakázky na míru",
            "číslo zakázky: A1, číslo zakázky: A2",
            "N116466",
        ] {
            assert_eq!(order_code_in_text(text), None, "{text}");
        }
    }
}
