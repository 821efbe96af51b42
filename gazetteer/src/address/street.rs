//! Streets and their match keys.

use crate::fold::{fold, kind_of_street, push_word};

/// A street without the house number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Street {
    /// As written, without `ul.` and house number.
    pub written: String,
    /// The match key: `nám. Míru`, `náměstí Míru` and `NAMESTI MIRU` share one.
    pub key: String,
}

/// How two street names relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreetAgreement {
    /// One name.
    Same,
    /// One name but for a first name (`Jana Palacha`, `J. Palacha`, `Palachova` is another) or for the word for the
    /// kind of street (`nám. Budovatelů`, `Budovatelů`), which portals drop.
    Alias,
    /// Two names.
    Different,
}

impl Street {
    /// The street named by `written`, which holds no number; `None` where only the word `ulice` is left.
    pub fn named(written: &str) -> Option<Self> {
        let key = street_key(written);
        (!key.is_empty()).then(|| Self {
            written: without_ulice(written),
            key,
        })
    }

    /// The key without the word for the kind of street: `miru` for `náměstí Míru`. The same as the key for most.
    pub fn bare_key(&self) -> &str {
        bare_key(&self.key)
    }

    /// Compares two names within one municipality.
    pub fn compare(&self, other: &Self) -> StreetAgreement {
        if self.key == other.key {
            StreetAgreement::Same
        } else if is_alias(self.bare_key(), other.bare_key()) && !self.kinds_differ(other) {
            StreetAgreement::Alias
        } else {
            StreetAgreement::Different
        }
    }

    /// `náměstí Míru` and `třída Míru` are two streets.
    fn kinds_differ(&self, other: &Self) -> bool {
        match (kind(&self.key), kind(&other.key)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    }
}

/// The match key of a street name: folded, without `ulice`, ranks and honours in their short form (`generála` →
/// `gen`, `Československé` → `cs`, `svatého` → `sv`).
pub fn street_key(name: &str) -> String {
    let folded = fold(name);
    let mut key = String::with_capacity(folded.len());
    for word in folded.split(' ').filter(|word| !is_ulice(word)) {
        push_word(&mut key, short_form(word));
    }
    match key.strip_prefix("prvniho ") {
        Some(rest) => format!("1 {rest}"),
        None => key,
    }
}

/// Whether a folded word only says *street*.
fn is_ulice(word: &str) -> bool {
    matches!(word, "ul" | "ulice" | "ulici")
}

/// The key without the word for the kind of street at either end.
pub(crate) fn bare_key(key: &str) -> &str {
    let bare = match (key.split_once(' '), key.rsplit_once(' ')) {
        (Some((first, rest)), _) if kind_of_street(first).is_some() => rest,
        (_, Some((rest, last))) if kind_of_street(last).is_some() => rest,
        _ => key,
    };
    // `náměstí 5. května` bare is a name; a lone number (`Sídliště 2`) is none.
    if bare.starts_with(|c: char| c.is_ascii_digit()) && !bare.contains(' ') {
        key
    } else {
        bare
    }
}

/// The word for the kind of street in a key.
fn kind(key: &str) -> Option<&'static str> {
    let first = key.split(' ').next().and_then(kind_of_street);
    first.or_else(|| key.rsplit(' ').next().and_then(kind_of_street))
}

/// Whether two bare keys are one name, word by word, an initial standing for any word that begins with it.
fn is_alias(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (mut left, mut right) = (a.split(' '), b.split(' '));
    let mut words = 0;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return words > 1,
            (Some(a), Some(b)) if a == b || is_initial_of(a, b) || is_initial_of(b, a) => {
                words += 1
            }
            _ => return false,
        }
    }
}

fn is_initial_of(initial: &str, word: &str) -> bool {
    initial.len() == 1
        && !initial.starts_with(|c: char| c.is_ascii_digit())
        && word.starts_with(initial)
}

/// Ranks, degrees and honours in street names: one spelling each.
fn short_form(word: &str) -> &str {
    match word {
        "svaty" | "svata" | "svate" | "svateho" | "svatych" => "sv",
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

/// `written` without `ul.` and `ulice` at either end.
fn without_ulice(written: &str) -> String {
    let words = written.split_whitespace().filter(|word| {
        let letters = word.trim_end_matches('.').to_lowercase();
        !is_ulice(&letters)
    });
    words.collect::<Vec<_>>().join(" ")
}
