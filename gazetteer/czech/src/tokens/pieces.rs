//! The text of an advert as words, numbers and codes, for comparison with other adverts.

use crate::fold::fold_char;

/// A token of a folded text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A word: folded, without a digit.
    Word {
        /// The word.
        text: String,
        /// Whether it was written with a capital at the start, as names are.
        capital: bool,
    },
    /// A number. Grouped thousands are joined: `14 000` is one number.
    Number {
        /// Its value times 1,000.
        thousandths: u64,
        /// Its digits as written, without grouping.
        digits: String,
    },
    /// Digits mixed with letters or signs: `113-07-026`, `486/17`, `P27`, `3+kk`.
    Code(String),
    /// The end of a sentence or of a line.
    Stop,
}

/// The pieces of a text. HTML that a portal left in the text is removed first.
pub fn pieces(text: &str) -> Vec<Piece> {
    if text.contains(['&', '<']) {
        split(&without_markup(text))
    } else {
        split(text)
    }
}

/// The word at `at`; `None` if there is something else.
pub fn word_at(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at) {
        Some(Piece::Word { text, .. }) => Some(text),
        _ => None,
    }
}

/// The index after a full stop at `at`; `at` itself if there is no full stop.
pub fn skip_stop(pieces: &[Piece], at: usize) -> usize {
    if pieces.get(at) == Some(&Piece::Stop) {
        at + 1
    } else {
        at
    }
}

/// The index after `č.`, `č` or `číslo` at `at`; `at` itself if there is no such word.
pub fn skip_number_sign(pieces: &[Piece], at: usize) -> usize {
    let sign = skip_stop(pieces, at);
    match word_at(pieces, sign) {
        Some("c" | "cislo" | "cisla" | "cis") => skip_stop(pieces, sign + 1),
        _ => at,
    }
}

/// Whether there is `m²` at `at`, in any spelling.
pub fn is_square_metres(pieces: &[Piece], at: usize) -> bool {
    match pieces.get(at) {
        Some(Piece::Code(code)) => code == "m2",
        Some(Piece::Word { text, .. }) => match text.as_str() {
            "metru" | "ctverecnich" => true,
            "m" => {
                matches!(pieces.get(at + 1), Some(Piece::Number { digits, .. }) if digits == "2")
            }
            _ => false,
        },
        _ => false,
    }
}

/// The text without HTML: a tag ends a line, an entity becomes its character.
fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        let (before, markup) = rest.split_at(at);
        plain.push_str(before);
        let end = if markup.starts_with('&') { ';' } else { '>' };
        let Some((inside, after)) = markup
            .split_once(end)
            .filter(|(inside, _)| is_markup(inside))
        else {
            let mut letters = markup.chars();
            plain.extend(letters.next());
            rest = letters.as_str();
            continue;
        };
        plain.push(if end == '>' {
            '\n'
        } else {
            entity(inside.trim_start_matches('&'))
        });
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Whether the text between `<` and `>`, or between `&` and `;`, looks like markup and not like a comparison.
fn is_markup(inside: &str) -> bool {
    let name = inside.trim_start_matches(['&', '<', '/', '#']);
    let length = if inside.starts_with('&') { 8 } else { 200 };
    inside.len() <= length && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// The character of an entity; a space if the entity is not a known one.
fn entity(name: &str) -> char {
    match name {
        "sup2" => '²',
        "sup3" => '³',
        "ndash" | "mdash" => '–',
        "hellip" => '…',
        _ => match name.strip_prefix('#').map(str::parse::<u32>) {
            Some(Ok(code)) => char::from_u32(code).unwrap_or(' '),
            _ => ' ',
        },
    }
}

fn split(text: &str) -> Vec<Piece> {
    let mut found = Vec::with_capacity(text.len() / 6);
    let mut current = String::new();
    let mut capital = false;
    let mut letters = text.chars().peekable();
    while let Some(written) = letters.next() {
        let letter = fold_char(written);
        if current.is_empty() {
            capital = written.is_uppercase();
        }
        let joins = letter.is_alphanumeric()
            || (letter == '-' && is_negative(&current, &found, letters.peek()))
            || (matches!(letter, '/' | '-' | '+' | ',' | '.')
                && !current.is_empty()
                && letters
                    .peek()
                    .is_some_and(|next| joins_inside(&current, letter, *next)));
        if joins {
            current.push(letter);
            continue;
        }
        close(&mut current, capital, &mut found);
        if matches!(letter, '.' | '\n' | '!' | '?' | ';') && found.last() != Some(&Piece::Stop) {
            found.push(Piece::Stop);
        }
    }
    close(&mut current, capital, &mut found);
    found
}

/// Whether a sign between two letters or digits is part of the word: `1,5`, `3+kk`, `486/17`, `so-04`.
fn joins_inside(before: &str, sign: char, next: char) -> bool {
    let has_digit = before.bytes().any(|byte| byte.is_ascii_digit());
    match sign {
        ',' | '.' => next.is_ascii_digit() && before.bytes().all(|byte| byte.is_ascii_digit()),
        '+' => has_digit && next.is_alphanumeric(),
        _ => next.is_alphanumeric(),
    }
}

/// Whether a hyphen is a minus sign: a digit follows, and no number precedes it (`-2. podlaží`).
fn is_negative(current: &str, found: &[Piece], next: Option<&char>) -> bool {
    current.is_empty()
        && next.is_some_and(char::is_ascii_digit)
        && !matches!(found.last(), Some(Piece::Number { .. } | Piece::Code(_)))
}

/// Ends the current word: appends it as a word, a number or a code.
fn close(current: &mut String, capital: bool, found: &mut Vec<Piece>) {
    if current.is_empty() {
        return;
    }
    let word = std::mem::take(current);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let glued = word
        .strip_suffix("m2")
        .and_then(|figure| Some((figure, number(figure)?)));
    if digits == 0 {
        found.push(Piece::Word {
            text: word,
            capital,
        });
    } else if let Some((figure, thousandths)) = glued {
        join_group(thousandths, figure, found);
        found.push(Piece::Code("m2".to_owned()));
    } else if let Some(piece) = number(&word) {
        join_group(piece, &word, found);
    } else {
        found.push(Piece::Code(word));
    }
}

/// The value in thousandths of `14`, `14.5`, `14,5`, `14.000` (exactly three digits after a sign are thousands).
fn number(word: &str) -> Option<u64> {
    let (whole, fraction) = match word.split_once([',', '.']) {
        None => (word, ""),
        Some((whole, fraction)) => (whole, fraction),
    };
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || whole.len() > 12 || (!fraction.is_empty() && !plain(fraction)) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    match fraction.len() {
        0 => Some(whole * 1000),
        1 | 2 => Some(
            whole * 1000 + fraction.parse::<u64>().ok()? * 10u64.pow(3 - fraction.len() as u32),
        ),
        3 => Some((whole * 1000 + fraction.parse::<u64>().ok()?) * 1000),
        _ => None,
    }
}

/// Appends a number, or joins it to the number before it if the two are groups of one number.
fn join_group(thousandths: u64, word: &str, found: &mut Vec<Piece>) {
    let is_group = word.len() == 3
        || word
            .split_once([',', '.'])
            .is_some_and(|(whole, _)| whole.len() == 3);
    if is_group
        && let Some(Piece::Number {
            thousandths: head,
            digits,
        }) = found.last_mut()
        && *head > 0
        && head.is_multiple_of(1000)
        && digits.len() <= 9
        && (digits.len() <= 3 || digits.len().is_multiple_of(3) || *head >= 1_000_000)
    {
        *head = *head * 1000 + thousandths;
        digits.push_str(word);
        return;
    }
    let digits = word.chars().filter(char::is_ascii_digit).collect();
    found.push(Piece::Number {
        thousandths,
        digits,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number_of(text: &str) -> Vec<u64> {
        let only = |piece| match piece {
            Piece::Number { thousandths, .. } => Some(thousandths),
            _ => None,
        };
        pieces(text).into_iter().filter_map(only).collect()
    }

    #[test]
    fn grouped_thousands_are_one_number() {
        assert_eq!(number_of("cena 4 693 000 Kč"), [4_693_000_000]);
        assert_eq!(number_of("pozemek 1\u{a0}035 m²"), [1_035_000]);
        assert_eq!(number_of("4.244 m2"), [4_244_000]);
    }

    #[test]
    fn decimals_are_read_with_comma_or_point() {
        assert_eq!(number_of("lodžie 3,3 m2, sklep 3.95 m2"), [3_300, 3_950]);
    }

    #[test]
    fn codes_keep_their_signs() {
        let found = pieces("byt 113-07-026, parc. č. 486/17, 3+kk, stání P27.");
        let codes: Vec<_> = found
            .iter()
            .filter(|piece| matches!(piece, Piece::Code(_)))
            .collect();
        assert_eq!(codes.len(), 4, "{found:?}");
    }

    #[test]
    fn a_unit_written_together_with_its_number_is_separated() {
        assert_eq!(pieces("28m2"), pieces("28 m2"));
        assert_eq!(number_of("zahrada 1 240m2"), [1_240_000]);
    }

    #[test]
    fn a_phone_number_is_one_number_however_it_is_grouped() {
        assert_eq!(number_of("tel. 757 740 874"), [757_740_874_000]);
        assert_eq!(number_of("volejte 757740874"), [757_740_874_000]);
        assert_eq!(number_of("+420 757 740 874"), [420_757_740_874_000]);
    }

    #[test]
    fn markup_is_removed() {
        let marked = "Praha 4 &ndash; Chodov, 36&nbsp;m&sup2;<br />Klid &amp; ticho, pod 5 < 6";
        assert_eq!(
            pieces(marked),
            pieces("Praha 4 – Chodov, 36 m²\nKlid   ticho, pod 5 < 6")
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_split_without_panic(text in "[\\PC&<>;#/]{0,200}") {
            let _ = pieces(&text);
        }
    }
}
