//! The plot of a house: the stable size of the two.

use schema::PropertyType;

use super::{Levels, relative_gap};
use crate::profile::Profile;
use crate::scoring::weights::plot;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if a.property_type == Some(PropertyType::Land) || b.property_type == Some(PropertyType::Land) {
        return;
    }
    let (Some(one), Some(other)) = (a.land_area, b.land_area) else { return };
    levels.reach(match relative_gap(one, other) {
        0.0 => plot::EQUAL,
        gap if gap <= 0.03 => plot::NEAR,
        gap if gap <= 0.2 => plot::OFF,
        _ => plot::OTHER,
    });
}

pub fn show(profile: &Profile) -> String {
    profile.land_area.map_or_else(String::new, |area| format!("plot {area} m²"))
}
