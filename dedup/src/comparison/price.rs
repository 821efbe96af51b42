//! Price and its history.

use schema::PricePoint;

use super::{Levels, relative_gap};
use crate::profile::Profile;
use crate::weights::{Level, price};

/// Two portals may show the same price change this far apart in time.
const SAME_STEP_MILLIS: u64 = 14 * 24 * 3_600_000;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if let (Some(one), Some(other)) = (a.prices.last(), b.prices.last()) {
        levels.reach(level(a, b, one.price_total, other.price_total));
    }
}

/// The weight of the price comparison alone.
pub(crate) fn price_weight(a: &Profile, b: &Profile) -> f32 {
    let mut levels = Levels::default();
    compare(a, b, &mut levels);
    levels.weight
}

/// Whether a third advert explains why two adverts ask different prices: it asked both prices, one
/// after the other, or it asks one of them and its text states the difference.
pub(crate) fn explains_prices(third: &Profile, a: &Profile, b: &Profile) -> bool {
    let asked = |other: &Profile| {
        third.prices.iter().any(|point| {
            other
                .prices
                .iter()
                .any(|there| same(point.price_total, there.price_total))
        })
    };
    if third.prices.len() > 1 && asked(a) && asked(b) {
        return true;
    }
    let last = |profile: &Profile| profile.prices.last().map(|point| point.price_total);
    (asked(a) || asked(b))
        && last(a)
            .zip(last(b))
            .is_some_and(|(one, other)| adds_up((one - other).abs(), third))
}

fn level(a: &Profile, b: &Profile, last: f64, other_last: f64) -> Level {
    let shared = shared_steps(&a.prices, &b.prices);
    if shared >= 2 {
        return price::HISTORY;
    }
    if same(last, other_last) {
        return price::EQUAL;
    }
    if shared == 1
        || a.prices.iter().any(|point| {
            b.prices
                .iter()
                .any(|other| same(point.price_total, other.price_total))
        })
    {
        return price::EQUAL_ONCE;
    }
    if stands_in_text(last, b) || stands_in_text(other_last, a) {
        return price::IN_TEXT;
    }
    let fees = (last - other_last).abs();
    if relative_gap(last, other_last) <= 0.4 && (adds_up(fees, a) || adds_up(fees, b)) {
        return price::WITH_FEES;
    }
    match closest_gap(&a.prices, &b.prices) {
        gap if gap <= 0.02 => price::NEAR,
        gap if gap <= 0.08 => price::CLOSE,
        gap if gap <= 0.2 => price::OFF,
        _ => price::DIFFERENT,
    }
}

/// How many prices both asked from about the same time on.
fn shared_steps(a: &[PricePoint], b: &[PricePoint]) -> usize {
    let together = |one: &PricePoint, other: &PricePoint| {
        same(one.price_total, other.price_total)
            && one.at.millis().abs_diff(other.at.millis()) <= SAME_STEP_MILLIS
    };
    a.iter()
        .filter(|one| b.iter().any(|other| together(one, other)))
        .count()
}

/// Whether two prices are equal to the crown.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1.0
}

fn closest_gap(a: &[PricePoint], b: &[PricePoint]) -> f64 {
    let gaps = a.iter().flat_map(|one| {
        b.iter()
            .map(|other| relative_gap(one.price_total, other.price_total))
    });
    gaps.fold(f64::INFINITY, f64::min)
}

fn stands_in_text(price: f64, profile: &Profile) -> bool {
    price >= 500.0 && profile.marks.amounts.binary_search(&(price as u64)).is_ok()
}

/// Whether the text states this amount, or two amounts that add up to it, such as services and
/// energy.
fn adds_up(amount: f64, profile: &Profile) -> bool {
    let amount = amount as u64;
    let stated = |wanted: u64| profile.marks.amounts.binary_search(&wanted).is_ok();
    amount >= 500
        && profile
            .marks
            .amounts
            .iter()
            .any(|one| *one == amount || (*one < amount && stated(amount - one)))
}

pub(super) fn show(profile: &Profile) -> String {
    let prices: Vec<_> = profile
        .prices
        .iter()
        .map(|point| format!("{}", point.price_total))
        .collect();
    prices.join(" → ")
}
