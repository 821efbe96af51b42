//! Small charts over days.

use std::fmt::Write as _;

use super::{at, escaped};

const HEIGHT: f64 = 22.0;
const STEP: f64 = 4.0;

/// Values over days, and what they are.
pub(crate) struct Bars<'a> {
    pub(crate) values: &'a [Option<f64>],
    /// The accessible name.
    pub(crate) name: &'a str,
    /// The class of the bars.
    pub(crate) class: &'static str,
}

/// A bar for each day. A day without a value has no bar; a value above 0 is at least visible.
pub(crate) fn sparkbars(bars: &Bars<'_>) -> String {
    let most = bars.values.iter().flatten().copied().fold(0.0, f64::max);
    let width = bars.values.len() as f64 * STEP;
    let mut path = String::new();
    for (day, value) in bars.values.iter().enumerate() {
        let Some(value) = value.filter(|value| *value > 0.0) else {
            continue;
        };
        let height = (value / most * (HEIGHT - 2.0)).max(1.0);
        let _ = write!(
            path,
            "M{} {}v-{}h3v{}z",
            at(day as f64 * STEP),
            at(HEIGHT - 1.0),
            at(height),
            at(height)
        );
    }
    framed(bars, width, &format!("<path d=\"{path}\"/>"))
}

/// A line over days, between the least and the greatest value or from 0 to 1 for shares.
pub(crate) fn sparkline(bars: &Bars<'_>, bounds: Option<(f64, f64)>) -> String {
    let found = || bars.values.iter().flatten().copied();
    let (low, high) = bounds.unwrap_or_else(|| {
        (
            found().fold(f64::INFINITY, f64::min),
            found().fold(f64::NEG_INFINITY, f64::max),
        )
    });
    let range = if high > low { high - low } else { 1.0 };
    let width = bars.values.len() as f64 * STEP;
    let mut path = String::new();
    let mut is_open = false;
    for (day, value) in bars.values.iter().enumerate() {
        let Some(value) = value else {
            is_open = false;
            continue;
        };
        let x = day as f64 * STEP + 1.5;
        let y = HEIGHT - 2.0 - (value - low) / range * (HEIGHT - 4.0);
        let command = if is_open { 'L' } else { 'M' };
        // A day without neighbours is a dot.
        let dot = if is_open { "" } else { "h.1" };
        let _ = write!(path, "{command}{} {}{dot}", at(x), at(y));
        is_open = true;
    }
    framed(bars, width, &format!("<path class=\"line\" d=\"{path}\"/>"))
}

/// The chart, or nothing if there are too few values to compare.
fn framed(bars: &Bars<'_>, width: f64, content: &str) -> String {
    if bars.values.iter().flatten().count() < 2 {
        return String::new();
    }
    format!(
        "<svg class=\"spark {}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">\
         <path class=\"base\" d=\"M0 {}h{}\"/>{content}</svg>",
        bars.class,
        at(width),
        at(HEIGHT),
        at(width),
        at(HEIGHT),
        escaped(bars.name),
        at(HEIGHT - 0.5),
        at(width),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_a_value_has_no_bar() {
        let drawn = sparkbars(&Bars {
            values: &[Some(10.0), None, Some(0.0), Some(5.0)],
            name: "new <adverts>",
            class: "new",
        });
        assert_eq!(drawn.matches('z').count(), 2, "{drawn}");
        assert!(drawn.contains("new &lt;adverts&gt;"), "{drawn}");
        let one = Bars {
            values: &[None, Some(10.0)],
            name: "live",
            class: "live",
        };
        assert_eq!(
            (sparkbars(&one), sparkline(&one, None)),
            (String::new(), String::new())
        );
    }
}
