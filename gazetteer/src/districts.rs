//! The 77 districts (76 okresy and Prague): names, regions, district towns, positions.
//!
//! Public knowledge, written down by hand: positions are good to about a hundredth of a degree. Where the district
//! town lies outside its district (`Brno-venkov`, `Praha-východ`, ...) the position is the middle of the district.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use czech::fold_name;
use schema::Location;

use crate::regions::Region;

/// A district (okres). Prague has none in law; portals and people filter by `Praha`, so it counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "the variants are the districts' names without diacritics"
)]
pub enum District {
    Praha,
    Benesov,
    Beroun,
    Kladno,
    Kolin,
    KutnaHora,
    Melnik,
    MladaBoleslav,
    Nymburk,
    PrahaVychod,
    PrahaZapad,
    Pribram,
    Rakovnik,
    CeskeBudejovice,
    CeskyKrumlov,
    JindrichuvHradec,
    Pisek,
    Prachatice,
    Strakonice,
    Tabor,
    Domazlice,
    Klatovy,
    PlzenMesto,
    PlzenJih,
    PlzenSever,
    Rokycany,
    Tachov,
    Cheb,
    KarlovyVary,
    Sokolov,
    Decin,
    Chomutov,
    Litomerice,
    Louny,
    Most,
    Teplice,
    UstiNadLabem,
    CeskaLipa,
    JablonecNadNisou,
    Liberec,
    Semily,
    HradecKralove,
    Jicin,
    Nachod,
    RychnovNadKneznou,
    Trutnov,
    Chrudim,
    Pardubice,
    Svitavy,
    UstiNadOrlici,
    HavlickuvBrod,
    Jihlava,
    Pelhrimov,
    Trebic,
    ZdarNadSazavou,
    Blansko,
    BrnoMesto,
    BrnoVenkov,
    Breclav,
    Hodonin,
    Vyskov,
    Znojmo,
    Jesenik,
    Olomouc,
    Prostejov,
    Prerov,
    Sumperk,
    Kromeriz,
    UherskeHradiste,
    Vsetin,
    Zlin,
    Bruntal,
    FrydekMistek,
    Karvina,
    NovyJicin,
    Opava,
    OstravaMesto,
}

/// What is known of a district.
struct Record {
    district: District,
    name: &'static str,
    region: Region,
    town: &'static str,
    location: Location,
}

const fn record(
    district: District,
    name: &'static str,
    region: Region,
    town: &'static str,
    (lat, lng): (f64, f64),
) -> Record {
    Record {
        district,
        name,
        region,
        town,
        location: Location { lat, lng },
    }
}

/// In the order of the enumeration.
#[rustfmt::skip]
const TABLE: [Record; 77] = [
    record(District::Praha, "Praha", Region::Praha, "Praha", (50.08, 14.43)),
    record(District::Benesov, "Benešov", Region::Stredocesky, "Benešov", (49.78, 14.69)),
    record(District::Beroun, "Beroun", Region::Stredocesky, "Beroun", (49.96, 14.07)),
    record(District::Kladno, "Kladno", Region::Stredocesky, "Kladno", (50.14, 14.10)),
    record(District::Kolin, "Kolín", Region::Stredocesky, "Kolín", (50.03, 15.20)),
    record(District::KutnaHora, "Kutná Hora", Region::Stredocesky, "Kutná Hora", (49.95, 15.27)),
    record(District::Melnik, "Mělník", Region::Stredocesky, "Mělník", (50.35, 14.47)),
    record(District::MladaBoleslav, "Mladá Boleslav", Region::Stredocesky, "Mladá Boleslav", (50.41, 14.91)),
    record(District::Nymburk, "Nymburk", Region::Stredocesky, "Nymburk", (50.19, 15.04)),
    record(District::PrahaVychod, "Praha-východ", Region::Stredocesky, "Praha", (50.10, 14.72)),
    record(District::PrahaZapad, "Praha-západ", Region::Stredocesky, "Praha", (49.96, 14.33)),
    record(District::Pribram, "Příbram", Region::Stredocesky, "Příbram", (49.69, 14.01)),
    record(District::Rakovnik, "Rakovník", Region::Stredocesky, "Rakovník", (50.10, 13.73)),
    record(District::CeskeBudejovice, "České Budějovice", Region::Jihocesky, "České Budějovice", (48.97, 14.47)),
    record(District::CeskyKrumlov, "Český Krumlov", Region::Jihocesky, "Český Krumlov", (48.81, 14.32)),
    record(District::JindrichuvHradec, "Jindřichův Hradec", Region::Jihocesky, "Jindřichův Hradec", (49.14, 15.00)),
    record(District::Pisek, "Písek", Region::Jihocesky, "Písek", (49.31, 14.15)),
    record(District::Prachatice, "Prachatice", Region::Jihocesky, "Prachatice", (49.01, 14.00)),
    record(District::Strakonice, "Strakonice", Region::Jihocesky, "Strakonice", (49.26, 13.90)),
    record(District::Tabor, "Tábor", Region::Jihocesky, "Tábor", (49.41, 14.66)),
    record(District::Domazlice, "Domažlice", Region::Plzensky, "Domažlice", (49.44, 12.93)),
    record(District::Klatovy, "Klatovy", Region::Plzensky, "Klatovy", (49.40, 13.29)),
    record(District::PlzenMesto, "Plzeň-město", Region::Plzensky, "Plzeň", (49.75, 13.38)),
    record(District::PlzenJih, "Plzeň-jih", Region::Plzensky, "Plzeň", (49.58, 13.40)),
    record(District::PlzenSever, "Plzeň-sever", Region::Plzensky, "Plzeň", (49.92, 13.28)),
    record(District::Rokycany, "Rokycany", Region::Plzensky, "Rokycany", (49.74, 13.59)),
    record(District::Tachov, "Tachov", Region::Plzensky, "Tachov", (49.80, 12.63)),
    record(District::Cheb, "Cheb", Region::Karlovarsky, "Cheb", (50.08, 12.37)),
    record(District::KarlovyVary, "Karlovy Vary", Region::Karlovarsky, "Karlovy Vary", (50.23, 12.87)),
    record(District::Sokolov, "Sokolov", Region::Karlovarsky, "Sokolov", (50.18, 12.64)),
    record(District::Decin, "Děčín", Region::Ustecky, "Děčín", (50.78, 14.21)),
    record(District::Chomutov, "Chomutov", Region::Ustecky, "Chomutov", (50.46, 13.42)),
    record(District::Litomerice, "Litoměřice", Region::Ustecky, "Litoměřice", (50.53, 14.13)),
    record(District::Louny, "Louny", Region::Ustecky, "Louny", (50.36, 13.80)),
    record(District::Most, "Most", Region::Ustecky, "Most", (50.50, 13.64)),
    record(District::Teplice, "Teplice", Region::Ustecky, "Teplice", (50.64, 13.82)),
    record(District::UstiNadLabem, "Ústí nad Labem", Region::Ustecky, "Ústí nad Labem", (50.66, 14.03)),
    record(District::CeskaLipa, "Česká Lípa", Region::Liberecky, "Česká Lípa", (50.69, 14.54)),
    record(District::JablonecNadNisou, "Jablonec nad Nisou", Region::Liberecky, "Jablonec nad Nisou", (50.72, 15.17)),
    record(District::Liberec, "Liberec", Region::Liberecky, "Liberec", (50.77, 15.06)),
    record(District::Semily, "Semily", Region::Liberecky, "Semily", (50.60, 15.33)),
    record(District::HradecKralove, "Hradec Králové", Region::Kralovehradecky, "Hradec Králové", (50.21, 15.83)),
    record(District::Jicin, "Jičín", Region::Kralovehradecky, "Jičín", (50.44, 15.35)),
    record(District::Nachod, "Náchod", Region::Kralovehradecky, "Náchod", (50.42, 16.16)),
    record(District::RychnovNadKneznou, "Rychnov nad Kněžnou", Region::Kralovehradecky, "Rychnov nad Kněžnou", (50.16, 16.27)),
    record(District::Trutnov, "Trutnov", Region::Kralovehradecky, "Trutnov", (50.56, 15.91)),
    record(District::Chrudim, "Chrudim", Region::Pardubicky, "Chrudim", (49.95, 15.80)),
    record(District::Pardubice, "Pardubice", Region::Pardubicky, "Pardubice", (50.04, 15.78)),
    record(District::Svitavy, "Svitavy", Region::Pardubicky, "Svitavy", (49.76, 16.47)),
    record(District::UstiNadOrlici, "Ústí nad Orlicí", Region::Pardubicky, "Ústí nad Orlicí", (49.97, 16.39)),
    record(District::HavlickuvBrod, "Havlíčkův Brod", Region::Vysocina, "Havlíčkův Brod", (49.61, 15.58)),
    record(District::Jihlava, "Jihlava", Region::Vysocina, "Jihlava", (49.40, 15.59)),
    record(District::Pelhrimov, "Pelhřimov", Region::Vysocina, "Pelhřimov", (49.43, 15.22)),
    record(District::Trebic, "Třebíč", Region::Vysocina, "Třebíč", (49.21, 15.88)),
    record(District::ZdarNadSazavou, "Žďár nad Sázavou", Region::Vysocina, "Žďár nad Sázavou", (49.56, 15.94)),
    record(District::Blansko, "Blansko", Region::Jihomoravsky, "Blansko", (49.36, 16.64)),
    record(District::BrnoMesto, "Brno-město", Region::Jihomoravsky, "Brno", (49.20, 16.61)),
    record(District::BrnoVenkov, "Brno-venkov", Region::Jihomoravsky, "Brno", (49.20, 16.45)),
    record(District::Breclav, "Břeclav", Region::Jihomoravsky, "Břeclav", (48.76, 16.88)),
    record(District::Hodonin, "Hodonín", Region::Jihomoravsky, "Hodonín", (48.85, 17.13)),
    record(District::Vyskov, "Vyškov", Region::Jihomoravsky, "Vyškov", (49.28, 17.00)),
    record(District::Znojmo, "Znojmo", Region::Jihomoravsky, "Znojmo", (48.86, 16.05)),
    record(District::Jesenik, "Jeseník", Region::Olomoucky, "Jeseník", (50.23, 17.20)),
    record(District::Olomouc, "Olomouc", Region::Olomoucky, "Olomouc", (49.59, 17.25)),
    record(District::Prostejov, "Prostějov", Region::Olomoucky, "Prostějov", (49.47, 17.11)),
    record(District::Prerov, "Přerov", Region::Olomoucky, "Přerov", (49.46, 17.45)),
    record(District::Sumperk, "Šumperk", Region::Olomoucky, "Šumperk", (49.97, 16.97)),
    record(District::Kromeriz, "Kroměříž", Region::Zlinsky, "Kroměříž", (49.30, 17.39)),
    record(District::UherskeHradiste, "Uherské Hradiště", Region::Zlinsky, "Uherské Hradiště", (49.07, 17.47)),
    record(District::Vsetin, "Vsetín", Region::Zlinsky, "Vsetín", (49.34, 18.00)),
    record(District::Zlin, "Zlín", Region::Zlinsky, "Zlín", (49.22, 17.67)),
    record(District::Bruntal, "Bruntál", Region::Moravskoslezsky, "Bruntál", (49.99, 17.46)),
    record(District::FrydekMistek, "Frýdek-Místek", Region::Moravskoslezsky, "Frýdek-Místek", (49.68, 18.35)),
    record(District::Karvina, "Karviná", Region::Moravskoslezsky, "Karviná", (49.85, 18.54)),
    record(District::NovyJicin, "Nový Jičín", Region::Moravskoslezsky, "Nový Jičín", (49.59, 18.01)),
    record(District::Opava, "Opava", Region::Moravskoslezsky, "Opava", (49.94, 17.90)),
    record(District::OstravaMesto, "Ostrava-město", Region::Moravskoslezsky, "Ostrava", (49.83, 18.28)),
];

/// The districts by folded name, and by the short name of the three whose name is `town-město`.
static BY_KEY: LazyLock<HashMap<String, District>> = LazyLock::new(|| {
    let mut by_key: HashMap<String, District> = TABLE
        .iter()
        .map(|record| (fold_name(record.name), record.district))
        .collect();
    by_key.insert("brno".to_owned(), District::BrnoMesto);
    by_key.insert("plzen".to_owned(), District::PlzenMesto);
    by_key.insert("ostrava".to_owned(), District::OstravaMesto);
    by_key.insert("hlavni mesto praha".to_owned(), District::Praha);
    by_key.insert("hl m praha".to_owned(), District::Praha);
    by_key
});

impl District {
    /// Every district.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|record| record.district)
    }

    fn record(self) -> &'static Record {
        &TABLE[self as usize]
    }

    /// The canonical name, as people filter by it: `Trutnov`, `Brno-venkov`, `Praha-východ`, `Praha`.
    pub fn name(self) -> &'static str {
        self.record().name
    }

    /// The region it lies in.
    pub fn region(self) -> Region {
        self.record().region
    }

    /// The district town. It need not lie in the district: `Brno-venkov` is governed from Brno.
    pub fn town(self) -> &'static str {
        self.record().town
    }

    /// The district town, or the middle of the district where the town lies outside.
    pub fn location(self) -> Location {
        self.record().location
    }

    /// Reads the usual ways of writing it: `okres Trutnov`, `okr. Trutnov`, `(okres Praha)`, `BRNO - VENKOV`,
    /// `Hlavní město Praha`, `Praha 10` (a city district lies in the district Praha), `Brno` (the town's district).
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_folded(&fold_name(text))
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
