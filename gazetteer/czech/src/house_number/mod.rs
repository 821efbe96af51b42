//! House numbers: three kinds, kept apart.
//!
//! A Czech house has a building number (číslo popisné) or, if it is a cottage, a registration number (číslo
//! evidenční). Both are counted within a part of the municipality. In towns a house also has an orientation number
//! (číslo orientační), counted along the street. Numbers of different kinds cannot be compared.

mod beside_street;
mod parse;

use std::fmt;

pub(crate) use beside_street::house_number_at;
pub use beside_street::split_house_number;
pub use parse::{marked_house_number, plain_house_number};

/// A number above this that has no kind is probably not an orientation number, because streets are not that long.
const LONG_STREET: u16 = 200;

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

/// The numbers of a house that were published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HouseNumber {
    /// Číslo popisné.
    pub building: Option<u16>,
    /// Číslo evidenční.
    pub registration: Option<u16>,
    /// Číslo orientační with its letter.
    pub orientation: Option<StreetNumber>,
    /// A number without a kind beside a street: the text does not say whether it is the building or the orientation
    /// number.
    pub lone: Option<StreetNumber>,
}

/// How two published house numbers of one street, or of one place without streets, relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberAgreement {
    /// They name the same house.
    Same,
    /// They may name the same house, because one is less exact.
    Compatible,
    /// They name two houses.
    Different,
    /// They cannot be compared: one is missing, or they are of different kinds.
    Unknown,
}

impl HouseNumber {
    /// The number that a portal publishes: `1290/16`, `1290 / 16a`, `12a`, `12-14`, `č.p. 5`, `č.ev. 5`, `1523 / 1523`
    /// (one building number twice). A number without a kind becomes [`HouseNumber::lone`].
    ///
    /// ```
    /// use czech::house_number::HouseNumber;
    /// let number = HouseNumber::parse("1290/16a").unwrap();
    /// assert_eq!(number.building, Some(1290));
    /// assert_eq!(number.to_string(), "1290/16a");
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        parse::whole_text(text).filter(|number| !number.is_empty())
    }

    /// Whether no number is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The number in a place without streets: there a number without a kind is a building number.
    #[must_use]
    pub fn without_street(mut self) -> Self {
        if let Some(lone) = self.lone.take() {
            self.building = self.building.or(Some(lone.number));
        }
        self
    }

    /// Compares numbers of one kind. The caller has checked that the streets (or the parts without streets) agree.
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

/// `538/27a`, `č.p. 5`, `č.ev. 7`, `27a`; empty if no number is known.
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

/// Compares two numbers of unknown kind. A small and a large number may be the orientation and the building number of
/// one house. Two numbers of like size are two houses.
fn compare_lone(a: StreetNumber, b: StreetNumber) -> NumberAgreement {
    match a.compare(b) {
        NumberAgreement::Different if (a.number < LONG_STREET) != (b.number < LONG_STREET) => {
            NumberAgreement::Unknown
        }
        agreement => agreement,
    }
}
