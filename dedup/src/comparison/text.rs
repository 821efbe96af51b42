//! Text. What differs between two similar texts matters more than how similar they are.

use super::{Levels, are_small, common};
use crate::profile::Profile;
use crate::weights::text;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let Some(likeness) = a.sketch.likeness(&b.sketch) else {
        return;
    };
    let shared = common(&a.sketch.numbers, &b.sketch.numbers);
    let apart = (a.sketch.numbers.len() - shared).min(b.sketch.numbers.len() - shared);
    levels.reach(match likeness {
        share if share >= 0.8 && apart == 0 => match facts_apart(a, b) {
            0 => text::COPY,
            1 => text::COPY_DIFFERENT_FACT,
            _ => text::COPY_DIFFERENT_FACTS,
        },
        share if share >= 0.8 => text::COPY_DIFFERENT_NUMBERS,
        share if share >= 0.7 && apart > 0 => text::NEAR_COPY_DIFFERENT_NUMBERS,
        share if share >= 0.45 && apart > 0 => text::ALIKE_DIFFERENT_NUMBERS,
        share if share >= 0.45 => text::ALIKE,
        share if share >= 0.2 => text::PARTLY,
        _ if are_small(a, b) => text::UNLIKE_SMALL,
        _ => text::UNLIKE,
    });
}

/// How many of floor, size, price and plot differ. The text of one advert exported to two portals
/// comes with the same facts; the text of a project is used for many units.
fn facts_apart(a: &Profile, b: &Profile) -> usize {
    let floors = a
        .best_floor()
        .zip(b.best_floor())
        .is_some_and(|(one, other)| one != other);
    let sizes = a
        .size()
        .zip(b.size())
        .is_some_and(|(one, other)| (one - other).abs() > 1.0);
    let shared = |price: f64| {
        b.prices
            .iter()
            .any(|other| (other.price_total - price).abs() < 1.0)
    };
    let prices = !a.prices.is_empty()
        && !b.prices.is_empty()
        && !a.prices.iter().any(|point| shared(point.price_total));
    let plots = a
        .land_area
        .zip(b.land_area)
        .is_some_and(|(one, other)| (one - other).abs() > 0.5);
    usize::from(floors) + usize::from(sizes) + usize::from(prices) + usize::from(plots)
}

pub(super) fn show(profile: &Profile) -> String {
    format!(
        "{} words, {} numbers",
        profile.sketch.words,
        profile.sketch.numbers.len()
    )
}
