//! Floor of the unit and number of storeys of the building.

use super::Levels;
use crate::profile::Profile;
use crate::weights::floor;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if let (Some(one), Some(other)) = (a.marks.floor, b.marks.floor) {
        levels.reach(match one.abs_diff(other) {
            0 => floor::EQUAL_IN_TEXTS,
            1 => floor::NEXT_IN_TEXTS,
            _ => floor::DIFFERENT_IN_TEXTS,
        });
    } else if let (Some(one), Some(other)) = (a.best_floor(), b.best_floor()) {
        levels.reach(match one.abs_diff(other) {
            0 => floor::EQUAL,
            1 => floor::NEXT,
            _ if on_one_street(a, b) => floor::STACKED,
            _ => floor::DIFFERENT,
        });
    }
    if let (Some(one), Some(other)) = (a.floor_count, b.floor_count) {
        match one.abs_diff(other) {
            0 => levels.reach(floor::STOREYS),
            1 => {}
            _ => levels.reach(floor::DIFFERENT_STOREYS),
        }
    }
}

fn on_one_street(a: &Profile, b: &Profile) -> bool {
    a.place.same_street(&b.place) == Some(true)
}

pub(super) fn show(profile: &Profile) -> String {
    match (profile.best_floor(), profile.floor_count) {
        (Some(floor), Some(count)) => format!("floor {floor} of {count}"),
        (Some(floor), None) => format!("floor {floor}"),
        (None, Some(count)) => format!("{count} floors"),
        (None, None) => String::new(),
    }
}
