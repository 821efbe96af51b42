//! The numbered districts of Prague and Plzeň.

use std::fmt;

/// A numbered city district: `Praha 5`, `Plzeň 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CityDistrict {
    city: NumberedCity,
    number: u8,
}

/// The cities whose districts are known by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum NumberedCity {
    Praha,
    Plzen,
}

impl CityDistrict {
    /// Reads a folded name that begins with a numbered district (`praha 5`, `praha 5 smichov`), with what follows.
    pub(crate) fn read(key: &str) -> Option<(Self, &str)> {
        let (city, largest, rest) = if let Some(rest) = key.strip_prefix("praha ") {
            (NumberedCity::Praha, 22, rest)
        } else {
            (NumberedCity::Plzen, 10, key.strip_prefix("plzen ")?)
        };
        let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: u8 = number
            .parse()
            .ok()
            .filter(|number| (1..=largest).contains(number))?;
        Some((Self { city, number }, rest))
    }

    /// The name of the city.
    pub const fn city(self) -> &'static str {
        match self.city {
            NumberedCity::Praha => "Praha",
            NumberedCity::Plzen => "Plzeň",
        }
    }

    /// The number.
    pub const fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for CityDistrict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.city(), self.number)
    }
}
