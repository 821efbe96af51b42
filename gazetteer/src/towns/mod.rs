//! The authored towns and quarters: what is known of the country before any listing has been read.

mod quarters;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

use schema::Location;

use crate::address::place_key;
use crate::distance::kilometres;
use crate::districts::District;

/// How far from a town's middle a property may lie and still be in that town rather than in a namesake.
const TOWN_REACH_KM: f64 = 15.0;

/// A larger or better known municipality (obec).
#[derive(Debug)]
pub struct Town {
    /// Its official name.
    pub name: &'static str,
    /// The district it lies in.
    pub district: District,
    /// Its middle, good to about a hundredth of a degree.
    pub location: Location,
    /// Inhabitants, rounded to thousands.
    pub population: u32,
    /// Whether another municipality of the country has the same name.
    pub has_namesake: bool,
}

/// A city district or quarter of one of the four largest cities.
#[derive(Debug)]
pub struct Quarter {
    /// Its name: `Smíchov`, `Praha 5`.
    pub name: &'static str,
    /// The city.
    pub city: &'static str,
    /// Its middle, good to about a hundredth of a degree.
    pub location: Location,
    /// Inhabitants, rounded to thousands.
    pub population: u32,
}

const fn town(
    name: &'static str,
    district: District,
    (lat, lng): (f64, f64),
    thousands: u32,
) -> Town {
    let location = Location { lat, lng };
    Town {
        name,
        district,
        location,
        population: thousands * 1000,
        has_namesake: false,
    }
}

const fn homonym(name: &'static str, district: District, at: (f64, f64), thousands: u32) -> Town {
    let mut town = town(name, district, at, thousands);
    town.has_namesake = true;
    town
}

const fn quarter(
    name: &'static str,
    city: &'static str,
    (lat, lng): (f64, f64),
    thousands: u32,
) -> Quarter {
    Quarter {
        name,
        city,
        location: Location { lat, lng },
        population: thousands * 1000,
    }
}

/// Towns by match key. No two of the list share one.
static BY_KEY: LazyLock<HashMap<String, &'static Town>> = LazyLock::new(|| {
    table::TOWNS
        .iter()
        .map(|town| (place_key(town.name), town))
        .collect()
});

/// Quarters' match keys.
static QUARTERS_BY_KEY: LazyLock<HashMap<String, &'static Quarter>> = LazyLock::new(|| {
    quarters::QUARTERS
        .iter()
        .map(|quarter| (place_key(quarter.name), quarter))
        .collect()
});

/// Every authored town, largest first or nearly so.
pub fn towns() -> &'static [Town] {
    table::TOWNS
}

/// Every authored quarter.
pub fn quarters() -> &'static [Quarter] {
    quarters::QUARTERS
}

/// The authored town with this match key.
pub(crate) fn town_by_key(key: &str) -> Option<&'static Town> {
    BY_KEY.get(key).copied()
}

/// The authored quarter with this match key; where two cities have one of that name, either.
pub(crate) fn quarter_by_key(key: &str) -> Option<&'static Quarter> {
    QUARTERS_BY_KEY.get(key).copied()
}

/// The district that the municipality `name` lies in, where the name alone settles it: an authored town without a
/// namesake. `None` says nothing: the list holds the larger towns only.
pub fn district_of_municipality(name: &str) -> Option<District> {
    town_by_key(&municipality_of(name)?)
        .filter(|town| !town.has_namesake)
        .map(|town| town.district)
}

/// As [`district_of_municipality`], but a namesake is no obstacle when `location` lies within 15 km of the authored
/// town; and a location farther than that from the town settles nothing.
pub fn district_of_municipality_at(name: &str, location: Location) -> Option<District> {
    town_by_key(&municipality_of(name)?)
        .filter(|town| kilometres(town.location, location) <= TOWN_REACH_KM)
        .map(|town| town.district)
}

/// The match key of the municipality in a text such as `Praha 5 - Smíchov`.
fn municipality_of(name: &str) -> Option<String> {
    let parts = crate::AddressParts {
        city: Some(name),
        ..crate::AddressParts::default()
    };
    crate::Address::read(&parts)
        .municipality
        .map(|municipality| municipality.key)
}
