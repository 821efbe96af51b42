//! Which name of an address line is what.
//!
//! Portals put the street first (`Street, City - Part, okres X`) or last (`City, Part, Street`), with or without the
//! municipality in another field. Names that say what they are come first. The municipality comes next, because its
//! position in the line tells what the other names are.

use czech::house_number::HouseNumber;
use czech::inflection::nominative_phrases;
use czech::names::place_key;
use czech::numbered_parts::CityDistrict;

use super::draft::Draft;
use super::likeness::{looks_like_place, looks_like_street};
use super::name::Name;
use super::pieces::{Meaning, Piece, Pieces};
use super::street::Street;
use super::town_and_part::{is_upon, last_words, town_and_part};
use crate::districts::District;
use crate::regions::Region;
use crate::towns::{self, town_by_name};

/// The longest declined name that is looked up, in words.
const DECLINED_WORDS: usize = 4;
/// How many nominatives of a declined name are tried.
const DECLINED_READINGS: usize = 200;

/// Fills the parts that the fields left open from the address line.
pub(super) fn read_line(draft: &mut Draft, text: &str) {
    let line = Pieces::parse(text);
    draft.take_common(&line);
    let mut pieces: Vec<Piece> = line.names.into_iter().filter_map(nominative).collect();
    for piece in &pieces {
        match piece.meaning {
            Meaning::District(district) => draft.district(district),
            Meaning::Region(region) => draft.address.region = draft.address.region.or(Some(region)),
            _ => {}
        }
    }
    pieces.retain(|piece| !matches!(piece.meaning, Meaning::Region(_)));
    city_of_district(draft, &pieces);
    split_city(draft, &pieces);
    let town = find_municipality(draft, &pieces);
    for piece in &pieces {
        if let Meaning::District(district) = piece.meaning {
            draft.city_of(district);
        }
    }
    take_parts(draft, &mut pieces, town);
    take_street(draft, &pieces, town);
    take_quarter(draft, &pieces);
    take_cadastral(draft, &pieces);
}

/// A declined name in the nominative; `None` if no authored place has that name. Other pieces stay as they are.
fn nominative(mut piece: Piece) -> Option<Piece> {
    if piece.meaning != Meaning::Declined {
        return Some(piece);
    }
    let words: Vec<&str> = piece.key.split(' ').take(DECLINED_WORDS + 1).collect();
    if words.len() > DECLINED_WORDS {
        return None;
    }
    let (name, number) = match words.split_last() {
        Some((last, name)) if last.bytes().all(|b| b.is_ascii_digit()) => {
            (name, format!(" {last}"))
        }
        _ => (words.as_slice(), String::new()),
    };
    let known = nominative_phrases(name, DECLINED_READINGS)
        .into_iter()
        .find_map(|reading| {
            let town = towns::town_by_key(&reading).map(|town| town.name);
            town.or_else(|| towns::quarter_by_key(&reading).map(|quarter| quarter.name))
        })?;
    piece.written = format!("{known}{number}");
    piece.key = place_key(&piece.written);
    piece.meaning = Meaning::Name;
    Some(piece)
}

/// Takes the city from a district in its place: `Václavská, okres Brno-město - Staré Brno`.
fn city_of_district(draft: &mut Draft, pieces: &[Piece]) {
    let city = pieces
        .iter()
        .zip(pieces.iter().skip(1))
        .find_map(|(piece, next)| match piece.meaning {
            Meaning::District(district) if next.after_dash => Some(district),
            _ => None,
        });
    let city = city.or_else(|| {
        draft
            .address
            .district
            .filter(|district| *district == District::Praha)
    });
    let names_city =
        |district: &District| matches!(district, District::Praha | District::BrnoMesto);
    if let Some(district) = city.filter(names_city)
        && draft.address.municipality.is_none()
    {
        draft.address.municipality = Name::place(district.town());
    }
}

/// Splits a city field that holds a municipality and its part, as the line shows: with the line `Homole, okres České
/// Budějovice`, the part of `Homole Černý Dub` is `Černý Dub`.
fn split_city(draft: &mut Draft, pieces: &[Piece]) {
    let mut names = pieces.iter().filter(|piece| is_name(piece));
    let (Some(town), None) = (names.next(), names.next()) else {
        return;
    };
    let says_district = pieces
        .iter()
        .any(|piece| matches!(piece.meaning, Meaning::District(_)));
    let Some(city) = &draft.address.municipality else {
        return;
    };
    let part = city.key.strip_prefix(town.key.as_str());
    let part = part.and_then(|rest| rest.strip_prefix(' '));
    let part = part.filter(|part| !is_upon(part.split(' ').next().unwrap_or_default()));
    if let Some(part) = part
        && says_district
        && town.number.is_empty()
        && town_by_name(&city.written, &city.key).is_none()
    {
        let part = last_words(&city.written, part);
        draft.address.municipality = Name::place(&town.written);
        if draft.address.quarter_key() == Some(&town.key) {
            draft.address.quarter = None;
        }
        draft.quarter(&part);
    }
}

/// Takes the municipality and returns the index of its piece; `None` if the line has no municipality.
fn find_municipality(draft: &mut Draft, pieces: &[Piece]) -> Option<usize> {
    if let Some(key) = draft.address.municipality_key() {
        return pieces.iter().position(|piece| {
            is_name(piece)
                && (piece.key == key
                    || CityDistrict::parse_prefix(&piece.key).is_some()
                    || begins_with(piece, key))
        });
    }
    let candidates = || {
        pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| is_name(piece) && !piece.after_dash)
    };
    let index = candidates()
        .find(|(_, piece)| CityDistrict::parse_prefix(&piece.key).is_some())
        .or_else(|| candidates().rfind(|(_, piece)| piece.number.is_empty() && is_known(piece)))
        .or_else(|| candidates().find(|(_, piece)| is_known(piece)))
        .or_else(|| candidates().rfind(|(_, piece)| piece.after_postal_code))
        .or_else(|| {
            candidates()
                .find(|(index, _)| pieces.get(index + 1).is_some_and(|next| next.after_dash))
        })
        .or_else(|| unknown_municipality(pieces))
        .map(|(index, _)| index)?;
    let quarter = draft.address.quarter.clone();
    draft.municipality(pieces.get(index)?);
    // The part behind the dash is the smaller one: `Ostrava-Jih - Hrabůvka`.
    if pieces.iter().any(|piece| piece.after_dash) {
        draft.address.quarter = quarter;
    }
    Some(index)
}

/// The municipality among names that no list knows: the only one, else the last that looks like a place, else the
/// last.
fn unknown_municipality(pieces: &[Piece]) -> Option<(usize, &Piece)> {
    let names = || {
        pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| is_name(piece))
    };
    let unlike_street = |piece: &Piece| !looks_like_street(&piece.key) && piece.number.is_empty();
    if names().count() < 2 {
        return names().next();
    }
    names()
        .rfind(|(_, piece)| unlike_street(piece) && looks_like_place(&piece.key))
        .or_else(|| names().rfind(|(_, piece)| unlike_street(piece)))
        .or_else(|| names().next_back())
}

fn is_name(piece: &Piece) -> bool {
    piece.meaning == Meaning::Name
}

fn is_known(piece: &Piece) -> bool {
    town_by_name(&piece.written, &piece.key).is_some()
        || town_and_part(&piece.written, &piece.key).is_some()
}

/// Whether a name is that of the municipality with a part behind it.
fn begins_with(piece: &Piece, town: &str) -> bool {
    let part = piece
        .key
        .strip_prefix(town)
        .and_then(|rest| rest.strip_prefix(' '));
    part.is_some_and(|part| !is_upon(part.split(' ').next().unwrap_or_default()))
}

/// Takes the parts behind a dash, and the part in the piece of the municipality.
fn take_parts(draft: &mut Draft, pieces: &mut [Piece], town: Option<usize>) {
    for piece in pieces
        .iter_mut()
        .filter(|piece| piece.after_dash && is_name(piece))
    {
        draft.number(piece.number);
        draft.quarter(&piece.written);
        piece.meaning = Meaning::Taken;
    }
    if let Some(piece) = town.and_then(|town| pieces.get_mut(town)) {
        take_part_of_own_piece(draft, piece);
        draft.number(piece.number);
        piece.meaning = Meaning::Taken;
    }
}

/// Takes the part that the piece of the municipality names too: `Jičín Nové Město`, `Ostrava-Jih`.
fn take_part_of_own_piece(draft: &mut Draft, piece: &Piece) {
    let Some(town) = draft.address.municipality_key() else {
        return;
    };
    if town == piece.key || town_by_name(&piece.written, &piece.key).is_some() {
        return;
    }
    let mut named = Draft::default();
    named.municipality(piece);
    if named.address.municipality_key() == Some(&piece.key) && begins_with(piece, town) {
        let part = last_words(
            &piece.written,
            piece.key.strip_prefix(town).unwrap_or_default().trim(),
        );
        named.quarter(&part);
    }
    draft.address.city_district = draft.address.city_district.or(named.address.city_district);
    draft.address.quarter = draft.address.quarter.take().or(named.address.quarter);
}

/// Takes the street: the name that says so, else the name at the position where portals put the street.
fn take_street(draft: &mut Draft, pieces: &[Piece], town: Option<usize>) {
    for piece in pieces
        .iter()
        .filter(|piece| piece.meaning == Meaning::Street)
    {
        if draft.address.street.is_some() {
            draft.number(number_of_own_street(draft, piece));
        }
        draft.street(piece);
    }
    let open = |piece: &&Piece| is_name(piece);
    let own = |piece: &&Piece| is_own_street(draft, piece);
    if let Some(piece) = pieces.iter().filter(open).find(own) {
        draft.number(piece.number);
        return;
    }
    if draft.address.street.is_some() {
        return;
    }
    let free: Vec<(usize, &Piece)> = pieces
        .iter()
        .enumerate()
        .filter(|(index, piece)| {
            is_name(piece) && Some(*index) != town && !draft.is_own_place(&piece.key)
        })
        .filter(|(_, piece)| {
            draft.address.quarter_key() != Some(&piece.key) && !is_village(draft, piece)
        })
        .collect();
    let before = |index: usize| town.is_none_or(|town| index < town);
    let chosen = free
        .iter()
        .find(|(_, piece)| !piece.number.is_empty())
        .or_else(|| free.iter().find(|(_, piece)| looks_like_street(&piece.key)))
        .or_else(|| {
            free.iter()
                .find(|(index, piece)| before(*index) && !is_quarter_like(piece))
        })
        .or_else(|| {
            free.last().filter(|(index, piece)| {
                (free.len() > 1 || draft.address.quarter.is_some())
                    && !before(*index)
                    && !is_quarter_like(piece)
            })
        });
    if let Some((_, piece)) = chosen {
        draft.street(piece);
    }
}

/// Whether a piece names the street of the address, perhaps with a typing error in one of the two.
fn is_own_street(draft: &Draft, piece: &Piece) -> bool {
    let named = Street::named(&piece.written);
    let both = draft.address.street.as_ref().zip(named.as_ref());
    both.is_some_and(|(own, named)| own.key == named.key || own.is_typo_of(named))
}

/// The house number of a piece that is the street of the address; no number for any other piece.
fn number_of_own_street(draft: &Draft, piece: &Piece) -> HouseNumber {
    if is_own_street(draft, piece) {
        piece.number
    } else {
        HouseNumber::default()
    }
}

/// Whether a name with a number is a part of a village and not a street: it has a registration number, it contains the
/// name of the municipality (`Dolní Adršpach 130, Adršpach`), or it looks like a place.
fn is_village(draft: &Draft, piece: &Piece) -> bool {
    let holds_town = draft.address.municipality_key().is_some_and(|town| {
        piece
            .key
            .strip_suffix(town)
            .is_some_and(|rest| rest.ends_with(' '))
    });
    let plain = piece.number.orientation.is_none() && !piece.number.is_empty();
    piece.number.registration.is_some() || holds_town || (plain && looks_like_place(&piece.key))
}

fn is_quarter_like(piece: &Piece) -> bool {
    towns::quarter_by_key(&piece.key).is_some() || looks_like_place(&piece.key)
}

/// Takes the quarter: the name that says so, else a name that is left.
fn take_quarter(draft: &mut Draft, pieces: &[Piece]) {
    let numbered = draft.address.city_district.is_some();
    let said = |piece: &&Piece| piece.meaning == Meaning::Quarter;
    let known = |piece: &&Piece| {
        is_name(piece) && !numbered && CityDistrict::parse_prefix(&piece.key).is_some()
    };
    for piece in pieces.iter().filter(|piece| said(piece) || known(piece)) {
        draft.quarter(&piece.written);
    }
    for piece in pieces.iter().filter(|piece| is_name(piece)) {
        let is_street = is_own_street(draft, piece);
        let is_place = draft.address.municipality_key() == Some(&piece.key)
            || town_by_name(&piece.written, &piece.key).is_some_and(|town| {
                draft.address.municipality_key() == Some(&place_key(town.name))
            });
        if !is_street && is_place {
            draft.number(piece.number);
        } else if !is_street
            && draft.address.quarter.is_none()
            && Region::parse_folded(&piece.key).is_none()
            && CityDistrict::parse_prefix(&piece.key).is_none_or(|(_, rest)| !rest.is_empty())
        {
            draft.quarter(&piece.written);
            draft.number(piece.number);
        }
    }
}

/// Takes the cadastral area as the municipality if nothing else names one.
fn take_cadastral(draft: &mut Draft, pieces: &[Piece]) {
    if draft.address.municipality.is_none()
        && let Some(piece) = pieces
            .iter()
            .find(|piece| piece.meaning == Meaning::Cadastral)
    {
        draft.municipality(piece);
    }
}
