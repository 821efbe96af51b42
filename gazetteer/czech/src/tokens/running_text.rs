//! Running text and values of fields as words, numbers and marks.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::fold::fold_word;
use crate::numbered_parts::takes_a_number;
use crate::text::is_invisible;

/// From this number on, a number before a full stop is a year or an amount and not an ordinal, so that the full stop
/// ends the sentence.
const LARGEST_ORDINAL: i64 = 100;
/// The longest word that a full stop abbreviates, in letters: `nám.`
const LONGEST_ABBREVIATION: usize = 3;

/// The tokens of a text. Each token has a *key*, by which it is recognised, and a *written* form.
///
/// The key of a word is folded (`Patře` is `patre`). The key of a number is its digits with a decimal point (`2 403,5`
/// is `2403.5`). The key of a mark is the mark itself. White space is not a token; a line end is.
///
/// Thousands grouped by spaces or dots are one number, unless the digits belong to something else: after `+`
/// (`3+1 174 m²`), after a letter (`m2 403`), after a town with numbered parts (`Praha 5 120 m²`). A comma with exactly
/// three digits stays as it is (`1,461`), because it groups thousands in a price and is a decimal comma in an area.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    keys: Vec<String>,
    written: Vec<String>,
}

impl Tokens {
    /// Cuts up `text`.
    pub fn parse(text: &str) -> Self {
        let chars: Vec<char> = text
            .nfc()
            .filter(|c| !is_invisible(*c))
            .flat_map(plain)
            .collect();
        let mut tokens = Self::default();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            let end = match c {
                ' ' => at + 1,
                c if c.is_ascii_digit() => tokens.push_number(&chars, at),
                c if c.is_alphabetic() => tokens.push_word(&chars, at),
                c => tokens.push(c.to_string(), c.to_string(), at + 1),
            };
            at = end;
        }
        tokens
    }

    /// The keys, for matching with slice patterns.
    pub fn keys(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).collect()
    }

    /// The token as written; empty if there is no token at `at`.
    pub fn written(&self, at: usize) -> &str {
        self.written.get(at).map_or("", String::as_str)
    }

    fn push(&mut self, key: String, written: String, end: usize) -> usize {
        self.keys.push(key);
        self.written.push(written);
        end
    }

    fn push_word(&mut self, chars: &[char], start: usize) -> usize {
        let end = run_end(chars, start, |c| c.is_alphabetic() || is_combining_mark(c));
        let written: String = chars.get(start..end).unwrap_or_default().iter().collect();
        self.push(fold_word(&written), written, end)
    }

    fn push_number(&mut self, chars: &[char], start: usize) -> usize {
        let glued = start > 0 && chars.get(start - 1).is_some_and(|c| c.is_alphabetic());
        let previous = self.keys.last().map(String::as_str);
        let (key, end) = if glued || previous == Some("+") {
            let end = run_end(chars, start, |c| c.is_ascii_digit());
            (digits(chars, start, end), end)
        } else {
            let may_group = !previous.is_some_and(takes_a_number);
            number_key(chars, start, may_group)
        };
        let written = chars.get(start..end).unwrap_or_default().iter().collect();
        self.push(key, written, end)
    }
}

/// The value of a number's key; `None` for words, marks and the ambiguous `1,461`.
pub fn number(key: &str) -> Option<f64> {
    if !key.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    key.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The value of a whole number's key; `None` for anything else, also for a number that does not fit.
pub fn whole(key: &str) -> Option<i64> {
    if key.bytes().all(|c| c.is_ascii_digit()) {
        key.parse().ok()
    } else {
        None
    }
}

/// The sentences as ranges of tokens. A full stop does not end a sentence after an ordinal or a short abbreviation
/// (`ul.`, `č.`, `nám.`).
pub fn sentences(keys: &[&str]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, key) in keys.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| keys.get(before));
        let ends = match *key {
            "\n" | "!" | "?" | ";" | "•" => true,
            // "předm., Formánkova": an abbreviation of any length.
            "." if keys.get(at + 1) == Some(&",") => false,
            "." => before.is_none_or(|word| {
                whole(word).map_or_else(
                    || word.chars().count() > LONGEST_ABBREVIATION,
                    |number| number > LARGEST_ORDINAL,
                )
            }),
            _ => false,
        };
        if ends {
            ranges.push(start..at);
            start = at + 1;
        }
    }
    ranges.push(start..keys.len());
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// The characters that replace `c`: one kind of space, line end and hyphen; superscripts and fractions are spelt out.
fn plain(c: char) -> impl Iterator<Item = char> {
    let spelt: &[char] = match c {
        '²' => &['2'],
        '³' => &['3'],
        '½' => &['1', '/', '2'],
        '⅓' => &['1', '/', '3'],
        '¼' => &['1', '/', '4'],
        '¾' => &['3', '/', '4'],
        '⁄' => &['/'],
        '\n' | '\r' => &['\n'],
        '‐' | '‑' | '‒' | '–' | '—' | '−' => &['-'],
        c if c.is_whitespace() => &[' '],
        _ => &[],
    };
    let kept = spelt.is_empty().then_some(c);
    spelt.iter().copied().chain(kept)
}

fn run_end(chars: &[char], start: usize, belongs: impl Fn(char) -> bool) -> usize {
    let length = chars
        .iter()
        .skip(start)
        .take_while(|c| belongs(**c))
        .count();
    start + length
}

fn digits(chars: &[char], start: usize, end: usize) -> String {
    chars
        .get(start..end)
        .unwrap_or_default()
        .iter()
        .filter(|c| c.is_ascii_digit())
        .collect()
}

/// The key of the number at `start`, and where the number ends. `may_group`: whether grouped thousands are joined.
fn number_key(chars: &[char], start: usize, may_group: bool) -> (String, usize) {
    let head = run_end(chars, start, |c| c.is_ascii_digit());
    let may_group = may_group && head - start <= 3 && chars.get(start) != Some(&'0');
    let grouped = may_group.then(|| grouped_end(chars, head)).flatten();
    let end = grouped.unwrap_or(head);
    let whole = digits(chars, start, end);
    let fraction_end = run_end(chars, end + 1, |c| c.is_ascii_digit());
    let fraction = digits(chars, end + 1, fraction_end);
    match (chars.get(end), fraction.len()) {
        (Some(','), 3) if grouped.is_none() => (format!("{whole},{fraction}"), fraction_end),
        (Some(','), 1..) | (Some('.'), 1..=2) => (format!("{whole}.{fraction}"), fraction_end),
        _ => (whole, end),
    }
}

/// Where the groups of three digits after `head` end; `None` if there are none. Commas group only if there are two
/// groups or more.
fn grouped_end(chars: &[char], head: usize) -> Option<usize> {
    [(' ', 1), ('.', 1), ('\'', 1), (',', 2)]
        .into_iter()
        .find_map(|(separator, least)| {
            let mut end = head;
            let mut groups = 0;
            while chars.get(end) == Some(&separator)
                && run_end(chars, end + 1, |c| c.is_ascii_digit()) == end + 4
            {
                end += 4;
                groups += 1;
            }
            (groups >= least).then_some(end)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        Tokens::parse(text).keys
    }

    #[test]
    fn thousands_are_one_number_whatever_groups_them() {
        assert_eq!(
            keys("3\u{200d}\u{a0}950\u{200d}\u{a0}000\u{200d}\u{a0}Kč"),
            ["3950000", "kc"]
        );
        assert_eq!(keys("2 403 m²"), ["2403", "m", "2"]);
        assert_eq!(keys("10.000.000,- Kč"), ["10000000", ",", "-", "kc"]);
        assert_eq!(keys("1'250'000"), ["1250000"]);
        assert_eq!(keys("10,000,000"), ["10000000"]);
        assert_eq!(keys("9 999 999,99 Kč"), ["9999999.99", "kc"]);
    }

    #[test]
    fn digits_that_belong_to_something_else_are_not_grouped() {
        assert_eq!(keys("3+1 174 m²"), ["3", "+", "1", "174", "m", "2"]);
        assert_eq!(keys("3 + 1 174 m2"), ["3", "+", "1", "174", "m", "2"]);
        assert_eq!(keys("57 m2 100 000 Kč"), ["57", "m", "2", "100000", "kc"]);
        assert_eq!(keys("Praha 5 120 m²"), ["praha", "5", "120", "m", "2"]);
        assert_eq!(keys("2+1,74 m2"), ["2", "+", "1", ",", "74", "m", "2"]);
        assert_eq!(keys("0 123"), ["0", "123"]);
        assert_eq!(keys("1 2345"), ["1", "2345"]);
    }

    #[test]
    fn decimals_have_a_point_and_three_after_a_comma_stay_undecided() {
        assert_eq!(keys("82,85m2"), ["82.85", "m", "2"]);
        assert_eq!(keys("110.6 m2"), ["110.6", "m", "2"]);
        assert_eq!(keys("1,461 m2"), ["1,461", "m", "2"]);
        assert_eq!(number("1,461"), None);
        assert_eq!(keys("2. patro"), ["2", ".", "patro"]);
    }

    #[test]
    fn words_are_folded_and_kept_as_written() {
        let tokens = Tokens::parse("Dům 2ķk\r\nV ulici Příčná");
        assert_eq!(
            tokens.keys(),
            ["dum", "2", "kk", "\n", "\n", "v", "ulici", "pricna"]
        );
        assert_eq!(tokens.written(7), "Příčná");
        assert_eq!(tokens.written(99), "");
    }

    #[test]
    fn sentences_end_at_full_stops_but_not_at_ordinals_and_abbreviations() {
        let tokens = Tokens::parse("Byt ve 3. patře v ul. Polní. Kolaudace 2008. Volný!");
        let keys = tokens.keys();
        let starts: Vec<&str> = sentences(&keys)
            .into_iter()
            .map(|range| keys[range.start])
            .collect();
        assert_eq!(starts, ["byt", "kolaudace", "volny"]);
    }

    #[test]
    fn a_number_that_is_too_long_has_no_value() {
        assert_eq!(number(&"9".repeat(400)), None);
        assert_eq!(whole(&"9".repeat(30)), None);
        assert_eq!(whole(""), None);
    }
}
