//! The year in which a building was finished: `postaven v roce 1985`, `kolaudace 2019`, `dům z roku 1936`.

use std::ops::RangeInclusive;

use czech::tokens::{Tokens, whole};

/// The years that buildings are from, with those under construction.
pub(crate) const YEARS: RangeInclusive<i64> = 1200..=2100;

/// The year that is the value of a field: `1985`, `9/2019`. `None` if the text names none, or several.
pub(crate) fn year(text: &str) -> Option<i16> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    only(keys.iter().filter_map(|key| year_of(key)))
}

/// The year that a running text states. `None` if it states none, or several.
pub(crate) fn year_built_in_text(keys: &[&str]) -> Option<i16> {
    only((0..keys.len()).filter_map(|at| stated_at(keys.get(at..)?)))
}

/// The words between `postaven` or `kolaudace` and the year.
const BETWEEN: [&str; 14] = [
    "v", "roce", "r", ".", ":", "-", "z", "roku", "byl", "byla", "je", "probehla", "do", "uzivani",
];

/// The most words between.
const MOST_BETWEEN: usize = 4;

/// The year that is stated by the first words.
fn stated_at(keys: &[&str]) -> Option<i16> {
    let is_finished = |word: &str| {
        ["postaven", "dostaven", "kolaud", "zkolaud"]
            .iter()
            .any(|stem| word.starts_with(stem))
    };
    let is_building = |word: &str| {
        [
            "dum",
            "domu",
            "domek",
            "vila",
            "chata",
            "chalupa",
            "stavba",
            "novostavba",
        ]
        .contains(&word)
    };
    let rest = match keys {
        ["rok", word, rest @ ..] if word.starts_with("vystavb") || is_finished(word) => rest,
        [word, "z", "roku" | "r", rest @ ..] if is_building(word) => rest,
        [word, rest @ ..] if is_finished(word) => rest,
        _ => return None,
    };
    let between = rest.iter().take(MOST_BETWEEN);
    let skipped = between.take_while(|word| BETWEEN.contains(word)).count();
    year_of(rest.get(skipped)?)
}

fn year_of(key: &str) -> Option<i16> {
    let year = whole(key).filter(|year| key.len() == 4 && YEARS.contains(year));
    year.and_then(|year| i16::try_from(year).ok())
}

/// The value, if all are the same.
fn only(mut years: impl Iterator<Item = i16>) -> Option<i16> {
    let first = years.next()?;
    years.all(|year| year == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn built(text: &str, expected: Option<i16>) {
        let tokens = Tokens::parse(text);
        assert_eq!(year_built_in_text(&tokens.keys()), expected, "{text}");
    }

    #[test]
    fn the_words_for_building_and_approval_name_the_year() {
        built("Dům byl postaven v roce 1997, je zateplený.", Some(1997));
        built("Rodinný dům z roku 1936 po rekonstrukci.", Some(1936));
        built("Rok výstavby: 2004", Some(2004));
        built("Kolaudace v r. 2019.", Some(2019));
        built("Zkolaudován do užívání 2011", Some(2011));
        built("Dům postavený v roce 1997. Kolaudace 1997.", Some(1997));
        built(
            "Dům postaven v roce 1950, kolaudace přístavby 2008.",
            Some(1950),
        );
    }

    #[test]
    fn other_years_and_contradictions_do_not_count() {
        built("Po rekonstrukci v roce 2015.", None);
        built("Dům postaven v roce 1950, kolaudace 2008.", None);
        built("Nastěhování od roku 2026.", None);
        built("Kolaudace proběhne na jaře, cena 1990 Kč.", None);
    }

    #[test]
    fn a_field_may_add_the_month() {
        assert_eq!(year("1985"), Some(1985));
        assert_eq!(year("9/2019"), Some(2019));
        assert_eq!(year("1985, 2010"), None);
        assert_eq!(year("neuvedeno"), None);
    }
}
