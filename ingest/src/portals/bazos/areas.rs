//! Which of a property's areas a title or text means.

use czech::tokens::{Tokens, sentences, whole};
use schema::PropertyType;

use crate::notation::area::{Area, areas};

/// The areas that an advert states.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Areas {
    /// Usable floor area, m².
    pub living: Option<f64>,
    /// Plot area, m².
    pub land: Option<f64>,
    /// Area of the garden of a flat or house, m².
    pub garden: Option<f64>,
}

/// What a stated area measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Living,
    Land,
    Garden,
    /// A part, such as a room, a cellar or a balcony, or the footprint.
    Part,
    Unknown,
}

/// Finds the areas of a property. The title comes before the text. If the title or text states several different areas
/// of one kind, none of them counts.
pub(crate) fn find_areas(property_type: Option<PropertyType>, title: &str, text: &str) -> Areas {
    let in_title = areas_in(property_type, title, true);
    let in_text = areas_in(property_type, text, false);
    Areas {
        living: in_title.living.or(in_text.living),
        land: in_title.land.or(in_text.land),
        garden: in_title.garden.or(in_text.garden),
    }
}

fn areas_in(property_type: Option<PropertyType>, text: &str, is_title: bool) -> Areas {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let (mut living, mut land, mut garden) = (Vec::new(), Vec::new(), Vec::new());
    for sentence in sentences(&keys) {
        let sentence = keys.get(sentence).unwrap_or_default();
        for area in areas(sentence) {
            match classify_area(property_type, sentence, area, is_title) {
                Use::Living => living.push(area.square_metres),
                Use::Land => land.push(area.square_metres),
                Use::Garden => garden.push(area.square_metres),
                Use::Part | Use::Unknown => {}
            }
        }
    }
    match property_type {
        // The area of a garden on offer is its plot. A flat has no plot.
        Some(PropertyType::Land) => {
            land.append(&mut garden);
            Areas {
                land: common_value(&land),
                ..Areas::default()
            }
        }
        Some(PropertyType::Apartment) => Areas {
            living: common_value(&living),
            garden: common_value(&garden),
            land: None,
        },
        _ => Areas {
            living: common_value(&living),
            land: common_value(&land),
            garden: common_value(&garden),
        },
    }
}

/// Returns the value if all values are the same.
fn common_value(values: &[f64]) -> Option<f64> {
    let first = *values.first()?;
    values
        .iter()
        .all(|value| (value - first).abs() < 0.005)
        .then_some(first)
}

/// Stems of words for parts of a property.
const PARTS: [&str; 27] = [
    "balkon",
    "lodz",
    "teras",
    "sklep",
    "garaz",
    "pokoj",
    "kuchyn",
    "kout",
    "koupeln",
    "chodb",
    "loznic",
    "predsin",
    "komor",
    "satn",
    "wc",
    "nadvor",
    "zastaven",
    "dvor",
    "puda",
    "pudni",
    "dilna",
    "bazen",
    "kolna",
    "obyvak",
    "jidelna",
    "predzahrad",
    "stani",
];
/// Stems of words for a plot.
const LAND: [&str; 2] = ["pozem", "parcel"];
/// Stems of words for a floor area.
const LIVING: [&str; 3] = ["uzitn", "podlahov", "obytn"];

/// Decides what an area measures, by the nearest word before it that tells.
fn classify_area(
    property_type: Option<PropertyType>,
    sentence: &[&str],
    area: Area,
    is_title: bool,
) -> Use {
    let after = sentence.get(area.end..).unwrap_or_default();
    if after
        .first()
        .is_some_and(|word| starts_with_any(word, &LIVING))
    {
        return Use::Living;
    }
    let before = sentence
        .get(area.at.saturating_sub(12)..area.at)
        .unwrap_or_default();
    // "od 57 m2" is the smallest of several areas.
    if before
        .last()
        .is_some_and(|word| matches!(*word, "od" | "do" | "az"))
    {
        return Use::Part;
    }
    let told = nearest_use(property_type, before);
    match (told, property_type) {
        (Use::Unknown, Some(PropertyType::House) | None) => Use::Unknown,
        (Use::Unknown, Some(PropertyType::Land)) => Use::Land,
        (Use::Unknown, _) if is_title => Use::Living,
        (told, _) => told,
    }
}

fn nearest_use(property_type: Option<PropertyType>, before: &[&str]) -> Use {
    let mut past_comma = false;
    for (distance, word) in before.iter().rev().enumerate() {
        let at = before.len() - 1 - distance;
        let is_extra = at > 0 && before.get(at - 1) == Some(&"+") && distance > 0;
        match *word {
            "," | ";" | ")" => past_comma = true,
            word if starts_with_any(word, &LIVING) && distance < 7 => return Use::Living,
            // A garage is a part of a flat, but the whole property of a garage advert.
            word if is_whole(property_type, word) => return Use::Living,
            // Behind a comma the area no longer belongs to the part, and "2+kk+balkon" is a layout.
            word if (starts_with_any(word, &PARTS) || word.contains("garaz"))
                && !past_comma
                && !is_extra =>
            {
                return Use::Part;
            }
            word if starts_with_any(word, &LAND) && !past_comma && !is_extra => return Use::Land,
            word if word.starts_with("zahrad") && !past_comma && !is_extra => {
                let of_glass = at > 0
                    && before
                        .get(at - 1)
                        .is_some_and(|word| word.starts_with("zimni"));
                return if of_glass { Use::Part } else { Use::Garden };
            }
            word if is_subject(property_type, word, before.get(..at).unwrap_or_default()) => {
                return subject_area(property_type, before, at);
            }
            _ => {}
        }
    }
    Use::Unknown
}

/// Tells whether a word names the property itself. In "pozemek kolem chaty" it does not.
fn is_subject(property_type: Option<PropertyType>, word: &str, before: &[&str]) -> bool {
    if matches!(
        before,
        [.., "kolem" | "okolo" | "vedle" | "pod" | "u" | "za"]
    ) {
        return false;
    }
    match property_type {
        Some(PropertyType::Apartment) => {
            matches!(
                word,
                "byt" | "bytu" | "byty" | "bytem" | "kk" | "apartman" | "apartmanu"
            ) || word.starts_with("garson")
                || word.starts_with("jednotk")
                || (word == "1" && matches!(before, [.., n, "+"] if whole(n).is_some()))
        }
        Some(PropertyType::House) => {
            matches!(
                word,
                "dum" | "domu" | "rd" | "vila" | "vily" | "chata" | "chaty" | "chalupa" | "chalupy"
            )
        }
        _ => false,
    }
}

/// Tells whether a word names a commercial property, a garage or a parking place, which only have a floor area.
fn is_whole(property_type: Option<PropertyType>, word: &str) -> bool {
    let stems: &[&str] = match property_type {
        Some(PropertyType::Commercial) => &[
            "prostor",
            "kancelar",
            "sklad",
            "hal",
            "prodejn",
            "ordinac",
            "dilna",
            "diln",
            "provozovn",
        ],
        Some(PropertyType::Other) => &["garaz", "stani", "sklep", "sklip", "mobil", "pudni"],
        _ => &[],
    };
    starts_with_any(word, stems)
}

/// Decides what an area behind the word for the property measures. It is the floor area; but a house's must be close
/// behind the word, because "dům … o celkové výměře" often means the plot.
fn subject_area(property_type: Option<PropertyType>, before: &[&str], at: usize) -> Use {
    if property_type != Some(PropertyType::House) {
        return Use::Living;
    }
    let between = before.get(at + 1..).unwrap_or_default();
    let close = between.len() <= 4
        && !between
            .iter()
            .any(|word| word.starts_with("celkov") || *word == ",");
    let footprint = before.get(at.saturating_sub(4)..at).unwrap_or_default();
    if close && !footprint.iter().any(|word| word.starts_with("zastaven")) {
        Use::Living
    } else {
        Use::Part
    }
}

fn starts_with_any(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(
        property_type: PropertyType,
        title: &str,
        text: &str,
        [living, land]: [Option<f64>; 2],
    ) {
        let found = find_areas(Some(property_type), title, text);
        assert_eq!(
            [found.living, found.land],
            [living, land],
            "{title} / {text}"
        );
    }

    #[test]
    fn the_area_of_a_flat_is_found() {
        let flat = PropertyType::Apartment;
        reads(flat, "Byt 3+kk, 82,85m2", "", [Some(82.85), None]);
        reads(flat, "Prodej bytu 3+1 174 m²", "", [Some(174.0), None]);
        reads(
            flat,
            "Byt 2+1",
            "Prodám byt 2+1 s balkonem Kladno, Vodárenská, 54 m2, 3. patro. Sklep 5 m2.",
            [Some(54.0), None],
        );
        reads(
            flat,
            "Byt",
            "Byt o celkové ploše 55,05m² (obývací pokoj 18,26 m², chodba 3,20 m²).",
            [Some(55.05), None],
        );
        reads(
            flat,
            "Byt 2+kk",
            "Byt 2+kk+BALKON o celkové výměře 65,6 m².",
            [Some(65.6), None],
        );
    }

    #[test]
    fn several_different_areas_do_not_count() {
        let flat = PropertyType::Apartment;
        reads(
            flat,
            "Byty",
            "Byt 2+kk o výměře 54 m2 a byt 3+kk o výměře 65 m2.",
            [None, None],
        );
        reads(flat, "Apartmány od 57m2", "", [None, None]);
        reads(flat, "Byt 1+1", "balkon 5 m2", [None, None]);
    }

    #[test]
    fn the_plot_of_a_house_is_not_its_floor_area() {
        let house = PropertyType::House;
        reads(
            house,
            "RD Trojanovice + pozemek 28000m2 2x rybník",
            "",
            [None, Some(28_000.0)],
        );
        reads(
            house,
            "Prodej rodinného domu 150 m², pozemek 800 m²",
            "",
            [Some(150.0), Some(800.0)],
        );
        reads(
            house,
            "Dům",
            "Zastavěná plocha rodinného domu 200m2.",
            [None, None],
        );
        reads(
            house,
            "Dům",
            "Užitná plocha 180 m2, pozemek 831 m2.",
            [Some(180.0), Some(831.0)],
        );
        reads(
            house,
            "Chata",
            "Celková plocha pozemku kolem chaty je 421 m2.",
            [None, Some(421.0)],
        );
        reads(
            house,
            "Dům",
            "Na pozemku je dvojgaráž (60 m²) a zimní zahrada (20m²).",
            [None, None],
        );
        reads(house, "Dům 1200 m2 u Kolína", "", [Some(1200.0), None]);
        reads(house, "Vila 10 000 m²", "", [Some(10_000.0), None]);
        reads(
            house,
            "Slapy",
            "Na pozemku o rozloze 10 000 m².",
            [None, Some(10_000.0)],
        );
    }

    #[test]
    fn a_garden_is_the_plot_only_if_it_is_on_offer() {
        let text = "Dům 5+1, užitná plocha 180 m2, zahrada 634 m2.";
        let house = find_areas(Some(PropertyType::House), "Dům", text);
        assert_eq!((house.land, house.garden), (None, Some(634.0)));
        let flat = find_areas(
            Some(PropertyType::Apartment),
            "Byt 2+kk 54 m2",
            "K bytu patří zahrádka 28 m².",
        );
        assert_eq!((flat.land, flat.garden), (None, Some(28.0)));
        let garden = find_areas(Some(PropertyType::Land), "Zahrada Brno 402 m2", "");
        assert_eq!((garden.land, garden.garden), (Some(402.0), None));
    }

    #[test]
    fn a_garage_or_an_office_may_be_the_whole_property() {
        reads(PropertyType::Other, "Garáž 18 m2", "", [Some(18.0), None]);
        reads(
            PropertyType::Other,
            "Stání",
            "Prodám parkovací stání 13 m2 v garáži.",
            [Some(13.0), None],
        );
        reads(
            PropertyType::Commercial,
            "Sklad",
            "Skladový prostor o výměře 640 m², pozemek 1450 m².",
            [Some(640.0), Some(1450.0)],
        );
    }

    #[test]
    fn the_area_of_land_is_its_plot() {
        let land = PropertyType::Land;
        reads(
            land,
            "České Libchavy, 874 m2 Komplet zasíťovány",
            "",
            [None, Some(874.0)],
        );
        reads(land, "Pole Louny Brloh 1,8 ha", "", [None, Some(18_000.0)]);
        reads(land, "Zahrada 402 m2 s chatkou 20 m2", "", [None, None]);
    }
}
