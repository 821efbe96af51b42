//! Sizes, prices and rooms as parts of keys. What is nearly equal shares a band: bands overlap by half, so that two values
//! within half a band share at least one.

use super::keys::mixed;
use crate::profile::Profile;

/// A figure as part of a key; figures of different meanings never meet.
pub type Figure = u64;

/// What a figure means.
#[derive(Clone, Copy)]
enum Meaning {
    Size = 1,
    SizeBand,
    Price,
    PriceBand,
    Plot,
}

fn figure(meaning: Meaning, value: u64) -> Figure {
    mixed(meaning as u64, value)
}

/// Bands of a tenth: sizes within 5 % share at least one.
pub fn size_bands(profile: &Profile) -> impl Iterator<Item = Figure> + Clone {
    let sizes = profile.size().filter(|size| *size > 0.0).into_iter();
    sizes
        .flat_map(|size| bands(size, 0.1))
        .map(|band| figure(Meaning::SizeBand, band))
}

/// Bands of an eighth: prices within 6 % share at least one.
pub fn price_bands(profile: &Profile) -> impl Iterator<Item = Figure> + Clone {
    let last = profile.prices.last().map(|point| point.price_total);
    last.into_iter()
        .flat_map(|price| bands(price, 0.12))
        .map(|band| figure(Meaning::PriceBand, band))
}

fn bands(value: f64, width: f64) -> [u64; 2] {
    let place = value.max(1.0).ln() / width;
    [
        place.floor() as u64 * 2,
        (place + 0.5).floor() as u64 * 2 + 1,
    ]
}

/// The first prices asked.
pub fn prices(profile: &Profile, count: usize) -> impl Iterator<Item = Figure> + Clone {
    let asked = profile.prices.iter().take(count);
    asked.map(|point| figure(Meaning::Price, point.price_total as u64))
}

/// The first and the last price asked.
pub fn first_and_last_price(profile: &Profile) -> impl Iterator<Item = Figure> + Clone {
    let first = prices(profile, 1).next();
    let last = profile
        .prices
        .last()
        .map(|point| figure(Meaning::Price, point.price_total as u64));
    first
        .into_iter()
        .chain(last.filter(move |last| Some(*last) != first))
}

/// The size, m², as a whole figure.
pub fn size(profile: &Profile) -> Option<Figure> {
    profile
        .size()
        .map(|size| figure(Meaning::Size, size.round() as u64))
}

/// The size, m², rounded and cut off; where none is stated, the largest areas in the text.
pub fn sizes(profile: &Profile) -> Vec<Figure> {
    let mut found = match profile.size() {
        Some(size) => vec![size.floor() as u64, size.round() as u64],
        None => in_text(profile, 15).take(3).collect(),
    };
    found.dedup();
    found
        .into_iter()
        .map(|size| figure(Meaning::Size, size))
        .collect()
}

/// The plot that is stated, m².
pub fn plot(profile: &Profile) -> Option<Figure> {
    profile
        .land_area
        .map(|plot| figure(Meaning::Plot, plot.round() as u64))
}

/// Plots that are stated or stand in the text, m².
pub fn plots(profile: &Profile) -> impl Iterator<Item = Figure> {
    let stated = profile.land_area.map(|plot| plot.round() as u64);
    let others = in_text(profile, 200)
        .take(2)
        .filter(move |area| Some(*area) != stated);
    stated
        .into_iter()
        .chain(others)
        .map(|plot| figure(Meaning::Plot, plot))
}

/// The areas in the text from `least` m² on, the largest first.
fn in_text(profile: &Profile, least: u64) -> impl Iterator<Item = u64> {
    let areas = profile
        .marks
        .areas
        .iter()
        .rev()
        .map(|tenths| u64::from(*tenths) / 10);
    areas.filter(move |area| *area >= least)
}

/// The number of rooms; 99 where nothing is known of them.
pub fn rooms(profile: &Profile) -> u64 {
    profile
        .best_arrangement()
        .and_then(schema::Arrangement::rooms)
        .map_or(99, u64::from)
}
