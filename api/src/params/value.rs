//! Reading one value, and saying what would have been accepted.

use crate::params::nearest;
use crate::params::table::Kind;

/// A value as read.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The place of the text in the list of accepted ones.
    Code(u8),
    /// A text, or a cursor.
    Text(String),
    /// A finite number; never a negative zero.
    Number(f64),
    /// A whole number.
    Integer(u32),
    /// A truth value.
    Boolean(bool),
}

/// Longest part of a refused value that an answer repeats, in characters.
const REPEATED: usize = 60;

/// Reads `text` as a value of `kind`.
///
/// # Errors
/// What is accepted, in words fit for the client.
pub fn read(kind: Kind, text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Err(format!("must not be empty; it accepts {}", accepts(kind)));
    }
    value(kind, text).ok_or_else(|| refusal(kind, text))
}

fn value(kind: Kind, text: &str) -> Option<Value> {
    match kind {
        Kind::OneOf(texts) => place(texts, text).map(Value::Code),
        Kind::Text { max_length } => {
            (text.chars().count() <= max_length).then(|| Value::Text(text.to_owned()))
        }
        Kind::Number { min, max } => number(text)
            .filter(|number| {
                min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
            })
            .map(Value::Number),
        Kind::Integer { min, max } => integer(text)
            .filter(|number| (min..=max).contains(number))
            .map(Value::Integer),
        Kind::Boolean => text.parse().ok().map(Value::Boolean),
        Kind::Cursor => Some(Value::Text(text.to_owned())),
    }
}

/// What values a kind accepts, in words.
pub fn accepts(kind: Kind) -> String {
    match kind {
        Kind::OneOf(texts) => format!("one of {}", texts.join(", ")),
        Kind::Text { max_length } => format!("a text of at most {max_length} characters"),
        Kind::Number {
            min: Some(min),
            max: Some(max),
        } => {
            format!("a number from {min} to {max}")
        }
        Kind::Number { .. } => "a finite decimal number, such as 12, -1 or 12.5".to_owned(),
        Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Cursor => "the pagination.nextCursor of the page before, unchanged".to_owned(),
    }
}

/// Why `text` is no value of `kind`: what is accepted, what was sent, and the nearest that would have been accepted.
pub fn refusal(kind: Kind, text: &str) -> String {
    let refused = match kind {
        Kind::Text { .. } => format!(
            "one of {} that begins {}",
            text.chars().count(),
            shown(text)
        ),
        _ => shown(text),
    };
    let mut message = format!("accepts {}, not {refused}", accepts(kind));
    let mut meant = text.to_owned();
    if matches!(kind, Kind::OneOf(_) | Kind::Number { .. }) && text.contains(' ') {
        // What a bare `+` became.
        let with_plus = text.replace(' ', "+");
        if value(kind, &with_plus).is_some() {
            message += "; a + must be sent as %2B";
            meant = with_plus;
        }
    }
    match nearest_value(kind, &meant) {
        Some(nearest) => format!("{message}; the nearest is {nearest}"),
        None => message,
    }
}

/// What was sent, in quotes, as far as an answer repeats it.
pub fn shown(text: &str) -> String {
    let cut = if text.chars().nth(REPEATED).is_some() {
        "…"
    } else {
        ""
    };
    format!("{:?}{cut}", text.chars().take(REPEATED).collect::<String>())
}

/// The accepted value nearest to a refused one; `None` where a text has none, or what was sent is no number at all.
fn nearest_value(kind: Kind, text: &str) -> Option<String> {
    let number = meant(text);
    match kind {
        Kind::OneOf(texts) => nearest::nearest_value(texts, text).map(str::to_owned),
        Kind::Number { min, max } => {
            let number = number?
                .max(min.unwrap_or(f64::NEG_INFINITY))
                .min(max.unwrap_or(f64::INFINITY));
            let text = (number + 0.0).to_string();
            (number.is_finite() && text.len() <= REPEATED).then_some(text)
        }
        Kind::Integer { min, max } => Some(
            number?
                .round()
                .clamp(f64::from(min), f64::from(max))
                .to_string(),
        ),
        Kind::Boolean => Some(truth(text).to_string()),
        Kind::Text { .. } | Kind::Cursor => None,
    }
}

/// The number that a text most likely means: other ways to write one are understood, though not accepted. Digits may
/// stand in groups, and a single comma is the Czech decimal one, unless three digits follow it: those may be thousands.
fn meant(text: &str) -> Option<f64> {
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

/// The whole number whose thousands are set apart by a mark, more than once: a single one may be a decimal one.
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

/// The truth value that a text most likely means.
fn truth(text: &str) -> bool {
    match text.trim().to_lowercase().as_str() {
        "1" | "yes" | "on" => true,
        "0" | "no" | "off" => false,
        other => nearest::nearest_truth(other),
    }
}

fn place(texts: &[&str], text: &str) -> Option<u8> {
    texts
        .iter()
        .position(|accepted| *accepted == text)
        .and_then(|place| u8::try_from(place).ok())
}

/// A finite decimal: an optional `-`, at least one digit, optionally a point and at least one digit, optionally a power
/// of ten. That is whatever JSON calls a number, for clients write theirs with the means of JSON; and zeros before it.
fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (decimal, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, "0"));
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = digits(whole) && digits(fraction) && digits(power);
    let number: f64 = if is_decimal {
        text.parse().ok()?
    } else {
        return None;
    };
    // Adding zero turns -0 into 0, so that equal numbers have equal bits.
    number.is_finite().then_some(number + 0.0)
}

fn integer(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_finite_decimals_as_json_writes_them() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("007", 7.0),
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
            "inf", "-inf", "infinity", "+5", "1_000", "0x10", " 5", "1,5", "--1", "1.2.3", "٣",
            &digits,
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_refusal_names_the_accepted_values_and_the_nearest() {
        let kind = Kind::OneOf(&["sale", "rent"]);
        assert_eq!(
            read(kind, "Rents"),
            Err("accepts one of sale, rent, not \"Rents\"; the nearest is rent".to_owned())
        );
    }

    #[test]
    fn a_refused_value_is_answered_with_the_nearest_accepted_one() {
        let radius = Kind::Number {
            min: Some(1.0),
            max: Some(100_000.0),
        };
        let limit = Kind::Integer { min: 1, max: 50 };
        let any = Kind::Number {
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
            (any, "4 990 000", "4990000"),
            (any, "5\u{a0}000,50", "5000.5"),
            (radius, "1,5", "1.5"),
            (any, "1,000,000", "1000000"),
            (any, "-1.000.000", "-1000000"),
            (limit, "25_", "25"),
            (Kind::OneOf(&["apartment", "land"]), "Flat", "apartment"),
            (Kind::OneOf(&["apartment", "land"]), "lond", "land"),
            (Kind::Boolean, "True", "true"),
            (Kind::Boolean, "no", "false"),
            (Kind::Boolean, "flase", "false"),
        ] {
            assert_eq!(
                nearest_value(kind, text).as_deref(),
                Some(nearest),
                "{text}"
            );
            assert!(read(kind, nearest).is_ok(), "{nearest}");
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
    fn a_text_that_is_too_long_is_not_repeated_whole() {
        let text = "ř".repeat(201);
        assert_eq!(
            read(Kind::Text { max_length: 200 }, &text),
            Err(format!(
                "accepts a text of at most 200 characters, not one of 201 that begins {:?}…",
                "ř".repeat(60)
            ))
        );
    }

    #[test]
    fn a_bare_plus_is_explained() {
        for (kind, text, nearest) in [
            (Kind::OneOf(&["2+kk", "3+1"]), "2 kk", "2+kk"),
            (
                Kind::Number {
                    min: None,
                    max: None,
                },
                "1e 6",
                "1000000",
            ),
            (
                Kind::Number {
                    min: Some(1.0),
                    max: Some(10.0),
                },
                "1e 0",
                "1",
            ),
        ] {
            let message = format!(
                "accepts {}, not {text:?}; a + must be sent as %2B; the nearest is {nearest}",
                accepts(kind)
            );
            assert_eq!(read(kind, text), Err(message));
        }
    }

    proptest! {
        #[test]
        fn every_decimal_is_read_as_itself(text in "-?[0-9]{1,15}(\\.[0-9]{1,10})?([eE][-+]?[0-9]{1,2})?") {
            prop_assert_eq!(number(&text), text.parse::<f64>().ok());
        }

        #[test]
        fn every_number_of_json_is_read(sent in proptest::num::f64::NORMAL) {
            prop_assert_eq!(number(&serde_json::json!(sent).to_string()), Some(sent));
        }

        #[test]
        fn whatever_is_read_is_finite(text in "[-+.0-9eEinfaN]{0,12}") {
            prop_assert!(number(&text).is_none_or(f64::is_finite));
        }

        #[test]
        fn any_text_is_read_or_refused_with_words(text in "\\PC{1,80}") {
            for param in crate::params::SEARCH {
                if let Err(message) = read(param.kind, &text) {
                    prop_assert!(message.contains(&accepts(param.kind)));
                    prop_assert!(message.contains(&shown(&text)));
                    let nearest = nearest_value(param.kind, &text);
                    prop_assert!(nearest.is_none_or(|nearest| read(param.kind, &nearest).is_ok()));
                }
            }
        }
    }
}
