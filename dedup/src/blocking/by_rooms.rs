//! Rules of a small place and the rooms alone: for adverts without a size, or with a wrong one.

use h3o::Resolution;

use super::cells::cells;
use super::figures::rooms;
use super::keys::mixed;
use crate::profile::{Hash, Profile};

pub fn street_and_rooms(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .bare_streets()
        .map(|street| mixed(street, rooms(profile)))
        .collect()
}

/// Cells of 0.1 km² and, near an edge, the next one.
pub fn pin_and_rooms(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile
        .place
        .pin
        .filter(|_| profile.place.precision.may_mark_property())
    else {
        return Vec::new();
    };
    cells(pin, Resolution::Nine, 60.0)
        .into_iter()
        .map(|cell| mixed(cell, rooms(profile)))
        .collect()
}
