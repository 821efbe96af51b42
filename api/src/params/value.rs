//! Reading one value, and saying what would have been accepted.

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

/// How like a refused value a listed one must be to be named as the one that was meant.
const MEANT: f64 = 0.5;
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
    let value = match kind {
        Kind::OneOf(texts) => place(texts, text).map(Value::Code),
        Kind::Text { max_length } => {
            (text.chars().count() <= max_length).then(|| Value::Text(text.to_owned()))
        }
        Kind::Number { min, max } => number(text)
            .filter(|number| min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max))
            .map(Value::Number),
        Kind::Integer { min, max } => {
            integer(text).filter(|number| (min..=max).contains(number)).map(Value::Integer)
        }
        Kind::Boolean => text.parse().ok().map(Value::Boolean),
        Kind::Cursor => Some(Value::Text(text.to_owned())),
    };
    value.ok_or_else(|| refusal(kind, text))
}

/// What values a kind accepts, in words.
pub fn accepts(kind: Kind) -> String {
    match kind {
        Kind::OneOf(texts) => format!("one of {}", texts.join(", ")),
        Kind::Text { max_length } => format!("a text of at most {max_length} characters"),
        Kind::Number { min: Some(min), max: Some(max) } => {
            format!("a number from {min} to {max}")
        }
        Kind::Number { .. } => "a finite decimal number, such as 12, -1 or 12.5".to_owned(),
        Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Cursor => "the pagination.nextCursor of the page before, unchanged".to_owned(),
    }
}

fn refusal(kind: Kind, text: &str) -> String {
    let shown: String = text.chars().take(REPEATED).collect();
    let cut = if text.chars().nth(REPEATED).is_some() { "…" } else { "" };
    let mut message = format!("accepts {}, not {shown:?}{cut}", accepts(kind));
    match kind {
        // What a bare `+` became.
        Kind::OneOf(texts) if texts.contains(&text.replace(' ', "+").as_str()) => {
            message.push_str("; a + must be sent as %2B");
        }
        Kind::OneOf(texts) => {
            if let Some(nearest) = nearest(texts.iter().copied(), text, MEANT) {
                message = format!("{message}; the nearest is {nearest}");
            }
        }
        _ => {}
    }
    message
}

/// The first of the names most like `text`, letter case aside; `None` where none reaches `at_least` (0 to 1).
pub fn nearest<'a>(names: impl Iterator<Item = &'a str>, text: &str, at_least: f64) -> Option<&'a str> {
    let text: String = text.chars().take(REPEATED).collect::<String>().to_lowercase();
    let mut best = None;
    for name in names {
        let likeness = strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &text);
        if likeness >= at_least && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name)
}

fn place(texts: &[&str], text: &str) -> Option<u8> {
    texts.iter().position(|accepted| *accepted == text).and_then(|place| u8::try_from(place).ok())
}

/// A finite decimal: an optional `-`, at least one digit, and optionally a point and at least one digit.
fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number: f64 = if digits(whole) && digits(fraction) { text.parse().ok()? } else { return None };
    // Adding zero turns -0 into 0, so that equal numbers have equal bits.
    number.is_finite().then_some(number + 0.0)
}

fn integer(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_plain_finite_decimals() {
        for (text, value) in [("0", 0.0), ("-0", 0.0), ("007", 7.0), ("12.50", 12.5), ("-1", -1.0)] {
            assert_eq!(number(text).map(f64::to_bits), Some(f64::to_bits(value)), "{text}");
        }
        let digits = "9".repeat(400);
        for text in [
            "", "-", ".", "5.", ".5", "1e6", "NaN", "inf", "-inf", "infinity", "+5", "1_000", "0x10", " 5",
            "1,5", "--1", "1.2.3", "٣", &digits,
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_refused_value_is_answered_with_the_accepted_ones_and_the_nearest() {
        let kind = Kind::OneOf(&["sale", "rent"]);
        assert_eq!(
            read(kind, "Rents"),
            Err("accepts one of sale, rent, not \"Rents\"; the nearest is rent".to_owned())
        );
    }

    #[test]
    fn a_bare_plus_is_explained() {
        let kind = Kind::OneOf(&["2+kk", "3+1"]);
        assert_eq!(
            read(kind, "2 kk"),
            Err("accepts one of 2+kk, 3+1, not \"2 kk\"; a + must be sent as %2B".to_owned())
        );
    }

    proptest! {
        #[test]
        fn every_plain_decimal_is_read_as_itself(text in "-?[0-9]{1,15}(\\.[0-9]{1,10})?") {
            prop_assert_eq!(number(&text), text.parse::<f64>().ok());
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
                }
            }
        }
    }
}
