//! Names in other cases than the nominative: `v Praze`, `ve Špindlerově Mlýně`.
//!
//! Without the registry's own declension this goes by endings. It proposes; whoever asks accepts a proposal only where
//! it is a known name.

/// Folded endings of the locative (and the genitive of feminine adjectives) with the nominatives they may come from.
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

/// Nominatives that the folded `word` may be a form of, itself first.
pub(crate) fn nominatives(word: &str) -> Vec<String> {
    let mut found = vec![word.to_owned()];
    if word.len() < 4 {
        return found;
    }
    for (ending, replacements) in ENDINGS {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) else {
            continue;
        };
        for replacement in replacements {
            let nominative = format!("{stem}{replacement}");
            if !found.contains(&nominative) {
                found.push(nominative);
            }
        }
    }
    // The vowel that the ending drove out: Špindlerův → Špindlerově.
    if let Some(stem) = word.strip_suffix("ove") {
        found.push(format!("{stem}uv"));
    }
    found
}

/// Every way to read the folded `words` in the nominative, at most `limit`; the words as they are come first.
pub(crate) fn readings(words: &[&str], limit: usize) -> Vec<String> {
    let mut readings = vec![String::new()];
    for word in words {
        let forms = nominatives(word);
        let mut longer = Vec::with_capacity(readings.len() * forms.len());
        for reading in &readings {
            for form in &forms {
                let mut next = reading.clone();
                crate::fold::push_word(&mut next, form);
                longer.push(next);
            }
        }
        longer.truncate(limit);
        readings = longer;
    }
    readings
}
