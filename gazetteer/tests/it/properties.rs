//! Properties of all texts.

use std::sync::LazyLock;

use czech::fold_name;
use czech::names::{place_key, quarter_key, street_key};
use gazetteer::{Address, AddressParts, Gazetteer, HouseNumber, PlaceRow};
use proptest::prelude::*;
use schema::Location;

/// Texts like addresses: fragments in any order with arbitrary text between them.
fn address_like() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        prop::sample::select(vec![
            "Praha 5",
            "Brno",
            "Smíchov",
            "nám.",
            "náměstí Míru",
            "ul.",
            "okres",
            "Trutnov",
            "-",
            " - ",
            ",",
            "12/4a",
            "č.p.",
            "č.ev.",
            "110 00",
            "1.",
            "máje",
            "n.",
            "L.",
            "Liberec XIV-Ruprechtice",
            "k.ú.",
            "p.č.",
            "kraj",
            "v",
            "Olomouci",
            "prodej bytu",
            "2+kk",
            "m²",
            "XXX",
            "/",
            "(",
            ")",
            "12-14",
            "Ústí",
            "Česko",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
        "[0-9]{1,6}",
    ];
    prop::collection::vec(fragment, 0..9).prop_map(|fragments| fragments.join(" "))
}

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let row = |city, district, neighborhood, street, lat, lng| PlaceRow {
        city: Some(city),
        district: Some(district),
        neighborhood,
        street: Some(street),
        postal_code: None,
        region: None,
        location: Some(Location { lat, lng }),
        count: 3,
    };
    Gazetteer::from_rows([
        row(
            "Jihlava",
            "Jihlava",
            Some("Horní Kosov"),
            "Vrchlického",
            49.41,
            15.56,
        ),
        row(
            "Jihlava",
            "Jihlava",
            None,
            "Masarykovo náměstí",
            49.396,
            15.591,
        ),
        row("Tábor", "Tábor", None, "Vrchlického", 49.42, 14.67),
        row(
            "Tábor",
            "Tábor",
            Some("Klokoty"),
            "17. listopadu",
            49.41,
            14.64,
        ),
        row("Nová Ves", "Kolín", None, "Hlavní", 50.05, 15.14),
        row("Nová Ves", "Mělník", None, "Hlavní", 50.31, 14.32),
    ])
});

proptest! {
    #[test]
    fn folding_twice_is_folding_once(text in "\\PC*") {
        let once = fold_name(&text);
        prop_assert_eq!(fold_name(&once), once);
    }

    #[test]
    fn keys_are_their_own_keys(text in address_like()) {
        for key in [street_key, place_key] {
            let once = key(&text);
            prop_assert_eq!(key(&once), once);
        }
        let quarter = quarter_key(&text, None);
        prop_assert_eq!(quarter_key(&quarter, None), quarter);
    }

    #[test]
    fn case_and_diacritics_change_no_key(text in address_like()) {
        prop_assert_eq!(street_key(&text.to_lowercase()), street_key(&fold_name(&text)));
    }

    #[test]
    fn any_text_is_read_and_names_have_keys(text in address_like(), other in address_like()) {
        let parts = AddressParts {
            street: Some(&other), city: Some(&text), neighborhood: Some(&other), line: Some(&text),
            ..AddressParts::default()
        };
        let address = Address::from_parts(&parts);
        for key in [address.street_key(), address.quarter_key(), address.municipality_key()].into_iter().flatten() {
            prop_assert!(!key.is_empty());
        }
        prop_assert_eq!(Address::from_parts(&parts), address);
        let _ = HouseNumber::parse(&text);
    }

    #[test]
    fn locating_never_panics_and_stays_in_the_country(text in address_like()) {
        if let Ok(found) = GAZETTEER.locate(&text) {
            prop_assert!((48.0..51.5).contains(&found.location.lat) && (12.0..19.0).contains(&found.location.lng));
            prop_assert!(found.score.is_finite() && found.margin.is_finite());
        }
    }

    #[test]
    fn any_order_of_the_parts_finds_the_same_place(
        parts in Just(vec!["Vrchlického 12", "Jihlava", "Horní Kosov", "okres Jihlava", "Kraj Vysočina"]).prop_shuffle(),
        separator in prop::sample::select(vec![", ", ",", " - ", "; "]),
        plain in any::<bool>(),
    ) {
        let line = parts.join(separator);
        let line = if plain { line.chars().map(unaccented).collect() } else { line };
        let found = GAZETTEER.locate(&line).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(found.names.street.as_deref(), Some("Vrchlického"), "{}", line);
        prop_assert_eq!(found.names.municipality.as_deref(), Some("Jihlava"));
        prop_assert_eq!(found.house_number.lone.map(|number| number.number), Some(12));
        prop_assert!(found.not_understood.is_empty(), "{:?}", found.not_understood);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_order_of_rows_builds_the_same_gazetteer(order in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let cities = ["Dolní Lhota", "Dolni Lhota", "Horní Lhota", "Dolní Lhota", "DOLNÍ LHOTA", "Horní Lhota"];
        let rows = order.iter().map(|i| PlaceRow {
            city: cities.get(*i).copied(),
            street: Some(if i % 2 == 0 { "Školní" } else { "Skolni" }),
            location: Some(Location { lat: 49.5 + *i as f64 * 0.001, lng: 15.5 }),
            count: 1 + *i as u32,
            ..PlaceRow::default()
        });
        let built = Gazetteer::from_rows(rows).locate("Školní, Dolní Lhota");
        let usual = cities.iter().enumerate().map(|(i, city)| PlaceRow {
            city: Some(city),
            street: Some(if i % 2 == 0 { "Školní" } else { "Skolni" }),
            location: Some(Location { lat: 49.5 + i as f64 * 0.001, lng: 15.5 }),
            count: 1 + i as u32,
            ..PlaceRow::default()
        });
        prop_assert_eq!(built, Gazetteer::from_rows(usual).locate("Školní, Dolní Lhota"));
    }
}

fn unaccented(c: char) -> char {
    let folded = fold_name(&c.to_string());
    folded
        .chars()
        .next()
        .filter(|_| c.is_alphabetic())
        .unwrap_or(c)
}
