//! Parts of the property and its orientation, which distinguish mirrored flats.

use super::Levels;
use crate::profile::Profile;
use crate::profile::parts::{Part, Parts};
use crate::weights::parts;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    for part in [
        Part::Balcony,
        Part::Loggia,
        Part::Terrace,
        Part::Storage,
        Part::Garage,
    ] {
        compare_part(&a.parts, &b.parts, part, levels);
    }
    let (one, other) = (a.parts.orientation, b.parts.orientation);
    if one != 0 && other != 0 {
        levels.reach(if one & other == 0 {
            parts::DIFFERENT_DIRECTION
        } else {
            parts::DIRECTION
        });
    }
}

fn compare_part(a: &Parts, b: &Parts, part: Part, levels: &mut Levels) {
    let (one, other) = (a.sizes_of(part), b.sizes_of(part));
    if one.clone().next().is_none() || other.clone().next().is_none() {
        return;
    }
    let exact = one
        .clone()
        .any(|size| size % 10 != 0 && other.clone().any(|there| there == size));
    let rounded = || {
        one.clone()
            .any(|size| other.clone().any(|there| size.abs_diff(there) < 10))
    };
    let whole = |size: u32| size.is_multiple_of(10);
    let one_is_whole = || one.clone().all(whole) || other.clone().all(whole);
    levels.reach(match exact {
        true => parts::PART,
        false if one_is_whole() && rounded() => parts::PART_ROUNDED,
        false => parts::DIFFERENT_PART,
    });
}

pub(super) fn show(profile: &Profile) -> String {
    let name = |part| match part {
        Part::Balcony => "balcony",
        Part::Loggia => "loggia",
        Part::Terrace => "terrace",
        Part::Storage => "storage",
        Part::Garage => "garage",
    };
    let parts = profile
        .parts
        .sizes
        .iter()
        .map(|(part, tenths)| format!("{} {} m²", name(*part), f64::from(*tenths) / 10.0));
    let sides = [(1, "north"), (2, "east"), (4, "south"), (8, "west")];
    let faces = sides
        .iter()
        .filter(|(bit, _)| profile.parts.orientation & bit != 0)
        .map(|(_, side)| (*side).to_owned());
    parts.chain(faces).collect::<Vec<_>>().join(", ")
}
