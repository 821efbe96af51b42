//! The authored tables compared with a public list of municipalities, if it is present beside the project.

use std::path::Path;

use czech::fold_name;
use gazetteer::{District, towns};
use schema::Location;

const LIST: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/ruian/lists/obce_okres_kraj_psc_gps_2018.csv"
);

/// Harrachov was moved to the district Jablonec nad Nisou in 2021.
const MOVED: &str = "Harrachov";

#[test]
fn every_town_and_district_lies_in_the_country() {
    let inside = |at: Location| (48.5..51.1).contains(&at.lat) && (12.0..18.9).contains(&at.lng);
    assert!(
        towns::towns()
            .iter()
            .all(|town| inside(town.location) && town.population > 0)
    );
    assert!(
        towns::quarters()
            .iter()
            .all(|quarter| inside(quarter.location))
    );
    assert!(
        District::all()
            .all(|district| inside(district.location()) && inside(district.region().location()))
    );
}

#[test]
fn every_district_town_is_an_authored_town_and_every_quarter_lies_near_its_city() {
    let town = |name: &str| towns::towns().iter().find(|town| town.name == name);
    for district in District::all() {
        assert!(town(district.town()).is_some(), "{}", district.town());
    }
    for quarter in towns::quarters() {
        let city = town(quarter.city).unwrap();
        assert!(
            city.location.kilometres_to(quarter.location) < 20.0,
            "{}",
            quarter.name
        );
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn towns_agree_with_the_public_list() {
    if !Path::new(LIST).exists() {
        println!("skipped: no list of municipalities beside the project");
        return;
    }
    let list = std::fs::read_to_string(LIST).unwrap();
    let rows: Vec<Vec<&str>> = list
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    for town in towns::towns() {
        let namesakes: Vec<&Vec<&str>> = rows
            .iter()
            .filter(|row| fold_name(row[0]) == fold_name(town.name))
            .collect();
        assert!(!namesakes.is_empty(), "{} is not a municipality", town.name);
        let own = namesakes
            .iter()
            .find(|row| District::parse(row[2]) == Some(town.district) || town.name == MOVED);
        let own = own.unwrap_or_else(|| panic!("{} lies in another district", town.name));
        let at = Location {
            lat: own[7].parse().unwrap(),
            lng: own[8].parse().unwrap(),
        };
        assert!(
            at.kilometres_to(town.location) < 3.0,
            "{} lies at {at:?}",
            town.name
        );
        assert!(
            town.has_namesake || namesakes.len() == 1,
            "{} has a namesake",
            town.name
        );
    }
}
