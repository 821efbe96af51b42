//! Construction, ownership, energy class.

use schema::{BuildingType, Ownership, SpecEnum};

use super::Levels;
use crate::profile::{EnergyClass, Profile};
use crate::weights::building;

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
}

pub(super) fn show(profile: &Profile) -> String {
    let building = profile.building.construction.map(BuildingType::as_str);
    let ownership = profile.building.ownership.map(Ownership::as_str);
    let energy = profile
        .building
        .energy_class
        .map(|class| format!("energy class {class}"));
    let parts = [
        building.map(str::to_owned),
        ownership.map(|form| format!("{form} ownership")),
        energy,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
