//! Numbers, dates and durations as Czechs write them, in both languages.

use chrono::{DateTime, TimeZone};
use chrono_tz::Europe::Prague;
use chrono_tz::Tz;
use schema::Timestamp;

/// Keeps the digits of a number together.
const NARROW: char = '\u{a0}';

/// A whole number: `1 234 567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(NARROW);
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with at most `decimals` digits after the comma, without zeros at its end.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    let is_zero = whole == "0" && fraction.is_empty();
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    if fraction.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole},{fraction}")
    }
}

/// A price: `4 990 000 Kč`.
pub(crate) fn price(value: f64) -> String {
    format!("{}\u{a0}Kč", number(value, 0))
}

/// A match weight, with its sign: `+4,6`.
pub(crate) fn weight(value: f64) -> String {
    let shown = format!("{:.1}", value.abs()).replace('.', ",");
    let sign = match () {
        () if shown == "0,0" => "",
        () if value < 0.0 => "−",
        () => "+",
    };
    format!("{sign}{shown}")
}

/// A share: `97,3 %`.
pub(crate) fn share(value: f64, decimals: usize) -> String {
    format!("{}\u{a0}%", number(value * 100.0, decimals))
}

/// A number of bytes: `12,3 MB`.
pub(crate) fn bytes(value: u64) -> String {
    let value = value as f64;
    let (size, unit) = match value {
        ..1e3 => (value, "B"),
        1e3..1e6 => (value / 1e3, "kB"),
        1e6..1e9 => (value / 1e6, "MB"),
        _ => (value / 1e9, "GB"),
    };
    format!("{}\u{a0}{unit}", number(size, 1))
}

/// An instant in Czech time.
fn czech(at: Timestamp) -> DateTime<Tz> {
    Prague.from_utc_datetime(&at.to_utc().naive_utc())
}

/// A date: `22. 11. 2026`.
pub(crate) fn date(at: Timestamp) -> String {
    czech(at).format("%-d.\u{a0}%-m.\u{a0}%Y").to_string()
}

/// A date and time: `22. 11. 2026 4:30`.
pub(crate) fn time(at: Timestamp) -> String {
    czech(at)
        .format("%-d.\u{a0}%-m.\u{a0}%Y %-H:%M")
        .to_string()
}

/// A time with seconds: `4:30:07`.
pub(crate) fn clock(at: Timestamp) -> String {
    czech(at).format("%-H:%M:%S").to_string()
}

/// A duration: `3 d 4 h`, `2 h 5 min`, `12 s`.
pub(crate) fn duration(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let text = match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    };
    text.replace(' ', "\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_have_a_comma() {
        assert_eq!(count(1_234_567), "1\u{a0}234\u{a0}567");
        assert_eq!(count(999), "999");
        assert_eq!(number(68.50, 2), "68,5");
        assert_eq!(number(-0.001, 2), "0");
        assert_eq!(price(4_990_000.0), "4\u{a0}990\u{a0}000\u{a0}Kč");
        assert_eq!(weight(4.56), "+4,6");
        assert_eq!(weight(-0.02), "0,0");
        assert_eq!(share(0.973, 1), "97,3\u{a0}%");
        assert_eq!(bytes(12_340_000), "12,3\u{a0}MB");
    }

    #[test]
    fn instants_are_in_czech_time() {
        let summer: Timestamp = "2026-07-01T22:30:05Z".parse().unwrap();
        assert_eq!(time(summer), "2.\u{a0}7.\u{a0}2026 0:30");
        assert_eq!(clock(summer), "0:30:05");
        let winter: Timestamp = "2026-11-22T03:30:00Z".parse().unwrap();
        assert_eq!(date(winter), "22.\u{a0}11.\u{a0}2026");
    }

    #[test]
    fn durations_have_two_units() {
        assert_eq!(duration(12), "12\u{a0}s");
        assert_eq!(duration(7_500), "2\u{a0}h\u{a0}5\u{a0}min");
        assert_eq!(duration(100_000), "1\u{a0}d\u{a0}3\u{a0}h");
    }
}
