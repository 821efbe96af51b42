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

/// The district that the whole of Prague is on the portal.
pub(crate) const PRAGUE: &str = "Praha";

/// Whether a number stands for a postal district of Prague (Praha 1 to Praha 22), which is no okres.
pub(crate) fn is_part_of_prague(id: i64) -> bool {
    (5001..=5022).contains(&id)
}

/// The district with this number; the postal districts of Prague all lie in Prague.
pub(crate) fn name(id: i64) -> Option<&'static str> {
    if is_part_of_prague(id) {
        return Some(PRAGUE);
    }
    let place = usize::try_from(id).ok()?.checked_sub(1)?;
    NAMES.get(place).copied()
}
