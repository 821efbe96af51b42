//! Names of places and their match keys.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::fold::{fold, push_word};
use crate::towns::{self, Town};

/// A name as a portal wrote it, and the key under which other spellings of it meet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// As written, without what did not belong to the name.
    pub written: String,
    /// The match key: compare keys, never the written forms.
    pub key: String,
}

impl Name {
    pub(crate) fn place(written: &str) -> Option<Self> {
        let key = place_key(written);
        (!key.is_empty()).then(|| Self {
            written: written.trim().to_owned(),
            key,
        })
    }
}

/// The match key of a municipality, part or other place: folded, `n.` read as `nad`, `sv.` for every form of
/// *svatý*.
pub fn place_key(name: &str) -> String {
    let folded = fold(name);
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
                "svaty" | "svata" | "svate" | "svateho" | "svatych" => "sv",
                _ => word,
            },
        );
        first = false;
    }
    key
}

/// The two halves of the hyphenated towns (`Brandýs nad Labem-Stará Boleslav`), by key.
static HALVES: LazyLock<HashMap<String, &'static Town>> = LazyLock::new(|| {
    let hyphenated = towns::towns()
        .iter()
        .filter_map(|town| Some((town, town.name.split_once('-')?)));
    hyphenated
        .flat_map(|(town, (a, b))| [(place_key(a), town), (place_key(b), town)])
        .collect()
});

/// The authored town that is meant: by its name, by half of a hyphenated one, or abbreviated (`Ústí n. L.`,
/// `Č. Budějovice`).
pub(crate) fn known_town(written: &str, key: &str) -> Option<&'static Town> {
    towns::town_by_key(key)
        .or_else(|| HALVES.get(key).copied())
        .or_else(|| {
            written
                .contains('.')
                .then(|| abbreviated_town(key))
                .flatten()
        })
}

/// Whether `key` is half of the hyphenated town.
pub(crate) fn is_half_of(key: &str, town: &Town) -> bool {
    HALVES
        .get(key)
        .is_some_and(|whole| std::ptr::eq(*whole, town))
}

/// The one town whose words begin with the words of `key`, in order.
fn abbreviated_town(key: &str) -> Option<&'static Town> {
    let mut fitting = towns::towns()
        .iter()
        .filter(|town| abbreviates(key, &place_key(town.name)));
    let town = fitting.next()?;
    fitting.next().is_none().then_some(town)
}

/// The key of the one known quarter that an abbreviated name (`Král. Pole`) stands for; any other key unchanged.
pub(crate) fn unabbreviated_quarter(written: &str, key: String) -> String {
    if !written.contains('.') {
        return key;
    }
    let mut fitting = towns::quarters()
        .iter()
        .map(|quarter| place_key(quarter.name))
        .filter(|full| abbreviates(&key, full));
    match (fitting.next(), fitting.next()) {
        (Some(full), None) => full,
        _ => key,
    }
}

fn abbreviates(short: &str, full: &str) -> bool {
    full.split(' ').count() == short.split(' ').count()
        && full
            .split(' ')
            .zip(short.split(' '))
            .all(|(full, short)| full.starts_with(short))
}

/// The match key of a part of a municipality: `Praha-Klánovice`, `Liberec XIV-Ruprechtice` and `Brno - Bystrc` lose
/// the municipality and the Roman number, a name that is nothing else (`České Budějovice 2`, `Praha 5`) stays whole.
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

/// Whether a folded word is a Roman number as parts of towns bear them (I to XLIX).
pub(crate) fn is_roman(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 7
        && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l'))
}
