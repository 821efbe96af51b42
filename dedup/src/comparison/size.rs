//! Size: the living area, or the plot if land is offered.

use schema::PropertyType;

use super::{Levels, SMALL_SIZE, relative_gap};
use crate::profile::Profile;
use crate::weights::{Level, size};

/// The levels of equal sizes. If the sizes are equal, the text adds nothing.
const EQUAL: [Level; 5] = [
    size::EXACT,
    size::EQUAL,
    size::DISTINCTIVE,
    size::EQUAL_SMALL,
    size::ROUNDED,
];

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if swapped(a, b) {
        return levels.reach(size::SWAPPED);
    }
    match (a.size(), b.size()) {
        (Some(one), Some(other)) => {
            let by_figure = level(one, other, are_land(a, b));
            let by_text = || in_text(one, b).or_else(|| in_text(other, a));
            let level = if EQUAL.contains(&by_figure) {
                by_figure
            } else {
                by_text().unwrap_or(by_figure)
            };
            let outweighed_by_plot =
                level.weight < size::DIFFERENT_ON_ONE_PLOT.weight && on_one_plot(a, b);
            levels.reach(if outweighed_by_plot {
                size::DIFFERENT_ON_ONE_PLOT
            } else {
                level
            });
        }
        (Some(size), None) => reach_all(in_text(size, b), levels),
        (None, Some(size)) => reach_all(in_text(size, a), levels),
        (None, None) => {}
    }
}

/// Whether the living area of each is the plot of the other.
pub(super) fn swapped(a: &Profile, b: &Profile) -> bool {
    let crossed = |one: Option<f64>, other: Option<f64>| {
        one.zip(other)
            .is_some_and(|(one, other)| (one - other).abs() < 0.6)
    };
    crossed(a.living_area, b.land_area)
        && crossed(a.land_area, b.living_area)
        && !crossed(a.living_area, b.living_area)
}

/// Whether both are houses on plots of exactly the same size.
fn on_one_plot(a: &Profile, b: &Profile) -> bool {
    let houses = a.property_type == Some(PropertyType::House) && b.property_type == a.property_type;
    houses
        && a.land_area
            .zip(b.land_area)
            .is_some_and(|(one, other)| (one - other).abs() < 0.5)
}

fn reach_all(level: Option<Level>, levels: &mut Levels) {
    if let Some(level) = level {
        levels.reach(level);
    }
}

fn in_text(size: f64, profile: &Profile) -> Option<Level> {
    let distinctive = size >= 1_000.0 && size % 100.0 != 0.0;
    profile.text_states(size).then_some(if distinctive {
        size::DISTINCTIVE_IN_TEXT
    } else if size < SMALL_SIZE {
        size::SMALL_IN_TEXT
    } else {
        size::IN_TEXT
    })
}

/// Whether both are land. Its size is that of the cadastre, so portals state it alike.
fn are_land(a: &Profile, b: &Profile) -> bool {
    [a, b]
        .iter()
        .all(|profile| profile.property_type == Some(PropertyType::Land))
}

/// The level of two sizes in m².
fn level(one: f64, other: f64, are_land: bool) -> Level {
    let both_fractions = one.fract() != 0.0 && other.fract() != 0.0;
    let gap = relative_gap(one, other);
    if (one - other).abs() < 0.05 {
        equal(one, both_fractions)
    } else if !both_fractions
        && (one - other).abs() < 1.0
        && (one.round() - other.round()).abs() < 0.5
        || !both_fractions && (one.floor() - other.floor()).abs() < 0.5
    {
        size::ROUNDED
    } else if gap <= 0.03 {
        size::NEAR
    } else if gap <= 0.08 && !are_land {
        size::CLOSE
    } else if gap <= 0.2 {
        size::OFF
    } else {
        size::DIFFERENT
    }
}

fn equal(size: f64, fractions: bool) -> Level {
    match fractions {
        true => size::EXACT,
        false if size >= 1_000.0 && size % 100.0 != 0.0 => size::DISTINCTIVE,
        false if size < SMALL_SIZE => size::EQUAL_SMALL,
        false => size::EQUAL,
    }
}

pub(super) fn show(profile: &Profile) -> String {
    profile
        .size()
        .map_or_else(String::new, |area| format!("{area} m²"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_that_is_the_other_one_rounded_has_its_own_level() {
        assert_eq!(level(67.4, 67.0, false), size::ROUNDED);
        assert_eq!(level(67.6, 68.0, false), size::ROUNDED);
        assert_eq!(level(67.4, 67.4, false), size::EXACT);
        assert_eq!(level(67.0, 67.0, false), size::EQUAL);
        assert_eq!(level(67.4, 67.9, false), size::NEAR);
    }
}
