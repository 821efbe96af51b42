//! Texts that name no place of the country, or no single one. A search must refuse them.
//!
//! They are made of real names, in a fixed order without chance: names of towns abroad, pairs of towns and halves of two
//! names, numbers, and words of adverts. The example `evaluate` locates them with the whole registry.

use gazetteer::District;
use gazetteer::towns::{Town, towns};

/// Towns, islands and resorts abroad that people look for.
const ABROAD: [&str; 96] = [
    "Makarska",
    "Zadar",
    "Dubrovník",
    "Rijeka",
    "Poreč",
    "Rovinj",
    "Trogir",
    "Šibenik",
    "Opatija",
    "Crikvenica",
    "Biograd",
    "Vír na Moru",
    "Záhřeb",
    "Lublaň",
    "Maribor",
    "Kranj",
    "Bratislava",
    "Žilina",
    "Trenčín",
    "Prešov",
    "Poprad",
    "Nitra",
    "Trnava",
    "Piešťany",
    "Banská Bystrica",
    "Vídeň",
    "Linec",
    "Salcburk",
    "Innsbruck",
    "Klagenfurt",
    "Villach",
    "Drážďany",
    "Lipsko",
    "Berlín",
    "Hamburk",
    "Norimberk",
    "Řezno",
    "Pasov",
    "Stuttgart",
    "Frankfurt",
    "Düsseldorf",
    "Brémy",
    "Varšava",
    "Vratislav",
    "Poznaň",
    "Gdaňsk",
    "Štětín",
    "Katovice",
    "Lodž",
    "Zakopané",
    "Budapešť",
    "Debrecín",
    "Segedín",
    "Miškovec",
    "Sofie",
    "Burgas",
    "Nesebar",
    "Slunečné pobřeží",
    "Bukurešť",
    "Temešvár",
    "Bělehrad",
    "Sarajevo",
    "Skopje",
    "Tirana",
    "Atény",
    "Soluň",
    "Heraklion",
    "Istanbul",
    "Antalya",
    "Alanya",
    "Nikósie",
    "Limassol",
    "Řím",
    "Benátská laguna",
    "Florencie",
    "Janov",
    "Turín",
    "Neapol",
    "Palermo",
    "Bibione",
    "Lignano",
    "Caorle",
    "Barcelona",
    "Valencie",
    "Sevilla",
    "Malaga",
    "Marbella",
    "Torrevieja",
    "Alicante",
    "Lisabon",
    "Marseille",
    "Bordeaux",
    "Amsterdam",
    "Rotterdam",
    "Antverpy",
    "Kodaň",
];

/// Words of adverts, in the order in which they are strung together.
const WORDS: [&str; 48] = [
    "novostavba",
    "s balkonem",
    "po rekonstrukci",
    "klidná lokalita",
    "krásný výhled",
    "ihned k nastěhování",
    "sklep a lodžie",
    "garážové stání",
    "velká zahrada",
    "bazén",
    "výtah",
    "terasa",
    "nízké náklady",
    "slunný",
    "mezonet",
    "půdní vestavba",
    "cihlový dům",
    "panelový dům",
    "vlastní pozemek",
    "k rekreaci",
    "investice",
    "bez realitky",
    "výhodná cena",
    "hypotéka zajištěna",
    "rezervováno",
    "sleva",
    "exkluzivně",
    "prostorný",
    "dvougenerační",
    "dřevostavba",
    "plně vybavený",
    "kuchyňská linka",
    "plastová okna",
    "zateplený",
    "úsporný",
    "nadstandardní",
    "ateliér",
    "kancelářské prostory",
    "skladové prostory",
    "obchodní prostor",
    "zahrádkářská kolonie",
    "u lesa",
    "u vody",
    "s výhledem do zeleně",
    "blízko metra",
    "parkování zdarma",
    "domácí mazlíčci vítáni",
    "dlouhodobý pronájem",
];

/// All texts, each with its kind. `is_name` says whether the country has a place of this name: such a text is left out.
pub fn texts(is_name: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let mut texts = Vec::new();
    for town in ABROAD.into_iter().filter(|town| !is_name(town)) {
        texts.push(("abroad", town.to_owned()));
    }
    texts.extend(pairs().map(|text| ("two towns", text)));
    // `České Jičín` names the town Jičín.
    let names_nothing = |text: &String| !is_name(text) && !text.split(' ').any(&is_name);
    let halves = halves().filter(names_nothing);
    texts.extend(halves.map(|text| ("halves of two names", text)));
    texts.extend(numbers().map(|text| ("number", text)));
    let words = words().filter(|text| !is_name(text));
    texts.extend(words.map(|text| ("words of adverts", text)));
    texts
}

/// Two towns that have nothing to do with each other: in different regions, and neither the name of the other's
/// district.
fn pairs() -> impl Iterator<Item = String> {
    let apart = |one: &Town, other: &Town| {
        let names = |district: District, town: &Town| district.name().starts_with(town.name);
        one.district.region() != other.district.region()
            && !names(one.district, other)
            && !names(other.district, one)
    };
    let towns = towns();
    let partner = move |index: usize| towns.get((index * 37 + 11) % towns.len());
    let pairs = towns
        .iter()
        .enumerate()
        .filter_map(move |(index, town)| Some((town, partner(index)?)));
    let pairs = pairs.filter(move |(one, other)| apart(one, other));
    pairs.take(100).enumerate().map(|(index, (one, other))| {
        let between = [" ", ", ", " - ", " a ", " nebo "];
        let between = between.get(index % between.len()).unwrap_or(&" ");
        format!("{}{between}{}", one.name, other.name)
    })
}

/// The first word of one town's name with the last word of another's.
fn halves() -> impl Iterator<Item = String> {
    let long: Vec<&str> = towns()
        .iter()
        .map(|town| town.name)
        .filter(|name| name.split(' ').count() == 2)
        .collect();
    let count = long.len();
    (0..count).filter_map(move |index| {
        let (first, _) = long.get(index)?.split_once(' ')?;
        let (_, last) = long.get((index * 5 + 7) % count)?.split_once(' ')?;
        Some(format!("{first} {last}"))
    })
}

/// Numbers of all kinds.
fn numbers() -> impl Iterator<Item = String> {
    (1..=50_u32).map(|index| {
        let number = index * index * 31 % 89_999 + 1;
        match index % 5 {
            0 => format!("{number}"),
            1 => format!("{:05}", 10_000 + number % 70_000),
            2 => format!("{}/{}", number % 2_500 + 1, number % 60 + 1),
            3 => format!("{:03} {:02}", 100 + number % 690, number % 100),
            _ => format!("č.p. {}", number % 900 + 1),
        }
    })
}

/// One, two and three phrases of adverts.
fn words() -> impl Iterator<Item = String> {
    let phrase = |index: usize| *WORDS.get(index % WORDS.len()).unwrap_or(&"novostavba");
    (0..2 * WORDS.len()).map(move |index| match index / WORDS.len() {
        0 => phrase(index).to_owned(),
        _ if index % 2 == 0 => format!("{} {}", phrase(index), phrase(index * 7 + 3)),
        _ => format!(
            "{}, {}, {}",
            phrase(index),
            phrase(index * 5 + 2),
            phrase(index * 11 + 5)
        ),
    })
}
