//! The authored towns and quarters: what is known of the country without any data.
//!
//! `towns.csv`, `quarters.csv` and `quarter_names.csv` beside this file are public knowledge, written down by hand. The
//! last one names every part of the four largest cities, so that one quarter has one name without a registry too.

mod lookup;

use std::str::FromStr;
use std::sync::LazyLock;

use schema::Location;

use crate::districts::District;

pub(crate) use lookup::{
    is_half_of, quarter_by_key, quarter_name, town_by_key, town_by_name, unabbreviated_quarter,
};

/// A larger or better known municipality (obec).
#[derive(Debug)]
pub struct Town {
    /// Its official name.
    pub name: &'static str,
    /// The district it lies in.
    pub district: District,
    /// Its middle, exact to about a hundredth of a degree.
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
    /// Its middle, exact to about a hundredth of a degree.
    pub location: Location,
    /// Inhabitants, rounded to thousands.
    pub population: u32,
}

/// Every authored town, roughly from the largest to the smallest.
pub fn towns() -> &'static [Town] {
    static TOWNS: LazyLock<Vec<Town>> = LazyLock::new(|| {
        let rows = rows(include_str!("towns.csv"));
        rows.map(|[name, district, lat, lng, thousands, namesake]| Town {
            name,
            district: District::parse(district).unwrap_or_else(|| unreadable("district", district)),
            location: location(lat, lng),
            population: value::<u32>(thousands) * 1000,
            has_namesake: namesake == "yes",
        })
        .collect()
    });
    &TOWNS
}

/// Every authored quarter.
pub fn quarters() -> &'static [Quarter] {
    static QUARTERS: LazyLock<Vec<Quarter>> = LazyLock::new(|| {
        let rows = rows(include_str!("quarters.csv"));
        rows.map(|[name, city, lat, lng, thousands]| Quarter {
            name,
            city,
            location: location(lat, lng),
            population: value::<u32>(thousands) * 1000,
        })
        .collect()
    });
    &QUARTERS
}

/// Every part of the four largest cities: the city and the official name of the part.
fn quarter_names() -> impl Iterator<Item = [&'static str; 2]> {
    rows(include_str!("quarter_names.csv"))
}

/// The rows of a table below its header.
fn rows<const COLUMNS: usize>(
    table: &'static str,
) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells.try_into().unwrap_or_else(|_| unreadable("row", line))
    })
}

fn location(lat: &str, lng: &str) -> Location {
    Location {
        lat: value(lat),
        lng: value(lng),
    }
}

fn value<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| unreadable("number", text))
}

/// Ends the program: the tables are compiled in, and a test reads them.
#[expect(clippy::panic, reason = "a mistake in a table that is compiled in")]
fn unreadable(what: &str, text: &str) -> ! {
    panic!("the authored towns have an invalid {what}: {text:?}")
}
