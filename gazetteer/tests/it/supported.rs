//! Which texts a search accepts as an address.

use std::sync::LazyLock;

use czech::fold_name;
use gazetteer::places::Reason;
use gazetteer::towns::{quarters, towns};
use gazetteer::{Gazetteer, Located, NotLocated, PlaceRow};
use schema::Location;

use crate::{absent, finding};

/// A gazetteer of the authored places and a few listings.
static LISTINGS: LazyLock<Gazetteer> = LazyLock::new(|| {
    let row = |city, district, street, postal_code, lat, lng| PlaceRow {
        city: Some(city),
        district: Some(district),
        street,
        postal_code,
        location: Some(Location { lat, lng }),
        count: 1,
        ..PlaceRow::default()
    };
    let small = |city, district, lat, lng| row(city, district, None, None, lat, lng);
    Gazetteer::from_rows([
        row(
            "Ostrava",
            "Ostrava-město",
            Some("Maďarská"),
            None,
            49.83,
            18.17,
        ),
        row(
            "Ostrava",
            "Ostrava-město",
            Some("Nádražní"),
            None,
            49.84,
            18.28,
        ),
        row(
            "Praha",
            "Praha",
            Some("Nádražní"),
            Some("150 00"),
            50.07,
            14.41,
        ),
        row(
            "Jihlava",
            "Jihlava",
            Some("nám. Svobody"),
            Some("586 01"),
            49.40,
            15.59,
        ),
        small("Lhota", "Kladno", 50.24, 14.67),
        small("Lhota", "Zlín", 49.15, 17.65),
        small("Lhota", "Přerov", 49.53, 17.53),
        small("Kladno", "Chrudim", 49.80, 15.95),
        small("Krásná", "Cheb", 50.21, 12.17),
        small("Hamry", "Klatovy", 49.22, 13.19),
    ])
});

fn found(text: &str) -> Located {
    let found = LISTINGS.find(text);
    assert!(found.is_ok(), "{text}: {found:?}");
    found.expect(text)
}

fn refused(text: &str) -> NotLocated {
    LISTINGS.find(text).expect_err(text)
}

#[test]
fn a_misspelt_name_alone_means_a_large_town_and_not_a_street_somewhere() {
    for (text, town) in [
        ("Olomuc", "Olomouc"),
        ("Prha", "Praha"),
        ("Mladá Bolelsav", "Mladá Boleslav"),
        ("Ceske Budejovce", "České Budějovice"),
    ] {
        assert_eq!(
            found(text).names.municipality.as_deref(),
            Some(town),
            "{text}"
        );
    }
    let resembles = refused("Makarska");
    assert_eq!(resembles.reason, Reason::Misspelt);
    assert_eq!(resembles.not_understood, ["Makarska"]);
    assert!(
        resembles.candidates[0].starts_with("Maďarská, Ostrava"),
        "{resembles}"
    );
    for text in ["Hamra", "Makarska 5", "Zamry", "Krasma"] {
        assert_eq!(refused(text).reason, Reason::Misspelt, "{text}");
    }
    assert_eq!(
        found("Makarska, Ostrava").names.street.as_deref(),
        Some("Maďarská"),
        "the town confirms it"
    );
}

#[test]
fn two_towns_contradict_each_other() {
    for text in [
        "Brno Praha",
        "Praha, Brno",
        "Praha - Brno",
        "byt v Brně nebo v Praze",
        "Nádražní 5, Ostrava, Olomouc",
        "Zlín, Lhota, Liberec",
        "Karlovy Vary, Budějovice",
    ] {
        assert_eq!(refused(text).reason, Reason::Contradictory, "{text}");
    }
    let both = refused("Brno Praha");
    assert!(
        both.candidates
            .iter()
            .any(|name| name.starts_with("Brno, ")),
        "{both}"
    );
    assert!(
        both.candidates
            .iter()
            .any(|name| name.starts_with("Praha, ")),
        "{both}"
    );
    assert!(
        both.to_string().contains("is elsewhere than the rest"),
        "{both}"
    );
    for text in [
        "Krásná, Cheb",
        "Lhota, okres Zlín",
        "Kladno, okres Chrudim",
        "Brno, Brno-město",
    ] {
        assert!(found(text).names.municipality.is_some(), "{text}");
    }
}

#[test]
fn a_name_of_several_places_means_one_only_if_it_is_clearly_the_largest() {
    for text in ["Lhota", "Nádražní", "Nádražní 5", "dům Lhota"] {
        let several = refused(text);
        assert_eq!(several.reason, Reason::Ambiguous, "{text}");
        assert!(several.candidates.len() > 1, "{text}: {several}");
    }
    let town = found("Kladno");
    assert_eq!(
        town.names.district.map(gazetteer::District::name),
        Some("Kladno")
    );
    assert_eq!(
        found("Vinohrady").names.municipality.as_deref(),
        Some("Praha")
    );
    assert_eq!(
        found("Nádražní, Ostrava").names.municipality.as_deref(),
        Some("Ostrava")
    );
}

#[test]
fn a_number_alone_is_no_address_and_a_postal_code_has_to_be_called_one() {
    for text in [
        "12345", "110 00", "58601", "5", "60/114", "č.p. 12", "12, 5",
    ] {
        assert_eq!(refused(text).reason, Reason::Number, "{text}");
    }
    let code = refused("58601");
    assert!(code.candidates[0].starts_with("Jihlava"), "{code}");
    assert_eq!(
        found("PSČ 586 01").names.municipality.as_deref(),
        Some("Jihlava")
    );
    assert_eq!(
        refused("PSČ 123 45").reason,
        Reason::Number,
        "no place has it"
    );
    assert_eq!(refused("10115 Berlín").reason, Reason::Unknown);
}

#[test]
fn an_ordinary_word_is_not_a_village() {
    for text in [
        "Krásná zahrada s bazénem",
        "klidná lokalita, krásná vila",
        "Karlovy Budějovice",
    ] {
        assert_eq!(refused(text).reason, Reason::Unknown, "{text}");
    }
    assert!(found("Neznámá 5, Krásná").names.municipality.is_some());
    assert!(found("Neznámá 5, Jihlava").names.municipality.is_some());
}

#[test]
fn the_fit_is_the_share_of_the_text_that_the_place_explains() {
    assert!((found("Nádražní, Ostrava").fit - 1.0).abs() < 1e-9);
    assert!((found("Jihlava").fit - 1.0).abs() < 1e-9);
    let misspelt = found("Olomuc").fit;
    assert!((0.8..0.95).contains(&misspelt), "{misspelt}");
    let partly = found("Neznámá, Jihlava").fit;
    assert!((0.4..0.6).contains(&partly), "{partly}");
}

/// Whether a name is that of an authored town or quarter.
fn is_authored(name: &str) -> bool {
    let towns = towns().iter().map(|town| town.name);
    let mut names = towns.chain(quarters().iter().map(|quarter| quarter.name));
    names.any(|known| fold_name(known) == fold_name(name))
}

#[test]
fn texts_that_name_no_place_are_refused() {
    for gazetteer in [&*LISTINGS, &*finding::GAZETTEER] {
        let texts = absent::texts(is_authored);
        assert!(texts.len() >= 300, "{}", texts.len());
        let found: Vec<_> = texts
            .iter()
            .filter_map(|(_, text)| Some((text, gazetteer.find(text).ok()?.to_string())))
            .collect();
        assert!(found.len() * 100 <= texts.len(), "{found:#?}");
    }
}
