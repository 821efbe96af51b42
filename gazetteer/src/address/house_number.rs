//! House numbers: three slots, never one.
//!
//! A Czech house has a building number (číslo popisné) or, if it is a cottage, a registration number (číslo
//! evidenční), both counted within a part of the municipality; in towns it has an orientation number (číslo
//! orientační) counted along the street beside it. Comparing one kind with another says nothing.

use std::fmt;

use super::tokens::{Token, tokens};

/// Above this a number standing alone is hardly an orientation number: streets are not that long.
const LONG_STREET: u16 = 200;
/// The largest orientation number in the registry has three digits.
const LARGEST_ORIENTATION: u16 = 999;
/// The widest span of a house written as a range, `12-14`.
const WIDEST_RANGE: u16 = 40;

/// A number along a street: `16`, `16a`, `12-14`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreetNumber {
    /// The number; the first of a range.
    pub number: u16,
    /// Its letter, lower case.
    pub letter: Option<char>,
    /// The last number of a range.
    pub through: Option<u16>,
}

impl StreetNumber {
    const fn of(number: u16) -> Self {
        Self {
            number,
            letter: None,
            through: None,
        }
    }

    fn overlaps(self, other: Self) -> bool {
        self.number <= other.through.unwrap_or(other.number)
            && other.number <= self.through.unwrap_or(self.number)
    }

    fn compare(self, other: Self) -> NumberAgreement {
        match (self.letter, other.letter) {
            _ if !self.overlaps(other) => NumberAgreement::Different,
            (Some(a), Some(b)) if a != b => NumberAgreement::Different,
            (Some(_), None) | (None, Some(_)) => NumberAgreement::Compatible,
            _ if self.through != other.through => NumberAgreement::Compatible,
            _ => NumberAgreement::Same,
        }
    }
}

/// The numbers of a house, as far as published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HouseNumber {
    /// Číslo popisné.
    pub building: Option<u16>,
    /// Číslo evidenční.
    pub registration: Option<u16>,
    /// Číslo orientační with its letter.
    pub orientation: Option<StreetNumber>,
    /// A number that stands alone beside a street: building or orientation, the text does not say which.
    pub lone: Option<StreetNumber>,
}

/// How two published house numbers of one street (or of one place without streets) relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberAgreement {
    /// They name the same house.
    Same,
    /// They may well name the same house: one is less exact.
    Compatible,
    /// They name two houses.
    Different,
    /// They cannot be compared: one is missing, or they are of different kinds.
    Unknown,
}

impl HouseNumber {
    /// Reads a number as a portal publishes it: `1290/16`, `1290 / 16a`, `12a`, `12-14`, `č.p. 5`, `č.ev. 5`,
    /// `1523 / 1523` (one building number written twice). A number without a marker stays [`HouseNumber::lone`].
    pub fn parse(text: &str) -> Option<Self> {
        let tokens = tokens(text);
        let (number, used) =
            read_marked(&tokens).or_else(|| Some((read_plain(tokens.first()?)?, 1)))?;
        (used == tokens.len() && !number.is_empty()).then_some(number)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A lone number in a place without streets is a building number.
    #[must_use]
    pub(super) fn without_street(mut self) -> Self {
        if let Some(lone) = self.lone.take() {
            self.building = self.building.or(Some(lone.number));
        }
        self
    }

    /// Compares like with like; the caller has seen that the streets (or the parts without streets) agree.
    pub fn compare(&self, other: &Self) -> NumberAgreement {
        use NumberAgreement::{Compatible, Different, Same, Unknown};
        let orientations = self
            .orientation
            .zip(other.orientation)
            .map(|(a, b)| a.compare(b));
        match (
            self.registration,
            other.registration,
            self.building,
            other.building,
        ) {
            (Some(a), Some(b), ..) => return if a == b { Same } else { Different },
            (Some(a), _, _, Some(b)) | (_, Some(b), Some(a), _) => {
                return if a == b { Compatible } else { Different };
            }
            (.., Some(a), Some(b)) if a != b => return Different,
            (.., Some(_), Some(_)) if orientations == Some(Different) => return Compatible,
            (.., Some(_), Some(_)) => return Same,
            _ => {}
        }
        match (orientations, self.lone, other.lone) {
            (Some(agreement), ..) => agreement,
            (None, Some(a), Some(b)) => compare_lone(a, b),
            (None, Some(lone), None) => other.against_lone(lone),
            (None, None, Some(lone)) => self.against_lone(lone),
            (None, None, None) => Unknown,
        }
    }

    /// Compares with a number of unknown kind.
    fn against_lone(&self, lone: StreetNumber) -> NumberAgreement {
        use NumberAgreement::{Compatible, Different, Same, Unknown};
        if let Some(registration) = self.registration {
            return if registration == lone.number {
                Compatible
            } else {
                Unknown
            };
        }
        if self.building == Some(lone.number) && lone.through.is_none() {
            return Same;
        }
        match self
            .orientation
            .map(|orientation| orientation.compare(lone))
        {
            Some(Different) if self.building.is_some() => Different,
            Some(Different) | None => Unknown,
            Some(agreement) => agreement,
        }
    }
}

/// `538/27a`, `č.p. 5`, `č.ev. 7`, `27a`; nothing where nothing is known.
impl fmt::Display for HouseNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (
            self.registration,
            self.building,
            self.orientation.or(self.lone),
        ) {
            (Some(registration), ..) => write!(f, "č.ev. {registration}"),
            (None, Some(building), Some(along)) => write!(f, "{building}/{along}"),
            (None, Some(building), None) => write!(f, "č.p. {building}"),
            (None, None, Some(along)) => along.fmt(f),
            (None, None, None) => Ok(()),
        }
    }
}

impl fmt::Display for StreetNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        if let Some(letter) = self.letter {
            write!(f, "{letter}")?;
        }
        self.through.map_or(Ok(()), |last| write!(f, "-{last}"))
    }
}

/// Two numbers of unknown kind. A small one and a large one may be the orientation and the building number of one
/// house; two of like size are two houses.
fn compare_lone(a: StreetNumber, b: StreetNumber) -> NumberAgreement {
    match a.compare(b) {
        NumberAgreement::Different if (a.number < LONG_STREET) != (b.number < LONG_STREET) => {
            NumberAgreement::Unknown
        }
        agreement => agreement,
    }
}

/// A number that a marker introduces (`č.p. 12`, `ev. č. 5`, `č. 12`), with how many tokens it takes.
pub(crate) fn read_marked(tokens: &[Token]) -> Option<(HouseNumber, usize)> {
    let (kind, length) = marker(tokens)?;
    let read = read_plain(tokens.get(length)?)?;
    let first = read.building.or(read.lone.map(|lone| lone.number));
    let first = first.or(read.orientation.map(|orientation| orientation.number));
    let number = match kind {
        Marker::Building => {
            let orientation = read.orientation.filter(|_| read.building.is_some());
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
            orientation: read.orientation.or(read.lone),
            ..HouseNumber::default()
        },
        Marker::Number => read,
    };
    Some((number, length + 1))
}

/// What a marker says of the number behind it.
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
pub(crate) fn read_plain(token: &Token) -> Option<HouseNumber> {
    if token.dotted {
        return None;
    }
    let mut parts = token.raw.split('/');
    let (first, second, rest) = (parts.next()?, parts.next(), parts.next());
    if rest.is_some() {
        return None;
    }
    let first = read_street_number(first)?;
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
    let second = read_street_number(second)?;
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

/// `12`, `12a`, `12-14`; 1 to 9999.
fn read_street_number(text: &str) -> Option<StreetNumber> {
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
            letter,
            ..StreetNumber::of(number)
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
