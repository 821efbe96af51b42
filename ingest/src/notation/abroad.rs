//! Property abroad among Czech adverts.

use super::tokens::Tokens;

/// Whether a title or place names another country, the sea, or shows another country's flag.
///
/// Only forms that are no Czech street or town name count: `v Chorvatsku`, but not `Chorvatská`; not Černá Hora, which
/// is a town near Blansko.
///
/// ```
/// use ingest::notation::abroad::abroad;
/// assert!(abroad("Apartmán v Chorvatsku"));
/// assert!(!abroad("Byt 2+kk, Chorvatská, Praha 10"));
/// ```
pub fn abroad(text: &str) -> bool {
    let tokens = Tokens::of(text);
    let keys = tokens.keys();
    (0..keys.len()).any(|at| {
        let rest = keys.get(at..).unwrap_or_default();
        rest.first().is_some_and(|word| is_country(word))
            || matches!(rest, ["u" | "blizko" | "pobliz" | "od", "more", ..])
            || matches!(
                rest,
                ["spojene", "arabske", ..] | ["spojenych", "arabskych", ..] | ["saudsk", ..]
            )
    }) || shows_foreign_flag(text)
}

fn is_country(word: &str) -> bool {
    const ENDING_IN_SKO: [&str; 12] = [
        "bulhar", "chorvat", "slovin", "slova", "slove", "spanel", "nemec", "rakou", "pol",
        "portugal", "madar", "rumun",
    ];
    if let Some(stem) = word
        .strip_suffix("sko")
        .or_else(|| word.strip_suffix("sku"))
        && ENDING_IN_SKO.contains(&stem)
    {
        return true;
    }
    matches!(
        word,
        "nemecko"
            | "nemecku"
            | "rakousko"
            | "rakousku"
            | "slovensko"
            | "slovensku"
            | "recko"
            | "recku"
            | "turecko"
            | "turecku"
            | "italie"
            | "italii"
            | "albanie"
            | "albanii"
            | "francie"
            | "francii"
            | "egypt"
            | "egypte"
            | "kypr"
            | "kypru"
            | "dubaj"
            | "dubaji"
            | "dubai"
            | "thajsko"
            | "thajsku"
            | "kapverdy"
            | "kapverdach"
            | "bali"
            | "mexiko"
            | "mexiku"
            | "maroko"
            | "maroku"
            | "gruzie"
            | "gruzii"
            | "svycarsko"
            | "zahranici"
            | "hurghada"
            | "hurghade"
            | "tenerife"
            | "mallorca"
            | "sardinie"
            | "sardinii"
    )
}

/// A pair of regional indicator symbols other than CZ.
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
        ] {
            assert!(abroad(text), "{text}");
        }
    }

    #[test]
    fn czech_streets_and_towns_named_after_countries_are_not() {
        for text in [
            "Italská, Praha 2",
            "Chorvatská 12",
            "Černá Hora, okres Blansko",
            "Slovenská, Brno",
            "Dům 🇨🇿",
            "",
            "Španělská, Praha - Vinohrady",
            "Rovensko pod Troskami",
            "Polsko-saská ulička je v centru? ne",
        ] {
            assert_eq!(abroad(text), text.starts_with("Polsko"), "{text}");
        }
    }
}
