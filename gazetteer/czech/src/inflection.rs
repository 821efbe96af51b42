//! Names in cases other than the nominative: `v Praze`, `ve Špindlerově Mlýně`.
//!
//! The forms are guessed from endings, without a dictionary. A guess counts only if the caller knows a place of that
//! name.

use crate::fold::push_word;

/// Shorter words are not declined, in bytes.
const SHORTEST_WORD: usize = 4;
/// The shortest stem before an ending, in bytes.
const SHORTEST_STEM: usize = 2;

/// Folded endings of the locative (and of the genitive of feminine adjectives), each with the endings that the
/// nominative may have.
const ENDINGS: [(&str, &[&str]); 18] = [
    ("ich", &["ice", "e"]),
    ("ech", &["y", "any"]),
    ("ach", &["y", "a"]),
    ("ych", &["e", "y"]),
    ("em", &["y", "e", ""]),
    ("im", &["i"]),
    ("ove", &["ov", "ova"]),
    ("ze", &["ha"]),
    ("ci", &["ec", "c", "ce"]),
    ("ni", &["en", "n", "ne"]),
    ("li", &["l"]),
    ("si", &["s"]),
    ("ti", &["t"]),
    ("ste", &["sto"]),
    ("re", &["ra", "r"]),
    ("e", &["a", "o", ""]),
    ("u", &["", "o"]),
    ("i", &["e", ""]),
];

/// Nominatives that the folded `word` may be a form of. The word itself comes first.
pub fn nominatives(word: &str) -> Vec<String> {
    let mut found = vec![word.to_owned()];
    if word.len() < SHORTEST_WORD {
        return found;
    }
    for (ending, replacements) in ENDINGS {
        let Some(stem) = word.strip_suffix(ending) else {
            continue;
        };
        if stem.len() < SHORTEST_STEM {
            continue;
        }
        for replacement in replacements {
            let nominative = format!("{stem}{replacement}");
            if !found.contains(&nominative) {
                found.push(nominative);
            }
        }
    }
    // The vowel of the nominative changes as well: Špindlerův → Špindlerově.
    if let Some(stem) = word.strip_suffix("ove") {
        found.push(format!("{stem}uv"));
    }
    found
}

/// Every way to read the folded `words` in the nominative, at most `limit`. The words as they are come first.
pub fn nominative_phrases(words: &[&str], limit: usize) -> Vec<String> {
    let mut phrases = vec![String::new()];
    for word in words {
        let forms = nominatives(word);
        let mut longer = Vec::with_capacity(phrases.len() * forms.len());
        for phrase in &phrases {
            for form in &forms {
                let mut next = phrase.clone();
                push_word(&mut next, form);
                longer.push(next);
            }
        }
        longer.truncate(limit);
        phrases = longer;
    }
    phrases
}
