//! Whether an owner offers the property without an agency (bez realitky).

use czech::tokens::Piece;
use czech::tokens::pieces::word_at;

/// What agencies are called, folded.
const AGENCY: [&str; 6] = [
    "rk", "realitka", "realitky", "realitku", "realitni", "makleri",
];

/// What owners write behind it, folded: `RK ne`, `realitky nevolejte`.
const UNWANTED: [&str; 6] = ["ne", "nevolat", "nevolejte", "nechci", "prosim", "dekuji"];

/// Whether the words at `at` say that no agency is wanted or paid: `RK nevolat`, `bez RK`, `nejsme realitka`.
pub(super) fn says_no_agency(word: &str, pieces: &[Piece], at: usize) -> bool {
    if !AGENCY.contains(&word) {
        return false;
    }
    let before = at.checked_sub(1).and_then(|at| word_at(pieces, at));
    let after = word_at(pieces, at + 1);
    // `realitní kancelář nevolat`
    let second = word_at(pieces, at + 2);
    let is_unwanted = |word: Option<&str>| word.is_some_and(|word| UNWANTED.contains(&word));
    matches!(before, Some("bez" | "nejsem" | "nejsme"))
        || is_unwanted(after)
        || (word == "realitni" && is_unwanted(second))
}

#[cfg(test)]
mod tests {
    use czech::tokens::pieces;

    use super::*;

    fn is_said(text: &str) -> bool {
        let pieces = pieces(text);
        (0..pieces.len())
            .any(|at| word_at(&pieces, at).is_some_and(|word| says_no_agency(word, &pieces, at)))
    }

    #[test]
    fn owners_say_it_in_many_ways() {
        for text in [
            "bez provize, spěchá, RK ne.",
            "RK nevolat!",
            "Realitky nevolejte",
            "realitní kanceláře prosím nevolat",
            "Prodám bez RK",
            "nejsem realitka",
        ] {
            assert!(is_said(text), "{text}");
        }
    }

    #[test]
    fn agencies_do_not() {
        for text in [
            "Nabídka přímo od majitele v zastoupení RK.",
            "Kupní cena je uvedena bez provize realitní kanceláře.",
            "Cena včetně provize RK a právního servisu",
        ] {
            assert!(!is_said(text), "{text}");
        }
    }
}
