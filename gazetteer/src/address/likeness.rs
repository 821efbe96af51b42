//! What a name that no list knows looks like: a street or a place.

use czech::fold::kind_of_street;

/// Folded endings of street names: adjectives of towns and people, genitives.
const STREET_ENDINGS: [&str; 9] = ["ska", "cka", "ova", "eva", "eho", "iho", "ych", "ich", "ni"];

/// Folded endings of names of towns, villages and quarters.
const PLACE_ENDINGS: [&str; 26] = [
    "ov",
    "ice",
    "in",
    "any",
    "ec",
    "ves",
    "lhota",
    "hora",
    "hory",
    "sko",
    "burk",
    "berk",
    "dol",
    "hradec",
    "mesto",
    "ava",
    "tin",
    "iste",
    "sin",
    "lova",
    "brod",
    "dvur",
    "ujezd",
    "chod",
    "predmesti",
    "lhotka",
];

/// Whether a folded name contains a kind of street. Then it is a street.
pub(super) fn names_kind_of_street(folded: &str) -> bool {
    folded.split(' ').any(|word| kind_of_street(word).is_some())
}

/// Whether a folded name looks like a street's.
pub(super) fn looks_like_street(folded: &str) -> bool {
    let first = folded.split(' ').next().unwrap_or_default();
    let preposition = matches!(
        first,
        "na" | "u" | "v" | "ve" | "pod" | "nad" | "za" | "k" | "ke" | "pri" | "mezi" | "do" | "po"
    );
    let ordinal = first.starts_with(|c: char| c.is_ascii_digit());
    let last = folded.rsplit(' ').next().unwrap_or_default();
    (folded.contains(' ') && (preposition || ordinal || kind_of_street(first).is_some()))
        || last == "naves"
        || (last.len() > 4
            && !lies_upon(folded)
            && STREET_ENDINGS.iter().any(|ending| last.ends_with(ending)))
}

/// Whether the name says which river, hill or town the place is at: `Brodek u Přerova`.
fn lies_upon(folded: &str) -> bool {
    [" nad ", " pod ", " u ", " na ", " v "]
        .iter()
        .any(|word| folded.contains(word))
}

/// Whether a folded name looks like a town's, village's or quarter's.
pub(super) fn looks_like_place(folded: &str) -> bool {
    let last = folded.rsplit(' ').next().unwrap_or_default();
    !looks_like_street(folded)
        && (lies_upon(folded) || PLACE_ENDINGS.iter().any(|ending| last.ends_with(ending)))
}
