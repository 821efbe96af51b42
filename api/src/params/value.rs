//! Parses one value, or says which values are accepted.

use std::fmt::Write as _;

use crate::params::param::ParamType;
use crate::params::suggestion;

/// A parsed value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// The index of the text in the list of accepted ones.
    Code(u8),
    /// A text, or a cursor.
    Text(String),
    /// A finite number; never a negative zero.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// A boolean.
    Boolean(bool),
}

/// How much of a wrong value an answer repeats, in characters.
const LONGEST_QUOTE: usize = 60;

/// Parses `text` as a value of `kind`.
///
/// # Errors
/// A message for the client that says which values are accepted.
pub(crate) fn parse_value(kind: ParamType, text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Err(format!("must not be empty; must be {}", accepted(kind)));
    }
    parse(kind, text).ok_or_else(|| wrong_value(kind, text))
}

fn parse(kind: ParamType, text: &str) -> Option<Value> {
    match kind {
        ParamType::OneOf(texts) => code(texts, text).map(Value::Code),
        ParamType::Text { max_length } => {
            (text.chars().count() <= max_length).then(|| Value::Text(text.to_owned()))
        }
        ParamType::Number { min, max } => number(text)
            .filter(|number| {
                min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
            })
            .map(Value::Number),
        ParamType::Integer { min, max } => integer(text)
            .filter(|number| (min..=max).contains(number))
            .map(Value::Integer),
        ParamType::Boolean => text.parse().ok().map(Value::Boolean),
        ParamType::Cursor => Some(Value::Text(text.to_owned())),
    }
}

/// The accepted values of a type, in words.
pub(crate) fn accepted(kind: ParamType) -> String {
    match kind {
        ParamType::OneOf(texts) => format!("one of {}", texts.join(", ")),
        ParamType::Text { max_length } => format!("a text of at most {max_length} characters"),
        ParamType::Number {
            min: Some(min),
            max: Some(max),
        } => {
            format!("a number from {min} to {max}")
        }
        ParamType::Number { .. } => "a finite decimal number, such as 12, -1 or 12.5".to_owned(),
        ParamType::Integer { min, max } => format!("a whole number from {min} to {max}"),
        ParamType::Boolean => "true or false".to_owned(),
        ParamType::Cursor => "the pagination.nextCursor of the previous page, unchanged".to_owned(),
    }
}

/// Why `text` is not a value of `kind`: what is accepted, what was sent, and the nearest accepted value.
pub(crate) fn wrong_value(kind: ParamType, text: &str) -> String {
    let mut message = format!("must be {}; got {}", accepted(kind), quoted(text));
    if matches!(kind, ParamType::Text { .. }) {
        let _ = write!(message, " of {} characters", text.chars().count());
    }
    let mut meant = text.to_owned();
    if matches!(kind, ParamType::OneOf(_) | ParamType::Number { .. }) && text.contains(' ') {
        // A plain `+` in a query string is a space.
        let with_plus = text.replace(' ', "+");
        if parse(kind, &with_plus).is_some() {
            message += "; encode + as %2B";
            meant = with_plus;
        }
    }
    match nearest_value(kind, &meant) {
        Some(nearest) => format!("{message}; the nearest is {nearest}"),
        None => message,
    }
}

/// The beginning of a sent text, in quotes, as answers repeat it.
pub(crate) fn quoted(text: &str) -> String {
    let cut = if text.chars().nth(LONGEST_QUOTE).is_some() {
        "…"
    } else {
        ""
    };
    format!(
        "{:?}{cut}",
        text.chars().take(LONGEST_QUOTE).collect::<String>()
    )
}

/// The accepted value nearest to a wrong one; `None` for texts, and if a number was expected and none was sent.
fn nearest_value(kind: ParamType, text: &str) -> Option<String> {
    let number = lenient_number(text);
    match kind {
        ParamType::OneOf(texts) => suggestion::nearest_value(texts, text).map(str::to_owned),
        ParamType::Number { min, max } => {
            let number = number?
                .max(min.unwrap_or(f64::NEG_INFINITY))
                .min(max.unwrap_or(f64::INFINITY));
            let text = (number + 0.0).to_string();
            (number.is_finite() && text.len() <= LONGEST_QUOTE).then_some(text)
        }
        ParamType::Integer { min, max } => {
            Some(number?.round().clamp(min as f64, max as f64).to_string())
        }
        ParamType::Boolean => Some(lenient_boolean(text).to_string()),
        ParamType::Text { .. } | ParamType::Cursor => None,
    }
}

/// The number that a text probably means, in notations that are not accepted. Digits may be grouped. A single comma is the
/// Czech decimal comma, unless three digits follow it, which may be thousands.
fn lenient_number(text: &str) -> Option<f64> {
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '_')
        .collect();
    if let Some(number) = [',', '.'].into_iter().find_map(|mark| grouped(&text, mark)) {
        return Some(number);
    }
    let decimal = match text.split_once(',') {
        Some((whole, fraction)) if fraction.len() != 3 => format!("{whole}.{fraction}"),
        _ => text,
    };
    decimal.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// A whole number with several thousands separators. A single separator may be a decimal one.
fn grouped(text: &str, mark: char) -> Option<f64> {
    let mut groups = text.trim_start_matches('-').split(mark);
    let first = groups
        .next()
        .filter(|group| (1..=3).contains(&group.len()))?;
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.len() > 1
        && rest
            .iter()
            .all(|group| group.len() == 3 && are_digits(group));
    if is_grouped && are_digits(first) {
        text.replace(mark, "").parse().ok()
    } else {
        None
    }
}

/// The boolean that a text probably means.
fn lenient_boolean(text: &str) -> bool {
    match text.trim().to_lowercase().as_str() {
        "1" | "yes" | "on" => true,
        "0" | "no" | "off" => false,
        other => suggestion::nearest_boolean(other),
    }
}

fn code(texts: &[&str], text: &str) -> Option<u8> {
    texts
        .iter()
        .position(|accepted| *accepted == text)
        .and_then(|index| u8::try_from(index).ok())
}

/// A finite decimal in the notation of JSON, because clients print numbers that way: an optional `-`, digits without a
/// leading zero, an optional point with digits, an optional power of ten.
fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (decimal, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, "0"));
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = digits(whole) && !has_leading_zero(whole) && digits(fraction) && digits(power);
    let number: f64 = if is_decimal {
        text.parse().ok()?
    } else {
        return None;
    };
    // Adding zero turns -0 into 0, so that equal numbers have equal bits.
    number.is_finite().then_some(number + 0.0)
}

fn integer(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(text) {
        text.parse().ok()
    } else {
        None
    }
}

/// Whether there is a zero before other digits, which JSON does not allow: some programs take `010` for eight.
fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_finite_decimals_in_json_notation() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("0.5", 0.5),
            ("1e06", 1e6),
            ("12.50", 12.5),
            ("-1", -1.0),
            ("1e6", 1e6),
            ("-1.5E+6", -1.5e6),
            ("25e-1", 2.5),
            ("1e-400", 0.0),
        ] {
            assert_eq!(
                number(text).map(f64::to_bits),
                Some(f64::to_bits(value)),
                "{text}"
            );
        }
        let digits = "9".repeat(400);
        for text in [
            "", "-", ".", "5.", ".5", "1e", "e6", "1e+", "1e5.0", "1e5e5", "1e--5", "1e400", "NaN",
            "05", "-05", "00", "00.5", "inf", "-inf", "infinity", "+5", "1_000", "0x10", " 5",
            "1,5", "--1", "1.2.3", "٣", &digits,
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_wrong_value_is_answered_with_the_accepted_ones_and_the_nearest() {
        let kind = ParamType::OneOf(&["sale", "rent"]);
        assert_eq!(
            parse_value(kind, "Rents"),
            Err("must be one of sale, rent; got \"Rents\"; the nearest is rent".to_owned())
        );
    }

    #[test]
    fn the_nearest_accepted_value_is_found() {
        let radius = ParamType::Number {
            min: Some(1.0),
            max: Some(100_000.0),
        };
        let limit = ParamType::Integer { min: 1, max: 50 };
        let any = ParamType::Number {
            min: None,
            max: None,
        };
        for (kind, text, nearest) in [
            (radius, "0", "1"),
            (radius, "100000.5", "100000"),
            (radius, "inf", "100000"),
            (limit, "51", "50"),
            (limit, "-3", "1"),
            (limit, "24.9", "25"),
            (limit, "1e99", "50"),
            (any, "1.e6", "1000000"),
            (any, "+5", "5"),
            (any, " -0", "0"),
            (any, ".5", "0.5"),
            (any, "05", "5"),
            (limit, "010", "10"),
            (any, "4 990 000", "4990000"),
            (any, "5\u{a0}000,50", "5000.5"),
            (radius, "1,5", "1.5"),
            (any, "1,000,000", "1000000"),
            (any, "-1.000.000", "-1000000"),
            (limit, "25_", "25"),
            (
                ParamType::OneOf(&["apartment", "land"]),
                "Flat",
                "apartment",
            ),
            (ParamType::OneOf(&["apartment", "land"]), "lond", "land"),
            (ParamType::Boolean, "True", "true"),
            (ParamType::Boolean, "no", "false"),
            (ParamType::Boolean, "flase", "false"),
        ] {
            assert_eq!(
                nearest_value(kind, text).as_deref(),
                Some(nearest),
                "{text}"
            );
            assert!(parse_value(kind, nearest).is_ok(), "{nearest}");
        }
        for (kind, text) in [
            (any, "inf"),
            (any, "NaN"),
            (limit, "NaN"),
            (any, "x"),
            (any, "1e99"),
            (any, "1,500"),
            (any, "1,2,3"),
            (any, "1,000,00"),
            (any, "1000,000,000"),
        ] {
            assert_eq!(nearest_value(kind, text), None, "{text}");
        }
    }

    #[test]
    fn only_the_beginning_of_a_long_text_is_repeated() {
        let text = "ř".repeat(201);
        assert_eq!(
            parse_value(ParamType::Text { max_length: 200 }, &text),
            Err(format!(
                "must be a text of at most 200 characters; got {:?}… of 201 characters",
                "ř".repeat(60)
            ))
        );
    }

    #[test]
    fn a_plain_plus_is_explained() {
        for (kind, text, nearest) in [
            (ParamType::OneOf(&["2+kk", "3+1"]), "2 kk", "2+kk"),
            (
                ParamType::Number {
                    min: None,
                    max: None,
                },
                "1e 6",
                "1000000",
            ),
            (
                ParamType::Number {
                    min: Some(1.0),
                    max: Some(10.0),
                },
                "1e 0",
                "1",
            ),
        ] {
            let message = format!(
                "must be {}; got {text:?}; encode + as %2B; the nearest is {nearest}",
                accepted(kind)
            );
            assert_eq!(parse_value(kind, text), Err(message));
        }
    }

    proptest! {
        #[test]
        fn every_decimal_is_parsed_exactly(text in "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,10})?([eE][-+]?[0-9]{1,2})?") {
            prop_assert_eq!(number(&text), text.parse::<f64>().ok());
        }

        #[test]
        fn every_json_number_is_parsed(sent in proptest::num::f64::NORMAL) {
            prop_assert_eq!(number(&serde_json::json!(sent).to_string()), Some(sent));
        }

        #[test]
        fn parsed_numbers_are_finite(text in "[-+.0-9eEinfaN]{0,12}") {
            prop_assert!(number(&text).is_none_or(f64::is_finite));
        }

        #[test]
        fn any_text_is_parsed_or_answered_with_the_accepted_values(text in "\\PC{1,80}") {
            for param in crate::params::SEARCH_PARAMS {
                if let Err(message) = parse_value(param.param_type, &text) {
                    prop_assert!(message.contains(&accepted(param.param_type)));
                    prop_assert!(message.contains(&quoted(&text)));
                    let nearest = nearest_value(param.param_type, &text);
                    prop_assert!(nearest.is_none_or(|nearest| parse_value(param.param_type, &nearest).is_ok()));
                }
            }
        }
    }
}
