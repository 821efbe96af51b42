//! What the gazetteer knows of a municipality: its extent, and the official names in it.

use gazetteer::{Gazetteer, KnownMunicipality, PostalCode};
use schema::Location;

use super::GAZETTEER;

fn the(gazetteer: &Gazetteer, key: &str) -> KnownMunicipality {
    let named = gazetteer.municipalities_named(key);
    assert_eq!(named.len(), 1, "{key}");
    named[0]
}

/// The position so many kilometres north of a place.
fn north(of: Location, kilometres: f64) -> Location {
    Location {
        lat: of.lat + kilometres / 111.2,
        lng: of.lng,
    }
}

#[test]
fn municipalities_of_one_name_differ_in_their_districts() {
    let named = GAZETTEER.municipalities_named("drozdice");
    let district = |of: &KnownMunicipality| GAZETTEER.municipality_district(*of).unwrap();
    assert_eq!(named.len(), 2);
    assert_ne!(district(&named[0]), district(&named[1]));
    let mut spelt = named.iter().map(|of| GAZETTEER.municipality_name(*of));
    assert!(spelt.all(|name| name == Some("Drozdice")));
    assert!(GAZETTEER.municipalities_named("kocourkov").is_empty());
}

#[test]
fn names_in_a_municipality_get_their_official_spelling() {
    let town = the(&GAZETTEER, "kvicalov");
    for (written, official) in [
        ("ulice Dlouha", Some("Dlouhá")),
        ("NÁM. MÍRU", Some("nám. Míru")),
        ("náměstí Míru", Some("nám. Míru")),
        ("Čs. armády", Some("Československé armády")),
        ("Míru", None),
        ("Krátká", None),
    ] {
        assert_eq!(GAZETTEER.official_street(town, written), official);
    }
    for (written, official) in [
        ("Zalesi", Some("Zálesí")),
        ("Kvíčalov - Zálesí", Some("Zálesí")),
        ("Kvíčalov-Zálesí", Some("Zálesí")),
        ("Kvíčalov Zálesí", Some("Zálesí")),
        ("Zálesíčko", None),
    ] {
        let found = GAZETTEER.official_quarter(town, written);
        assert_eq!(found.as_deref(), official, "{written}");
    }
}

#[test]
fn the_parts_of_the_largest_cities_are_known_without_a_registry() {
    let authored = Gazetteer::authored();
    for (city, written, official) in [
        ("praha", "Praha 5 - Smichov", "Smíchov"),
        ("praha", "DOLNÍ CHABRY", "Dolní Chabry"),
        ("praha", "Praha 5", "Praha 5"),
        ("brno", "Brno-Bystrc", "Bystrc"),
        ("brno", "Brno-Bystrc - Bystrc", "Bystrc"),
        ("brno", "Brno-střed", "Brno-střed"),
        ("ostrava", "Polanka nad Odrou", "Polanka nad Odrou"),
        ("plzen", "Severni Predmesti", "Severní Předměstí"),
    ] {
        let found = authored.official_quarter(the(&authored, city), written);
        assert_eq!(found.as_deref(), Some(official), "{written}");
    }
    assert_eq!(
        authored.official_quarter(the(&authored, "brno"), "Smíchov"),
        None
    );
}

#[test]
fn a_pin_is_in_the_municipality_up_to_three_kilometres_beyond_its_last_quarter() {
    let town = the(&GAZETTEER, "kvicalov");
    let extent = GAZETTEER.extent(town).unwrap();
    assert!((5.0..7.0).contains(&extent.reach_km), "{extent:?}");
    assert!(extent.contains(north(extent.middle, extent.reach_km - 0.1)));
    assert!(!extent.contains(north(extent.middle, extent.reach_km + 0.1)));
    let authored = Gazetteer::authored();
    let reach = |key| authored.extent(the(&authored, key)).unwrap().reach_km;
    assert!((18.0..24.0).contains(&reach("praha")));
    assert!((5.0..8.0).contains(&reach("rakovnik")));
}

#[test]
fn postal_codes_belong_to_municipalities_as_far_as_they_are_known() {
    let code = |number| PostalCode::from_number(number).unwrap();
    let town = the(&GAZETTEER, "kvicalov");
    assert_eq!(GAZETTEER.has_postal_code(town, code(39_398)), Some(true));
    assert_eq!(GAZETTEER.has_postal_code(town, code(39_301)), Some(false));
    assert_eq!(GAZETTEER.has_postal_code(town, code(75_000)), None);
    assert_eq!(GAZETTEER.has_postal_code(town, code(11_000)), Some(false));
    let authored = Gazetteer::authored();
    let prague = the(&authored, "praha");
    assert_eq!(authored.has_postal_code(prague, code(19_800)), Some(true));
    assert_eq!(authored.has_postal_code(prague, code(25_000)), Some(false));
}

#[test]
fn a_name_may_have_unknown_namesakes_unless_the_town_is_known_to_be_the_only_one() {
    assert!(!GAZETTEER.may_have_namesakes("praha"));
    assert!(GAZETTEER.may_have_namesakes("benesov"));
    assert!(GAZETTEER.may_have_namesakes("kvicalov"));
}
