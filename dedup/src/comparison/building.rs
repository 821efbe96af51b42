//! Construction, ownership, energy class, year.

use schema::{BuildingType, Ownership, SpecEnum};

use super::Levels;
use crate::profile::{EnergyClass, Profile};
use crate::weights::building;

/// One advert may state when the building was finished, another when it was approved for use; and the years of
/// old houses are guesses.
const SAME_BUILDING_YEARS: u16 = 5;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let (one, other) = (&a.building, &b.building);
    if let (Some(left), Some(right)) = (one.construction, other.construction) {
        levels.reach(if left == right {
            building::CONSTRUCTION
        } else {
            building::DIFFERENT_CONSTRUCTION
        });
    }
    if let (Some(left), Some(right)) = (one.ownership, other.ownership) {
        if left != right {
            levels.reach(building::DIFFERENT_OWNERSHIP);
        } else if left != Ownership::Private {
            levels.reach(building::OWNERSHIP);
        }
    }
    if let (Some(left), Some(right)) = (one.energy_class, other.energy_class) {
        // Adverts without a certificate must state G, so an equal G says nothing.
        match (left == right, [left, right].contains(&EnergyClass::WORST)) {
            (true, false) => levels.reach(building::ENERGY),
            (false, false) => levels.reach(building::DIFFERENT_ENERGY),
            _ => {}
        }
    }
    if let (Some(left), Some(right)) = (one.year_built, other.year_built) {
        match left.abs_diff(right) {
            0 => levels.reach(building::YEAR),
            1..=SAME_BUILDING_YEARS => {}
            _ => levels.reach(building::DIFFERENT_YEAR),
        }
    }
}

pub(super) fn show(profile: &Profile) -> String {
    let building = profile.building.construction.map(BuildingType::as_str);
    let ownership = profile.building.ownership.map(Ownership::as_str);
    let energy = profile
        .building
        .energy_class
        .map(|class| format!("energy class {class}"));
    let year = profile.building.year_built;
    let parts = [
        building.map(str::to_owned),
        ownership.map(|form| format!("{form} ownership")),
        energy,
        year.map(|year| format!("built in {year}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
