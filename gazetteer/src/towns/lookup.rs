//! Authored towns and quarters by their names.

use std::collections::HashMap;
use std::sync::LazyLock;

use czech::names::place_key;

use super::{Quarter, Town, quarter_names, quarters, towns};

/// Towns by match key. No two authored towns have the same key.
static TOWNS: LazyLock<HashMap<String, &'static Town>> = LazyLock::new(|| {
    towns()
        .iter()
        .map(|town| (place_key(town.name), town))
        .collect()
});

/// Quarters by match key.
static QUARTERS: LazyLock<HashMap<String, &'static Quarter>> = LazyLock::new(|| {
    quarters()
        .iter()
        .map(|quarter| (place_key(quarter.name), quarter))
        .collect()
});

/// The official names of the parts of the four largest cities, by the match keys of city and part.
static QUARTER_NAMES: LazyLock<HashMap<(String, String), &'static str>> = LazyLock::new(|| {
    quarter_names()
        .map(|[city, name]| ((place_key(city), place_key(name)), name))
        .collect()
});

/// Towns with a hyphen (`Brandýs nad Labem-Stará Boleslav`), by the match key of either half.
static HALVES: LazyLock<HashMap<String, &'static Town>> = LazyLock::new(|| {
    let hyphenated = towns()
        .iter()
        .filter_map(|town| Some((town, town.name.split_once('-')?)));
    hyphenated
        .flat_map(|(town, (a, b))| [(place_key(a), town), (place_key(b), town)])
        .collect()
});

/// The authored town with this match key.
pub(crate) fn town_by_key(key: &str) -> Option<&'static Town> {
    TOWNS.get(key).copied()
}

/// The authored quarter with this match key. If two cities have a quarter of that name, it is either of them.
pub(crate) fn quarter_by_key(key: &str) -> Option<&'static Quarter> {
    QUARTERS.get(key).copied()
}

/// The official name of the part with the key `quarter` of the city with the key `city`.
pub(crate) fn quarter_name(city: &str, quarter: &str) -> Option<&'static str> {
    let key = (city.to_owned(), quarter.to_owned());
    QUARTER_NAMES.get(&key).copied()
}

/// The authored town that a name means: the whole name, half of a hyphenated one, or an abbreviation (`Ústí n. L.`,
/// `Č. Budějovice`). `key` is the match key of `written`.
pub(crate) fn town_by_name(written: &str, key: &str) -> Option<&'static Town> {
    town_by_key(key)
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

/// The town whose words begin with the words of `key`, if there is exactly one.
fn abbreviated_town(key: &str) -> Option<&'static Town> {
    let mut fitting = towns()
        .iter()
        .filter(|town| abbreviates(key, &place_key(town.name)));
    let town = fitting.next()?;
    fitting.next().is_none().then_some(town)
}

/// The key of the quarter that an abbreviated name (`Král. Pole`) means, if exactly one fits; else `key`.
pub(crate) fn unabbreviated_quarter(written: &str, key: String) -> String {
    if !written.contains('.') {
        return key;
    }
    let mut fitting = quarters()
        .iter()
        .map(|quarter| place_key(quarter.name))
        .filter(|full| abbreviates(&key, full));
    match (fitting.next(), fitting.next()) {
        (Some(full), None) => full,
        _ => key,
    }
}

/// Whether each word of `short` is the beginning of the word of `full` at the same place.
fn abbreviates(short: &str, full: &str) -> bool {
    full.split(' ').count() == short.split(' ').count()
        && full
            .split(' ')
            .zip(short.split(' '))
            .all(|(full, short)| full.starts_with(short))
}
