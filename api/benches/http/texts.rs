//! Texts that compress like those of adverts: a page of 25 offers becomes 3.7 times smaller with zstd's first level. Words
//! drawn from a few would make it 4.7 times smaller, and hide that other levels look for fewer matches.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Words of adverts, the most frequent first.
const FREQUENT: [&str; 24] = [
    "v",
    "s",
    "byt",
    "po",
    "dům",
    "rekonstrukci",
    "centra",
    "balkonem",
    "lokalitě",
    "klidné",
    "prostorný",
    "nedaleko",
    "zahrada",
    "sklep",
    "výtah",
    "parkování",
    "možnost",
    "financování",
    "kuchyň",
    "koupelna",
    "ihned",
    "volný",
    "škola",
    "obchod",
];
/// Other words are made of these.
const SYLLABLES: [&str; 32] = [
    "na", "ko", "vý", "sta", "ní", "po", "ře", "dva", "lo", "mí", "čas", "tu", "ze", "bra", "šti",
    "ho", "ráz", "pek", "ny", "vel", "du", "cí", "hle", "žit", "ma", "ros", "ký", "pod", "jez",
    "fa", "tel", "ů",
];
const VOCABULARY: f64 = 10_000.0;
/// How many sentences adverts share, and the share of them in a text.
const SENTENCES: f64 = 300.0;
const SHARED: f64 = 0.6;

/// A text of this many sentences. Words and sentences have frequencies that fall with their rank, as in every language
/// (Zipf's law).
pub fn text(rng: &mut StdRng, sentences: usize) -> String {
    let sentence = |_| {
        let number = if rng.random_bool(SHARED) {
            zipf(rng, SENTENCES) as u64
        } else {
            rng.random()
        };
        sentence(&mut StdRng::seed_from_u64(number))
    };
    (0..sentences).map(sentence).collect::<Vec<_>>().join(". ")
}

/// Three to twelve words.
fn sentence(rng: &mut StdRng) -> String {
    let words = rng.random_range(3..=12);
    (0..words)
        .map(|_| word(zipf(rng, VOCABULARY)))
        .collect::<Vec<_>>()
        .join(" ")
}

fn word(rank: usize) -> String {
    if let Some(word) = FREQUENT.get(rank) {
        return (*word).to_owned();
    }
    // So it has three syllables.
    let mut rest = rank + SYLLABLES.len().pow(2);
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

/// A rank below `count`.
fn zipf(rng: &mut StdRng, count: f64) -> usize {
    count.powf(rng.random_range(0.0..1.0)) as usize - 1
}
