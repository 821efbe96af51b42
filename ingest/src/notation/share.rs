//! Shares (spoluvlastnický podíl) on offer: `podíl 1/2`, `ideální 1/2`, `id. 5/12`, `50% podíl`.
//!
//! A fraction beside the word *podíl* need not be the share on offer: every flat has a share of the common parts of its
//! house, and many houses have a share of the road.

use czech::tokens::{Tokens, sentences, whole};

/// The share that a title or the value of a field states, as `n/m`. Shares of common parts, roads and the like do not
/// count.
///
/// ```
/// use ingest::notation::share::share;
/// assert_eq!(share("Prodej podílu 1/2 rodinného domu"), Some("1/2".to_owned()));
/// assert_eq!(share("ideální ½ chalupy"), Some("1/2".to_owned()));
/// assert_eq!(share("Byt s podílem 54/1000 na společných částech"), None);
/// ```
pub fn share(text: &str) -> Option<String> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    sentences(&keys)
        .into_iter()
        .find_map(|sentence| in_sentence(keys.get(sentence)?))
}

/// The share that a running text offers: the share in a sentence about a sale, an offer or an auction.
pub fn share_on_offer(text: &str) -> Option<String> {
    const SALE: [&str; 8] = [
        "prodej", "prodam", "proda", "nabiz", "nabid", "drazb", "predmet", "kupni",
    ];
    const BELONGING: [&str; 6] = ["nalez", "soucast", "vcetne", "vlastni", "spolu", "patri"];
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    sentences(&keys).into_iter().find_map(|sentence| {
        let sentence = keys.get(sentence)?;
        let names = |stems: &[&str]| {
            sentence
                .iter()
                .any(|word| stems.iter().any(|stem| word.starts_with(stem)))
        };
        let belongs = sentence.iter().any(|word| {
            BELONGING.iter().any(|stem| word.starts_with(stem)) && !word.starts_with("spoluvlastn")
        });
        (names(&SALE) && !belongs)
            .then(|| in_sentence(sentence))
            .flatten()
    })
}

/// The share that a sentence names.
fn in_sentence(sentence: &[&str]) -> Option<String> {
    (0..sentence.len()).find_map(|at| {
        let (fraction, length) = fraction_at(sentence.get(at..)?)?;
        let before = sentence.get(at.saturating_sub(6)..at)?;
        let after = sentence.get(at + length..)?;
        let named = before
            .iter()
            .chain(after.iter().take(3))
            .any(|word| is_share(word));
        let of_something_common = after.iter().take(6).any(|word| is_common(word));
        (named && !of_something_common).then_some(fraction)
    })
}

fn is_share(word: &str) -> bool {
    word.starts_with("podil")
        || word.starts_with("ideal")
        || word == "id"
        || word.starts_with("spoluvlastn")
}

fn is_common(word: &str) -> bool {
    const COMMON: [&str; 9] = [
        "spolec",
        "komunikac",
        "cest",
        "prijezd",
        "pristup",
        "chodb",
        "kotel",
        "vstup",
        "infrastr",
    ];
    COMMON.iter().any(|stem| word.starts_with(stem))
}

/// The fraction at the start, and how many tokens it takes. A percentage is given in lowest terms.
fn fraction_at(keys: &[&str]) -> Option<(String, usize)> {
    match keys {
        [n, "/", m, ..] => {
            let (part, parts) = (whole(n)?, whole(m)?);
            (0 < part && part < parts && parts <= 1_000_000).then(|| (format!("{part}/{parts}"), 3))
        }
        [n, "%", ..] => {
            let percent = whole(n).filter(|percent| (1..100).contains(percent))?;
            let divisor = (1..=percent)
                .rev()
                .find(|d| percent % d == 0 && 100 % d == 0)?;
            Some((format!("{}/{}", percent / divisor, 100 / divisor), 2))
        }
        [word, ..] => {
            let parts = match *word {
                word if word.starts_with("polovic") || word.starts_with("polovin") => 2,
                word if word.starts_with("tretin") => 3,
                word if word.starts_with("ctvrtin") => 4,
                _ => return None,
            };
            Some((format!("1/{parts}"), 1))
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_in_every_spelling() {
        for (text, expected) in [
            ("Prodej podílu 1/2 rodinného domu", "1/2"),
            ("ideální 1/4 chalupy", "1/4"),
            ("Prodej id. 5/12 domu", "5/12"),
            ("Spoluvlastnický podíl o velikosti 1/3 bytu", "1/3"),
            ("50% podíl na rodinném domě", "1/2"),
            ("podíl 25 % bytu", "1/4"),
            ("Prodej ideální poloviny domu", "1/2"),
            ("poloviční podíl", "1/2"),
            ("podíl ½ bytu", "1/2"),
        ] {
            assert_eq!(share(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn fractions_of_other_things_are_not_shares() {
        for text in [
            "Byt s podílem 54/1000 na společných částech domu",
            "podíl 1/8 na příjezdové komunikaci",
            "Prodej bytu 3+1, Polní 12/34",
            "Prodej domu 1/1",
            "podíl",
            "vyhláška 264/2020",
            "Polovina ceny hypotékou",
        ] {
            assert_eq!(share(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_must_say_that_the_share_is_sold() {
        assert_eq!(
            share_on_offer("Předmětem prodeje je spoluvlastnický podíl o velikosti 1/2 bytu.")
                .as_deref(),
            Some("1/2")
        );
        assert_eq!(
            share_on_offer("K domu náleží podíl 1/6 pozemku. Nabízíme k prodeji dům."),
            None
        );
        assert_eq!(
            share_on_offer("Součástí prodeje je podíl 1/4 na studni."),
            None
        );
    }
}
