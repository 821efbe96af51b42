//! The plot of a house, which adverts state more consistently than the living area.

use schema::PropertyType;

use super::{Levels, relative_gap};
use crate::profile::Profile;
use crate::weights::plot;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if a.property_type == Some(PropertyType::Land) || b.property_type == Some(PropertyType::Land) {
        return;
    }
    if super::size::swapped(a, b) {
        return;
    }
    let (one, other) = match (a.land_area, b.land_area) {
        (Some(one), Some(other)) => (one, other),
        (Some(area), None) if b.text_states(area) => return levels.reach(plot::IN_TEXT),
        (None, Some(area)) if a.text_states(area) => return levels.reach(plot::IN_TEXT),
        _ => return,
    };
    levels.reach(match relative_gap(one, other) {
        0.0 => plot::EQUAL,
        gap if gap <= 0.03 => plot::NEAR,
        gap if gap <= 0.2 => plot::OFF,
        _ => plot::DIFFERENT,
    });
}

pub(super) fn show(profile: &Profile) -> String {
    profile
        .land_area
        .map_or_else(String::new, |area| format!("plot {area} m²"))
}
