//! Texts with the words marked that another text does not have.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::drawing::escaped;

/// The words and numbers of a text, folded.
pub(super) fn said(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A text as HTML, with the words and numbers marked that the other text does not have.
pub(super) fn marked(text: &str, other: &BTreeSet<String>) -> String {
    let mut html = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = rest.starts_with(char::is_alphanumeric);
        let end = rest.find(|letter: char| letter.is_alphanumeric() != is_word);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        if !is_word || other.contains(&part.to_lowercase()) {
            html.push_str(&escaped(part));
        } else {
            let class = if part.contains(|letter: char| letter.is_ascii_digit()) {
                " class=\"number\""
            } else {
                ""
            };
            let _ = write!(html, "<mark{class}>{}</mark>", escaped(part));
        }
    }
    html.replace('\n', "<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_other_text_does_not_say_is_marked_and_markup_stays_text() {
        let other = said("Prodej bytu 2+kk, 54 m²");
        let html = marked("Prodej bytu 3+kk <script>\n54", &other);
        assert_eq!(
            html,
            "Prodej bytu <mark class=\"number\">3</mark>+kk &lt;<mark>script</mark>&gt;<br>54"
        );
    }
}
