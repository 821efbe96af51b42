//! Turning the best candidate into the answer.

use crate::level::{Codes, Level};
use czech::house_number::HouseNumber;
use schema::Location;

use super::Gazetteer;
use super::locate::Found;
use super::located::{How, Located, Match, Names, NotLocated, Reason};
use super::place::{Place, PlaceId, Registered};
use super::position::{Pin, middle};
use super::query::Query;
use super::rank::Candidate;
use super::support::Objection;
use crate::registry::{Registry, StreetIndex};

/// Places nearer to each other than the default radius of a search are the same answer.
const ELSEWHERE_KM: f64 = 2.0;
/// The farthest that an address lies from the municipality of its post office.
const POST_OFFICE_KM: f64 = 30.0;
/// How many alternatives are listed.
const ALTERNATIVES: usize = 3;

/// The answer for a candidate.
pub(super) fn located(
    gazetteer: &Gazetteer,
    query: &Query,
    found: &Found,
    best: &Candidate,
) -> Located {
    let others: Vec<&Candidate> = found
        .candidates
        .iter()
        .filter(|other| is_elsewhere(gazetteer, best, other.place))
        .collect();
    let margin = others
        .first()
        .map_or(best.score, |other| best.score - other.score);
    let mut located = Located {
        location: Location { lat: 0.0, lng: 0.0 },
        level: Level::Region,
        names: names(gazetteer, best.place, best),
        codes: Codes::default(),
        house_number: written_number(query, best),
        postal_code: query.postal_code,
        score: best.score,
        fit: fit(gazetteer, query, best),
        margin,
        alternatives: others
            .iter()
            .take(ALTERNATIVES)
            .map(|other| names(gazetteer, other.place, other).to_string())
            .collect(),
        matched: matched(gazetteer, query, found, best),
        not_understood: not_understood(query, best.mask),
    };
    if let Some(place) = gazetteer.places.get(best.place) {
        located.level = place.level;
        located.location = position(gazetteer, query, place);
        if let Some(registry) = gazetteer.registry() {
            add_registered(&mut located, gazetteer, registry, best, place);
        }
    }
    located
}

/// The share of the words that a candidate explains. Other than in its coverage, a street counts as much as a town.
fn fit(gazetteer: &Gazetteer, query: &Query, best: &Candidate) -> f64 {
    let names: f64 = best.parts.iter().flatten().map(|part| part.weight).sum();
    let is_unknown_house = gazetteer.registry().is_some() && best.house.is_none();
    let number = best
        .number
        .filter(|_| !is_unknown_house)
        .map_or(0.0, |index| query.weight_of(1 << index));
    let whole = query.weight().max(f64::EPSILON);
    ((names + number) / whole).clamp(0.0, 1.0)
}

/// The house number in the text.
fn written_number(query: &Query, best: &Candidate) -> HouseNumber {
    let word = best.number.and_then(|index| query.words.get(index)?.number);
    if query.number.is_empty() {
        word.unwrap_or_default()
    } else {
        query.number
    }
}

/// Adds codes and the address place, or the position of the part of the street that is meant, from the registry.
fn add_registered(
    located: &mut Located,
    gazetteer: &Gazetteer,
    registry: &Registry,
    best: &Candidate,
    place: &Place,
) {
    let house = best.house.and_then(|house| registry.place(house.place));
    let named = best
        .parts
        .iter()
        .flatten()
        .filter_map(|part| gazetteer.places.get(part.place)?.registered);
    let registered = place.registered.into_iter().chain(named);
    let around = place
        .municipality
        .and_then(|town| gazetteer.places.get(town)?.registered);
    located.codes = Codes::from_places(registry, registered.chain(around));
    if let Some(house) = house {
        located.codes.add_place(registry, &house);
        located.names.add_place(registry, &house);
        located.level = Level::Address;
        located.location = house.location.unwrap_or(located.location);
        located.house_number = house.house_number();
        located.postal_code = house.postal_code.or(located.postal_code);
    } else if let Some(Registered::Street(street)) = place.registered {
        let parts = best.parts.iter().flatten().skip(1);
        let mut quarters = parts.filter_map(|part| gazetteer.places.get(part.place)?.registered);
        let within = |quarter| middle_of_street(registry, street, quarter);
        located.location = quarters.find_map(within).unwrap_or(located.location);
    }
}

/// The middle of the part of a street that lies in a quarter.
fn middle_of_street(
    registry: &Registry,
    street: StreetIndex,
    quarter: Registered,
) -> Option<Location> {
    let places = registry.places_in(registry.street(street)?.places.clone());
    let pins: Vec<Pin> = places
        .filter(|(_, place)| match quarter {
            Registered::Quarter(quarter) => place.quarter == quarter,
            Registered::CityPart(part) => place.city_part == Some(part),
            Registered::Municipality(_) | Registered::Street(_) => false,
        })
        .filter_map(|(_, place)| {
            Some(Pin {
                location: place.location?,
                count: 1.0,
            })
        })
        .collect();
    middle(&pins)
}

/// The position of a place. For a municipality or a numbered city district with a postal code it is the middle of that
/// code's addresses, which may be a part of the city or a village near the town of the post office.
fn position(gazetteer: &Gazetteer, query: &Query, place: &Place) -> Location {
    let coarse = match place.level {
        Level::Municipality => true,
        Level::Quarter => place.name.ends_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    let code = query.postal_code.filter(|_| coarse);
    code.and_then(|code| gazetteer.postal_codes.get(&code.number()))
        .map(|area| area.location)
        .filter(|location| location.kilometres_to(place.location) < POST_OFFICE_KM)
        .unwrap_or(place.location)
}

/// The answer for a postal code alone: the middle of its addresses, or its city.
pub(super) fn by_postal_code(
    gazetteer: &Gazetteer,
    query: &Query,
    city: Option<&str>,
) -> Option<Located> {
    let code = query.postal_code?;
    let (location, town) = match gazetteer.postal_codes.get(&code.number()) {
        Some(area) => (area.location, area.town),
        None => municipality_named(gazetteer, city?)?,
    };
    let place = town.and_then(|town| gazetteer.places.get(town));
    Some(Located {
        location,
        level: Level::Municipality,
        names: Names {
            municipality: place.map(|place| place.name.to_string()),
            district: place.and_then(|place| place.district),
            region: place.and_then(|place| place.region),
            ..Names::default()
        },
        codes: Codes::default(),
        house_number: query.number,
        postal_code: Some(code),
        score: if query.words.is_empty() { 1.0 } else { 0.0 },
        fit: if query.words.is_empty() { 1.0 } else { 0.0 },
        margin: 1.0,
        alternatives: Vec::new(),
        matched: vec![Match {
            text: code.to_string(),
            level: Level::Municipality,
            name: code.to_string(),
            how: How::Exact,
        }],
        not_understood: not_understood(query, 0),
    })
}

/// The error for a text that names no known place.
pub(super) fn not_located(
    gazetteer: &Gazetteer,
    query: &Query,
    found: Option<&Found>,
    reason: Reason,
) -> NotLocated {
    let best = found.and_then(|found| Some((found, found.candidates.first()?)));
    NotLocated {
        reason,
        understood: best
            .map(|(found, best)| matched(gazetteer, query, found, best))
            .unwrap_or_default(),
        not_understood: not_understood(query, best.map_or(0, |(_, best)| best.mask)),
        candidates: found.map_or_else(Vec::new, |found| candidates(gazetteer, found)),
    }
}

/// The error for a text that does not support the place it leads to.
pub(super) fn unsupported(located: Located, objection: Objection) -> NotLocated {
    let mut candidates = vec![located.names.to_string()];
    for other in located.alternatives {
        if !candidates.contains(&other) {
            candidates.push(other);
        }
    }
    NotLocated {
        reason: objection.reason,
        understood: located.matched,
        not_understood: objection.words,
        candidates,
    }
}

/// The names of the best places.
fn candidates(gazetteer: &Gazetteer, found: &Found) -> Vec<String> {
    let mut names_of_best: Vec<String> = Vec::new();
    for candidate in &found.candidates {
        let name = names(gazetteer, candidate.place, candidate).to_string();
        if names_of_best.len() < ALTERNATIVES && !names_of_best.contains(&name) {
            names_of_best.push(name);
        }
    }
    names_of_best
}

/// Whether a place is a different answer: it is farther than a search reaches, neither place lies in the other, and the
/// text does not name it as a place around the best one.
fn is_elsewhere(gazetteer: &Gazetteer, best: &Candidate, other: PlaceId) -> bool {
    if best.parts.iter().flatten().any(|part| part.place == other) {
        return false;
    }
    let best = best.place;
    let (Some(a), Some(b)) = (gazetteer.places.get(best), gazetteer.places.get(other)) else {
        return false;
    };
    best != other
        && !lies_in(gazetteer, (best, a), (other, b))
        && !lies_in(gazetteer, (other, b), (best, a))
        && a.location.kilometres_to(b.location) > ELSEWHERE_KM
}

fn lies_in(
    gazetteer: &Gazetteer,
    (inner_id, inner): (PlaceId, &Place),
    (outer_id, outer): (PlaceId, &Place),
) -> bool {
    match outer.level {
        Level::Region => inner.region == outer.region && inner_id != outer_id,
        Level::District => inner.district == outer.district && inner.level > Level::District,
        Level::Municipality => inner.municipality == Some(outer_id),
        Level::Quarter => gazetteer
            .places
            .quarters(inner)
            .any(|quarter| quarter == outer_id),
        Level::Street | Level::Address => false,
    }
}

/// The names of a place and of the places it lies in. Of the quarters of a street it takes the one that the text names.
fn names(gazetteer: &Gazetteer, id: PlaceId, candidate: &Candidate) -> Names {
    let Some(place) = gazetteer.places.get(id) else {
        return Names::default();
    };
    let mut names = Names {
        district: place.district,
        region: place.region,
        ..Names::default()
    };
    let name = Some(place.name.to_string());
    match place.level {
        Level::Street | Level::Address => names.street = name,
        Level::Quarter => names.quarter = name,
        Level::Municipality => names.municipality = name,
        Level::District | Level::Region => {}
    }
    if let Some(town) = place
        .municipality
        .and_then(|town| gazetteer.places.get(town))
    {
        names.municipality = Some(town.name.to_string());
    }
    if place.level == Level::Street {
        let mentioned = candidate.parts.iter().flatten().map(|anchor| anchor.place);
        let only = gazetteer.places.quarters(place).take(2).collect::<Vec<_>>();
        let only = only.iter().copied().filter(|_| only.len() == 1);
        let quarters = mentioned
            .chain(only)
            .filter_map(|id| gazetteer.places.get(id));
        // In `Praha 5 - Smíchov` the quarter is finer than the numbered district.
        let numbered = |name: &str| name.ends_with(|c: char| c.is_ascii_digit());
        names.quarter = quarters
            .filter(|place| place.level == Level::Quarter)
            .min_by_key(|place| numbered(&place.name))
            .map(|place| place.name.to_string());
    }
    names
}

fn matched(gazetteer: &Gazetteer, query: &Query, found: &Found, best: &Candidate) -> Vec<Match> {
    let parts = best.parts.iter().flatten().filter_map(|anchor| {
        let place = gazetteer.places.get(anchor.place)?;
        let mention = found.mentions.get(usize::from(anchor.mention))?;
        let how = if mention.how == How::Exact && anchor.alias {
            How::Alias
        } else {
            mention.how
        };
        Some(Match {
            text: query.text_of(mention.mask),
            level: place.level,
            name: place.name.to_string(),
            how,
        })
    });
    parts.collect()
}

fn not_understood(query: &Query, mask: u32) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (index, word) in query.words.iter().enumerate() {
        if mask & (1 << index) == 0 && word.key.len() > 2 && words.last() != Some(&word.text) {
            words.push(word.text.clone());
        }
    }
    words.extend(query.cut.iter().cloned());
    words
}

/// The most important municipality with this match key.
fn municipality_named(gazetteer: &Gazetteer, key: &str) -> Option<(Location, Option<PlaceId>)> {
    let postings = gazetteer.phrases.postings(gazetteer.phrases.exact(key)?);
    postings.iter().find_map(|posting| {
        let place = gazetteer.places.get(posting.place)?;
        (place.level == Level::Municipality).then_some((place.location, Some(posting.place)))
    })
}
