//! Streets of addresses, and whether two of them are the same.

use czech::fold::kind_of_street;
use czech::names::{bare_street_key, is_street_word, street_key};

/// The shortest name whose typing error is forgiven if one advert states both names, in bytes.
const SHORTEST_WITH_TYPO: usize = 5;

/// The words for kinds of streets whose typing errors are forgiven, folded.
const KINDS: [&str; 5] = ["ulice", "namesti", "trida", "nabrezi", "sidliste"];

/// A street without the house number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Street {
    /// As written, without `ul.` and the house number.
    pub written: String,
    /// The match key: `nám. Míru`, `náměstí Míru` and `NAMESTI MIRU` have the same one.
    pub key: String,
}

/// How two street names relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreetAgreement {
    /// One name.
    Same,
    /// One name, except for a first name (`Jana Palacha`, `J. Palacha`; but not `Palachova`) or for the kind of street
    /// (`nám. Budovatelů`, `Budovatelů`), which portals leave out.
    Alias,
    /// Two names.
    Different,
}

impl Street {
    /// The street of this name, which holds no house number; `None` if nothing but the word `ulice` is left.
    pub fn named(written: &str) -> Option<Self> {
        let key = key_with_kind(street_key(written));
        (!key.is_empty()).then(|| Self {
            written: without_street_word(written),
            key,
        })
    }

    /// The key without the kind of street: `miru` for `náměstí Míru`. Most keys stay as they are.
    pub fn bare_key(&self) -> &str {
        bare_street_key(&self.key)
    }

    /// Whether one name is the other with one typing error. Shorter names may be two streets.
    pub(super) fn is_typo_of(&self, other: &Self) -> bool {
        let (one, there) = (self.key.as_str(), other.key.as_str());
        one.len().min(there.len()) >= SHORTEST_WITH_TYPO
            && !one
                .bytes()
                .chain(there.bytes())
                .any(|byte| byte.is_ascii_digit())
            && strsim::osa_distance(one, there) == 1
    }

    /// Compares two names within one municipality.
    pub fn compare(&self, other: &Self) -> StreetAgreement {
        if self.key == other.key {
            StreetAgreement::Same
        } else if is_alias(self.bare_key(), other.bare_key()) && !self.differs_in_kind(other) {
            StreetAgreement::Alias
        } else {
            StreetAgreement::Different
        }
    }

    /// Whether the kinds of street differ: `náměstí Míru` and `třída Míru` are two streets.
    fn differs_in_kind(&self, other: &Self) -> bool {
        match (kind_in_key(&self.key), kind_in_key(&other.key)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    }
}

/// A key with the kind of street spelt rightly: `námsětí Míru`, `ulicce Jiráskova`. The word `ulice` is left out.
fn key_with_kind(key: String) -> String {
    let Some((first, rest)) = key.split_once(' ') else {
        return key;
    };
    let meant = |word: &str| {
        let is_typo = |kind: &&&str| strsim::osa_distance(word, kind) == 1;
        KINDS.iter().find(is_typo).copied()
    };
    if let Some(kind) = meant(first) {
        return street_key(&format!("{kind} {rest}"));
    }
    match key.rsplit_once(' ') {
        Some((rest, last)) => match meant(last) {
            Some(kind) => street_key(&format!("{rest} {kind}")),
            None => key,
        },
        None => key,
    }
}

/// The kind of street at the start or end of a key.
fn kind_in_key(key: &str) -> Option<&'static str> {
    let first = key.split(' ').next().and_then(kind_of_street);
    first.or_else(|| key.rsplit(' ').next().and_then(kind_of_street))
}

/// Whether two bare keys are one name word by word, where an initial matches any word that begins with it.
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
                words += 1;
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

/// `written` without `ul.` and `ulice`.
fn without_street_word(written: &str) -> String {
    let words = written.split_whitespace().filter(|word| {
        let letters = word.trim_end_matches('.').to_lowercase();
        !is_street_word(&letters)
    });
    words.collect::<Vec<_>>().join(" ")
}
