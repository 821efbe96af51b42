//! The numbered parts of large towns: `Praha 5`, `Plzeň 3`.

/// The capital as municipality and as the district (okres) that the whole of it is.
pub const PRAGUE: &str = "Praha";
/// The capital as a region (kraj).
pub const CAPITAL: &str = "Hlavní město Praha";

/// The town that a numbered part belongs to, `None` for a name without a number. A numbered part is no municipality,
/// no quarter and no district (okres).
///
/// ```
/// use ingest::notation::city_district::town_of_numbered_part;
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
    (is_number && is_town)
        .then(|| town.trim_end())
        .filter(|town| !town.is_empty())
}

/// A municipality's name, of which a numbered part is only a part.
pub fn municipality(name: &str) -> &str {
    town_of_numbered_part(name).unwrap_or(name)
}

/// A district (okres) as the register has it. Portals put `Praha 5` or the region's name there, which is no okres: the
/// whole of the capital is one.
///
/// ```
/// use ingest::notation::city_district::district;
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
    fn only_a_short_number_behind_a_name_is_that_of_a_part() {
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
