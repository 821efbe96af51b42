//! Cleaning published text.

use unicode_normalization::UnicodeNormalization;

/// Whether a character takes no room and carries no meaning: joiners between grouped digits, soft hyphens, byte order
/// marks, direction marks, and the selectors that choose how an emoji is drawn.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The value of a field on one line: composed letters, no invisible characters, no space at either end. Each run of
/// white space (no-break spaces, thin spaces, tabs, line ends) becomes one plain space.
///
/// ```
/// assert_eq!(czech::text::clean("3\u{200d}\u{a0}950\u{200d}\u{a0}000\n\t Kč "), "3 950 000 Kč");
/// ```
pub fn clean(text: &str) -> String {
    let visible: String = text.nfc().filter(|c| !is_invisible(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The [cleaned](clean) value; `None` if nothing is left of it.
pub fn present(text: &str) -> Option<String> {
    Some(clean(text)).filter(|text| !text.is_empty())
}
