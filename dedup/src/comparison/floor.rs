//! Floor of the unit and height of the building.

use super::Levels;
use crate::profile::Profile;
use crate::scoring::weights::floor;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if let (Some(one), Some(other)) = (a.marks.floor, b.marks.floor) {
        levels.reach(match one.abs_diff(other) {
            0 => floor::EQUAL_IN_WORDS,
            1 => floor::NEXT_IN_WORDS,
            _ => floor::OTHER_IN_WORDS,
        });
    } else if let (Some(one), Some(other)) = (a.best_floor(), b.best_floor()) {
        levels.reach(match one.abs_diff(other) {
            0 => floor::EQUAL,
            1 => floor::NEXT,
            _ if in_one_street(a, b) => floor::STACKED,
            _ => floor::OTHER,
        });
    }
    if let (Some(one), Some(other)) = (a.floor_count, b.floor_count) {
        match one.abs_diff(other) {
            0 => levels.reach(floor::BUILDING),
            1 => {}
            _ => levels.reach(floor::OTHER_BUILDING),
        }
    }
}

fn in_one_street(a: &Profile, b: &Profile) -> bool {
    a.place.one_street(&b.place) == Some(true)
}

pub fn show(profile: &Profile) -> String {
    match (profile.best_floor(), profile.floor_count) {
        (Some(floor), Some(count)) => format!("floor {floor} of {count}"),
        (Some(floor), None) => format!("floor {floor}"),
        (None, Some(count)) => format!("{count} floors"),
        (None, None) => String::new(),
    }
}
