//! Match keys of streets and places: two spellings of one name have one key.

use crate::fold::{fold_name, kind_of_street, push_word};

/// The match key of a municipality, a part of one, or another place: folded, `n.` read as `nad`, `p.` as `pod`, and
/// one form `sv` for *svatý* in every gender and case.
///
/// ```
/// use czech::names::place_key;
/// assert_eq!(place_key("Ústí n. Labem"), place_key("ÚSTÍ NAD LABEM"));
/// ```
pub fn place_key(name: &str) -> String {
    let folded = fold_name(name);
    let mut key = String::with_capacity(folded.len());
    let mut words = folded.split(' ').peekable();
    let mut first = true;
    while let Some(word) = words.next() {
        let inner = !first && words.peek().is_some();
        push_word(
            &mut key,
            match word {
                "n" if inner => "nad",
                "p" if inner => "pod",
                _ if is_saint(word) => "sv",
                _ => word,
            },
        );
        first = false;
    }
    key
}

/// The match key of a part of a municipality. The name of the municipality and a Roman number are dropped:
/// `Praha-Klánovice`, `Liberec XIV-Ruprechtice`, `Brno - Bystrc`. A name that is nothing else (`Praha 5`,
/// `České Budějovice 2`) stays whole. `municipality` is a match key.
pub fn quarter_key(name: &str, municipality: Option<&str>) -> String {
    let key = place_key(name);
    let without_town = municipality
        .and_then(|town| key.strip_prefix(town))
        .and_then(|rest| rest.strip_prefix(' '))
        .filter(|_| name.contains('-') || key.split(' ').any(is_roman));
    let rest = without_town.unwrap_or(&key);
    let rest = match rest.split_once(' ') {
        Some((first, rest)) if is_roman(first) && name.contains('-') => rest,
        _ => rest,
    };
    if rest.starts_with(|c: char| c.is_ascii_digit()) || is_roman(rest) {
        key
    } else {
        rest.to_owned()
    }
}

/// The match key of a street: folded, without `ulice`, ranks and honours in their short form (`generála` → `gen`,
/// `Československé` → `cs`, `svatého` → `sv`).
///
/// ```
/// use czech::names::street_key;
/// assert_eq!(street_key("ulice generála Píky"), street_key("Gen. Píky"));
/// ```
pub fn street_key(name: &str) -> String {
    let folded = fold_name(name);
    let mut key = String::with_capacity(folded.len());
    for word in folded.split(' ').filter(|word| !is_street_word(word)) {
        push_word(&mut key, short_form(word));
    }
    match key.strip_prefix("prvniho ") {
        Some(rest) => format!("1 {rest}"),
        None => key,
    }
}

/// A street's match key without the kind of street at either end: `miru` for `namesti miru`. Most keys stay as they
/// are, also `sidliste 2`, because a number alone is not a name.
pub fn bare_street_key(key: &str) -> &str {
    let bare = match (key.split_once(' '), key.rsplit_once(' ')) {
        (Some((first, rest)), _) if kind_of_street(first).is_some() => rest,
        (_, Some((rest, last))) if kind_of_street(last).is_some() => rest,
        _ => key,
    };
    if bare.starts_with(|c: char| c.is_ascii_digit()) && !bare.contains(' ') {
        key
    } else {
        bare
    }
}

/// Whether a folded word means only *street*.
pub fn is_street_word(word: &str) -> bool {
    matches!(word, "ul" | "ulice" | "ulici")
}

/// Whether a folded word is a Roman number from I to XLIX, as parts of towns bear them.
pub fn is_roman(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 7
        && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l'))
}

fn is_saint(word: &str) -> bool {
    matches!(
        word,
        "svaty" | "svata" | "svate" | "svateho" | "svatych" | "sv"
    )
}

/// The one spelling of a rank, degree or honour; any other word unchanged.
fn short_form(word: &str) -> &str {
    match word {
        _ if is_saint(word) => "sv",
        "general" | "generala" => "gen",
        "plukovnika" => "plk",
        "podplukovnika" => "pplk",
        "kapitana" => "kpt",
        "majora" => "mjr",
        "porucika" => "por",
        "nadporucika" => "npor",
        "podporucika" => "ppor",
        "serzanta" => "serz",
        "marsala" => "mars",
        "profesora" => "prof",
        "doktora" | "mudr" | "judr" => "dr",
        "inzenyra" => "ing",
        "architekta" => "arch",
        "kardinala" => "kard",
        "biskupa" => "bisk",
        "presidenta" | "prez" => "prezidenta",
        "bratri" => "bri",
        "arm" => "armady",
        "csl" | "ceskoslovenske" | "ceskoslovenskych" | "ceskoslovenskeho" | "ceskoslovenska" => {
            "cs"
        }
        _ => word,
    }
}
