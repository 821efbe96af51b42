//! Locating texts without a registry.

use std::sync::LazyLock;

use gazetteer::places::{Area, How, Reason};
use gazetteer::{District, Gazetteer, Level, Located, NotLocated, PlaceRow, Region};
use schema::Location;

/// A gazetteer of the authored places alone.
static EMPTY: LazyLock<Gazetteer> = LazyLock::new(Gazetteer::authored);

const fn at(lat: f64, lng: f64) -> Location {
    Location { lat, lng }
}

/// A few listings.
static LISTINGS: LazyLock<Gazetteer> = LazyLock::new(|| Gazetteer::from_rows(rows()));

#[expect(clippy::too_many_lines, reason = "a table of places")]
fn rows() -> Vec<PlaceRow<'static>> {
    let row = |city, district, neighborhood, street, postal_code, at| PlaceRow {
        city: Some(city),
        district,
        neighborhood,
        street,
        postal_code,
        location: Some(at),
        region: None,
        count: 1,
    };
    vec![
        row(
            "Praha",
            Some("Praha 5"),
            Some("Smíchov"),
            Some("Nádražní"),
            Some("150 00"),
            at(50.069, 14.405),
        ),
        row(
            "Praha 5",
            Some("Praha"),
            None,
            Some("Nadrazni"),
            Some("150 00"),
            at(50.070, 14.404),
        ),
        row(
            "Praha",
            Some("Praha 5"),
            Some("Smíchov"),
            Some("Nádražní"),
            None,
            at(49.2, 16.6),
        ),
        row(
            "Ostrava",
            Some("Ostrava-město"),
            Some("Moravská Ostrava"),
            Some("Nádražní"),
            None,
            at(49.845, 18.281),
        ),
        row(
            "Jihlava",
            Some("okres Jihlava"),
            None,
            Some("nám. Svobody"),
            Some("586 01"),
            at(49.40, 15.59),
        ),
        row(
            "Pardubice",
            Some("Pardubice"),
            Some("Polabiny"),
            Some("Bělehradská"),
            None,
            at(50.05, 15.77),
        ),
        row(
            "Litomyšl",
            Some("Svitavy"),
            None,
            Some("17. listopadu"),
            None,
            at(49.869, 16.305),
        ),
        row(
            "Krásný Les",
            Some("Karlovy Vary"),
            Some("Damice"),
            None,
            Some("363 01"),
            at(50.33, 12.95),
        ),
        row(
            "Krásný Les",
            Some("Liberec"),
            None,
            None,
            Some("464 01"),
            at(50.88, 15.09),
        ),
        row(
            "Krásný Les",
            Some("Liberec"),
            None,
            None,
            Some("464 01"),
            at(50.88, 15.09),
        ),
        row(
            "Kladno",
            Some("Chrudim"),
            None,
            None,
            None,
            at(49.80, 15.95),
        ),
        row(
            "Kobylnice",
            Some("Brno-venkov"),
            None,
            Some("Na Budínku"),
            None,
            at(49.13, 16.73),
        ),
    ]
}

fn found(gazetteer: &Gazetteer, text: &str) -> Located {
    let found = gazetteer.locate(text);
    assert!(found.is_ok(), "{text:.80}: {found:?}");
    found.expect(text)
}

fn refused(gazetteer: &Gazetteer, text: &str) -> NotLocated {
    gazetteer.locate(text).expect_err(text)
}

fn municipality(gazetteer: &Gazetteer, text: &str) -> (String, Level) {
    let found = found(gazetteer, text);
    (found.names.municipality.unwrap_or_default(), found.level)
}

#[test]
fn an_empty_database_knows_towns_districts_regions_and_quarters_of_big_cities() {
    for (text, name) in [
        ("Brno", "Brno"),
        ("praha", "Praha"),
        ("OLOMOUC", "Olomouc"),
        ("ceske budejovice", "České Budějovice"),
    ] {
        assert_eq!(
            municipality(&EMPTY, text),
            (name.to_owned(), Level::Municipality)
        );
    }
    assert_eq!(
        found(&EMPTY, "Brno-venkov").names.district,
        Some(District::BrnoVenkov)
    );
    assert_eq!(
        found(&EMPTY, "Jihomoravský kraj").names.region,
        Some(Region::Jihomoravsky)
    );
    assert_eq!(found(&EMPTY, "Vysočina").level, Level::Region);
    assert_eq!(found(&EMPTY, "Praha 5 - Smíchov").level, Level::Quarter);
    assert_eq!(
        found(&EMPTY, "poruba").names.municipality.as_deref(),
        Some("Ostrava")
    );
}

#[test]
fn a_name_shared_by_town_and_district_is_the_town() {
    assert_eq!(found(&EMPTY, "Bruntál").level, Level::Municipality);
    assert_eq!(found(&EMPTY, "okres Bruntál").level, Level::District);
    assert_eq!(found(&EMPTY, "Praha").level, Level::Municipality);
}

#[test]
fn typing_errors_are_forgiven() {
    for (text, name) in [
        ("Olomuc", "Olomouc"),
        ("Prha", "Praha"),
        ("Mladá Bolelsav", "Mladá Boleslav"),
        ("Špidlerův Mlýn", "Špindlerův Mlýn"),
    ] {
        assert_eq!(municipality(&EMPTY, text).0, name, "{text}");
        assert_eq!(
            found(&EMPTY, text).matched.first().map(|part| part.how),
            Some(How::Misspelt)
        );
    }
    let street = found(&LISTINGS, "Belehrdska 554, Pardubice");
    assert_eq!(street.names.street.as_deref(), Some("Bělehradská"));
}

#[test]
fn a_wrong_digit_is_not_a_typing_error_and_an_adjective_is_not_a_misspelt_town() {
    assert_eq!(
        found(&EMPTY, "Praha 1").names.quarter.as_deref(),
        Some("Praha 1")
    );
    assert_eq!(municipality(&EMPTY, "Pardubická, Praha").0, "Praha");
    assert_eq!(municipality(&EMPTY, "Jihlavská Praha").0, "Praha");
}

#[test]
fn declined_and_abbreviated_names_are_found() {
    for (text, name, how) in [
        ("v Karlových Varech", "Karlovy Vary", How::Declined),
        (
            "chalupa ve Špindlerově Mlýně",
            "Špindlerův Mlýn",
            How::Declined,
        ),
        ("byt v Liberci", "Liberec", How::Declined),
        ("dům v Brně", "Brno", How::Declined),
        ("Ústí n. L.", "Ústí nad Labem", How::Abbreviated),
        ("Č. Budějovice", "České Budějovice", How::Abbreviated),
        ("Krumlov", "Český Krumlov", How::Alias),
        (
            "Brandýs nad Labem",
            "Brandýs nad Labem-Stará Boleslav",
            How::Alias,
        ),
    ] {
        let found = found(&EMPTY, text);
        assert_eq!(found.names.municipality.as_deref(), Some(name), "{text}");
        assert_eq!(
            found.matched.first().map(|part| part.how),
            Some(how),
            "{text}"
        );
    }
}

#[test]
fn a_street_is_found_in_the_town_named_beside_it() {
    let prague = found(&LISTINGS, "Nádražní 60/114, 15000 Praha 5 - Smíchov");
    assert_eq!(
        (prague.level, prague.names.quarter.as_deref()),
        (Level::Street, Some("Smíchov"))
    );
    assert_eq!(prague.house_number.building, Some(60));
    assert_eq!(
        prague.postal_code.map(gazetteer::PostalCode::number),
        Some(15000)
    );
    let ostrava = found(&LISTINGS, "nadrazni ostrava");
    assert_eq!(ostrava.names.municipality.as_deref(), Some("Ostrava"));
    assert_eq!(
        found(&LISTINGS, "jihlava namesti svobody 1376/9")
            .names
            .street
            .as_deref(),
        Some("nám. Svobody")
    );
}

#[test]
fn a_wrong_pin_does_not_move_a_street() {
    let street = found(&LISTINGS, "Nádražní, Praha");
    assert!(
        (street.location.lat - 50.07).abs() < 0.01 && (street.location.lng - 14.40).abs() < 0.01
    );
}

#[test]
fn an_unknown_street_leads_to_the_town_and_is_reported() {
    let town = found(&LISTINGS, "Neznámá 5, Jihlava");
    assert_eq!(
        (town.names.municipality.as_deref(), town.level),
        (Some("Jihlava"), Level::Municipality)
    );
    assert_eq!(town.not_understood, ["Neznámá"]);
    let elsewhere = found(&LISTINGS, "17. listopadu, Pardubice");
    assert_eq!(
        elsewhere.names.municipality.as_deref(),
        Some("Pardubice"),
        "not the street of that name in Litomyšl"
    );
}

#[test]
fn district_or_postal_code_decides_between_places_of_one_name() {
    let district = |text| found(&LISTINGS, text).names.district;
    assert_eq!(
        district("Krásný Les, okres Karlovy Vary"),
        Some(District::KarlovyVary)
    );
    assert_eq!(
        district("Krásný Les, okres Liberec"),
        Some(District::Liberec)
    );
    assert_eq!(
        district("Krásný Les, Karlovarský kraj"),
        Some(District::KarlovyVary)
    );
    assert_eq!(district("Krásný Les 249, 464 01"), Some(District::Liberec));
    assert_eq!(district("363 01 Krásný Les"), Some(District::KarlovyVary));
    assert_eq!(district("Damice, Krásný Les"), Some(District::KarlovyVary));
}

#[test]
fn a_name_without_context_is_the_most_important_place_and_ambiguous() {
    let several = found(&LISTINGS, "Krásný Les");
    assert_eq!(
        several.names.district,
        Some(District::Liberec),
        "two offers against one"
    );
    assert!(several.is_ambiguous());
    assert!(
        several
            .alternatives
            .iter()
            .any(|name| name.contains("Karlovy Vary"))
    );
    let town = found(&LISTINGS, "Kladno");
    assert_eq!(town.names.district, Some(District::Kladno));
    assert!(!found(&LISTINGS, "Jihlava").is_ambiguous());
}

#[test]
fn a_postal_code_alone_leads_to_the_middle_of_its_listings() {
    let jihlava = found(&LISTINGS, "586 01");
    assert_eq!(jihlava.names.municipality.as_deref(), Some("Jihlava"));
    assert_eq!(
        found(&EMPTY, "110 00").names.municipality.as_deref(),
        Some("Praha")
    );
    assert_eq!(refused(&EMPTY, "586 01").reason, Reason::Number);
}

#[test]
fn a_village_that_only_a_listing_names_is_found() {
    let village = found(&LISTINGS, "kobylnice, okres brno venkov");
    assert_eq!(
        (village.level, village.names.district),
        (Level::Municipality, Some(District::BrnoVenkov))
    );
    assert!((village.location.lat - 49.13).abs() < 0.001);
}

#[test]
fn the_error_says_what_was_understood() {
    assert_eq!(
        refused(&LISTINGS, "Estepona, Španělsko").reason,
        Reason::Abroad
    );
    assert_eq!(refused(&LISTINGS, "").reason, Reason::Empty);
    assert_eq!(refused(&LISTINGS, " ,- ").reason, Reason::Empty);
    let unknown = refused(&LISTINGS, "Xyzzy Qwfp");
    assert_eq!(unknown.reason, Reason::Unknown);
    assert_eq!(unknown.not_understood, ["Xyzzy", "Qwfp"]);
    assert!(unknown.to_string().contains("\"Xyzzy\""));
    let partly = refused(&LISTINGS, "Polabiny u zelené brány naproti škole");
    assert_eq!(
        partly.understood.first().map(|part| part.name.as_str()),
        Some("Polabiny")
    );
    assert!(partly.to_string().contains("quarter Polabiny"), "{partly}");
}

#[test]
fn a_very_long_text_is_cut() {
    let long = "Jihlava ".repeat(100_000);
    assert_eq!(municipality(&LISTINGS, &long).0, "Jihlava");
    assert!(LISTINGS.locate(&"x".repeat(1_000_000)).is_err());
}

#[test]
fn the_answer_is_shown_as_an_address() {
    let street = found(&LISTINGS, "Nádražní, Smíchov");
    assert_eq!(
        street.to_string(),
        "Nádražní, Smíchov, Praha, okres Praha, Hlavní město Praha (street)"
    );
}

#[test]
fn a_listing_without_a_district_gets_that_of_its_municipality_or_surroundings() {
    let gazetteer = &*LISTINGS;
    assert_eq!(
        gazetteer.district_of("Kobylnice", None),
        Some(District::BrnoVenkov)
    );
    assert_eq!(
        gazetteer.district_of("Krásný Les", None),
        None,
        "two of the name"
    );
    assert_eq!(
        gazetteer.district_of("Krásný Les", Some(at(50.9, 15.1))),
        Some(District::Liberec)
    );
    assert_eq!(
        gazetteer.district_of("Praha 5 - Smíchov", None),
        Some(District::Praha)
    );
    assert_eq!(gazetteer.district_of("Kocourkov", None), None);
    assert_eq!(
        EMPTY.area_at(at(50.40, 14.91)),
        Some(Area::District(District::MladaBoleslav))
    );
    assert_eq!(
        EMPTY.area_at(at(50.06, 14.95)),
        Some(Area::Region(Region::Stredocesky)),
        "between districts"
    );
    assert_eq!(EMPTY.area_at(at(49.62, 15.05)), None, "between regions");
}
