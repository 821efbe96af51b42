//! The 77 districts (76 okresy and Prague): codes, names, regions, district towns, positions.
//!
//! `districts.tsv` is public knowledge, written by hand, with positions to about a hundredth of a degree. If the
//! district town lies outside its district (`Brno-venkov`, `Praha-východ`, ...), the position is the middle of the
//! district.

use czech::fold_name;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use schema::Location;
use serde::{Deserialize, Serialize};

use crate::regions::Region;

macro_rules! districts {
    ($($district:ident)+) => {
        /// A district (okres). By law Prague is not one, but portals and people filter by `Praha`, so it counts as one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(
            missing_docs,
            reason = "the variants are the names of the districts without diacritics"
        )]
        pub enum District {
            $($district),+
        }

        /// Every district, in the order of the enumeration.
        const ALL: &[District] = &[$(District::$district),+];
    };
}

districts! {
    Praha Benesov Beroun Kladno Kolin KutnaHora Melnik MladaBoleslav Nymburk PrahaVychod
    PrahaZapad Pribram Rakovnik CeskeBudejovice CeskyKrumlov JindrichuvHradec Pisek Prachatice
    Strakonice Tabor Domazlice Klatovy PlzenMesto PlzenJih PlzenSever Rokycany Tachov Cheb
    KarlovyVary Sokolov Decin Chomutov Litomerice Louny Most Teplice UstiNadLabem CeskaLipa
    JablonecNadNisou Liberec Semily HradecKralove Jicin Nachod RychnovNadKneznou Trutnov Chrudim
    Pardubice Svitavy UstiNadOrlici HavlickuvBrod Jihlava Pelhrimov Trebic ZdarNadSazavou
    Blansko BrnoMesto BrnoVenkov Breclav Hodonin Vyskov Znojmo Jesenik Olomouc Prostejov Prerov
    Sumperk Kromeriz UherskeHradiste Vsetin Zlin Bruntal FrydekMistek Karvina NovyJicin Opava
    OstravaMesto
}

/// A line of the table.
struct Record {
    code: u32,
    name: &'static str,
    region: Region,
    town: &'static str,
    location: Location,
}

impl Record {
    fn parse(line: &'static str) -> Option<Self> {
        let mut fields = line.split('\t');
        Some(Self {
            code: fields.next()?.parse().ok()?,
            name: fields.next()?,
            region: Region::parse(fields.next()?)?,
            town: fields.next()?,
            location: Location {
                lat: fields.next()?.parse().ok()?,
                lng: fields.next()?.parse().ok()?,
            },
        })
    }
}

/// A line for each district, in the order of the enumeration.
static TABLE: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let lines = include_str!("districts.tsv").lines().skip(1);
    lines.filter_map(Record::parse).collect()
});

/// The districts by code.
static BY_CODE: LazyLock<HashMap<u32, District>> = LazyLock::new(|| {
    let codes = TABLE.iter().map(|record| record.code);
    codes.zip(ALL.iter().copied()).collect()
});

/// The districts by folded name, and by the town of the three named `town-město`.
static BY_KEY: LazyLock<HashMap<String, District>> = LazyLock::new(|| {
    let names = TABLE.iter().map(|record| fold_name(record.name));
    let mut by_key: HashMap<String, District> = names.zip(ALL.iter().copied()).collect();
    for (key, district) in [
        ("brno", District::BrnoMesto),
        ("plzen", District::PlzenMesto),
        ("ostrava", District::OstravaMesto),
        ("hlavni mesto praha", District::Praha),
        ("hl m praha", District::Praha),
    ] {
        by_key.insert(key.to_owned(), district);
    }
    by_key
});

impl District {
    /// Every district.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    fn record(self) -> &'static Record {
        &TABLE[self as usize]
    }

    /// The district with this code (kód okresu): 3201 for Benešov. VFR gives Prague the code 3100.
    ///
    /// The codes have been the same since the districts were founded, so they are not read from the registry.
    pub fn from_code(code: u32) -> Option<Self> {
        BY_CODE.get(&code).copied()
    }

    /// The code of the district (kód okresu).
    pub fn code(self) -> u32 {
        self.record().code
    }

    /// The canonical name, as people filter by it: `Trutnov`, `Brno-venkov`, `Praha-východ`, `Praha`.
    pub fn name(self) -> &'static str {
        self.record().name
    }

    /// The region it lies in.
    pub fn region(self) -> Region {
        self.record().region
    }

    /// The district town, which may lie outside the district: that of `Brno-venkov` is Brno.
    pub fn town(self) -> &'static str {
        self.record().town
    }

    /// The position of the district town, or the middle of the district if the town lies outside.
    pub fn location(self) -> Location {
        self.record().location
    }

    /// Reads the usual ways of writing it: `okres Trutnov`, `okr. Trutnov`, `(okres Praha)`, `BRNO - VENKOV`,
    /// `Hlavní město Praha`, `Praha 10` (a city district lies in the district Praha), `Brno` (the town's district).
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_folded(&fold_name(text))
    }

    /// [`District::parse`] without numbered city districts: `Praha 10` is not the name of a district.
    pub fn named(text: &str) -> Option<Self> {
        Self::parse(text).filter(|_| !text.chars().any(|c| c.is_ascii_digit()))
    }

    /// [`District::parse`] of a folded text.
    pub(crate) fn parse_folded(folded: &str) -> Option<Self> {
        let name = ["okres ", "okr ", "okresu "]
            .iter()
            .find_map(|word| folded.strip_prefix(word))
            .unwrap_or(folded);
        if let Some(district) = BY_KEY.get(name) {
            return Some(*district);
        }
        let number = name.strip_prefix("praha ")?;
        (number.len() <= 2 && number.bytes().all(|b| b.is_ascii_digit())).then_some(Self::Praha)
    }
}

impl fmt::Display for District {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_district_in_its_order() {
        assert_eq!((ALL.len(), TABLE.len(), BY_CODE.len()), (77, 77, 77));
        for district in District::all() {
            let variant = format!("{district:?}").to_lowercase();
            assert_eq!(fold_name(district.name()).replace(' ', ""), variant);
            assert_eq!(District::from_code(district.code()), Some(district));
            assert_eq!(District::parse(district.name()), Some(district));
        }
    }

    #[test]
    fn codes_are_those_of_the_registry() {
        assert_eq!(District::from_code(3506), Some(District::Litomerice));
        assert_eq!(District::from_code(3705), Some(District::Zlin));
        assert_eq!(District::from_code(3100), Some(District::Praha));
        assert_eq!(District::from_code(3213), None);
    }
}
