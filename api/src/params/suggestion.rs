//! What a wrong parameter name or value was probably meant to be: a synonym from the tables below, or the most similar
//! accepted text. The similarity is that of `strsim`.

use std::sync::LazyLock;

use czech::fold_name;

use crate::params::definitions::SEARCH_PARAMS;
use crate::params::query::TOKEN;

/// How similar to a wrong name or value an accepted one must be to be suggested, from 0 to 1. Names are short and have a
/// beginning in common, so `foo` would be half of `floorMin`.
const MIN_NAME_SIMILARITY: f64 = 0.66;
const MIN_SIMILARITY: f64 = 0.5;
/// The shortest text that is searched for inside another, in bytes.
const MIN_PART: usize = 3;

/// Other English and Czech words for accepted values, folded, as other services use them.
const VALUE_SYNONYMS: [(&str, &str); 41] = [
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

/// Other names for parameters, in lower case and without punctuation, as other services use them.
const NAME_SYNONYMS: [(&str, &str); 33] = [
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
    ("latitude", "lat"),
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

/// An accepted name and the words it consists of.
struct Known {
    name: &'static str,
    words: Vec<String>,
}

/// The names that a search accepts.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let names = SEARCH_PARAMS.iter().map(|param| param.name).chain([TOKEN]);
    names
        .map(|name| Known {
            name,
            words: words(name),
        })
        .collect()
});

/// The search parameter that a wrong name probably means; `None` if it is near to none of them.
pub(crate) fn nearest_name(sent: &str) -> Option<&'static str> {
    let plain: String = sent.chars().filter(char::is_ascii_alphanumeric).collect();
    let synonym = NAME_SYNONYMS
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(&plain));
    if let Some((_, name)) = synonym {
        return Some(name);
    }
    named_in_words(sent)
        .or_else(|| {
            most_similar(
                KNOWN.iter().map(|known| known.name),
                sent,
                MIN_NAME_SIMILARITY,
            )
        })
        .or_else(|| beginning_with(sent))
}

/// The parameter whose words are all in a name, in any order: `min_price` has those of `priceMin`. Of several, the one
/// with most words.
fn named_in_words(sent: &str) -> Option<&'static str> {
    let sent = words(sent);
    let named = KNOWN
        .iter()
        .filter(|known| known.words.iter().all(|word| sent.contains(word)));
    named
        .reduce(|best, other| {
            if other.words.len() > best.words.len() {
                other
            } else {
                best
            }
        })
        .map(|known| known.name)
}

/// The first parameter that begins with `sent`, which must be long enough to say something.
fn beginning_with(sent: &str) -> Option<&'static str> {
    let sent = sent.to_lowercase();
    let mut known = KNOWN.iter().map(|known| known.name);
    known.find(|name| sent.len() >= MIN_PART && name.to_lowercase().starts_with(&sent))
}

/// The accepted value that a wrong one probably means; `None` if it is similar to none of them.
pub(crate) fn nearest_value<'a>(accepted: &[&'a str], sent: &str) -> Option<&'a str> {
    let folded = fold_name(sent);
    let synonym = VALUE_SYNONYMS
        .iter()
        .find(|(other, value)| *other == folded && accepted.contains(value));
    let part = || {
        let sent = sent.to_lowercase();
        let contain = |text: &&str| is_part(text, &sent) || is_part(&sent, text);
        accepted.iter().copied().find(contain)
    };
    synonym
        .map(|(_, value)| *value)
        .or_else(|| most_similar(accepted.iter().copied(), sent, MIN_SIMILARITY))
        .or_else(part)
}

/// The boolean that a wrong value is most similar to.
pub(crate) fn nearest_boolean(sent: &str) -> bool {
    most_similar(["false", "true"].into_iter(), sent, 0.0) == Some("true")
}

fn is_part(part: &str, whole: &str) -> bool {
    part.len() >= MIN_PART && whole.contains(part)
}

/// The first of the texts most similar to `sent`, ignoring case; `None` if none has at least this similarity.
fn most_similar<'a>(
    texts: impl Iterator<Item = &'a str>,
    sent: &str,
    min_similarity: f64,
) -> Option<&'a str> {
    let sent = sent.to_lowercase();
    texts
        .map(|text| (similarity(&text.to_lowercase(), &sent), text))
        .filter(|(similarity, _)| *similarity >= min_similarity)
        .reduce(|best, other| if other.0 > best.0 { other } else { best })
        .map(|(_, text)| text)
}

/// 1 for equal texts, 0 for texts that have nothing in common. Two swapped letters count as one difference.
fn similarity(left: &str, right: &str) -> f64 {
    let longer = left.chars().count().max(right.chars().count()).max(1);
    1.0 - strsim::osa_distance(left, right) as f64 / longer as f64
}

/// The words of a name in camelCase, `snake_case` or any other style, in alphabetical order.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && was_lower;
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match words.last_mut() {
            Some(word) if letter.is_ascii_alphanumeric() && !begins => {
                word.push(letter.to_ascii_lowercase());
            }
            _ if letter.is_ascii_alphanumeric() => {
                words.push(letter.to_ascii_lowercase().to_string());
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
    fn a_name_is_recognised_by_spelling_words_or_meaning() {
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
            ("min_price_czk", "priceMin"),
            ("land", "landAreaMin"),
            ("latitude", "lat"),
            ("lgn", "lng"),
        ] {
            assert_eq!(nearest_name(sent), Some(name), "{sent}");
        }
    }

    #[test]
    fn nothing_is_suggested_for_a_name_that_is_near_to_none() {
        for odd in [
            "",
            "_",
            "ž",
            "🏠",
            "\u{0}",
            "foo",
            "bar",
            "x",
            "id",
            "format",
            "callback",
            "utm_source",
            "translation",
            &"x".repeat(8000),
        ] {
            assert_eq!(nearest_name(odd), None, "{odd:.20}");
        }
    }

    #[test]
    fn every_synonym_means_an_accepted_name_and_is_not_one_itself() {
        for (other, name) in NAME_SYNONYMS {
            assert!(KNOWN.iter().any(|known| known.name == name), "{name}");
            assert!(
                KNOWN.iter().all(|known| known.name.to_lowercase() != other),
                "{other}"
            );
        }
        for (other, _) in VALUE_SYNONYMS {
            assert_eq!(fold_name(other), other);
        }
    }

    #[test]
    fn a_value_is_recognised_by_spelling_meaning_or_a_part() {
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
