//! Folding: the one spelling under which two ways of writing a Czech name meet.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// `text` in lower case, without diacritics, every punctuation a single space, and the words for a kind of street in
/// one spelling each (`nám.` and `náměstí` → `namesti`, `tř.` → `trida`, `nábř.` → `nabrezi`, `sídl.` → `sidliste`).
/// They stay in: `náměstí Míru` and `Míru` are two names. Folding twice is folding once.
///
/// ```
/// assert_eq!(gazetteer::fold("nám. Českých bratří"), "namesti ceskych bratri");
/// assert_eq!(gazetteer::fold("FRÝDEK–MÍSTEK"), "frydek mistek");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in fold_letters(text).split_ascii_whitespace() {
        push_word(&mut folded, kind_of_street(word).unwrap_or(word));
    }
    folded
}

/// Appends `word` to a space-separated `text`.
pub(crate) fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// The canonical word for a kind of street, where `word` (folded) is one of its spellings.
pub(crate) fn kind_of_street(word: &str) -> Option<&'static str> {
    Some(match word {
        "nam" | "namesti" => "namesti",
        "tr" | "trida" => "trida",
        "nabr" | "nabrezi" => "nabrezi",
        "sidl" | "sidliste" => "sidliste",
        _ => return None,
    })
}

/// Lower case without diacritics; whatever is neither letter nor digit becomes a space (not collapsed).
pub(crate) fn fold_letters(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match plain(c) {
            Some(plain) => folded.push(plain),
            None => fold_rare(c, &mut folded),
        }
    }
    folded
}

/// The fast path: ASCII and the Czech alphabet.
const fn plain(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' | '0'..='9' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        '\0'..='\x7f' => ' ',
        'á' | 'Á' | 'ä' | 'Ä' => 'a',
        'č' | 'Č' => 'c',
        'ď' | 'Ď' => 'd',
        'é' | 'É' | 'ě' | 'Ě' | 'ë' | 'Ë' => 'e',
        'í' | 'Í' => 'i',
        'ľ' | 'Ľ' | 'ĺ' | 'Ĺ' | 'ł' | 'Ł' => 'l',
        'ň' | 'Ň' => 'n',
        'ó' | 'Ó' | 'ô' | 'Ô' | 'ö' | 'Ö' => 'o',
        'ř' | 'Ř' => 'r',
        'š' | 'Š' => 's',
        'ť' | 'Ť' => 't',
        'ú' | 'Ú' | 'ů' | 'Ů' | 'ü' | 'Ü' => 'u',
        'ý' | 'Ý' => 'y',
        'ž' | 'Ž' => 'z',
        _ => return None,
    })
}

/// Everything else, through Unicode decomposition: a letter written with a combining mark loses the mark.
fn fold_rare(c: char, folded: &mut String) {
    for part in std::iter::once(c)
        .nfkd()
        .flat_map(char::to_lowercase)
        .nfkd()
    {
        match plain(part) {
            Some(plain) => folded.push(plain),
            None if is_combining_mark(part) => {}
            // In lower case the sigma has a form of its own at the end of a word, in upper case it has not.
            None if part == 'ς' => folded.push('σ'),
            None => folded.push(if part.is_alphanumeric() { part } else { ' ' }),
        }
    }
}
