//! Folding: one form for all spellings of a text.
//!
//! One table maps the Czech letters; everything else goes through Unicode decomposition. Three functions build on it,
//! because their callers treat punctuation differently:
//!
//! | function | punctuation | kinds of street | used for |
//! |---|---|---|---|
//! | [`fold`] | kept | as written | values of fields: `s.r.o.`, `- vyberte -` |
//! | [`fold_name`] | becomes a space | one spelling each | names that are compared |
//! | [`fold_char`] | kept | as written | long texts, one character at a time |

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::clean;

/// `text` in lower case, without diacritics and [cleaned](clean). Punctuation stays.
///
/// ```
/// assert_eq!(czech::fold(" Velmi  DOBRÝ stav"), "velmi dobry stav");
/// assert_eq!(czech::fold("Vznik s.r.o."), "vznik s.r.o.");
/// ```
pub fn fold(text: &str) -> String {
    clean(&fold_word(&clean(text)))
}

/// `text` without diacritics, whatever its Unicode normal form. Case, spaces and punctuation stay.
///
/// ```
/// use czech::fold::without_diacritics;
/// assert_eq!(without_diacritics("Záběhlice"), "Zabehlice");
/// assert_eq!(without_diacritics("Za\u{301}be\u{30c}hlice"), "Zabehlice");
/// ```
pub fn without_diacritics(text: &str) -> String {
    text.nfd()
        .filter(|letter| !is_combining_mark(*letter))
        .nfc()
        .collect()
}

/// `name` in lower case, without diacritics. Each run of punctuation becomes one space, and each kind of street gets
/// one spelling (`nám.` and `náměstí` → `namesti`, `tř.` → `trida`, `nábř.` → `nabrezi`, `sídl.` → `sidliste`). The
/// kind of street stays, because `náměstí Míru` and `Míru` are two names. Folding a folded name changes nothing.
///
/// ```
/// assert_eq!(czech::fold_name("nám. Českých bratří"), "namesti ceskych bratri");
/// assert_eq!(czech::fold_name("FRÝDEK–MÍSTEK"), "frydek mistek");
/// ```
pub fn fold_name(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for word in fold_letters(name).split_ascii_whitespace() {
        push_word(&mut folded, kind_of_street(word).unwrap_or(word));
    }
    folded
}

/// The one spelling of a kind of street that a folded `word` stands for; `None` for any other word.
pub fn kind_of_street(word: &str) -> Option<&'static str> {
    Some(match word {
        "nam" | "namesti" => "namesti",
        "tr" | "trida" => "trida",
        "nabr" | "nabrezi" => "nabrezi",
        "sidl" | "sidliste" => "sidliste",
        _ => return None,
    })
}

/// The folded form of one character. A character that is not in the table of Czech letters stays as it is.
pub fn fold_char(c: char) -> char {
    czech_letter(c).unwrap_or(c)
}

/// Appends `word` to a text of words separated by spaces.
pub fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Lower case without diacritics; spaces and punctuation stay as they are.
pub(crate) fn fold_word(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match czech_letter(c) {
            Some(letter) => folded.push(letter),
            None if c.is_ascii() => folded.push(c),
            None => folded.extend(
                std::iter::once(c)
                    .nfkd()
                    .filter(|part| !is_combining_mark(*part))
                    .flat_map(char::to_lowercase),
            ),
        }
    }
    folded
}

/// Lower case without diacritics. Each character that is neither letter nor digit becomes a space.
pub(crate) fn fold_letters(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match czech_letter(c) {
            Some(letter) => folded.push(letter),
            None if c.is_ascii() => folded.push(' '),
            None => fold_rare(c, &mut folded),
        }
    }
    folded
}

/// The fast path: ASCII letters and digits, the Czech alphabet and its neighbours' letters.
const fn czech_letter(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' | '0'..='9' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        'á' | 'Á' | 'ä' | 'Ä' => 'a',
        'č' | 'Č' => 'c',
        'ď' | 'Ď' => 'd',
        'é' | 'É' | 'ě' | 'Ě' | 'ë' | 'Ë' => 'e',
        'í' | 'Í' => 'i',
        'ľ' | 'Ľ' | 'ĺ' | 'Ĺ' | 'ł' | 'Ł' => 'l',
        'ň' | 'Ň' => 'n',
        'ó' | 'Ó' | 'ô' | 'Ô' | 'ö' | 'Ö' => 'o',
        'ř' | 'Ř' | 'ŕ' | 'Ŕ' => 'r',
        'š' | 'Š' => 's',
        'ť' | 'Ť' => 't',
        'ú' | 'Ú' | 'ů' | 'Ů' | 'ü' | 'Ü' => 'u',
        'ý' | 'Ý' => 'y',
        'ž' | 'Ž' => 'z',
        '²' => '2',
        _ => return None,
    })
}

/// Folds a character that is not in the table: a letter with a combining mark loses the mark.
fn fold_rare(c: char, folded: &mut String) {
    let parts = std::iter::once(c).nfkd().flat_map(char::to_lowercase);
    for part in parts.nfkd() {
        match czech_letter(part) {
            Some(letter) => folded.push(letter),
            None if is_combining_mark(part) => {}
            // The lower-case sigma has its own form at the end of a word; the upper-case sigma has only one.
            None if part == 'ς' => folded.push('σ'),
            None => folded.push(if part.is_alphanumeric() { part } else { ' ' }),
        }
    }
}
