//! Finding houses.

use gazetteer::places::How;
use gazetteer::{District, Gazetteer, GazetteerBuilder, Level, PlaceRow};
use schema::Location;

use super::{GAZETTEER, REGISTRY, found, house};

#[test]
fn a_house_is_found_by_any_of_its_numbers() {
    for text in [
        "Dlouhá 538/27a, Kvíčalov",
        "Dlouhá 538/27a, 393 99 Kvíčalov",
        "dlouha 538/27a kvicalov",
        "Kvíčalov, Dlouhá 538/27a",
        "ul. Dlouhá 27a, 39399",
        "Dlouhá 27a, Kvíčalov",
        "Dlouhá č.p. 538, Kvíčalov",
        "Dlouhá 538, Kvíčalov",
        "DLOUHÁ 538/27A, KVÍČALOV, okres Pelhřimov",
    ] {
        assert_eq!(house(text), Some(111), "{text}");
    }
    let found = found("Dlouhá 27a, Kvíčalov");
    assert_eq!(
        (found.level, found.house_number.building),
        (Level::Address, Some(538))
    );
    assert_eq!(found.names.quarter.as_deref(), Some("Kvíčalov"));
    assert_eq!(found.codes.municipality, Some(590_001));
    assert_eq!(found.names.district, Some(District::Pelhrimov));
    assert!(!found.is_ambiguous() && found.not_understood.is_empty());
    let words = "Dlouhá 538/27a, Kvíčalov, Kvíčalov, okres Pelhřimov, Kraj Vysočina (address)";
    assert_eq!(found.to_string(), words);
    let village = self::found("Zálesí č.ev. 7, Kvíčalov").to_string();
    assert_eq!(
        village,
        "č.ev. 7, Zálesí, Kvíčalov, okres Pelhřimov, Kraj Vysočina (address)"
    );
}

#[test]
fn typing_errors_abbreviations_and_long_forms_lead_to_the_same_house() {
    for (text, code) in [
        ("Dlouha 538/27a, Kvičlov", 111),
        ("Dlohuá 538/27a, Kvíčalov", 111),
        ("Dluohá 538/27a, Kvíčalov", 111),
        ("Čs. armády 275/21, Kvíčalov", 121),
        ("ceskoslovenske armady 21 kvicalov", 121),
        ("Českoslvenské arámdy 21, Kvíčalov", 121),
        ("majora Nováka 976/2, Kvíčalov", 122),
        ("Nováka 2, Kvíčalov", 122),
        ("náměstí Míru 1/1, Kvíčalov", 101),
        ("Míru 1, Kvíčalov", 101),
        ("1. máje 7, Kvíčalov", 123),
        ("1.máje 832, v Kvíčalově", 123),
    ] {
        assert_eq!(house(text), Some(code), "{text}");
    }
    let how = found("Dlohuá 538/27a, Kvíčalov")
        .matched
        .first()
        .map(|part| part.how);
    assert_eq!(how, Some(How::Misspelt));
}

#[test]
fn a_lone_number_matches_a_full_house_number_before_half_of_one() {
    assert_eq!(
        house("Dlouhá 29, Kvíčalov"),
        Some(112),
        "along the street before within the part"
    );
    assert_eq!(
        house("Dlouhá 61, Kvíčalov"),
        Some(116),
        "a house without another number"
    );
    assert_eq!(
        house("Dlouhá 28-30, Kvíčalov"),
        Some(112),
        "a range that it lies in"
    );
}

#[test]
fn village_houses_are_numbered_within_their_part() {
    assert_eq!(house("Zálesí 5, 393 98 Kvíčalov"), Some(131));
    assert_eq!(house("č.p. 5, Zálesí, Kvíčalov"), Some(131));
    assert_eq!(house("Zálesí č.ev. 7, Kvíčalov"), Some(132));
    assert_eq!(
        house("Zálesí 7, Kvíčalov"),
        Some(132),
        "a cottage without its mark"
    );
    assert_eq!(house("Kvíčalov 44"), Some(133));
    assert_eq!(
        house("Kvíčalov č.p. 5"),
        Some(131),
        "the only part that has it"
    );
}

#[test]
fn an_unknown_house_number_leads_to_the_street() {
    let street = found("Dlouhá 999, Kvíčalov");
    assert_eq!(
        (street.level, street.codes.address_place),
        (Level::Street, None)
    );
    assert_eq!(street.house_number.lone.map(|lone| lone.number), Some(999));
}

#[test]
fn a_quarter_narrows_a_street_to_the_part_in_it() {
    let west = found("Dlouhá, Kvíčalov - Zálesí").location;
    let east = found("Dlouhá, Kvíčalov - Kvíčalov").location;
    assert!(east.lng - west.lng > 0.02, "{east:?} {west:?}");
}

#[test]
fn words_that_are_markers_elsewhere_may_be_names() {
    assert_eq!(house("Stará parcela 104, Kvíčalov"), Some(124));
    assert_eq!(found("Kvíčalov, parcela 104").codes.address_place, None);
    assert_eq!(house("u lidoveho domu 6, kvicalov"), Some(126));
}

#[test]
fn district_region_postal_code_and_size_decide_between_places_of_one_name() {
    assert_eq!(house("Drozdice 1, okres Jihlava"), Some(301));
    assert_eq!(house("Drozdice 1, okres Pelhřimov"), Some(201));
    assert_eq!(house("Drozdice 1, 588 01"), Some(301));
    let either = found("Drozdice");
    assert!(
        either.is_ambiguous() && either.names.district == Some(District::Pelhrimov),
        "the larger one"
    );
    assert_eq!(house("Školní 9, okres Jihlava"), Some(401));
    assert_eq!(house("Školní 55, Kvíčalov"), Some(125));
}

#[test]
fn a_town_is_found_although_the_text_gives_another_district() {
    assert_eq!(
        found("Havranice, okres Pelhřimov").codes.municipality,
        Some(590_004)
    );
}

/// The registry with listings in Kvíčalov.
fn with_rows() -> Gazetteer {
    let at = |lat, lng| Some(Location { lat, lng });
    let town = GAZETTEER.locate("Kvíčalov").unwrap().location;
    let row = |neighborhood, street, location| PlaceRow {
        city: Some("Kvíčalov"),
        district: Some("Pelhřimov"),
        neighborhood,
        street,
        location,
        count: 3,
        ..PlaceRow::default()
    };
    let mut builder = GazetteerBuilder::new().registry(REGISTRY.clone());
    builder.row(&row(
        Some("Sídliště Vrány"),
        None,
        at(town.lat + 0.01, town.lng),
    ));
    builder.row(&row(None, Some("Dlouhé"), at(town.lat + 0.05, town.lng)));
    builder.row(&row(
        None,
        Some("Nová Havraní"),
        at(town.lat + 0.012, town.lng),
    ));
    builder.build()
}

#[test]
fn listings_add_names_unknown_to_the_registry_but_not_misspelt_ones() {
    let gazetteer = with_rows();
    let quarter = gazetteer.locate("Sídliště Vrány, Kvíčalov").unwrap();
    assert_eq!(quarter.level, Level::Quarter);
    let street = gazetteer.locate("Nová Havraní 3, Kvíčalov").unwrap();
    assert_eq!(
        (street.level, street.names.street.as_deref()),
        (Level::Street, Some("Nová Havraní"))
    );
    let misspelt = gazetteer.locate("Dlouhé 27a, Kvíčalov").unwrap();
    assert_eq!(misspelt.codes.address_place, Some(111));
}

#[test]
fn authored_towns_are_found_beside_the_registry() {
    assert_eq!(found("Brno").names.municipality.as_deref(), Some("Brno"));
    assert_eq!(found("Praha 5 - Smíchov").level, Level::Quarter);
}

#[test]
fn a_town_named_like_a_country_is_the_town_if_it_explains_everything() {
    assert_eq!(house("Na Prášilkách 521, Černá Hora"), Some(501));
    let abroad = GAZETTEER.locate("Budva, Černá Hora").unwrap_err();
    assert_eq!(abroad.reason, gazetteer::places::Reason::Abroad);
}

#[test]
fn a_name_with_many_errors_is_credible_if_its_house_exists() {
    assert_eq!(house("Dluoáh 538/27a, Kvíčalov"), Some(111));
    assert_eq!(found("Dluoáh 777, Kvíčalov").level, Level::Municipality);
}

/// Prague in the fixtures: two houses on one street, in two city parts and two old districts.
fn prague() -> Gazetteer {
    let name = "20260630_OB_554782_ADR.csv";
    let path = format!("{}/../fixtures/ruian/{name}", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read(path).unwrap();
    let registry = gazetteer::registry::Registry::from_tables(&[(name, &table)]).unwrap();
    GazetteerBuilder::new()
        .registry(std::sync::Arc::new(registry))
        .build()
}

#[test]
fn prague_is_found_by_quarter_city_part_and_old_district() {
    let gazetteer = prague();
    let code = |text: &str| gazetteer.locate(text).unwrap().codes.address_place;
    for text in [
        "Na Hradbách 5, Praha 2",
        "Na Hradbách 5, 128 99 Praha 2",
        "Praha 2 - Vyšehrádek, Na Hradbách 5/5",
        "Na Hradbách 5, Praha-Kvíčaly",
        "na hradbach 5 vysehradek",
    ] {
        assert_eq!(code(text), Some(99_990_201), "{text}");
    }
    assert_eq!(code("Na Hradbách 7b, Praha 10"), Some(99_990_202));
    let narrow = |text: &str| gazetteer.locate(text).unwrap().location;
    assert!(narrow("Na Hradbách, Praha-Kvíčaly").lng < narrow("Na Hradbách, Praha 98").lng);
    assert_eq!(
        gazetteer
            .locate("Praha 10")
            .unwrap()
            .names
            .quarter
            .as_deref(),
        Some("Praha 10")
    );
}
