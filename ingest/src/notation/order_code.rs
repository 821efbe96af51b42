//! The agency's order number (číslo zakázky) in running text.

use super::tokens::Tokens;

/// The code after "číslo zakázky", "ID zakázky", "zakázka č." and the like: the first run of letters, digits, dots,
/// slashes and hyphens that holds a digit. `None` where no label stands, or several codes.
///
/// ```
/// use ingest::notation::order_code::order_code;
/// assert_eq!(order_code("Číslo zakázky: N116466"), Some("N116466".to_owned()));
/// assert_eq!(order_code("ev. č. 370"), None);
/// ```
pub fn order_code(text: &str) -> Option<String> {
    let mut found: Option<String> = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            if !is_label(word) {
                continue;
            }
            let Some(code) = words.get(at..).and_then(code_after) else {
                continue;
            };
            if found.as_ref().is_some_and(|other| *other != code) {
                return None;
            }
            found = Some(code);
        }
    }
    found
}

fn is_label(word: &str) -> bool {
    let tokens = Tokens::of(word);
    matches!(
        tokens.keys().first(),
        Some(&("zakazka" | "zakazky" | "zakazce"))
    )
}

/// The code in the words from the label on, past "č.", "číslo", "ID" and the colon.
fn code_after(words: &[&str]) -> Option<String> {
    let glued = words
        .first()?
        .split_once(':')
        .map(|(_, after)| after)
        .unwrap_or_default();
    let rest = words.get(1..)?.iter().copied();
    let mut candidates = std::iter::once(glued)
        .chain(rest)
        .map(trimmed)
        .filter(|word| !word.is_empty());
    candidates
        .by_ref()
        .take(3)
        .find(|word| {
            !matches!(
                word.to_lowercase().as_str(),
                "č" | "číslo" | "id" | "c" | "cislo" | "č.:"
            )
        })
        .filter(|word| word.chars().any(|c| c.is_ascii_digit()) && word.chars().count() <= 30)
        .map(str::to_owned)
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_behind_every_form_of_the_label() {
        for text in [
            "Číslo zakázky: N116466",
            "ID zakázky:N116466.",
            "Zakázka č. N116466",
            "zakázka číslo: N116466, volejte",
            "Č. zakázky N116466\nČíslo zakázky: N116466",
        ] {
            assert_eq!(order_code(text).as_deref(), Some("N116466"), "{text}");
        }
    }

    #[test]
    fn words_and_contradictions_are_no_code() {
        for text in [
            "",
            "zakázka",
            "zakázky na míru",
            "číslo zakázky: A1, číslo zakázky: A2",
            "N116466",
        ] {
            assert_eq!(order_code(text), None, "{text}");
        }
    }
}
