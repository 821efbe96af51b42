//! The postal code of the property in a running text.

use czech::tokens::Tokens;

/// How many words behind the street its postal code may stand: house number, quarter, municipality.
const REACH: usize = 10;

/// The postal code that the text gives together with this street (`Polní 17, 251 01 Říčany`), in its usual form. A postal
/// code without the street may be the agency's own. `None` if there are several.
pub(crate) fn postal_code_of_street(text: &str, street: &str) -> Option<String> {
    let (tokens, name) = (Tokens::parse(text), Tokens::parse(street));
    let (keys, name) = (tokens.keys(), name.keys());
    if name.is_empty() {
        return None;
    }
    let behind = |at: usize| {
        let begins = keys.get(at..)?.starts_with(&name);
        let from = at + name.len();
        let end = keys.len().min(from + REACH);
        let near = begins.then(|| keys.get(from..end)).flatten()?;
        let line = near.split(|key| matches!(*key, "\n" | "!" | "?" | ";"));
        let line = line.into_iter().next()?;
        (0..line.len()).find_map(|at| postal_code(line.get(at..)?))
    };
    let mut codes = (0..keys.len()).filter_map(behind);
    let first = codes.next()?;
    codes.all(|code| code == first).then_some(first)
}

/// The postal code that the first words are: `251 01`, or `25101` behind `PSČ`. Czech codes begin with 1 to 7.
fn postal_code(keys: &[&str]) -> Option<String> {
    let (area, round, rest) = match keys {
        [area, round, rest @ ..] if area.len() == 3 && round.len() == 2 => (*area, *round, rest),
        ["psc", ":", code, rest @ ..] | ["psc", code, rest @ ..] if code.len() == 5 => {
            (code.get(..3)?, code.get(3..)?, rest)
        }
        _ => return None,
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let begins_right = area.starts_with(|digit: char| ('1'..='7').contains(&digit));
    // "120 50 m2" are two numbers.
    let is_amount = matches!(
        rest.first().copied(),
        Some("m" | "m2" | "kc" | "czk" | "km" | "min" | "%" | "/")
    );
    (is_number(area) && is_number(round) && begins_right && !is_amount)
        .then(|| format!("{area} {round}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn code(text: &str, expected: Option<&str>) {
        assert_eq!(
            postal_code_of_street(text, "Polní").as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn the_postal_code_behind_the_street_is_that_of_the_property() {
        code("Byt v ulici Polní 17, 251 01 Říčany.", Some("251 01"));
        code("Adresa: Polní 1290/16, Praha 5, PSČ 15000", Some("150 00"));
    }

    #[test]
    fn other_numbers_and_the_codes_of_other_addresses_do_not_count() {
        code("Polní 17.\nKancelář: Dlouhá 5, 110 00 Praha 1", None);
        code("Kancelář: Dlouhá 5, 110 00 Praha 1", None);
        code("V ulici Polní je pozemek 120 50 m od lesa.", None);
        code("Polní 17, 951 01 Nitra", None);
        code(
            "Polní 17, 251 01 Říčany, nebo Polní 3, 252 02 Jíloviště",
            None,
        );
    }
}
