//! Room layout (dispozice). Portals and agents often confuse similar layouts.

use schema::{Arrangement, SpecEnum};

use super::Levels;
use crate::profile::Profile;
use crate::weights::{Level, layout};

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if let (Some(one), Some(other)) = (a.best_arrangement(), b.best_arrangement())
        && let Some(level) = level(one, other)
    {
        levels.reach(level);
    }
}

/// The level of two layouts; `None` if one of them does not state the number of rooms.
fn level(one: Arrangement, other: Arrangement) -> Option<Level> {
    if one == other {
        return Some(layout::EQUAL);
    }
    if matches!(
        (one, other),
        (Arrangement::R1P0, Arrangement::R1Kk) | (Arrangement::R1Kk, Arrangement::R1P0)
    ) {
        return Some(layout::ONE_ROOM);
    }
    let apart = one.rooms()?.abs_diff(other.rooms()?);
    Some(match apart {
        0 => layout::CONFUSED,
        1 => layout::NEXT,
        _ => layout::DIFFERENT,
    })
}

pub(super) fn show(profile: &Profile) -> String {
    profile
        .best_arrangement()
        .map_or("", SpecEnum::as_str)
        .to_owned()
}
