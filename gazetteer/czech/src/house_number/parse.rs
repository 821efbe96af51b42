//! Reading house numbers from the tokens of an address line.

use super::{HouseNumber, StreetNumber};
use crate::tokens::address_line::{Token, tokens};

/// The largest orientation number in the registry has three digits.
const LARGEST_ORIENTATION: u16 = 999;
/// The widest span of a house written as a range, `12-14`.
const WIDEST_RANGE: u16 = 40;

/// The number that the whole text is.
pub(super) fn whole_text(text: &str) -> Option<HouseNumber> {
    let tokens = tokens(text);
    let (number, used) =
        marked_house_number(&tokens).or_else(|| Some((plain_house_number(tokens.first()?)?, 1)))?;
    (used == tokens.len()).then_some(number)
}

/// The number behind a marker at the start (`č.p. 12`, `ev. č. 5`, `č. 12`), and how many tokens it takes.
pub fn marked_house_number(tokens: &[Token]) -> Option<(HouseNumber, usize)> {
    let (kind, length) = marker(tokens)?;
    let plain = plain_house_number(tokens.get(length)?)?;
    let first = plain.building.or(plain.lone.map(|lone| lone.number));
    let first = first.or(plain.orientation.map(|orientation| orientation.number));
    let number = match kind {
        Marker::Building => {
            let orientation = plain.orientation.filter(|_| plain.building.is_some());
            HouseNumber {
                building: first,
                orientation,
                ..HouseNumber::default()
            }
        }
        Marker::Registration => HouseNumber {
            registration: first,
            ..HouseNumber::default()
        },
        Marker::Orientation => HouseNumber {
            orientation: plain.orientation.or(plain.lone),
            ..HouseNumber::default()
        },
        Marker::Number => plain,
    };
    Some((number, length + 1))
}

/// The kind that a marker gives to the number behind it.
#[derive(Clone, Copy)]
enum Marker {
    Building,
    Registration,
    Orientation,
    Number,
}

fn marker(tokens: &[Token]) -> Option<(Marker, usize)> {
    let word = |i: usize| tokens.get(i).map_or("", |token| token.folded.as_str());
    Some(match (word(0), word(1)) {
        ("cp" | "cpop", _) => (Marker::Building, 1),
        ("c" | "cislo", "p" | "pop" | "popisne") => (Marker::Building, 2),
        ("cev" | "evc" | "ce" | "cechev", _) => (Marker::Registration, 1),
        ("c" | "cislo", "ev" | "evid" | "e" | "evidencni") | ("ev" | "evid", "c" | "cislo") => {
            (Marker::Registration, 2)
        }
        ("co" | "cor", _) => (Marker::Orientation, 1),
        ("c" | "cislo", "o" | "or" | "orient" | "orientacni") => (Marker::Orientation, 2),
        ("c" | "cislo", _) => (Marker::Number, 1),
        _ => return None,
    })
}

/// A number without a marker: `12`, `12a`, `1290/16a`, `12-14`.
pub fn plain_house_number(token: &Token) -> Option<HouseNumber> {
    if token.dotted {
        return None;
    }
    let mut parts = token.raw.split('/');
    let (first, second, rest) = (parts.next()?, parts.next(), parts.next());
    if rest.is_some() {
        return None;
    }
    let first = street_number(first)?;
    let Some(second) = second else {
        return Some(if first.letter.is_some() {
            HouseNumber {
                orientation: Some(first),
                ..HouseNumber::default()
            }
        } else {
            HouseNumber {
                lone: Some(first),
                ..HouseNumber::default()
            }
        });
    };
    let second = street_number(second)?;
    let (building, orientation) = if second.number > LARGEST_ORIENTATION {
        (second, first)
    } else {
        (first, second)
    };
    let repeated = building.number == orientation.number && orientation.letter.is_none();
    let orientation =
        (!repeated && orientation.number <= LARGEST_ORIENTATION).then_some(orientation);
    Some(HouseNumber {
        building: Some(building.number),
        orientation,
        ..HouseNumber::default()
    })
}

/// A number along a street from 1 to 9999: `12`, `12a`, `12-14`.
fn street_number(text: &str) -> Option<StreetNumber> {
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (first, Some(last)),
        None => (text, None),
    };
    let digits = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let letter = first.strip_prefix(digits)?;
    if letter.len() > 1 || digits.len() > 4 {
        return None;
    }
    let number: u16 = digits.parse().ok().filter(|number| *number > 0)?;
    let letter = letter
        .chars()
        .next()
        .map(|letter| letter.to_ascii_lowercase());
    let Some(last) = last else {
        return Some(StreetNumber {
            number,
            letter,
            through: None,
        });
    };
    let last: u16 = last
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .ok()?;
    let through = (last > number && last - number <= WIDEST_RANGE).then_some(last)?;
    Some(StreetNumber {
        number,
        letter,
        through: Some(through),
    })
}
