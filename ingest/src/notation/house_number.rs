//! House numbers behind a street: `Kubelíkova 1250/12`.

use super::text::fold;

/// The street of an address line's first part, and the house number behind it. A number that belongs to the name
/// (`Sídliště 2`, `17. listopadu`) is none.
///
/// ```
/// use ingest::notation::house_number::split_house_number;
/// assert_eq!(split_house_number("Dlouhá 12a"), ("Dlouhá", Some("12a")));
/// assert_eq!(split_house_number("17. listopadu"), ("17. listopadu", None));
/// ```
pub fn split_house_number(street: &str) -> (&str, Option<&str>) {
    match street
        .rsplit_once(' ')
        .filter(|(name, number)| is_number(number) && !ends_in_numbered(name))
    {
        Some((name, number)) => (name.trim_end(), Some(number)),
        None => (street, None),
    }
}

/// `12`, `1250/12`, `12a`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/')
}

/// Names that take a number of their own.
fn ends_in_numbered(name: &str) -> bool {
    let name = fold(name);
    name.ends_with("sidliste") || name.ends_with("sidl.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_number_is_split_from_the_street() {
        for (street, name, number) in [
            ("Kubelíkova 1250/12", "Kubelíkova", Some("1250/12")),
            ("Čsl. partyzánů 378", "Čsl. partyzánů", Some("378")),
            ("Dlouhá 12a", "Dlouhá", Some("12a")),
            ("17. listopadu", "17. listopadu", None),
            ("Sídliště 2", "Sídliště 2", None),
            ("Hlavní", "Hlavní", None),
            ("Hlavní a", "Hlavní a", None),
            ("", "", None),
        ] {
            assert_eq!(split_house_number(street), (name, number));
        }
    }
}
