//! The names under which a place is looked up: its own, and what people write instead.

use super::phrases::Phrases;
use super::place::PlaceId;
use crate::address::{bare_key, is_roman, place_key, street_key};
use crate::districts::District;
use crate::fold::push_word;
use crate::regions::Region;
use crate::towns;

/// What an alias costs beside the name itself.
const WITHOUT_KIND: f64 = 0.08;
const WITHOUT_FIRST_NAME: f64 = 0.12;
const HALF: f64 = 0.06;
const WITHOUT_ADJECTIVE: f64 = 0.2;
const WITHOUT_RIVER: f64 = 0.15;
const WITHOUT_KRAJ: f64 = 0.25;
const WITHOUT_OKRES: f64 = 0.25;

/// The key of a phrase, whatever it names. Street keys know everything that place keys do.
pub(super) fn phrase_key(name: &str) -> String {
    street_key(&place_key(name))
}

pub(super) fn name_region(phrases: &mut Phrases, region: Region, id: PlaceId) {
    phrases.add(&phrase_key(region.name()), id, 0.0);
    if region != Region::Praha {
        phrases.add(&format!("{} kraj", region.stem()), id, 0.0);
        phrases.add(&format!("kraj {}", region.stem()), id, 0.0);
        phrases.add(region.stem(), id, WITHOUT_KRAJ);
    }
}

/// A district's bare name is dearer than the town's of the same name; `okres` before it makes up for that. A compound
/// name needs no such word. Prague is found as the municipality.
pub(super) fn name_district(phrases: &mut Phrases, district: District, id: PlaceId) {
    let compound = district.name().contains('-') && district != District::FrydekMistek;
    phrases.add(&phrase_key(district.name()), id, if compound { 0.0 } else { WITHOUT_OKRES });
}

pub(super) fn name_municipality(phrases: &mut Phrases, name: &str, id: PlaceId) {
    let key = phrase_key(name);
    phrases.add(&key, id, 0.0);
    if let Some((first, second)) = name.split_once('-') {
        phrases.add(&phrase_key(first), id, HALF);
        phrases.add(&phrase_key(second), id, HALF);
    }
    if let Some((_, noun)) = key.split_once(' ').filter(|_| towns::town_by_key(&key).is_some())
        && !noun.contains(' ')
        && noun.len() > 3
        && !matches!(noun, "mesto" | "lazne" | "hora")
    {
        phrases.add(noun, id, WITHOUT_ADJECTIVE);
    }
    for upon in [" nad ", " pod ", " u ", " na ", " v "] {
        if let Some((town, _)) = key.split_once(upon) {
            phrases.add(town, id, WITHOUT_RIVER);
        }
    }
}

/// `key` is the quarter's match key, without the municipality.
pub(super) fn name_quarter(phrases: &mut Phrases, key: &str, id: PlaceId) {
    phrases.add(&street_key(key), id, 0.0);
}

/// `key` is the street's match key.
pub(super) fn name_street(phrases: &mut Phrases, key: &str, id: PlaceId) {
    phrases.add(key, id, 0.0);
    let bare = bare_key(key);
    phrases.add(bare, id, if bare == key { 0.0 } else { WITHOUT_KIND });
    if let Some((first, surname)) = bare.split_once(' ')
        && is_first_name(first)
        && surname.len() > 3
    {
        phrases.add(surname, id, WITHOUT_FIRST_NAME);
    }
}

/// Whether the first word of a street's name is a first name, an initial, a rank or an honour, which people leave out.
fn is_first_name(word: &str) -> bool {
    let initial = word.len() == 1 && !matches!(word, "u" | "v" | "k" | "z" | "s" | "o");
    let rank = matches!(
        word,
        "gen"
            | "plk"
            | "pplk"
            | "kpt"
            | "mjr"
            | "por"
            | "npor"
            | "ppor"
            | "serz"
            | "mars"
            | "prof"
            | "dr"
            | "ing"
            | "arch"
            | "kard"
            | "bisk"
            | "prezidenta"
            | "sv"
            | "krale"
    );
    let genitive = matches!(
        word,
        "jana"
            | "josefa"
            | "karla"
            | "frantiska"
            | "jiriho"
            | "antonina"
            | "bozeny"
            | "milady"
            | "petra"
            | "pavla"
            | "vaclava"
            | "vladimira"
            | "jaroslava"
            | "aloise"
            | "bedricha"
            | "bohuslava"
            | "eduarda"
            | "leose"
            | "mikulase"
            | "tomase"
            | "svatopluka"
            | "viktora"
            | "elisky"
            | "julia"
            | "otakara"
            | "marie"
            | "boleslava"
            | "ludvika"
            | "emila"
    );
    (initial && !is_roman(word)) || rank || genitive
}

/// What an abbreviated word may stand for in the names of places.
pub(super) fn unabbreviated(word: &str) -> &'static [&'static str] {
    match word {
        "n" => &["nad", "nove", "nova", "novy", "nisou"],
        "p" => &["pod"],
        "c" => &["ceske", "ceska", "cesky"],
        "st" | "s" => &["stare", "stara", "stary", "sazavou"],
        "h" => &["horni", "hradec"],
        "d" => &["dolni"],
        "v" => &["velke", "velka", "velky"],
        "m" => &["male", "mala", "maly", "mesto", "morave", "metuji", "moravou"],
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

/// Joins words to a phrase.
pub(super) fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut phrase = String::new();
    for word in words {
        push_word(&mut phrase, word);
    }
    phrase
}
