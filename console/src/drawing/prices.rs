//! The asking prices of several adverts on one time axis.

use std::fmt::Write as _;

use schema::Timestamp;

use super::{at, escaped};
use crate::format;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 22.0;

/// The prices of one advert.
pub(crate) struct Series {
    /// The advert.
    pub(crate) name: String,
    /// When each price was first seen, and the price.
    pub(crate) points: Vec<(Timestamp, f64)>,
    /// When the last price was last seen.
    pub(crate) until: Timestamp,
}

/// How many colours the style sheet has for series.
pub(crate) const COLOURS: usize = 8;

/// A chart with a step line for each advert; empty if nothing states a price.
pub(crate) fn price_chart(series: &[Series], name: &str) -> String {
    let prices = || {
        series
            .iter()
            .flat_map(|one| one.points.iter().map(|(_, price)| *price))
    };
    let times = || {
        let starts = series
            .iter()
            .flat_map(|one| one.points.iter().map(|(at, _)| at.millis()));
        starts.chain(series.iter().map(|one| one.until.millis()))
    };
    let (Some(first), Some(last)) = (times().min(), times().max()) else {
        return String::new();
    };
    if prices().next().is_none() {
        return String::new();
    }
    let (low, high) = prices().fold((f64::INFINITY, 0.0_f64), |(low, high), price| {
        (low.min(price), high.max(price))
    });
    let margin = ((high - low) * 0.1).max(high * 0.02).max(1.0);
    let (low, high) = ((low - margin).max(0.0), high + margin);
    let span = (last - first).max(1) as f64;
    let x = |millis: i64| LEFT + (millis - first) as f64 / span * (WIDTH - LEFT - RIGHT);
    let y = |price: f64| TOP + (high - price) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut drawn = String::new();
    for step in 0..4 {
        let price = low + (high - low) * f64::from(step) / 3.0;
        let _ = write!(
            drawn,
            "<path class=\"grid\" d=\"M{} {}H{}\"/><text class=\"axis end\" x=\"{}\" y=\"{}\">{}</text>",
            at(LEFT),
            at(y(price)),
            at(WIDTH - RIGHT),
            at(LEFT - 6.0),
            at(y(price) + 4.0),
            format::price(price)
        );
    }
    for (millis, class) in [(first, "start"), (last, "end")] {
        let _ = write!(
            drawn,
            "<text class=\"axis {class}\" x=\"{}\" y=\"{}\">{}</text>",
            at(x(millis)),
            at(HEIGHT - 6.0),
            format::date(Timestamp(millis))
        );
    }
    for (place, one) in series.iter().enumerate() {
        drawn.push_str(&line(place, one, x, y));
    }
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{drawn}</svg>",
        escaped(name)
    )
}

fn line(place: usize, series: &Series, x: impl Fn(i64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut dots = String::new();
    for (number, (since, price)) in series.points.iter().enumerate() {
        let (x, y) = (x(since.millis()), y(*price));
        let step = if number == 0 {
            format!("M{} {}", at(x), at(y))
        } else {
            format!("H{}V{}", at(x), at(y))
        };
        path.push_str(&step);
        let _ = write!(
            dots,
            "<circle cx=\"{}\" cy=\"{}\" r=\"3\"><title>{}: {}, {}</title></circle>",
            at(x),
            at(y),
            escaped(&series.name),
            format::price(*price),
            format::date(*since)
        );
    }
    if path.is_empty() {
        return String::new();
    }
    let _ = write!(path, "H{}", at(x(series.until.millis())));
    format!(
        "<g class=\"series s{}\"><path d=\"{path}\"/>{dots}</g>",
        place % COLOURS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_price_is_a_step() {
        let series = Series {
            name: "a/1".to_owned(),
            points: vec![(Timestamp(0), 100.0), (Timestamp(50), 90.0)],
            until: Timestamp(100),
        };
        let drawn = price_chart(&[series], "prices");
        assert_eq!(drawn.matches("<circle").count(), 2);
        assert!(drawn.contains('V'), "{drawn}");
        assert_eq!(price_chart(&[], "prices"), "");
    }
}
