//! Construction, ownership, energy class.

use schema::{BuildingType, Ownership, SpecEnum};

use super::Levels;
use crate::profile::{EnergyClass, Profile};
use crate::scoring::weights::traits;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let (one, other) = (&a.traits, &b.traits);
    if let (Some(left), Some(right)) = (one.building, other.building) {
        levels.reach(if left == right {
            traits::BUILDING
        } else {
            traits::OTHER_BUILDING
        });
    }
    if let (Some(left), Some(right)) = (one.ownership, other.ownership) {
        if left != right {
            levels.reach(traits::OTHER_OWNERSHIP);
        } else if left != Ownership::Private {
            levels.reach(traits::OWNERSHIP);
        }
    }
    if let (Some(left), Some(right)) = (one.energy, other.energy) {
        // G is also what the law makes of "no certificate yet".
        match (left == right, [left, right].contains(&EnergyClass::WORST)) {
            (true, false) => levels.reach(traits::ENERGY),
            (false, false) => levels.reach(traits::OTHER_ENERGY),
            _ => {}
        }
    }
}

pub fn show(profile: &Profile) -> String {
    let building = profile.traits.building.map(BuildingType::as_str);
    let ownership = profile.traits.ownership.map(Ownership::as_str);
    let energy = profile
        .traits
        .energy
        .map(|class| format!("energy class {class}"));
    let parts = [
        building.map(str::to_owned),
        ownership.map(|form| format!("{form} ownership")),
        energy,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
