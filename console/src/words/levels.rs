//! The levels of comparisons in Czech.

/// What the engine calls each level, and how it is said in Czech.
pub(super) const LEVELS: &[(&str, &str)] = &[
    ("the same address point", "stejné adresní místo"),
    (
        "the same street, and pins at a point that few adverts share",
        "stejná ulice a špendlíky v bodě, který má málo inzerátů",
    ),
    (
        "pins at one point that few adverts share",
        "špendlíky v jednom bodě, který má málo inzerátů",
    ),
    ("exact pins within 25 m", "přesné špendlíky do 25 m"),
    ("the same house number", "stejné číslo domu"),
    (
        "the same street, pins within 60 m",
        "stejná ulice, špendlíky do 60 m",
    ),
    ("the same street", "stejná ulice"),
    (
        "the text of one names the street of the other",
        "text jednoho uvádí ulici druhého",
    ),
    ("pins within 100 m", "špendlíky do 100 m"),
    (
        "pins at one point that some adverts share",
        "špendlíky v jednom bodě, který má několik inzerátů",
    ),
    ("the same small municipality", "stejná malá obec"),
    (
        "one may name only the nearest town; pins within 2 km",
        "jeden možná uvádí jen nejbližší město; špendlíky do 2 km",
    ),
    ("pins within 300 m", "špendlíky do 300 m"),
    (
        "one names only the nearest town; a text names the other's street or quarter",
        "jeden uvádí jen nejbližší město; text uvádí ulici nebo část obce druhého",
    ),
    ("the same quarter", "stejná část obce"),
    ("the same municipality", "stejná obec"),
    ("pins within 1 km", "špendlíky do 1 km"),
    (
        "one may name only the nearest town",
        "jeden možná uvádí jen nejbližší město",
    ),
    ("the same large city", "stejné velké město"),
    ("both in Praha", "oba v Praze"),
    ("pins over 1 km apart", "špendlíky přes 1 km od sebe"),
    (
        "pins of unknown precision over 3 km apart",
        "špendlíky neznámé přesnosti přes 3 km od sebe",
    ),
    ("pins over 4 km apart", "špendlíky přes 4 km od sebe"),
    ("different quarters", "různé části obce"),
    ("different municipalities", "různé obce"),
    ("different streets", "různé ulice"),
    ("the same subtype", "stejný poddruh"),
    ("different subtypes", "různé poddruhy"),
    ("different property types", "různé druhy nemovitosti"),
    ("equal, and not a round number", "shodná, a ne zaokrouhlená"),
    ("equal to a tenth of a m²", "shodná na desetinu m²"),
    (
        "the text of one states the size of the other, which is not a round number",
        "text jednoho uvádí plochu druhého, která není zaokrouhlená",
    ),
    (
        "living area and plot swapped",
        "zaměněná užitná plocha a pozemek",
    ),
    ("equal", "shodná"),
    (
        "the text of one states the size of the other",
        "text jednoho uvádí plochu druhého",
    ),
    ("equal when rounded", "shodná po zaokrouhlení"),
    ("equal, under 25 m²", "shodná, pod 25 m²"),
    (
        "the text of one states the size of the other, under 25 m²",
        "text jednoho uvádí plochu druhého, pod 25 m²",
    ),
    ("within 3 %", "do 3 %"),
    ("within 8 %", "do 8 %"),
    (
        "different, but the plots are equal",
        "různá, ale pozemky se shodují",
    ),
    ("within 20 %", "do 20 %"),
    ("different", "různá"),
    ("equal plots", "shodné pozemky"),
    (
        "the text of one states the plot of the other",
        "text jednoho uvádí pozemek druhého",
    ),
    ("plots within 3 %", "pozemky do 3 %"),
    ("plots within 20 %", "pozemky do 20 %"),
    ("different plots", "různé pozemky"),
    ("the same layout", "stejná dispozice"),
    ("one room, named differently", "jeden pokoj, jinak nazvaný"),
    (
        "layouts that are often confused",
        "dispozice, které se často zaměňují",
    ),
    ("one room apart", "o jeden pokoj jiná"),
    ("different layouts", "různé dispozice"),
    (
        "the same floor in both texts",
        "stejné podlaží v obou textech",
    ),
    ("the same floor", "stejné podlaží"),
    ("the same number of storeys", "stejný počet podlaží"),
    ("one floor apart", "o jedno podlaží jiné"),
    ("different numbers of storeys", "různý počet podlaží"),
    ("different floors", "různá podlaží"),
    (
        "one floor apart in the texts",
        "v textech o jedno podlaží jiné",
    ),
    ("different floors in the texts", "v textech různá podlaží"),
    (
        "different floors on one street",
        "různá podlaží v jedné ulici",
    ),
    ("the same price changes", "stejné změny ceny"),
    (
        "the same price, and not a round one",
        "stejná cena, a ne zaokrouhlená",
    ),
    ("the same price", "stejná cena"),
    ("the same price, under 25 m²", "stejná cena, pod 25 m²"),
    (
        "the text of one states the price of the other",
        "text jednoho uvádí cenu druhého",
    ),
    ("the same price at another time", "stejná cena v jinou dobu"),
    ("neither states a price", "ani jeden neuvádí cenu"),
    (
        "the prices differ by an amount that a text states",
        "ceny se liší o částku, kterou uvádí text",
    ),
    (
        "an owner asks less without an agency than the other, within 8 %",
        "majitel bez kanceláře chce méně než druhý, do 8 %",
    ),
    (
        "prices within 8 %, one after the other",
        "ceny do 8 %, po sobě",
    ),
    ("prices within 8 %", "ceny do 8 %"),
    ("only one states a price", "cenu uvádí jen jeden"),
    (
        "prices within 20 %, one after the other",
        "ceny do 20 %, po sobě",
    ),
    ("prices within 20 %", "ceny do 20 %"),
    ("different prices", "různé ceny"),
    (
        "different prices, one after the other",
        "různé ceny, po sobě",
    ),
    ("the same text, numbers included", "stejný text i s čísly"),
    ("much of the text in common", "velká část textu společná"),
    ("some of the text in common", "část textu společná"),
    (
        "little or no text in common",
        "málo nebo nic společného v textu",
    ),
    (
        "little or no text in common, under 25 m²",
        "málo nebo nic společného v textu, pod 25 m²",
    ),
    (
        "the same text, but one of floor, size, plot and price differs",
        "stejný text, ale liší se podlaží, plocha, pozemek, nebo cena",
    ),
    (
        "much of the text in common, but different numbers",
        "velká část textu společná, ale jiná čísla",
    ),
    (
        "most of the text in common, but different numbers",
        "většina textu společná, ale jiná čísla",
    ),
    (
        "the same text, but several facts differ",
        "stejný text, ale liší se několik údajů",
    ),
    (
        "the same text, but different numbers",
        "stejný text, ale jiná čísla",
    ),
    (
        "one says that it is a copy of the other",
        "jeden o sobě říká, že je kopií druhého",
    ),
    ("the same order number", "stejné číslo zakázky"),
    ("the same parcel number", "stejné parcelní číslo"),
    (
        "the same phone number, which few adverts state",
        "stejný telefon, který uvádí málo inzerátů",
    ),
    ("the same unit number", "stejné číslo jednotky"),
    ("the same short order number", "stejné krátké číslo zakázky"),
    (
        "the same phone number, which some adverts state",
        "stejný telefon, který uvádí několik inzerátů",
    ),
    ("the same short unit number", "stejné krátké číslo jednotky"),
    (
        "the same phone number, which many adverts state",
        "stejný telefon, který uvádí mnoho inzerátů",
    ),
    (
        "one agency, different order numbers",
        "jedna kancelář, různá čísla zakázek",
    ),
    (
        "a part of exactly the same size",
        "příslušenství přesně stejné plochy",
    ),
    ("facing the same direction", "stejná orientace"),
    (
        "a part of the same size when rounded",
        "příslušenství stejné plochy po zaokrouhlení",
    ),
    ("a part of a different size", "příslušenství jiné plochy"),
    ("facing different directions", "různá orientace"),
    ("the same rare ownership", "stejné vzácné vlastnictví"),
    ("the same construction", "stejná konstrukce"),
    ("built in the same year", "stejný rok výstavby"),
    ("the same energy class", "stejná energetická třída"),
    ("different ownership", "různé vlastnictví"),
    ("different construction", "různá konstrukce"),
    (
        "built more than five years apart",
        "roky výstavby se liší o více než pět let",
    ),
    ("different energy classes", "různé energetické třídy"),
    (
        "one follows the other on the same portal within two days",
        "jeden následuje po druhém na stejném portálu do dvou dnů",
    ),
    (
        "both disappeared within a day and a half on two portals",
        "oba zmizely do půldruhého dne na dvou portálech",
    ),
    (
        "both appeared within a day and a half on two portals",
        "oba se objevily do půldruhého dne na dvou portálech",
    ),
    (
        "one follows the other on the same portal",
        "jeden následuje po druhém na stejném portálu",
    ),
    (
        "both appeared within a day and a half on two portals, as some others did",
        "oba se objevily do půldruhého dne na dvou portálech, jako některé jiné",
    ),
    (
        "both disappeared within a day and a half on two portals, as some others did",
        "oba zmizely do půldruhého dne na dvou portálech, jako některé jiné",
    ),
    (
        "both disappeared within four days on two portals",
        "oba zmizely do čtyř dnů na dvou portálech",
    ),
    (
        "both appeared within three weeks on two portals",
        "oba se objevily do tří týdnů na dvou portálech",
    ),
    (
        "both disappeared within three weeks on two portals",
        "oba zmizely do tří týdnů na dvou portálech",
    ),
    (
        "one appeared days or weeks after the first crawl that found the other",
        "jeden se objevil dny či týdny po prvním procházení, které našlo druhý",
    ),
    (
        "one appeared more than three weeks after the first crawl that found the other",
        "jeden se objevil více než tři týdny po prvním procházení, které našlo druhý",
    ),
    (
        "appeared more than five weeks apart on two portals",
        "objevily se s odstupem více než pěti týdnů na dvou portálech",
    ),
    (
        "one was last seen before the other appeared on the same portal",
        "jeden byl naposledy viděn dřív, než se na stejném portálu objevil druhý",
    ),
    (
        "live at the same time on two portals",
        "živé zároveň na dvou portálech",
    ),
    (
        "both on one portal, whose removals are unknown",
        "oba na jednom portálu, o jehož koncích se neví",
    ),
    (
        "more than half a year between them",
        "více než půl roku mezi nimi",
    ),
    (
        "on two portals, with weeks between them",
        "na dvou portálech, s týdny mezi nimi",
    ),
    (
        "both live on one portal at the same time",
        "oba živé zároveň na jednom portálu",
    ),
    (
        "both live on one portal at the same time, one of them without a text",
        "oba živé zároveň na jednom portálu, jeden bez textu",
    ),
    (
        "both live on one portal at the same time, from one agent",
        "oba živé zároveň na jednom portálu, od jednoho makléře",
    ),
    (
        "two adverts of one kind in one municipality",
        "dva inzeráty jednoho druhu v jedné obci",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dedup::weights;

    use super::*;

    #[test]
    fn every_level_of_the_engine_has_czech_words_and_no_other() {
        let levels = weights::LEVELS.iter().map(|(_, level)| level.words);
        let of_engine: BTreeSet<&str> = levels.chain([weights::PRIOR.words]).collect();
        let known: BTreeSet<&str> = LEVELS.iter().map(|(english, _)| *english).collect();
        assert_eq!(known, of_engine);
        assert_eq!(known.len(), LEVELS.len(), "each once");
        assert!(LEVELS.iter().all(|(english, czech)| english != czech));
    }
}
