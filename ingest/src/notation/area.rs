//! Areas: `85 m²`, `2 403 m2`, `33,5 m 2`, `120 metrů čtverečních`, `1,2 ha`.

use czech::tokens::{Tokens, number};

/// Square metres in a hectare.
const HECTARE: f64 = 10_000.0;

/// An area in running text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The index of the number's token.
    pub at: usize,
    /// The index of the first token behind the unit.
    pub end: usize,
    /// The area, m².
    pub square_metres: f64,
}

/// The area that is the value of a field, in m²: the first number with a unit of area. `None` for a number without a
/// unit, for zero, and for a comma before three digits, because `1,461 m²` may be 1.461 m² or 1461 m².
///
/// ```
/// use ingest::notation::area::area;
/// assert_eq!(area("2 403 m²"), Some(2403.0));
/// assert_eq!(area("3+1 174 m²"), Some(174.0));
/// assert_eq!(area("jih, 4 m 2"), Some(4.0));
/// assert_eq!(area("5 000 Kč/m²"), None);
/// ```
pub fn area(text: &str) -> Option<f64> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let found = areas(&keys).first().map(|area| area.square_metres);
    found.or_else(|| match keys.as_slice() {
        [n, "metru" | "metry" | "m"] => number(n).filter(|area| *area > 0.0),
        _ => None,
    })
}

/// Every area of a running text, in the order of the text. `metrů` alone is a distance and does not count.
pub fn areas(keys: &[&str]) -> Vec<Area> {
    (0..keys.len()).filter_map(|at| area_at(keys, at)).collect()
}

/// The area that begins at this token.
fn area_at(keys: &[&str], at: usize) -> Option<Area> {
    let rest = keys.get(at..)?;
    let value = number(rest.first()?).filter(|value| *value > 0.0)?;
    // `4x4 m2` gives the sides of a rectangle, not its area.
    if at > 0 && matches!(keys.get(at - 1), Some(&("x" | "×" | "+" | "*"))) {
        return None;
    }
    let (factor, unit_tokens) = match rest.get(1..)? {
        ["m", "2", ..] => (1.0, 2),
        ["m", "^", "2", ..] => (1.0, 3),
        ["m" | "metru" | "metry" | "metr", unit, ..] if unit.starts_with("ctver") => (1.0, 2),
        [unit, "metru" | "metry", ..] if unit.starts_with("ctver") => (1.0, 2),
        ["ha" | "hektaru" | "hektary" | "hektar", ..] => (HECTARE, 1),
        _ => return None,
    };
    Some(Area {
        at,
        end: at + 1 + unit_tokens,
        square_metres: value * factor,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_in_every_spelling() {
        for text in [
            "33,5 m²",
            "33.5 m2",
            "33,5m2",
            "33,5 m 2",
            "33,5 m^2",
            "33,5 metrů čtverečních",
            "33,5 čtverečních metrů",
        ] {
            assert_eq!(area(text), Some(33.5), "{text}");
        }
        assert_eq!(area("120 metrů"), Some(120.0));
        assert_eq!(area("1,2 ha"), Some(12_000.0));
    }

    #[test]
    fn a_number_without_a_unit_of_area_is_not_an_area() {
        for text in [
            "",
            "67",
            "67 m od lesa",
            "6x4m",
            "4x4 m2",
            "1,461 m2",
            "0 m2",
            "3 podlaží",
            "12 000 Kč / m2",
        ] {
            assert_eq!(area(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_of_several_areas_is_the_value() {
        assert_eq!(area("210 m² s pozemkem 80 m²"), Some(210.0));
    }

    #[test]
    fn a_distance_in_metres_is_not_an_area() {
        let tokens = Tokens::parse("500 metrů od pozemku je škola, parcela má 874m2,pozemek rovný");
        let found: Vec<f64> = areas(&tokens.keys())
            .iter()
            .map(|area| area.square_metres)
            .collect();
        assert_eq!(found, [874.0]);
    }
}
