//! Room layouts: `2+kk`, `3 + 1`, `2KK`, `garsoniéra`, `atypický`, `6 a více`.

use czech::tokens::{Tokens, whole};
use schema::Arrangement;

/// The layout that a field or title states: the first `N+kk`, `N+1` or `N+0`. Without such figures, `garsoniéra` is
/// `1+0`, `6 a více` is `6++`, and `atypický` or a single room on offer is `other`. More than seven rooms are `6++`.
///
/// ```
/// use ingest::notation::arrangement::arrangement;
/// use schema::Arrangement;
/// assert_eq!(arrangement("Prodej bytu 3 + 1, 74 m²"), Some(Arrangement::R3P1));
/// assert_eq!(arrangement("garsonka"), Some(Arrangement::R1P0));
/// ```
pub fn arrangement(text: &str) -> Option<Arrangement> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    arrangements(&keys)
        .first()
        .copied()
        .or_else(|| named(&keys))
}

/// The distinct layouts of a running text that are written in figures, in the order of first mention. Several layouts
/// mean that the text is about several units.
pub fn arrangements(keys: &[&str]) -> Vec<Arrangement> {
    let mut found = Vec::new();
    for at in 0..keys.len() {
        if let Some(arrangement) = in_figures(keys, at)
            && !found.contains(&arrangement)
        {
            found.push(arrangement);
        }
    }
    found
}

/// The layout in figures that begins at this token.
fn in_figures(keys: &[&str], at: usize) -> Option<Arrangement> {
    if at > 0 && keys.get(at - 1) == Some(&"+") {
        return None;
    }
    let (rooms, kitchen) = match keys.get(at..)? {
        [n, "+", kitchen @ ("kk" | "1" | "0"), ..] => (n, *kitchen),
        [n, "+", "k", ".", "k", ..] | [n, "+", "k", "k", ..] | [n, "kk", ..] => (n, "kk"),
        _ => return None,
    };
    match whole(rooms)? {
        rooms @ 1..=7 => format!("{rooms}+{kitchen}").parse().ok(),
        8..=30 => Some(Arrangement::SixAndMore),
        _ => None,
    }
}

/// The layout that a word names.
fn named(keys: &[&str]) -> Option<Arrangement> {
    if let [word] | ["prodej" | "pronajem" | "podnajem", word, ..] = keys
        && word.starts_with("pokoj")
    {
        return Some(Arrangement::Other);
    }
    (0..keys.len()).find_map(|at| match keys.get(at..)? {
        [word, ..] if word.starts_with("garson") => Some(Arrangement::R1P0),
        ["6", "a", "vice" | "vic", ..] | ["6", "+"] => Some(Arrangement::SixAndMore),
        [word, ..] if word.starts_with("atypick") => Some(Arrangement::Other),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_in_figures_are_read_however_they_are_spaced() {
        for text in [
            "2+kk",
            "2 + KK",
            "2kk",
            "2ķk",
            "Dům 2kk, 40m2, nový",
            "BYT 2+KK+ZAHRADA",
            "byt 2+k.k.",
        ] {
            assert_eq!(arrangement(text), Some(Arrangement::R2Kk), "{text}");
        }
        assert_eq!(arrangement("3+1 174 m²"), Some(Arrangement::R3P1));
        assert_eq!(arrangement("2+1,74 m2"), Some(Arrangement::R2P1));
        assert_eq!(arrangement("1+0"), Some(Arrangement::R1P0));
    }

    #[test]
    fn a_named_layout_counts_only_without_figures() {
        assert_eq!(arrangement("Garsoniéra 28 m²"), Some(Arrangement::R1P0));
        assert_eq!(arrangement("Garsonka 1+kk"), Some(Arrangement::R1Kk));
        assert_eq!(
            arrangement("Prodej bytu atypického 92 m²"),
            Some(Arrangement::Other)
        );
        assert_eq!(arrangement("pokoj"), Some(Arrangement::Other));
        assert_eq!(
            arrangement("Pronájem pokoje 25 m²"),
            Some(Arrangement::Other)
        );
        assert_eq!(arrangement("Prodej bytu, pokoj s balkonem"), None);
        assert_eq!(arrangement("6 a více"), Some(Arrangement::SixAndMore));
        assert_eq!(arrangement("9+1"), Some(Arrangement::SixAndMore));
    }

    #[test]
    fn other_sums_are_not_layouts() {
        for text in [
            "",
            "2+2",
            "+420 777",
            "27+10",
            "100+1",
            "dva pokoje",
            "0+1",
            "3+",
            "12,5+kk m",
        ] {
            assert_eq!(arrangement(text), None, "{text}");
        }
    }

    #[test]
    fn each_distinct_layout_of_a_text_is_listed_once() {
        let tokens = Tokens::parse("V přízemí byt 2+kk a 3+kk, v patře 2+KK.");
        assert_eq!(
            arrangements(&tokens.keys()),
            [Arrangement::R2Kk, Arrangement::R3Kk]
        );
    }
}
