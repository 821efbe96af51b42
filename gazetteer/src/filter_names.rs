//! The names by which a filter accepts a district or a quarter. Names with one key are one place to a filter; the key of
//! an official name is shared by its usual forms. Case matters, as it does in exact names.

use czech::fold::without_diacritics;
use czech::names::place_key;
use czech::numbered_parts::CityDistrict;

use crate::towns;

/// The key of a district's name: without diacritics in any Unicode normal form, without `okres`, with one kind of hyphen,
/// and one name for the capital and for the three districts that are named `-město`.
///
/// ```
/// use gazetteer::filter_names::district_filter_key;
/// assert_eq!(district_filter_key("okres Žďár nad Sázavou"), district_filter_key("Zdar nad Sazavou"));
/// assert_eq!(district_filter_key("Hlavní město Praha"), district_filter_key("Praha"));
/// assert_ne!(district_filter_key("Praha 5"), district_filter_key("Praha"));
/// ```
pub fn district_filter_key(name: &str) -> String {
    let plain = without_diacritics(name)
        .replace(['–', '‐', '‑'], "-")
        .replace(" - ", "-");
    let bare = ["okres ", "Okres ", "okr. "]
        .iter()
        .find_map(|word| plain.strip_prefix(word))
        .unwrap_or(&plain);
    let official = match bare {
        "Hlavni mesto Praha" | "hlavni mesto Praha" | "Hl. m. Praha" | "hl. m. Praha" => "Praha",
        "Brno" => "Brno-mesto",
        "Ostrava" => "Ostrava-mesto",
        "Plzen" => "Plzen-mesto",
        other => other,
    };
    official.to_owned()
}

/// The key of a quarter's name: without diacritics in any Unicode normal form, and without the city or the numbered city
/// district before it.
///
/// ```
/// use gazetteer::filter_names::quarter_filter_key;
/// assert_eq!(quarter_filter_key("Praha 5 - Smíchov"), quarter_filter_key("Smichov"));
/// assert_eq!(quarter_filter_key("Brno-Bystrc"), quarter_filter_key("Bystrc"));
/// assert_ne!(quarter_filter_key("Brno-střed"), quarter_filter_key("střed"));
/// ```
pub fn quarter_filter_key(name: &str) -> String {
    let plain = without_diacritics(name).replace(['–', '‐', '‑'], "-");
    let part = plain.split_once('-').and_then(|(around, part)| {
        let (around, part) = (place_key(around), part.trim());
        let city = CityDistrict::parse_prefix(&around)
            .filter(|(_, rest)| rest.is_empty())
            .map_or(around.clone(), |(district, _)| place_key(district.city()));
        let is_part = towns::quarter_name(&city, &place_key(part)).is_some();
        is_part.then(|| part.to_owned())
    });
    part.unwrap_or(plain)
}
