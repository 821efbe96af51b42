//! Cleaning and folding of published text.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters that take no room and carry no meaning in a value: joiners that portals put between grouped digits,
/// soft hyphens, byte order marks, direction marks, the selector that asks for the coloured form of an emoji.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The value of a field on one line: composed letters, nothing invisible, every run of white space (no-break and thin
/// spaces, tabs, line ends) one plain space, none at the ends.
///
/// ```
/// assert_eq!(ingest::notation::text::clean("3\u{200d}\u{a0}950\u{200d}\u{a0}000\n\t Kč "), "3 950 000 Kč");
/// ```
pub fn clean(text: &str) -> String {
    let visible: String = text.nfc().filter(|c| !is_invisible(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same value for comparison: cleaned, lower case, without diacritics.
///
/// ```
/// assert_eq!(ingest::notation::text::fold(" Velmi  DOBRÝ stav"), "velmi dobry stav");
/// ```
pub fn fold(text: &str) -> String {
    clean(&fold_word(&clean(text)))
}

/// Lower case without diacritics, spaces as they are.
pub(super) fn fold_word(text: &str) -> String {
    text.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The cleaned value, `None` where nothing is left of it.
pub fn present(text: &str) -> Option<String> {
    Some(clean(text)).filter(|text| !text.is_empty())
}
