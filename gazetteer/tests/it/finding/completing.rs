//! Completing addresses from the registry.

use gazetteer::{Address, AddressParts, Certainty, Gazetteer, Level};

use super::GAZETTEER;

fn line(line: &str) -> Address {
    GAZETTEER.complete_address(&AddressParts {
        line: Some(line),
        ..AddressParts::default()
    })
}

#[test]
fn spellings_of_one_address_are_completed_to_the_same() {
    let official = line("Československé armády 275/21, 393 99 Kvíčalov");
    let resolved = official.resolved.unwrap();
    assert_eq!(
        (resolved.level, resolved.certainty),
        (Level::Address, Certainty::Exact)
    );
    assert_eq!(resolved.codes.address_place, Some(121));
    for text in [
        "Čs. armády 21, Kvíčalov",
        "KVICALOV, CS ARMADY 275",
        "Českoslvenské armády 275/21, Kvičalov",
    ] {
        let read = line(text);
        assert_eq!(
            read.resolved.map(|resolved| resolved.codes),
            Some(resolved.codes),
            "{text}"
        );
        assert_eq!(
            (read.street_key(), read.number),
            (official.street_key(), official.number),
            "{text}"
        );
        assert_eq!(read.postal_code, official.postal_code, "{text}");
    }
    let misspelt = line("Českoslvenské armády 275/21, Kvičalov")
        .resolved
        .unwrap();
    assert_eq!(misspelt.certainty, Certainty::Corrected);
}

#[test]
fn fields_are_completed_like_lines() {
    let address = GAZETTEER.complete_address(&AddressParts {
        street: Some("Dlouha"),
        house_number: Some("27a"),
        city: Some("Kvíčalov"),
        district: Some("okres Pelhřimov"),
        ..AddressParts::default()
    });
    assert_eq!(
        address
            .street
            .as_ref()
            .map(|street| street.written.as_str()),
        Some("Dlouhá")
    );
    assert_eq!(
        (address.number.building, address.quarter_key()),
        (Some(538), Some("kvicalov"))
    );
    assert_eq!(address.resolved.unwrap().codes.address_place, Some(111));
}

#[test]
fn the_name_of_a_village_is_not_a_street() {
    let address = GAZETTEER.complete_address(&AddressParts {
        street: Some("Zálesí"),
        house_number: Some("5"),
        city: Some("Kvíčalov"),
        ..AddressParts::default()
    });
    assert_eq!(
        (address.street_key(), address.quarter_key()),
        (None, Some("zalesi"))
    );
    assert_eq!(address.resolved.unwrap().codes.address_place, Some(131));
}

#[test]
fn nothing_is_filled_in_if_several_places_fit() {
    let address = line("Drozdice 1");
    let resolved = address.resolved.unwrap();
    assert_eq!(
        (resolved.certainty, resolved.codes),
        (Certainty::Ambiguous, gazetteer::Codes::default())
    );
    assert_eq!(
        (address.district, address.municipality_key()),
        (None, Some("drozdice"))
    );
}

#[test]
fn a_street_unknown_to_the_registry_is_kept_as_read() {
    let address = line("Neznámá 5, Kvíčalov");
    assert_eq!(address.street_key(), Some("neznama"));
    let resolved = address.resolved.unwrap();
    assert_eq!(
        (resolved.level, resolved.certainty),
        (Level::Municipality, Certainty::Corrected)
    );
    assert_eq!(resolved.codes.municipality, Some(590_001));
}

#[test]
fn without_a_registry_an_address_is_only_read() {
    let parts = AddressParts {
        line: Some("Čs. armády 21, Kvíčalov"),
        ..AddressParts::default()
    };
    assert_eq!(
        Gazetteer::authored().complete_address(&parts),
        Address::from_parts(&parts)
    );
    assert_eq!(Address::from_parts(&parts).resolved, None);
}
