//! Towns with numbered parts: `Praha 5`, `Plzeň 3`, `České Budějovice 2`.

use std::fmt;

/// The capital as a municipality (obec) and as a district (okres): both are the whole city.
pub const PRAGUE: &str = "Praha";
/// The capital as a region (kraj).
pub const CAPITAL: &str = "Hlavní město Praha";

/// Towns whose parts are known by number, folded, in the nominative; of Prague and Plzeň also the locative, as in
/// titles.
const NUMBERED_TOWNS: [&str; 8] = [
    "praha",
    "praze",
    "plzen",
    "plzni",
    "ceske budejovice",
    "zdar nad sazavou",
    "havlickuv brod",
    "pardubice",
];

/// Words of running text that are followed by a number that belongs to them, folded: the last word of a town in its usual cases, and
/// the abbreviations for *number*. Towns that are rarely written with a number are left out, because behind them a
/// number is more often an area or a price.
const BEFORE_A_NUMBER: [&str; 9] = [
    "praha",
    "praze",
    "prahy",
    "plzen",
    "plzni",
    "plzne",
    "budejovice",
    "c",
    "cp",
];

/// Whether the town of this match key numbers its parts.
pub fn numbers_its_parts(town: &str) -> bool {
    NUMBERED_TOWNS.contains(&town)
}

/// Whether a number behind this folded word of running text belongs to the word: `Praha 5 120 m²` is not 5120 m².
pub(crate) fn takes_a_number(word: &str) -> bool {
    BEFORE_A_NUMBER.contains(&word)
}

/// A numbered city district of Prague or Plzeň.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CityDistrict {
    city: City,
    number: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum City {
    Praha,
    Plzen,
}

impl CityDistrict {
    /// The numbered district at the start of a match key (`praha 5`, `praha 5 smichov`), and the rest of the key.
    /// Prague has the districts 1 to 22, Plzeň 1 to 10.
    pub fn parse_prefix(key: &str) -> Option<(Self, &str)> {
        let (city, largest, rest) = if let Some(rest) = key.strip_prefix("praha ") {
            (City::Praha, 22, rest)
        } else {
            (City::Plzen, 10, key.strip_prefix("plzen ")?)
        };
        let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: u8 = number.parse().ok()?;
        (1..=largest)
            .contains(&number)
            .then_some((Self { city, number }, rest))
    }

    /// The name of the city.
    pub const fn city(self) -> &'static str {
        match self.city {
            City::Praha => PRAGUE,
            City::Plzen => "Plzeň",
        }
    }

    /// The number of the district.
    pub const fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for CityDistrict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.city(), self.number)
    }
}

/// The town that a numbered part belongs to; `None` if the name does not end in a number of one or two digits. Any
/// town may have numbered parts here, because portals number those of small towns too. A numbered part is not a
/// municipality, a quarter or a district (okres).
///
/// ```
/// use czech::numbered_parts::town_of_numbered_part;
/// assert_eq!(town_of_numbered_part("Praha 5"), Some("Praha"));
/// assert_eq!(town_of_numbered_part("Praha-východ"), None);
/// ```
pub fn town_of_numbered_part(name: &str) -> Option<&str> {
    let (town, number) = name.trim().rsplit_once(' ')?;
    let is_number =
        (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_town = town
        .chars()
        .all(|letter| letter.is_alphabetic() || letter == ' ' || letter == '-');
    let town = town.trim_end();
    (is_number && is_town && !town.is_empty()).then_some(town)
}

/// The municipality that a name stands for: the town of a numbered part, or the name itself.
pub fn municipality(name: &str) -> &str {
    town_of_numbered_part(name).unwrap_or(name)
}

/// The district (okres) that a portal's field stands for, by its official name. Portals put `Praha 5` or the name of
/// the region there; neither is an okres, and the capital is one okres as a whole.
///
/// ```
/// use czech::numbered_parts::district;
/// assert_eq!(district("Hlavní město Praha"), "Praha");
/// assert_eq!(district("Praha-východ"), "Praha-východ");
/// ```
pub fn district(name: &str) -> &str {
    if name == CAPITAL || town_of_numbered_part(name) == Some(PRAGUE) {
        PRAGUE
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_number_behind_a_name_is_the_number_of_a_part() {
        for (name, town) in [
            ("Praha 10", Some("Praha")),
            ("Plzeň 3", Some("Plzeň")),
            ("Praha", None),
            ("Děčín XXXII-Boletice nad Labem", None),
            ("28. října 5", None),
            ("Vzorová 378", None),
            ("5", None),
            ("", None),
        ] {
            assert_eq!(town_of_numbered_part(name), town, "{name}");
        }
    }
}
