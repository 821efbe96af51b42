//! The portal's numbers of districts.

/// Names of the districts (okresy) 1 to 77.
const NAMES: [&str; 77] = [
    "České Budějovice",
    "Český Krumlov",
    "Jindřichův Hradec",
    "Písek",
    "Prachatice",
    "Strakonice",
    "Tábor",
    "Domažlice",
    "Cheb",
    "Karlovy Vary",
    "Klatovy",
    "Plzeň-město",
    "Plzeň-jih",
    "Plzeň-sever",
    "Rokycany",
    "Sokolov",
    "Tachov",
    "Česká Lípa",
    "Děčín",
    "Chomutov",
    "Jablonec nad Nisou",
    "Liberec",
    "Litoměřice",
    "Louny",
    "Most",
    "Teplice",
    "Ústí nad Labem",
    "Hradec Králové",
    "Chrudim",
    "Jičín",
    "Náchod",
    "Pardubice",
    "Rychnov nad Kněžnou",
    "Semily",
    "Svitavy",
    "Trutnov",
    "Ústí nad Orlicí",
    "Zlín",
    "Kroměříž",
    "Prostějov",
    "Uherské Hradiště",
    "Olomouc",
    "Přerov",
    "Šumperk",
    "Vsetín",
    "Jeseník",
    PRAGUE,
    "Benešov",
    "Beroun",
    "Kladno",
    "Kolín",
    "Kutná Hora",
    "Mladá Boleslav",
    "Mělník",
    "Nymburk",
    "Praha-východ",
    "Praha-západ",
    "Příbram",
    "Rakovník",
    "Bruntál",
    "Frýdek-Místek",
    "Karviná",
    "Nový Jičín",
    "Opava",
    "Ostrava-město",
    "Havlíčkův Brod",
    "Jihlava",
    "Pelhřimov",
    "Třebíč",
    "Žďár nad Sázavou",
    "Blansko",
    "Brno-město",
    "Brno-venkov",
    "Břeclav",
    "Hodonín",
    "Vyškov",
    "Znojmo",
];

/// The portal's district of the whole of Prague.
pub(crate) const PRAGUE: &str = "Praha";

/// Tells whether a number is that of a postal district of Prague (Praha 1 to Praha 22), which is not an okres.
pub(crate) fn is_part_of_prague(id: i64) -> bool {
    (5001..=5022).contains(&id)
}

/// Returns the name of the district with this number. All postal districts of Prague belong to the district Praha.
pub(crate) fn district_name(id: i64) -> Option<&'static str> {
    if is_part_of_prague(id) {
        return Some(PRAGUE);
    }
    let place = usize::try_from(id).ok()?.checked_sub(1)?;
    NAMES.get(place).copied()
}
