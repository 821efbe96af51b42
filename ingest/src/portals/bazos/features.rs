//! What title and text plainly say about the property, apart from areas and extras.

use czech::floor::stated_floor;
use czech::order_code::order_code_in_text;
use czech::tokens::Tokens;
use schema::{Arrangement, BuildingType, Listing, Ownership, PropertyState, PropertyType, Taken};

use crate::notation::arrangement::{arrangement, arrangements};
use crate::notation::extras::fill_extras;
use crate::notation::furnishing::furnishing;
use crate::notation::price::former_price_in_text;
use crate::notation::share::{share, share_on_offer};
use crate::notation::year_built::year_built_in_text;

/// Fills everything that title and text say in words.
pub(crate) fn fill_features(title: &str, text: &str, listing: &mut Listing) {
    let whole = format!("{title}\n{text}");
    let tokens = Tokens::parse(&whole);
    let keys = tokens.keys();
    let head = Tokens::parse(title);
    let head = head.keys();
    let attributes = &mut listing.attributes;
    let is_dwelling = matches!(
        attributes.property_type,
        Some(PropertyType::Apartment | PropertyType::House)
    );
    if is_dwelling && attributes.arrangement.is_none() {
        attributes.arrangement = layout(title, text);
    }
    if matches!(
        attributes.property_type,
        Some(PropertyType::Apartment | PropertyType::Commercial)
    ) {
        attributes.floor = stated_floor(title).or_else(|| stated_floor(text));
    }
    attributes.ownership = ownership(&tokens, &keys);
    if is_dwelling {
        attributes.building_type = construction(&keys);
        attributes.property_state = attributes
            .property_state
            .or_else(|| condition(&head, &keys));
        attributes.equipment = furnishing(&keys);
        fill_extras(&head, &keys, attributes);
        listing.evidence.year_built = year_built_in_text(&keys);
    }
    listing.evidence.former_price = former_price_in_text(&keys);
    listing.attributes.energy_class = energy_class(&tokens, &keys);
    listing.evidence.share = share(title).or_else(|| share_on_offer(text));
    listing.evidence.order_code = order_code_in_text(&whole);
    listing.evidence.taken = taken(&head);
}

/// Returns the layout that the title names. If it names none, the text is read, which must name only one.
fn layout(title: &str, text: &str) -> Option<Arrangement> {
    let in_title = Tokens::parse(title);
    match arrangements(&in_title.keys()).as_slice() {
        [one] => return Some(*one),
        [_, ..] => return None,
        [] => {}
    }
    arrangement(title).or_else(|| {
        let in_text = Tokens::parse(text);
        match arrangements(&in_text.keys()).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    })
}

/// Reads personal or co-operative ownership. "Družstevní … možnost převodu do osobního vlastnictví" is co-operative.
/// `OV` and `DV` count only in capitals.
fn ownership(tokens: &Tokens, keys: &[&str]) -> Option<Ownership> {
    let communal = keys.iter().any(|word| word.starts_with("druzstevni"))
        || written_in_capitals(tokens, keys, "dv")
        || written_in_capitals(tokens, keys, "db");
    let to_be_transferred = |at: usize| {
        keys.get(at.saturating_sub(4)..at).is_some_and(|before| {
            before
                .iter()
                .any(|word| word.starts_with("prev") || *word == "do")
        })
    };
    let private = (0..keys.len()).any(|at| {
        let named = match keys.get(at..).unwrap_or_default() {
            [word, next, ..] if word.starts_with("osobni") => next.starts_with("vlastn"),
            ["ov", ..] => tokens.written(at) == "OV",
            _ => false,
        };
        named && !to_be_transferred(at)
    });
    match (communal, private) {
        (true, false) => Some(Ownership::Communal),
        (false, true) => Some(Ownership::Private),
        _ => None,
    }
}

fn written_in_capitals(tokens: &Tokens, keys: &[&str], abbreviation: &str) -> bool {
    (0..keys.len()).any(|at| {
        keys.get(at) == Some(&abbreviation) && tokens.written(at) == abbreviation.to_uppercase()
    })
}

/// Reads the construction, if the words name only one.
fn construction(keys: &[&str]) -> Option<BuildingType> {
    let mut found = None;
    for at in 0..keys.len() {
        let next = keys.get(at + 1).copied().unwrap_or_default();
        let of_house = [
            "dum", "dome", "domu", "byt", "bytu", "byte", "bytov", "rodinn", "zastavb", "vystavb",
        ]
        .iter()
        .any(|stem| next.starts_with(stem));
        let named = match keys.get(at).copied().unwrap_or_default() {
            "cihla" | "cihlak" | "cihlaku" => BuildingType::Brick,
            word if word.starts_with("cihlov") && of_house => BuildingType::Brick,
            word if word.starts_with("zden") && of_house => BuildingType::Brick,
            "panelak" | "panelaku" => BuildingType::Panel,
            word if word.starts_with("panelov") && of_house => BuildingType::Panel,
            word if word.starts_with("drevostavb") => BuildingType::Wood,
            _ => continue,
        };
        match found {
            Some(other) if other != named => return None,
            _ => found = Some(named),
        }
    }
    found
}

/// Reads the condition from the title, or from words right behind the words for the flat or house.
fn condition(head: &[&str], keys: &[&str]) -> Option<PropertyState> {
    let of_title = (0..head.len()).find_map(|at| renovation(head.get(at..)?));
    of_title
        .or_else(|| {
            head.iter()
                .any(|word| word.starts_with("novostavb"))
                .then_some(PropertyState::NewlyConstructed)
        })
        .or_else(|| {
            (0..keys.len()).find_map(|at| {
                let names_subject = matches!(
                    keys.get(at).copied(),
                    Some(
                        "byt"
                            | "bytu"
                            | "dum"
                            | "domu"
                            | "chata"
                            | "chaty"
                            | "chalupa"
                            | "chalupy"
                            | "je"
                    )
                );
                let of_it = at > 0
                    && (keys.get(at) != Some(&"je")
                        || matches!(
                            keys.get(at - 1).copied(),
                            Some("byt" | "dum" | "chata" | "chalupa")
                        ));
                if names_subject && of_it {
                    renovation(keys.get(at + 1..)?)
                } else {
                    None
                }
            })
        })
}

/// Recognises `po kompletní rekonstrukci`, `před rekonstrukcí` or `k rekonstrukci` at the start of the words.
fn renovation(keys: &[&str]) -> Option<PropertyState> {
    let renovated = |word: &str| word.starts_with("rekonstrukc");
    match keys {
        ["po", word, ..] if renovated(word) => Some(PropertyState::AfterRenovation),
        ["po", _, word, ..] if renovated(word) => Some(PropertyState::AfterRenovation),
        ["pred" | "k" | "urceny" | "urcen", word, ..] if renovated(word) => {
            Some(PropertyState::BeforeRenovation)
        }
        ["k", _, word, ..] if renovated(word) => Some(PropertyState::BeforeRenovation),
        _ => None,
    }
}

/// Reads the energy class: a single capital letter soon after words such as `energetická třída` or `PENB`.
fn energy_class(tokens: &Tokens, keys: &[&str]) -> Option<String> {
    let mut found: Option<&str> = None;
    for at in 0..keys.len() {
        let named = match keys.get(at..)? {
            ["penb", ..] => true,
            [word, next, ..] if word.starts_with("energetick") => {
                next.starts_with("trid")
                    || next.starts_with("narocnost")
                    || next.starts_with("stit")
            }
            [word, next, ..] if word.starts_with("trid") => next.starts_with("energetick"),
            _ => false,
        };
        if !named {
            continue;
        }
        let letter = (at + 1..at + 7)
            .map(|at| tokens.written(at))
            .find(|written| matches!(*written, "A" | "B" | "C" | "D" | "E" | "F" | "G"));
        match (letter, found) {
            (Some(letter), Some(other)) if letter != other => return None,
            (Some(letter), _) => found = Some(letter),
            (None, _) => {}
        }
    }
    found.map(str::to_owned)
}

/// Recognises `REZERVOVÁNO` or `Prodáno` in the title.
fn taken(head: &[&str]) -> Option<Taken> {
    let names = |stems: &[&str]| {
        head.iter()
            .any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    };
    if names(&["prodano", "pronajato"]) {
        Some(Taken::Sold)
    } else {
        names(&["rezerv"]).then_some(Taken::Reserved)
    }
}
