//! From a text to a place.

use super::Gazetteer;
use super::explain::{by_postal_code, located, not_located, unsupported};
use super::located::{How, Located, NotLocated, Reason};
use super::mentions::{Mention, Mentions};
use super::place::PlaceId;
use super::query::Query;
use super::rank::{Candidate, rank};
use super::support::{Objection, objection};
use super::work::Work;
use crate::level::Level;

/// If this share of the text is explained, no further names are looked up.
const EXPLAINED: f64 = 0.93;
/// The least share that must be explained if the text names a municipality, district or region, and if it does not.
const LEAST_WITH_TOWN: f64 = 0.25;
const LEAST_WITHOUT_TOWN: f64 = 0.55;

/// The number of likeliest municipalities in which names with more edits are looked up.
const LOOSE_TOWNS: usize = 3;

/// Cities that share no postal code with other municipalities: the range of the first three digits, and the match key.
const CITY_CODES: [(u32, u32, &str); 4] = [
    (100, 199, "praha"),
    (600, 644, "brno"),
    (700, 725, "ostrava"),
    (301, 326, "plzen"),
];

/// The candidates, with the mentions that led to them.
pub(super) struct Found {
    pub mentions: Vec<Mention>,
    pub candidates: Vec<Candidate>,
}

/// The place that explains most of a text.
pub(super) fn locate(
    gazetteer: &Gazetteer,
    text: &str,
    work: &mut Work,
) -> Result<Located, NotLocated> {
    let query = Query::parse(text, |name| gazetteer.phrases.exact(name).is_some());
    let found = find_candidates(gazetteer, &query, work);
    likeliest(gazetteer, &query, &found).map(|(located, _)| located)
}

/// The place that explains most of a text, if the text supports it.
pub(super) fn find(
    gazetteer: &Gazetteer,
    text: &str,
    work: &mut Work,
) -> Result<Located, NotLocated> {
    let query = Query::parse(text, |name| gazetteer.phrases.exact(name).is_some());
    let found = find_candidates(gazetteer, &query, work);
    let (located, best) = likeliest(gazetteer, &query, &found)?;
    let objection = match best {
        Some(best) => objection(gazetteer, &query, &found, best, located.margin),
        None => objection_to_postal_code(gazetteer, &query),
    };
    match objection {
        None => Ok(located),
        Some(objection) => Err(unsupported(located, objection)),
    }
}

/// The likeliest place, with its candidate; without one if only the postal code leads there.
fn likeliest<'a>(
    gazetteer: &Gazetteer,
    query: &Query,
    found: &'a Found,
) -> Result<(Located, Option<&'a Candidate>), NotLocated> {
    // `Na Prášilkách, Černá Hora` is a street in Moravia, because it is explained completely.
    if query.abroad
        && found
            .candidates
            .first()
            .is_none_or(|best| best.coverage < EXPLAINED)
    {
        return Err(not_located(gazetteer, query, None, Reason::Abroad));
    }
    if let Some(best) = found.candidates.first()
        && is_enough(gazetteer, found, best)
    {
        let located = located(gazetteer, query, found, best);
        return Ok((located, Some(best)));
    }
    if let Some(found) = by_postal_code(gazetteer, query, city_of_code(query)) {
        return Ok((found, None));
    }
    let reason = if query.says_only_numbers() {
        Reason::Number
    } else if query.words.is_empty() {
        Reason::Empty
    } else {
        Reason::Unknown
    };
    Err(not_located(gazetteer, query, Some(found), reason))
}

/// What speaks against the area of a postal code: a number alone may be anything, and a code beside unknown words or one
/// that nothing knows is not enough either.
fn objection_to_postal_code(gazetteer: &Gazetteer, query: &Query) -> Option<Objection> {
    let code = query.postal_code?;
    let is_known = gazetteer.postal_codes.contains_key(&code.number());
    let words: Vec<String> = query.words.iter().map(|word| word.text.clone()).collect();
    let reason = if !words.is_empty() {
        Reason::Unknown
    } else if query.says_postal_code && is_known {
        return None;
    } else {
        Reason::Number
    };
    Some(Objection { reason, words })
}

/// Looks names up in steps, and stops when a step explains enough of the text: exact names, with other forms of the words
/// left over; other forms of the words that the best place does not explain; other forms of all words; and, if the text
/// has a house number, names with more edits in the likeliest municipalities.
fn find_candidates(gazetteer: &Gazetteer, query: &Query, work: &mut Work) -> Found {
    let mut mentions = Mentions::exact(&gazetteer.phrases, query);
    mentions.quick(work);
    let mut candidates = rank(gazetteer, query, &mentions.list, work);
    for everything in [false, true] {
        let best = candidates.first();
        if best.is_some_and(|best| best.coverage >= EXPLAINED) || query.words.is_empty() {
            break;
        }
        let known = mentions.list.len();
        mentions.thorough(
            if everything {
                0
            } else {
                best.map_or(0, |best| best.mask)
            },
            work,
        );
        if mentions.list.len() > known {
            candidates = rank(gazetteer, query, &mentions.list, work);
        }
    }
    if let Some(best) = candidates
        .first()
        .filter(|best| best.coverage < EXPLAINED && query.has_number())
    {
        let mut towns: Vec<PlaceId> = Vec::with_capacity(LOOSE_TOWNS);
        for candidate in &candidates {
            let place = gazetteer
                .places
                .get(candidate.place)
                .filter(|place| place.level > Level::District);
            let town = place.map(|place| place.municipality.unwrap_or(candidate.place));
            towns.extend(town.filter(|town| towns.len() < LOOSE_TOWNS && !towns.contains(town)));
        }
        let known = mentions.list.len();
        mentions.loosely(best.mask, &towns, work);
        if mentions.list.len() > known {
            candidates = rank(gazetteer, query, &mentions.list, work);
        }
    }
    Found {
        mentions: mentions.list,
        candidates,
    }
}

/// Whether the best place explains enough of the text to be the answer. A correctly spelt municipality is enough beside
/// an unknown street, but the name of a street is not enough among unexplained words.
fn is_enough(gazetteer: &Gazetteer, found: &Found, best: &Candidate) -> bool {
    let names_town = best.parts.iter().flatten().any(|anchor| {
        let town = gazetteer.places.get(anchor.place).is_some_and(|place| {
            // `Praha 5` also names Prague.
            place.level <= Level::Municipality || place.name.ends_with(|c: char| c.is_ascii_digit())
        });
        let spelt = found
            .mentions
            .get(usize::from(anchor.mention))
            .is_some_and(|mention| mention.how != How::Misspelt);
        town && spelt
    });
    best.coverage
        >= if names_town {
            LEAST_WITH_TOWN
        } else {
            LEAST_WITHOUT_TOWN
        }
}

/// The city that the postal code belongs to, for codes that are not known otherwise.
fn city_of_code(query: &Query) -> Option<&'static str> {
    let area = query.postal_code?.number() / 100;
    CITY_CODES
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&area))
        .map(|(.., city)| *city)
}
