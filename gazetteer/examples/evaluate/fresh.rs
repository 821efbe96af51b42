//! Fresh queries made of registry rows. Each seed draws other rows and other errors, so that no rule can be made for them.

use gazetteer::registry::{AddressPlace, BuildingNumber, PlaceIndex, Registry};

use super::figures::Query;

/// How many houses are drawn.
const HOUSES: usize = 4_000;

/// A sequence of numbers that is the same for the same seed (Marsaglia's xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// The queries: the houses drawn with the seed, each written in every form.
pub fn queries(registry: &Registry, seed: u64) -> Vec<Query> {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut queries = Vec::new();
    while queries.len() < HOUSES * 6 {
        let index = chance.below(registry.place_count() as usize) as u32;
        let written = registry
            .place(PlaceIndex(index))
            .and_then(|place| written(registry, &place));
        let Some((street, number, town, code, at)) = written else {
            continue;
        };
        let mut add = |form: &str, text: String| queries.push(Query::new(form, &text, at.0, at.1));
        add("as it is", format!("{street} {number}, {code} {town}"));
        add(
            "no diacritics",
            format!(
                "{} {number}, {}",
                czech::fold_name(&street),
                czech::fold_name(&town)
            ),
        );
        add("shuffled", format!("{town}, {code}, {street} {number}"));
        add(
            "one typo",
            format!("{} {number}, {town}", misspelt(&street, &mut chance)),
        );
        let twice = misspelt(&misspelt(&street, &mut chance), &mut chance);
        add("two typos", format!("{twice} {number}, {town}"));
        let both = (misspelt(&street, &mut chance), misspelt(&town, &mut chance));
        add(
            "typo in street and municipality",
            format!("{} {number}, {}, {code}", both.0, both.1),
        );
    }
    queries
}

type Written = (String, String, String, String, (f64, f64));

/// Street, number, municipality, postal code and position of a house on a street, if it has a position.
fn written(registry: &Registry, place: &AddressPlace) -> Option<Written> {
    let street = registry
        .name(registry.street(place.street?)?.name)
        .to_owned();
    let town = registry
        .name(registry.municipality(place.municipality)?.name)
        .to_owned();
    let number = match (place.number, place.orientation) {
        (BuildingNumber::Registration(number), _) => format!("č.ev. {number}"),
        (BuildingNumber::Building(number), None) => number.to_string(),
        (BuildingNumber::Building(number), Some(along)) => {
            format!(
                "{number}/{}{}",
                along.number,
                along.letter.map(String::from).unwrap_or_default()
            )
        }
    };
    let location = place.location?;
    Some((
        street,
        number,
        town,
        place.postal_code?.to_string(),
        (location.lat, location.lng),
    ))
}

/// A word with one letter deleted, doubled, replaced, or swapped with the next.
fn misspelt(name: &str, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let alphabetic: Vec<usize> = (0..letters.len())
        .filter(|at| letters.get(*at).is_some_and(|c| c.is_alphabetic()))
        .collect();
    let Some(at) = alphabetic.get(chance.below(alphabetic.len())).copied() else {
        return name.to_owned();
    };
    let other = char::from(b'a' + chance.below(26) as u8);
    match chance.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, other),
        2 => letters.splice(at..=at, [other]).for_each(drop),
        _ if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters.insert(at, other),
    }
    letters.into_iter().collect()
}
