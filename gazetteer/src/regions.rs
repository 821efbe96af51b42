//! The 14 regions (kraje).

use std::fmt;

use czech::fold_name;
use schema::Location;

/// A region (kraj).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "the variants are the regions' names without diacritics"
)]
pub enum Region {
    Praha,
    Stredocesky,
    Jihocesky,
    Plzensky,
    Karlovarsky,
    Ustecky,
    Liberecky,
    Kralovehradecky,
    Pardubicky,
    Vysocina,
    Jihomoravsky,
    Olomoucky,
    Zlinsky,
    Moravskoslezsky,
}

/// What is known of a region: canonical name, the folded adjective (or noun) it is known by, a point near its middle,
/// population in thousands.
type Row = (Region, &'static str, &'static str, (f64, f64), u32);

/// In the order of the enumeration.
const TABLE: [Row; 14] = [
    (
        Region::Praha,
        "Hlavní město Praha",
        "praha",
        (50.08, 14.43),
        1390,
    ),
    (
        Region::Stredocesky,
        "Středočeský kraj",
        "stredocesky",
        (50.03, 14.60),
        1460,
    ),
    (
        Region::Jihocesky,
        "Jihočeský kraj",
        "jihocesky",
        (49.05, 14.45),
        655,
    ),
    (
        Region::Plzensky,
        "Plzeňský kraj",
        "plzensky",
        (49.60, 13.30),
        615,
    ),
    (
        Region::Karlovarsky,
        "Karlovarský kraj",
        "karlovarsky",
        (50.17, 12.75),
        295,
    ),
    (
        Region::Ustecky,
        "Ústecký kraj",
        "ustecky",
        (50.53, 13.80),
        810,
    ),
    (
        Region::Liberecky,
        "Liberecký kraj",
        "liberecky",
        (50.70, 15.00),
        450,
    ),
    (
        Region::Kralovehradecky,
        "Královéhradecký kraj",
        "kralovehradecky",
        (50.35, 15.85),
        555,
    ),
    (
        Region::Pardubicky,
        "Pardubický kraj",
        "pardubicky",
        (49.93, 16.13),
        530,
    ),
    (
        Region::Vysocina,
        "Kraj Vysočina",
        "vysocina",
        (49.45, 15.65),
        517,
    ),
    (
        Region::Jihomoravsky,
        "Jihomoravský kraj",
        "jihomoravsky",
        (49.05, 16.65),
        1230,
    ),
    (
        Region::Olomoucky,
        "Olomoucký kraj",
        "olomoucky",
        (49.75, 17.10),
        632,
    ),
    (
        Region::Zlinsky,
        "Zlínský kraj",
        "zlinsky",
        (49.22, 17.75),
        580,
    ),
    (
        Region::Moravskoslezsky,
        "Moravskoslezský kraj",
        "moravskoslezsky",
        (49.80, 18.05),
        1190,
    ),
];

impl Region {
    /// Every region.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The canonical name: `Středočeský kraj`, `Kraj Vysočina`, `Hlavní město Praha`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// A point near its middle.
    pub fn location(self) -> Location {
        let (lat, lng) = self.row().3;
        Location { lat, lng }
    }

    /// Inhabitants, rounded to thousands.
    pub fn population(self) -> u32 {
        self.row().4 * 1000
    }

    /// The folded word that names it beside `kraj`: `zlinsky`, `vysocina`, `praha`.
    pub(crate) fn stem(self) -> &'static str {
        self.row().2
    }

    /// Reads the usual ways of writing it: `Zlínský kraj`, `kraj Zlínský`, `Zlínský`, `Jihomoravsky kraj`,
    /// `Vysočina`, `Praha`, `hl. m. Praha`. Case and diacritics do not matter.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_folded(&fold_name(text))
    }

    /// [`Region::parse`] of a folded text.
    pub(crate) fn parse_folded(folded: &str) -> Option<Self> {
        let mut words = folded
            .split(' ')
            .filter(|word| !matches!(*word, "kraj" | "kraje" | "kraji" | "region"));
        let first = words.next()?;
        let declined = folded.contains("kraj");
        let capital = [
            "hlavni mesto praha",
            "hl mesto praha",
            "hl m praha",
            "hlavni m praha",
            "praha",
        ];
        if capital.contains(&folded) {
            return Some(Self::Praha);
        }
        if words.next().is_some() {
            return None;
        }
        TABLE
            .iter()
            .find(|row| row.2 == first || (declined && is_case_of(first, row.2)))
            .map(|row| row.0)
            .filter(|region| *region != Self::Praha)
    }
}

/// Whether `word` is the adjective `nominative` in another case: `zlinskeho`, `zlinskem`, `vysociny`.
fn is_case_of(word: &str, nominative: &str) -> bool {
    let Some(stem) = nominative.strip_suffix(['y', 'a']) else {
        return false;
    };
    word.strip_prefix(stem)
        .is_some_and(|ending| matches!(ending, "eho" | "em" | "y" | "e" | "u"))
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
