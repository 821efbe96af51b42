//! The district (okres) of a municipality, from the authored towns alone.

use schema::Location;

use super::{Address, AddressParts};
use crate::districts::District;
use crate::towns::{Town, town_by_key};

/// How far from the middle of a town a property of that town may be; beyond this it is in a namesake.
const TOWN_REACH_KM: f64 = 15.0;

/// The district of the municipality `name`, if the name alone determines it: an authored town without a namesake.
/// `None` says nothing about the municipality, because only larger towns are listed.
pub fn district_of_municipality(name: &str) -> Option<District> {
    authored_town(name)
        .filter(|town| !town.has_namesake)
        .map(|town| town.district)
}

/// The district of the municipality `name` at `location`: that of the authored town of this name, also if it has
/// namesakes. `None` if `location` is more than 15 km from that town.
pub fn district_of_municipality_at(name: &str, location: Location) -> Option<District> {
    authored_town(name)
        .filter(|town| town.location.kilometres_to(location) <= TOWN_REACH_KM)
        .map(|town| town.district)
}

/// The authored town that a text such as `Praha 5 - Smíchov` names.
fn authored_town(name: &str) -> Option<&'static Town> {
    let parts = AddressParts {
        city: Some(name),
        ..AddressParts::default()
    };
    town_by_key(&Address::from_parts(&parts).municipality?.key)
}
