//! Bar charts as SVG.

use std::fmt::Write as _;

use crate::table::{Cell, Table};

/// The largest number of bars in a chart.
const MOST_BARS: usize = 30;
const BAR: usize = 18;
const LABELS: f64 = 260.0;
const WIDTH: f64 = 760.0;
/// The part of the width that bars may take; values stand to the right of them.
const BARS: f64 = WIDTH - LABELS - 90.0;

/// The chart of a kind: one bar for each row, in the order of the table.
pub(crate) fn chart(table: &Table, kind: &str) -> Option<String> {
    let charted = table.charted?;
    let rows = table
        .rows
        .iter()
        .filter(|row| row.first().is_some_and(|cell| cell.to_string() == kind));
    let mut bars: Vec<(String, f64, String)> = rows
        .filter_map(|row| {
            let value = match row.get(charted)? {
                Cell::Number(value, _) => *value,
                Cell::Count(count) => *count as f64,
                Cell::Text(_) | Cell::Unknown => return None,
            };
            let label = row.get(1).filter(|cell| matches!(cell, Cell::Text(_)));
            let label = label.map_or_else(|| kind.to_owned(), ToString::to_string);
            Some((label, value, grouped(value)))
        })
        .collect();
    if bars.is_empty() {
        return None;
    }
    // Of many places those with the largest values are shown; months stay in their order.
    if bars.len() > MOST_BARS {
        bars.sort_by(|one, other| other.1.total_cmp(&one.1));
        bars.truncate(MOST_BARS);
    }
    Some(svg(&bars))
}

fn svg(bars: &[(String, f64, String)]) -> String {
    let largest = bars
        .iter()
        .map(|(_, value, _)| value.abs())
        .fold(0.0, f64::max);
    let height = bars.len() * BAR + 6;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">");
    for (index, (label, value, written)) in bars.iter().enumerate() {
        let top = index * BAR + 3;
        let base = top + 12;
        let length = if largest > 0.0 {
            value.abs() / largest * BARS
        } else {
            0.0
        };
        let class = if *value < 0.0 { "less" } else { "bar" };
        let label = escaped(label);
        let end = LABELS - 8.0;
        let after = LABELS + length + 6.0;
        // Writing to a String cannot fail.
        let _ = write!(
            svg,
            "<text x=\"{end}\" y=\"{base}\" text-anchor=\"end\">{label}</text>\
             <rect class=\"{class}\" x=\"{LABELS}\" y=\"{top}\" width=\"{length:.1}\" height=\"14\"/>\
             <text x=\"{after:.1}\" y=\"{base}\">{written}</text>"
        );
    }
    svg.push_str("</svg>");
    svg
}

/// A number with its thousands apart; small ones with one decimal place.
pub(crate) fn grouped(value: f64) -> String {
    if value.abs() < 100.0 && value.fract() != 0.0 {
        return format!("{value:.1}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    if value <= -0.5 {
        format!("−{text}")
    } else {
        text
    }
}

/// A text as content of HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(1_234_567.4), "1\u{a0}234\u{a0}567");
        assert_eq!(grouped(2.5), "2.5");
        assert_eq!(grouped(-1200.0), "−1\u{a0}200");
        assert_eq!(grouped(12.0), "12");
    }

    #[test]
    fn markup_in_the_name_of_a_place_stays_text() {
        let bars = [("<b>Kladno</b>".to_owned(), 1.0, "1".to_owned())];
        assert!(svg(&bars).contains("&lt;b&gt;Kladno"));
    }
}
