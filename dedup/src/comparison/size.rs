//! Size: the living area, or the plot where land is sold.

use super::{Levels, relative_gap};
use crate::profile::Profile;
use crate::scoring::weights::{Level, size};

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let (Some(one), Some(other)) = (a.size(), b.size()) else { return };
    let by_figure = level(one, other);
    let rescued = by_figure.weight < 0.0 && (stands_in_text(one, b) || stands_in_text(other, a));
    levels.reach(if rescued { size::IN_TEXT } else { by_figure });
}

/// The level of two sizes in m².
fn level(one: f64, other: f64) -> Level {
    let both_fractions = one.fract() != 0.0 && other.fract() != 0.0;
    let gap = relative_gap(one, other);
    if (one - other).abs() < 0.05 {
        if both_fractions { size::EXACT } else { size::EQUAL }
    } else if !both_fractions && (one - other).abs() < 1.0 && (one.round() - other.round()).abs() < 0.5
        || !both_fractions && (one.floor() - other.floor()).abs() < 0.5
    {
        size::ROUNDED
    } else if gap <= 0.03 {
        size::NEAR
    } else if gap <= 0.08 {
        size::CLOSE
    } else if gap <= 0.2 {
        size::OFF
    } else {
        size::OTHER
    }
}

fn stands_in_text(area: f64, profile: &Profile) -> bool {
    area >= 10.0 && profile.marks.areas.binary_search(&((area * 10.0).round() as u32)).is_ok()
}

pub fn show(profile: &Profile) -> String {
    profile.size().map_or_else(String::new, |area| format!("{area} m²"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_area_is_nearly_as_good_as_an_equal_one() {
        assert_eq!(level(67.4, 67.0), size::ROUNDED);
        assert_eq!(level(67.6, 68.0), size::ROUNDED);
        assert_eq!(level(67.4, 67.4), size::EXACT);
        assert_eq!(level(67.0, 67.0), size::EQUAL);
        assert_eq!(level(67.4, 67.9), size::NEAR);
    }
}
