//! The 14 regions (kraje).

use czech::fold_name;
use std::fmt;
use std::sync::LazyLock;

use schema::Location;
use serde::{Deserialize, Serialize};

macro_rules! regions {
    ($($region:ident)+) => {
        /// A region (kraj).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(
            missing_docs,
            reason = "the variants are the names of the regions without diacritics"
        )]
        pub enum Region {
            $($region),+
        }

        /// Every region, in the order of the enumeration.
        const ALL: &[Region] = &[$(Region::$region),+];
    };
}

regions! {
    Praha Stredocesky Jihocesky Plzensky Karlovarsky Ustecky Liberecky Kralovehradecky
    Pardubicky Vysocina Jihomoravsky Olomoucky Zlinsky Moravskoslezsky
}

/// A line of the table.
struct Record {
    name: &'static str,
    /// The folded word that names it beside `kraj`.
    word: &'static str,
    location: Location,
    population: u32,
}

impl Record {
    fn parse(line: &'static str) -> Option<Self> {
        let mut fields = line.split('\t');
        Some(Self {
            name: fields.next()?,
            word: fields.next()?,
            location: Location {
                lat: fields.next()?.parse().ok()?,
                lng: fields.next()?.parse().ok()?,
            },
            population: fields.next()?.parse::<u32>().ok()? * 1000,
        })
    }
}

/// A line for each region, in the order of the enumeration.
static TABLE: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let lines = include_str!("regions.tsv").lines().skip(1);
    lines.filter_map(Record::parse).collect()
});

impl Region {
    /// Every region.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    fn record(self) -> &'static Record {
        &TABLE[self as usize]
    }

    /// The canonical name: `Středočeský kraj`, `Kraj Vysočina`, `Hlavní město Praha`.
    pub fn name(self) -> &'static str {
        self.record().name
    }

    /// A point near its middle.
    pub fn location(self) -> Location {
        self.record().location
    }

    /// Inhabitants, rounded to thousands.
    pub fn population(self) -> u32 {
        self.record().population
    }

    /// The folded word that names it beside `kraj`: `zlinsky`, `vysocina`, `praha`.
    pub(crate) fn stem(self) -> &'static str {
        self.record().word
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
        Self::all()
            .filter(|region| *region != Self::Praha)
            .find(|region| first == region.stem() || (declined && is_case_of(first, region.stem())))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_region_in_its_order() {
        assert_eq!((ALL.len(), TABLE.len()), (14, 14));
        for region in Region::all() {
            assert_eq!(format!("{region:?}").to_lowercase(), region.stem());
            assert_eq!(Region::parse(region.name()), Some(region));
        }
    }
}
