//! Sizes, prices and rooms as parts of blocking keys. Nearly equal values share a band: bands
//! overlap by half, so two values within half a band of each other share at least one.

use crate::hash::{Hash, combine};
use crate::profile::Profile;

/// What a number means. The same number with two meanings gives two key parts.
#[derive(Clone, Copy)]
enum Meaning {
    Size = 1,
    SizeBand,
    Price,
    PriceBand,
    Plot,
}

fn key_part(meaning: Meaning, value: u64) -> Hash {
    combine(meaning as u64, value)
}

/// Bands 10 % wide: sizes within 5 % of each other share one.
pub(super) fn size_bands(profile: &Profile) -> impl Iterator<Item = Hash> + Clone {
    let sizes = profile.size().filter(|size| *size > 0.0).into_iter();
    sizes
        .flat_map(|size| bands(size, 0.1))
        .map(|band| key_part(Meaning::SizeBand, band))
}

/// Bands 12 % wide: prices within 6 % of each other share one.
pub(super) fn price_bands(profile: &Profile) -> impl Iterator<Item = Hash> + Clone {
    let last = profile.prices.last().map(|point| point.price_total);
    last.into_iter()
        .flat_map(|price| bands(price, 0.12))
        .map(|band| key_part(Meaning::PriceBand, band))
}

fn bands(value: f64, width: f64) -> [u64; 2] {
    let place = value.max(1.0).ln() / width;
    [
        place.floor() as u64 * 2,
        (place + 0.5).floor() as u64 * 2 + 1,
    ]
}

/// The first prices asked.
pub(super) fn prices(profile: &Profile, count: usize) -> impl Iterator<Item = Hash> + Clone {
    let asked = profile.prices.iter().take(count);
    asked.map(|point| key_part(Meaning::Price, point.price_total as u64))
}

/// The first and the last price asked.
pub(super) fn first_and_last_price(profile: &Profile) -> impl Iterator<Item = Hash> + Clone {
    let first = prices(profile, 1).next();
    let last = profile
        .prices
        .last()
        .map(|point| key_part(Meaning::Price, point.price_total as u64));
    first
        .into_iter()
        .chain(last.filter(move |last| Some(*last) != first))
}

/// The size in whole m².
pub(super) fn size(profile: &Profile) -> Option<Hash> {
    profile
        .size()
        .map(|size| key_part(Meaning::Size, size.round() as u64))
}

/// The size in m², rounded and truncated. If no size is stated, the largest areas in the text.
pub(super) fn sizes(profile: &Profile) -> Vec<Hash> {
    let mut found = match profile.size() {
        Some(size) => vec![size.floor() as u64, size.round() as u64],
        None => in_text(profile, 15).take(3).collect(),
    };
    found.dedup();
    found
        .into_iter()
        .map(|size| key_part(Meaning::Size, size))
        .collect()
}

/// The stated plot in whole m².
pub(super) fn plot(profile: &Profile) -> Option<Hash> {
    profile
        .land_area
        .map(|plot| key_part(Meaning::Plot, plot.round() as u64))
}

/// The stated plot and the largest areas in the text, in whole m².
pub(super) fn plots(profile: &Profile) -> impl Iterator<Item = Hash> {
    let stated = profile.land_area.map(|plot| plot.round() as u64);
    let others = in_text(profile, 200)
        .take(2)
        .filter(move |area| Some(*area) != stated);
    stated
        .into_iter()
        .chain(others)
        .map(|plot| key_part(Meaning::Plot, plot))
}

/// The areas in the text of at least `least` m², the largest first.
fn in_text(profile: &Profile, least: u64) -> impl Iterator<Item = u64> {
    let areas = profile
        .marks
        .areas
        .iter()
        .rev()
        .map(|tenths| u64::from(*tenths) / 10);
    areas.filter(move |area| *area >= least)
}

/// The number of rooms, or 99 if it is unknown.
pub(super) fn rooms(profile: &Profile) -> u64 {
    profile
        .best_arrangement()
        .and_then(schema::Arrangement::rooms)
        .map_or(99, u64::from)
}
