//! A municipality and its part in one name.

use czech::names::is_roman;
use czech::numbered_parts::numbers_its_parts;

use crate::towns;

/// Towns whose name is also a common word. With another word behind it, it may be a street (`Most Legií`).
const COMMON_WORDS: [&str; 2] = ["most", "ostrov"];

/// The municipality and its part in `Praha-Klánovice`, `Liberec XIV-Ruprechtice`, `České Budějovice 2`, `Praha Staré
/// Město`, `Hranice Hranice I-Město`. A hyphenated name that does not begin with an authored town is not split.
pub(super) fn town_and_part(written: &str, key: &str) -> Option<(String, String)> {
    let words: Vec<&str> = key.split(' ').collect();
    for split in 1..=words.len() / 2 {
        let (town, part) = words.split_at(split);
        if part.starts_with(town) {
            return Some((first_words(written, split), words_after(written, split)));
        }
    }
    for split in (1..words.len()).rev() {
        let (town, part) = words.split_at(split);
        let numbered = part.len() == 1
            && part
                .iter()
                .all(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let roman = part.len() > 1
            && part.first().is_some_and(|word| is_roman(word))
            && written.contains('-');
        let town_key = town.join(" ");
        let known = towns::town_by_key(&town_key);
        let hyphenated = written.contains('-') && known.is_some();
        let common = COMMON_WORDS.contains(&town_key.as_str());
        let prefixed = known.is_some() && !common && !goes_on(written, split, part);
        if (numbered && numbers_its_parts(&town_key)) || roman || hyphenated || prefixed {
            let town =
                known.map_or_else(|| first_words(written, split), |town| town.name.to_owned());
            // The number of `Rakovník II` alone is not a name.
            let number = matches!(part, [only] if numbered || is_roman(only));
            let whole = number || roman || hyphenated;
            let part = if whole {
                written.to_owned()
            } else {
                words_after(written, split)
            };
            return Some((town, part));
        }
    }
    None
}

/// Whether the words behind a town's name belong to that name: `Benešov u Semil` is a municipality, but `Krnov Pod
/// Cvilínem` is a town and its part.
fn goes_on(written: &str, split: usize, rest: &[&str]) -> bool {
    let upon = rest.first().is_some_and(|word| is_upon(word));
    let capital = written
        .split([' ', '-'])
        .nth(split)
        .is_some_and(|word| word.starts_with(char::is_uppercase));
    upon && !(capital && written.contains(char::is_lowercase))
}

/// Whether a river, hill or town follows this folded word in the name of a municipality: `nad Labem`.
pub(super) fn is_upon(word: &str) -> bool {
    matches!(word, "nad" | "pod" | "u" | "na" | "v" | "n")
}

fn first_words(written: &str, count: usize) -> String {
    written
        .split_whitespace()
        .take(count)
        .collect::<Vec<_>>()
        .join(" ")
}

fn words_after(written: &str, count: usize) -> String {
    written
        .split_whitespace()
        .skip(count)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The last words of `written`, as many as `rest` has.
pub(super) fn last_words(written: &str, rest: &str) -> String {
    let words: Vec<&str> = written
        .split([' ', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    let from = words.len().saturating_sub(rest.split(' ').count());
    words.get(from..).unwrap_or_default().join(" ")
}
