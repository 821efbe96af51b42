//! Properties of all addresses of the registry and of all texts.

use gazetteer::places::Work;
use gazetteer::registry::{AddressPlace, BuildingNumber, PlaceIndex};
use gazetteer::{AddressParts, Certainty};
use proptest::prelude::*;

use super::{GAZETTEER, REGISTRY};

/// The parts of the address of a place.
fn parts(place: &AddressPlace) -> Vec<String> {
    let registry = &*REGISTRY;
    let municipality = registry.municipality(place.municipality).unwrap();
    let quarter = registry.name(registry.quarter(place.quarter).unwrap().name);
    let (kind, number) = match place.number {
        BuildingNumber::Building(number) => ("", number),
        BuildingNumber::Registration(number) => ("č.ev. ", number),
    };
    let along = place.orientation.map(|along| {
        format!(
            "/{}{}",
            along.number,
            along.letter.map(String::from).unwrap_or_default()
        )
    });
    let number = format!("{kind}{number}{}", along.unwrap_or_default());
    let street = place.street.and_then(|street| registry.street(street));
    let first = street.map_or(quarter, |street| registry.name(street.name));
    let mut parts = vec![
        format!("{first} {number}"),
        registry.name(municipality.name).to_owned(),
        format!("okres {}", municipality.district.unwrap().name()),
        place.postal_code.unwrap().to_string(),
    ];
    if street.is_some() {
        parts.push(quarter.to_owned());
    }
    parts
}

fn any_place() -> impl Strategy<Value = (AddressPlace, Vec<String>)> {
    (0..REGISTRY.place_count()).prop_flat_map(|index| {
        let place = REGISTRY.place(PlaceIndex(index)).unwrap();
        (Just(place), Just(parts(&place)).prop_shuffle())
    })
}

proptest! {
    #[test]
    fn a_complete_address_is_found_in_any_order((place, parts) in any_place(), plain in any::<bool>()) {
        let line = parts.join(", ");
        let line = if plain { line.chars().map(unaccented).collect() } else { line };
        let found = GAZETTEER.locate(&line).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(found.codes.address_place, Some(place.code), "{}", line);
        prop_assert!(found.not_understood.is_empty() && !found.is_ambiguous(), "{}", line);
    }

    #[test]
    fn completing_an_address_is_idempotent((_, parts) in any_place()) {
        let line = parts.join(", ");
        let once = GAZETTEER.complete_address(&AddressParts { line: Some(&line), ..AddressParts::default() });
        let number = once.number.building.map(|number| format!("č.p. {number}"))
            .or(once.number.registration.map(|number| format!("č.ev. {number}")));
        let code = once.postal_code.map(|code| code.to_string());
        let again = GAZETTEER.complete_address(&AddressParts {
            street: once.street.as_ref().map(|street| street.written.as_str()),
            house_number: number.as_deref(),
            neighborhood: once.quarter.as_ref().map(|quarter| quarter.written.as_str()),
            city: once.municipality.as_ref().map(|municipality| municipality.written.as_str()),
            district: once.district.map(gazetteer::District::name),
            region: once.region.map(gazetteer::Region::name),
            postal_code: code.as_deref(),
            line: None,
        });
        prop_assert_eq!(once.resolved.map(|resolved| resolved.certainty), Some(Certainty::Exact), "{}", line);
        prop_assert_eq!(again, once, "{}", line);
    }

    #[test]
    fn no_text_costs_more_than_the_limit(text in hostile()) {
        let work = GAZETTEER.work_for(&text);
        // The last lookup may exceed the limit.
        prop_assert!(work.names <= Work::MOST.names + 20_000, "{:?}", work);
        prop_assert!(work.places <= Work::MOST.places + 2_000, "{:?}", work);
    }
}

/// Texts made to be slow: many words that resemble many names, at any length, and arbitrary texts.
fn hostile() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Dlouhá",
        "dluoha",
        "Školní",
        "skolnni",
        "1.",
        "máje",
        "nám.",
        "č.p.",
        "Drozdice",
        "drozdce",
        "v",
        "n.",
        "L.",
        "okres",
        "Jihlava",
        "538/27a",
        "393 99",
        "Nová",
        "Ves",
        "a",
        "-",
        ",",
        "Kvíčalově",
        "armády",
        "J.",
    ])
    .prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![words, "\\PC{0,12}", "[a-z]{1,40}"], 0..60)
        .prop_map(|words| words.join(" "))
}

fn unaccented(c: char) -> char {
    let folded = czech::fold_name(&c.to_string());
    folded
        .chars()
        .next()
        .filter(|_| c.is_alphabetic())
        .unwrap_or(c)
}
