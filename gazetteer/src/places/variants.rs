//! The names under which a place is found: its own name and what people write instead.

use czech::fold::push_word;
use czech::names::bare_street_key;
use czech::names::is_roman;
use czech::names::place_key;
use czech::names::quarter_key;
use czech::names::street_key;

use crate::districts::District;
use crate::regions::Region;
use crate::towns;

/// The penalties of shorter names.
const WITHOUT_KIND: f64 = 0.08;
const WITHOUT_FIRST_NAME: f64 = 0.12;
const HALF: f64 = 0.06;
const WITHOUT_ADJECTIVE: f64 = 0.2;
const WITHOUT_RIVER: f64 = 0.15;
const WITHOUT_KRAJ: f64 = 0.25;
const WITHOUT_OKRES: f64 = 0.25;
/// The penalty of a name in another grammatical case.
pub(super) const OTHER_CASE: f64 = 0.03;

/// The key of a phrase that may name a place of any level.
pub(super) fn phrase_key(name: &str) -> String {
    street_key(&place_key(name))
}

/// A key under which a place is found, and its penalty.
pub(super) type Variant = (String, f64);

pub(super) fn of_region(region: Region) -> Vec<Variant> {
    let own = (phrase_key(region.name()), 0.0);
    if region == Region::Praha {
        return vec![own];
    }
    let stem = region.stem();
    vec![
        own,
        (format!("{stem} kraj"), 0.0),
        (format!("kraj {stem}"), 0.0),
        (stem.to_owned(), WITHOUT_KRAJ),
    ]
}

/// The bare name of a district has a penalty, so that the town of the same name wins unless `okres` precedes it. A
/// compound name such as `Brno-venkov` needs no such word.
pub(super) fn of_district(district: District) -> Vec<Variant> {
    let compound = district.name().contains('-') && district != District::FrydekMistek;
    vec![(
        phrase_key(district.name()),
        if compound { 0.0 } else { WITHOUT_OKRES },
    )]
}

pub(super) fn of_municipality(name: &str) -> Vec<Variant> {
    let key = phrase_key(name);
    let mut variants = Vec::with_capacity(4);
    if let Some((first, second)) = name.split_once('-') {
        variants.extend([(phrase_key(first), HALF), (phrase_key(second), HALF)]);
    }
    if let Some((_, noun)) = key
        .split_once(' ')
        .filter(|_| towns::town_by_key(&key).is_some())
        && !noun.contains(' ')
        && noun.len() > 3
        && !matches!(noun, "mesto" | "lazne" | "hora")
    {
        variants.push((noun.to_owned(), WITHOUT_ADJECTIVE));
    }
    variants.extend(without_river(&key));
    variants.insert(0, (key, 0.0));
    variants
}

/// `Brandýs` for `Brandýs nad Labem`.
fn without_river(key: &str) -> Option<Variant> {
    let upon = [" nad ", " pod ", " u ", " na ", " v "];
    let (town, _) = upon.iter().find_map(|upon| key.split_once(upon))?;
    Some((town.to_owned(), WITHOUT_RIVER))
}

/// The names of a part of the municipality with the key `town`: `Liberec XIV-Ruprechtice` is also `Ruprechtice`,
/// `Liberec-Ruprechtice`, `XIV Ruprechtice` and, with a penalty, `Liberec XIV`.
pub(super) fn of_quarter(name: &str, town: &str) -> Vec<Variant> {
    let whole = phrase_key(name);
    let part = street_key(&quarter_key(name, Some(town)));
    let mut variants = Vec::with_capacity(4);
    let Some(number) = whole
        .strip_suffix(&part)
        .map(str::trim_end)
        .filter(|_| whole != part)
    else {
        variants.extend(without_river(&part).filter(|(short, _)| short != town));
        variants.insert(0, (whole, 0.0));
        return variants;
    };
    variants.extend([(part.clone(), 0.0), (joined([town, part.as_str()]), 0.0)]);
    if let Some(roman) = number
        .strip_prefix(town)
        .map(str::trim_start)
        .filter(|roman| is_roman(roman))
    {
        variants.push((joined([roman, part.as_str()]), 0.0));
        variants.push((number.to_owned(), HALF));
    }
    variants.insert(0, (whole, 0.0));
    variants
}

/// The names of the street with this match key.
pub(super) fn of_street(key: &str) -> Vec<Variant> {
    let bare = bare_street_key(key);
    let mut variants = vec![(key.to_owned(), 0.0)];
    // A misspelt word is compared with the long form, because it is not recognised and shortened.
    if key.split(' ').any(|word| long_form(word).is_some()) {
        variants.push((
            joined(key.split(' ').map(|word| long_form(word).unwrap_or(word))),
            0.0,
        ));
    }
    // `K Nábřeží` must not become `K`.
    if bare != key && bare.len() > 2 {
        variants.push((bare.to_owned(), WITHOUT_KIND));
    }
    let mut rest = bare;
    while let Some((first, surname)) = rest.split_once(' ')
        && is_first_name(first)
    {
        if surname.len() > 3 {
            variants.push((surname.to_owned(), WITHOUT_FIRST_NAME));
        }
        rest = surname;
    }
    variants
}

/// The commonest long form of a rank or title that match keys shorten.
fn long_form(word: &str) -> Option<&'static str> {
    Some(match word {
        "sv" => "svateho",
        "gen" => "generala",
        "plk" => "plukovnika",
        "kpt" => "kapitana",
        "mjr" => "majora",
        "por" => "porucika",
        "npor" => "nadporucika",
        "prof" => "profesora",
        "dr" => "doktora",
        "ing" => "inzenyra",
        "bri" => "bratri",
        "cs" => "ceskoslovenske",
        _ => return None,
    })
}

/// Whether the first word of a street name is a first name, an initial, a rank or a title, which people leave out.
fn is_first_name(word: &str) -> bool {
    let initial = word.len() == 1 && !matches!(word, "u" | "v" | "k" | "z" | "s" | "o");
    (initial && !is_roman(word)) || RANKS.contains(&word) || FIRST_NAMES.contains(&word)
}

/// Ranks, degrees and titles, in the short form of match keys.
const RANKS: [&str; 20] = [
    "gen",
    "plk",
    "pplk",
    "kpt",
    "mjr",
    "por",
    "npor",
    "ppor",
    "serz",
    "mars",
    "prof",
    "dr",
    "ing",
    "arch",
    "kard",
    "bisk",
    "prezidenta",
    "sv",
    "krale",
    "bri",
];

/// First names that occur in street names, in the genitive.
const FIRST_NAMES: [&str; 56] = [
    "jana",
    "josefa",
    "karla",
    "frantiska",
    "jiriho",
    "antonina",
    "bozeny",
    "milady",
    "petra",
    "pavla",
    "vaclava",
    "vladimira",
    "jaroslava",
    "aloise",
    "bedricha",
    "bohuslava",
    "eduarda",
    "edvarda",
    "leose",
    "mikulase",
    "tomase",
    "svatopluka",
    "viktora",
    "elisky",
    "julia",
    "otakara",
    "otokara",
    "marie",
    "boleslava",
    "ludvika",
    "emila",
    "ladislava",
    "miroslava",
    "zdenka",
    "zdenky",
    "jakuba",
    "matyase",
    "adolfa",
    "maxima",
    "rudolfa",
    "oldricha",
    "stanislava",
    "bohumila",
    "bohumira",
    "hynka",
    "ignata",
    "aleny",
    "anny",
    "jindricha",
    "vitezslava",
    "vojtecha",
    "vincence",
    "simona",
    "terezy",
    "vrati",
    "jozefa",
];

/// The words that an abbreviation may stand for in place names.
pub(super) fn unabbreviated(word: &str) -> &'static [&'static str] {
    match word {
        "n" => &["nad", "nove", "nova", "novy", "nisou"],
        "p" => &["pod"],
        "c" => &["ceske", "ceska", "cesky"],
        "st" | "s" => &["stare", "stara", "stary", "sazavou"],
        "h" => &["horni", "hradec"],
        "d" => &["dolni"],
        "v" => &["velke", "velka", "velky"],
        "m" => &[
            "male", "mala", "maly", "mesto", "morave", "metuji", "moravou",
        ],
        "kr" => &["kralove", "kralovo"],
        "kral" => &["kralovo", "kralove", "kraluv"],
        "mor" => &["moravska", "moravsky", "moravske"],
        "uh" => &["uherske", "uhersky"],
        "val" => &["valasske"],
        "frant" => &["frantiskovy"],
        "mar" => &["marianske"],
        "jindr" => &["jindrichuv"],
        "havl" => &["havlickuv"],
        "l" => &["labem", "lazne"],
        "o" => &["orlici", "ohri", "oslavou"],
        "vlt" => &["vltavou"],
        "j" => &["jizerou"],
        "b" => &["becvou", "budejovice", "boleslav"],
        "sv" => &["svateho"],
        _ => &[],
    }
}

/// Joins words into a phrase.
pub(super) fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut phrase = String::new();
    for word in words {
        push_word(&mut phrase, word);
    }
    phrase
}
