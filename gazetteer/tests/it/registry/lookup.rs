//! Looking things up in the registry.

use std::collections::BTreeSet;

use gazetteer::registry::{BuildingNumber, NameForms, PlaceIndex, QuarterIndex, Registry};
use gazetteer::{District, PostalCode};

use super::{Target, good, lines, place};

fn registry() -> Registry {
    let target = Target::new();
    target.import_good(&good());
    target.open()
}

fn codes(registry: &Registry, places: impl Iterator<Item = PlaceIndex>) -> Vec<u32> {
    places
        .map(|index| registry.place(index).unwrap().code)
        .collect()
}

fn quarter(registry: &Registry, code: u32) -> QuarterIndex {
    let at = registry
        .quarters()
        .iter()
        .position(|quarter| quarter.code == code)
        .unwrap();
    QuarterIndex(u32::try_from(at).unwrap())
}

#[test]
fn every_place_is_as_published() {
    assert_eq!(
        lines(&registry()),
        [
            "99990001 nám. Míru č.p. 1/1, Kvíčalov, Kvíčalov, 393 99",
            "99990002 nám. Míru č.p. 2/2, Kvíčalov, Kvíčalov, 393 99",
            "99990003 nám. Míru č.p. 102/2a, Kvíčalov, Kvíčalov, 393 99",
            "99990004 Lipová č.p. 17/1, Kvíčalov, Kvíčalov, 393 99",
            "99990005 Lipová č.p. 18/3, Kvíčalov, Kvíčalov, 393 99",
            "99990006 Lipová č.p. 1/5, Podkvíčalí, Kvíčalov, 393 98",
            "99990007 - č.p. 2, Podkvíčalí, Kvíčalov, 393 98",
            "99990008 - č.ev. 2, Podkvíčalí, Kvíčalov, 393 98",
            "99990009 - č.ev. 14, Podkvíčalí, Kvíčalov, 393 98",
            "99990101 - č.p. 1, Žďárská Lhota, Žďárská Lhota, 393 97",
            "99990102 - č.p. 2, Žďárská Lhota, Žďárská Lhota, 393 97",
            "99990103 - č.ev. 2, Žďárská Lhota, Žďárská Lhota, 393 97",
            "99990201 Na Hradbách č.p. 5/5, Vyšehrádek, Praha, 128 99",
            "99990202 Na Hradbách č.p. 7/7b, Vyšehrádek, Praha, 108 99",
        ]
    );
}

#[test]
fn a_place_is_the_same_alone_and_in_a_range() {
    let registry = registry();
    for (index, place) in registry.places_in(0..registry.place_count()) {
        assert_eq!(registry.place(index), Some(place));
    }
    assert!(registry.place(PlaceIndex(registry.place_count())).is_none());
}

#[test]
fn a_number_is_found_in_its_quarter_with_and_without_a_street() {
    let registry = registry();
    let find = |code, number| {
        let quarter = quarter(&registry, code);
        codes(&registry, registry.find_in_quarter(quarter, number))
    };
    assert_eq!(find(499_902, BuildingNumber::Building(1)), [99_990_006]);
    assert_eq!(find(499_902, BuildingNumber::Building(2)), [99_990_007]);
    assert_eq!(find(499_902, BuildingNumber::Registration(2)), [99_990_008]);
    assert_eq!(find(499_901, BuildingNumber::Building(1)), [99_990_001]);
    assert_eq!(find(499_901, BuildingNumber::Building(14)), [0_u32; 0]);
    assert_eq!(
        find(499_901, BuildingNumber::Building(u16::MAX)),
        [0_u32; 0]
    );
}

#[test]
fn a_quarter_counts_its_places_and_a_street_may_run_through_several_quarters() {
    let registry = registry();
    let part = quarter(&registry, 499_902);
    let in_part = registry
        .places_in(0..registry.place_count())
        .filter(|(_, place)| place.quarter == part);
    let codes: Vec<u32> = in_part.map(|(_, place)| place.code).collect();
    assert_eq!(codes, [99_990_006, 99_990_007, 99_990_008, 99_990_009]);
    assert_eq!(registry.quarter(part).unwrap().place_count, 4);
    let lime_street = registry
        .streets()
        .iter()
        .find(|street| registry.name(street.name) == "Lipová")
        .unwrap();
    let quarters: BTreeSet<u32> = registry
        .places_in(lime_street.places.clone())
        .map(|(_, place)| registry.quarter(place.quarter).unwrap().code)
        .collect();
    assert_eq!(quarters, BTreeSet::from([499_901, 499_902]));
}

#[test]
fn places_along_a_street_are_ordered_by_orientation_number() {
    let registry = registry();
    let square = registry
        .streets()
        .iter()
        .find(|street| street.code == 899_901)
        .unwrap();
    let numbers: Vec<(u16, Option<char>)> = registry
        .places_in(square.places.clone())
        .map(|(_, place)| {
            place
                .orientation
                .map(|number| (number.number, number.letter))
                .unwrap()
        })
        .collect();
    assert_eq!(numbers, [(1, None), (2, None), (2, Some('a'))]);
}

#[test]
fn municipalities_have_the_district_of_the_hierarchy_tables() {
    let registry = registry();
    let district = |code| {
        let index = registry.municipality_by_code(code).unwrap();
        registry.municipality(index).unwrap().district
    };
    assert_eq!(district(599_901), Some(District::Pelhrimov));
    assert_eq!(district(599_902), Some(District::JindrichuvHradec));
    assert_eq!(district(554_782), Some(District::Praha));
    assert_eq!(
        registry.municipality_by_code(599_909),
        None,
        "it was dissolved in 2014"
    );
}

#[test]
fn a_municipality_without_addresses_has_its_name_and_definition_point() {
    let registry = registry();
    let index = registry.municipality_by_code(599_903).unwrap();
    let municipality = registry.municipality(index).unwrap();
    assert_eq!(registry.name(municipality.name), "Nová Kvíčala");
    assert!(municipality.places.is_empty());
    let at = municipality.position.unwrap();
    assert!(
        (at.lat - 49.64).abs() < 0.05 && (at.lng - 15.24).abs() < 0.05,
        "{at:?}"
    );
}

#[test]
fn names_are_declined_if_vfr_gave_the_forms() {
    let registry = registry();
    let index = registry.municipality_by_code(599_901).unwrap();
    let forms = registry.municipality(index).unwrap().forms;
    let declined: Vec<&str> = registry.declined(forms).collect();
    assert_eq!(
        declined,
        [
            "Kvíčalova",
            "Kvíčalovu",
            "Kvíčalov",
            "Kvíčalově",
            "Kvíčalovem"
        ]
    );
    assert_eq!(registry.declined(NameForms::UNKNOWN).count(), 0);
}

#[test]
fn prague_has_city_parts_and_old_districts() {
    let registry = registry();
    let place = place(&registry, 99_990_202);
    let part = registry.city_part(place.city_part.unwrap()).unwrap();
    assert_eq!(registry.name(part.name), "Praha 98");
    assert_eq!(place.old_prague_district, Some(10));
}

#[test]
fn the_area_of_a_postal_code_is_that_of_its_places() {
    let registry = registry();
    let area = registry
        .postal_area(PostalCode::parse("393 98").unwrap())
        .unwrap();
    assert_eq!(area.place_count, 4);
    assert_eq!(
        registry.municipality(area.municipality).unwrap().code,
        599_901
    );
    assert!(area.position.is_some());
    assert!(
        registry
            .postal_area(PostalCode::parse("110 00").unwrap())
            .is_none()
    );
}

#[test]
fn the_position_of_a_street_is_that_of_one_of_its_places() {
    let registry = registry();
    for street in registry.streets() {
        let mut places = registry.places_in(street.places.clone());
        assert!(places.any(|(_, place)| place.location == street.position));
    }
}
