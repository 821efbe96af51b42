//! From a text to a place.

use super::Gazetteer;
use super::explain::{by_postal_code, located, not_located};
use super::located::{How, Located, NotLocated, Reason};
use super::mentions::{Mention, Mentions};
use super::place::PlaceId;
use super::query::Query;
use super::rank::{Candidate, rank};
use super::work::Work;
use crate::address::Level;

/// A text explained to this share needs no second, thorough look.
const EXPLAINED: f64 = 0.93;
/// Least share that must be explained where a municipality or more is named, and where only a street or quarter is.
const LEAST_WITH_TOWN: f64 = 0.25;
const LEAST_WITHOUT_TOWN: f64 = 0.55;

/// In so many of the likeliest municipalities names are looked for that are farther from what was written.
const LOOSE_TOWNS: usize = 3;

/// The cities that have postal codes to themselves, by match key, with the first three digits of those.
const CITY_CODES: [(u32, u32, &str); 4] = [
    (100, 199, "praha"),
    (600, 644, "brno"),
    (700, 725, "ostrava"),
    (301, 326, "plzen"),
];

/// What was found, and by which mentions.
pub(super) struct Found {
    pub mentions: Vec<Mention>,
    pub candidates: Vec<Candidate>,
}

pub(super) fn locate(
    gazetteer: &Gazetteer,
    text: &str,
    work: &mut Work,
) -> Result<Located, NotLocated> {
    let query = Query::read(text, |name| gazetteer.phrases.exact(name).is_some());
    let found = look(gazetteer, &query, work);
    // `Na Prášilkách, Černá Hora` is a street in Moravia: nothing of it is left over.
    if query.abroad
        && found
            .candidates
            .first()
            .is_none_or(|best| best.coverage < EXPLAINED)
    {
        return Err(not_located(gazetteer, &query, None, Reason::Abroad));
    }
    if let Some(best) = found.candidates.first()
        && is_enough(gazetteer, &found, best)
    {
        return Ok(located(gazetteer, &query, &found, best));
    }
    if let Some(found) = by_postal_code(gazetteer, &query, city_of_code(&query)) {
        return Ok(found);
    }
    let reason = if query.words.is_empty() {
        Reason::Empty
    } else {
        Reason::Unknown
    };
    Err(not_located(gazetteer, &query, Some(&found), reason))
}

/// Looks for the names as they stand, and in other forms where they are none; as long as the text is not explained, for
/// other forms of whatever the best place leaves open, then of every word; at last, where there is a house number, for
/// names farther off in the likeliest municipalities.
fn look(gazetteer: &Gazetteer, query: &Query, work: &mut Work) -> Found {
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

/// Whether the best place explains enough of the text to be the answer. A municipality named as it is spelt is enough
/// beside an unknown street; the mere name of a street is not, among words that nothing explains.
fn is_enough(gazetteer: &Gazetteer, found: &Found, best: &Candidate) -> bool {
    let names_town = best.parts.iter().flatten().any(|anchor| {
        let town = gazetteer.places.get(anchor.place).is_some_and(|place| {
            // `Praha 5` names Prague too.
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

/// The city whose postal code it is, for codes that no listing has named.
fn city_of_code(query: &Query) -> Option<&'static str> {
    let area = query.postal_code?.number() / 100;
    CITY_CODES
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&area))
        .map(|(.., city)| *city)
}
