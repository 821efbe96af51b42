//! The accepted name or value that a refused one most likely means.

use std::sync::LazyLock;

use czech::fold_name;

use crate::params::query::TOKEN;
use crate::params::table::SEARCH;

/// How like a refused value a listed one must be to be named as the nearest.
const NEAR: f64 = 0.5;
/// How much of what was sent is compared, in characters: no listed text is as long.
const COMPARED: usize = 60;
/// The shortest word that is looked for inside another.
const WORTH_FINDING: usize = 3;

/// What other words for listed values mean, folded: English and Czech ones, as clients bring them along from elsewhere.
const VALUES: [(&str, &str); 41] = [
    ("buy", "sale"),
    ("sell", "sale"),
    ("prodej", "sale"),
    ("lease", "rent"),
    ("let", "rent"),
    ("pronajem", "rent"),
    ("vymena", "exchange"),
    ("drazba", "auction"),
    ("flat", "apartment"),
    ("flats", "apartment"),
    ("byt", "apartment"),
    ("byty", "apartment"),
    ("dum", "house"),
    ("domy", "house"),
    ("plot", "land"),
    ("pozemek", "land"),
    ("pozemky", "land"),
    ("parcela", "land"),
    ("komercni", "commercial"),
    ("ostatni", "other"),
    ("rodinny", "family"),
    ("rodinny dum", "family"),
    ("vila", "villa"),
    ("chalupa", "cottage"),
    ("chata", "holiday"),
    ("kancelar", "office"),
    ("sklad", "warehouse"),
    ("garage", "garage_full"),
    ("garaz", "garage_full"),
    ("studio", "1+kk"),
    ("garsonka", "1+kk"),
    ("garsoniera", "1+kk"),
    ("furnished", "full"),
    ("unfurnished", "none"),
    ("personal", "private"),
    ("osobni", "private"),
    ("cooperative", "communal"),
    ("druzstevni", "communal"),
    ("municipal", "local"),
    ("novostavba", "newly_constructed"),
    ("cihla", "brick"),
];

/// What other names for parameters mean, without case and punctuation.
const NAMES: [(&str, &str); 32] = [
    ("page", "cursor"),
    ("offset", "cursor"),
    ("skip", "cursor"),
    ("after", "cursor"),
    ("nextcursor", "cursor"),
    ("perpage", "limit"),
    ("pagesize", "limit"),
    ("size", "limit"),
    ("count", "limit"),
    ("q", "address"),
    ("query", "address"),
    ("search", "address"),
    ("location", "address"),
    ("city", "address"),
    ("street", "address"),
    ("postalcode", "address"),
    ("region", "district"),
    ("lon", "lng"),
    ("longitude", "lng"),
    ("distance", "radiusMeters"),
    ("rooms", "arrangement"),
    ("layout", "arrangement"),
    ("disposition", "arrangement"),
    ("propertytype", "type"),
    ("category", "type"),
    ("state", "propertyState"),
    ("condition", "propertyState"),
    ("area", "livingAreaMin"),
    ("pricefrom", "priceMin"),
    ("priceto", "priceMax"),
    ("apikey", "token"),
    ("key", "token"),
];

/// An accepted name in the forms in which it is compared.
struct Known {
    name: &'static str,
    lower: String,
    words: Vec<String>,
}

/// The names that a search accepts.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let names = SEARCH.iter().map(|param| param.name).chain([TOKEN]);
    names
        .map(|name| Known {
            name,
            lower: name.to_lowercase(),
            words: words(name),
        })
        .collect()
});

/// The parameter of a search that a name most likely means.
pub fn nearest_name(sent: &str) -> &'static str {
    let sent: String = sent.chars().take(COMPARED).collect();
    let plain: String = sent.chars().filter(char::is_ascii_alphanumeric).collect();
    if let Some((_, name)) = NAMES
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(&plain))
    {
        return name;
    }
    // `min_price` is priceMin.
    let sent_words = words(&sent);
    if let Some(known) = KNOWN.iter().find(|known| known.words == sent_words) {
        return known.name;
    }
    let names = KNOWN.iter().map(|known| (known.lower.as_str(), known.name));
    most_like(names, &sent.to_lowercase(), 0.0).unwrap_or_default()
}

/// The listed value that a text most likely means; `None` where it is like none of them.
pub fn nearest_value<'a>(listed: &[&'a str], sent: &str) -> Option<&'a str> {
    let sent: String = sent.chars().take(COMPARED).collect();
    let folded = fold_name(&sent);
    let meant = VALUES
        .iter()
        .find(|(other, value)| *other == folded && listed.contains(value));
    let sent = sent.to_lowercase();
    let near = || most_like(listed.iter().map(|text| (*text, *text)), &sent, NEAR);
    let part = || {
        listed
            .iter()
            .copied()
            .find(|text| is_part(text, &sent) || is_part(&sent, text))
    };
    meant.map(|(_, value)| *value).or_else(near).or_else(part)
}

fn is_part(part: &str, whole: &str) -> bool {
    part.len() >= WORTH_FINDING && whole.contains(part)
}

/// What stands beside the first of the lower-case texts most like `sent`; `None` where none reaches `at_least` (0 to 1).
fn most_like<'a, T>(
    texts: impl Iterator<Item = (&'a str, T)>,
    sent: &str,
    at_least: f64,
) -> Option<T> {
    let length = sent.chars().count();
    let mut best = None;
    for (text, what) in texts {
        let least = best.as_ref().map_or(at_least, |(likeness, _)| *likeness);
        let other = text.chars().count();
        let (shorter, longer) = (length.min(other), length.max(other));
        // Texts differ at least by their lengths.
        let is_hopeless = best.is_some() && (shorter as f64) <= least * longer as f64;
        if longer == 0 || is_hopeless {
            continue;
        }
        let likeness = 1.0 - strsim::osa_distance(text, sent) as f64 / longer as f64;
        if best
            .as_ref()
            .map_or(likeness >= at_least, |(most, _)| likeness > *most)
        {
            best = Some((likeness, what));
        }
    }
    best.map(|(_, what)| what)
}

/// The truth value that a text is most like.
pub fn nearest_truth(sent: &str) -> bool {
    most_like([("false", false), ("true", true)].into_iter(), sent, 0.0).unwrap_or_default()
}

/// The words of a name, however they are put together, in the order of the alphabet.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && was_lower;
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match words.last_mut() {
            Some(word) if letter.is_ascii_alphanumeric() && !begins => {
                word.push(letter.to_ascii_lowercase())
            }
            _ if letter.is_ascii_alphanumeric() => {
                words.push(letter.to_ascii_lowercase().to_string())
            }
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_by_its_spelling_its_words_or_its_meaning() {
        for (sent, name) in [
            ("Limit", "limit"),
            ("neighbourhood", "neighborhood"),
            ("livingArea", "livingAreaMin"),
            ("limit[]", "limit"),
            ("radius", "radiusMeters"),
            ("min_price", "priceMin"),
            ("maxLivingArea", "livingAreaMax"),
            ("PRICE-MAX", "priceMax"),
            ("offer_type", "offerType"),
            ("per_page", "limit"),
            ("pageSize", "limit"),
            ("lon", "lng"),
            ("city", "address"),
            ("api_key", "token"),
        ] {
            assert_eq!(nearest_name(sent), name, "{sent}");
        }
        for odd in ["", "_", "ž", "🏠", "\u{0}", &"x".repeat(8000)] {
            assert!(
                KNOWN.iter().any(|known| known.name == nearest_name(odd)),
                "{odd}"
            );
        }
    }

    #[test]
    fn every_other_name_means_one_that_there_is_and_is_none_itself() {
        for (other, name) in NAMES {
            assert!(KNOWN.iter().any(|known| known.name == name), "{name}");
            assert!(KNOWN.iter().all(|known| known.lower != other), "{other}");
        }
        for (other, _) in VALUES {
            assert_eq!(fold_name(other), other);
        }
    }

    #[test]
    fn a_value_is_known_by_its_spelling_its_meaning_or_a_part_of_it() {
        let types = ["apartment", "house", "land"];
        for (sent, value) in [
            ("Flats", Some("apartment")),
            ("DŮM", Some("house")),
            ("lond", Some("land")),
            ("apartment_2kk", Some("apartment")),
            ("apart", Some("apartment")),
            ("xyz", None),
            ("", None),
        ] {
            assert_eq!(nearest_value(&types, sent), value, "{sent}");
        }
        assert_eq!(
            nearest_value(&["1+1", "1+kk", "6++"], "garsonka"),
            Some("1+kk")
        );
        assert_eq!(
            nearest_value(&["good", "newly_constructed"], "new"),
            Some("newly_constructed")
        );
    }
}
