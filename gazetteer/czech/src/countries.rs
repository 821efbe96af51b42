//! Countries in an advert: whether it is about a property abroad.
//!
//! A word of running text must name a country and nothing else. `Kanada` is also a part of Třinec, and `Černá Hora` a
//! town near Blansko; such names count only if they are a whole segment of an address line.

use crate::tokens::Tokens;

/// Names of the Czech Republic, folded.
const HOME: [&str; 8] = [
    "cesko",
    "ceska republika",
    "cr",
    "cz",
    "czechia",
    "czech republic",
    "ceska rep",
    "czechy",
];

/// Countries, islands and resorts that are recognised in running text too: nominative and locative, folded.
const IN_RUNNING_TEXT: [(&str, &str); 31] = [
    ("albanie", "albanii"),
    ("bali", "bali"),
    ("bulharsko", "bulharsku"),
    ("chorvatsko", "chorvatsku"),
    ("dubai", "dubai"),
    ("dubaj", "dubaji"),
    ("egypt", "egypte"),
    ("francie", "francii"),
    ("gruzie", "gruzii"),
    ("hurghada", "hurghade"),
    ("italie", "italii"),
    ("kapverdy", "kapverdach"),
    ("kypr", "kypru"),
    ("madarsko", "madarsku"),
    ("mallorca", "mallorce"),
    ("maroko", "maroku"),
    ("mexiko", "mexiku"),
    ("nemecko", "nemecku"),
    ("polsko", "polsku"),
    ("portugalsko", "portugalsku"),
    ("rakousko", "rakousku"),
    ("recko", "recku"),
    ("rumunsko", "rumunsku"),
    ("sardinie", "sardinii"),
    ("slovensko", "slovensku"),
    ("slovinsko", "slovinsku"),
    ("spanelsko", "spanelsku"),
    ("svycarsko", "svycarsku"),
    ("tenerife", "tenerife"),
    ("thajsko", "thajsku"),
    ("turecko", "turecku"),
];

/// Names that count only as a whole segment of an address line, folded.
const AS_WHOLE_SEGMENT: [&str; 42] = [
    "slovenska republika",
    "sk",
    "slovakia",
    "spain",
    "italy",
    "croatia",
    "severni kypr",
    "cerna hora",
    "ukrajina",
    "rusko",
    "belgie",
    "nizozemsko",
    "velka britanie",
    "anglie",
    "irsko",
    "svedsko",
    "norsko",
    "finsko",
    "dansko",
    "usa",
    "spojene staty",
    "spojene staty americke",
    "kanada",
    "brazilie",
    "dominikanska republika",
    "spojene arabske emiraty",
    "sae",
    "indonesie",
    "tunisko",
    "zanzibar",
    "tanzanie",
    "kena",
    "izrael",
    "malta",
    "monako",
    "kostarika",
    "panama",
    "vietnam",
    "filipiny",
    "australie",
    "novy zeland",
    "zahranici",
];

/// Whether a folded segment of an address line names the Czech Republic.
pub fn is_czech_republic(segment: &str) -> bool {
    HOME.contains(&segment)
}

/// Whether a folded segment of an address line names another country.
pub fn is_foreign_country(segment: &str) -> bool {
    AS_WHOLE_SEGMENT.contains(&segment)
        || IN_RUNNING_TEXT
            .iter()
            .any(|(nominative, _)| *nominative == segment)
}

/// Whether a title or place says that the property is abroad: it names another country or the sea, or it shows another
/// country's flag.
///
/// Adjectives do not count, because Czech streets are named after countries: `Chorvatská`.
///
/// ```
/// use czech::countries::is_abroad;
/// assert!(is_abroad("Apartmán v Chorvatsku"));
/// assert!(!is_abroad("Byt 2+kk, Chorvatská, Praha 10"));
/// ```
pub fn is_abroad(text: &str) -> bool {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    (0..keys.len()).any(|at| keys.get(at..).is_some_and(starts_abroad)) || shows_foreign_flag(text)
}

/// Whether the words begin with a country or with the sea.
fn starts_abroad(words: &[&str]) -> bool {
    match words {
        ["u" | "blizko" | "pobliz" | "od", "more", ..]
        | ["spojene", "arabske", ..]
        | ["spojenych", "arabskych", ..]
        | ["zahranici", ..] => true,
        [word, ..] => IN_RUNNING_TEXT
            .iter()
            .any(|(nominative, locative)| word == nominative || word == locative),
        [] => false,
    }
}

/// Whether the text has a pair of regional indicator symbols other than CZ.
fn shows_foreign_flag(text: &str) -> bool {
    let indicators: Vec<char> = text
        .chars()
        .filter(|c| ('\u{1f1e6}'..='\u{1f1ff}').contains(c))
        .collect();
    indicators
        .chunks_exact(2)
        .any(|flag| flag != ['\u{1f1e8}', '\u{1f1ff}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_the_sea_and_flags_are_abroad() {
        for text in [
            "Vila u moře k rekonstrukci",
            "Apartmán v Bulharsku",
            "Torrevieja, Španělsko",
            "Dům 🇮🇹",
            "Byt v Řecku",
            "Abu Dhabi, Spojené arabské emiráty",
            "Hurghada studio",
            "Zahraničí",
            "Slovensko",
            "Polsko-saská ulička",
        ] {
            assert!(is_abroad(text), "{text}");
        }
    }

    #[test]
    fn czech_streets_and_towns_named_after_countries_are_not_abroad() {
        for text in [
            "Italská, Praha 2",
            "Chorvatská 12",
            "Černá Hora, okres Blansko",
            "Slovenská, Brno",
            "Dům 🇨🇿",
            "",
            "Španělská, Praha - Vinohrady",
            "Rovensko pod Troskami",
        ] {
            assert!(!is_abroad(text), "{text}");
        }
    }

    #[test]
    fn an_ambiguous_name_counts_only_as_a_whole_segment() {
        assert!(is_foreign_country("kanada"));
        assert!(is_foreign_country("chorvatsko"));
        assert!(!is_foreign_country("chorvatska"));
        assert!(!is_abroad("Třinec - Kanada"));
    }
}
