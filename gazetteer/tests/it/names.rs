//! Names, their keys, and the two tables of regions and districts as people write them.

use czech::fold_name;
use czech::names::{place_key, quarter_key, street_key};
use gazetteer::{
    District, Region, Street, StreetAgreement, district_of_municipality,
    district_of_municipality_at,
};
use schema::Location;

#[test]
fn spellings_of_one_name_fold_to_one() {
    for name in [
        "nám. Míru",
        "náměstí Míru",
        "NAMESTI MIRU",
        "  nám.Míru ",
        "Náměsti\u{301} Míru",
    ] {
        assert_eq!(fold_name(name), "namesti miru", "{name}");
    }
    assert_eq!(fold_name("tř. T. G. Masaryka"), "trida t g masaryka");
    assert_eq!(
        fold_name("nábř. L. Svobody 12/4a"),
        "nabrezi l svobody 12 4a"
    );
    assert_eq!(fold_name("Frýdek–Místek"), "frydek mistek");
    assert_eq!(fold_name("–"), "");
    assert_eq!(fold_name("ΟΔΟΣ"), fold_name("οδός"));
}

#[test]
fn keys_of_one_name_are_equal() {
    assert_eq!(street_key("ulice Mjr. Nováka"), street_key("majora Nováka"));
    assert_eq!(street_key("Bratří Čapků"), street_key("Bří. Čapků"));
    assert_eq!(street_key("Prvního máje"), street_key("1. máje"));
    assert_ne!(street_key("náměstí Míru"), street_key("Míru"));
    assert_eq!(
        place_key("Rokytnice n. Jizerou"),
        place_key("Rokytnice nad Jizerou")
    );
    assert_eq!(place_key("Sv. Kateřina"), place_key("Svatá Kateřina"));
    assert_eq!(
        quarter_key("Liberec XIV-Ruprechtice", Some("liberec")),
        "ruprechtice"
    );
    assert_eq!(
        quarter_key("XIV-Ruprechtice", Some("liberec")),
        "ruprechtice"
    );
    assert_eq!(quarter_key("Praha-Klánovice", Some("praha")), "klanovice");
    assert_eq!(
        quarter_key("České Budějovice 2", Some("ceske budejovice")),
        "ceske budejovice 2"
    );
}

#[test]
fn an_alias_of_a_street_is_distinguished_from_another_street() {
    let compare = |a, b| {
        Street::named(a)
            .unwrap()
            .compare(&Street::named(b).unwrap())
    };
    assert_eq!(
        compare("nám. Budovatelů", "náměstí Budovatelů"),
        StreetAgreement::Same
    );
    assert_eq!(
        compare("nám. Budovatelů", "Budovatelů"),
        StreetAgreement::Alias
    );
    assert_eq!(
        compare("J. Palacha", "Jana Palacha"),
        StreetAgreement::Alias
    );
    assert_eq!(
        compare("třída Míru", "náměstí Míru"),
        StreetAgreement::Different
    );
    assert_eq!(
        compare("Jana Palacha", "Jana Žižky"),
        StreetAgreement::Different
    );
    assert_eq!(
        compare("Jana Palacha", "Josefa Palacha"),
        StreetAgreement::Different
    );
}

#[test]
fn every_region_is_read_in_its_usual_forms() {
    for region in Region::all() {
        assert_eq!(Region::parse(region.name()), Some(region));
        assert_eq!(Region::parse(&fold_name(region.name())), Some(region));
    }
    for (text, region) in [
        ("Zlínský", Region::Zlinsky),
        ("kraj Olomoucký", Region::Olomoucky),
        ("Jihomoravsky kraj", Region::Jihomoravsky),
        ("JIHOMORAVSKÝ KRAJ", Region::Jihomoravsky),
        ("Vysočina", Region::Vysocina),
        ("kraj Vysočina", Region::Vysocina),
        ("Praha", Region::Praha),
        ("Hl. m. Praha", Region::Praha),
        ("v Jihočeském kraji", Region::Jihocesky),
    ] {
        let text = text.trim_start_matches("v ");
        assert_eq!(Region::parse(text), Some(region), "{text}");
    }
    for text in [
        "",
        "kraj",
        "Plzeňská",
        "Olomouc",
        "Praha 5",
        "Zlínský kraj a okolí",
    ] {
        assert_eq!(Region::parse(text), None, "{text}");
    }
}

#[test]
fn every_district_is_read_in_its_usual_forms() {
    assert_eq!(District::all().count(), 77);
    for district in District::all() {
        assert_eq!(District::parse(district.name()), Some(district));
        assert_eq!(
            District::parse(&format!("okres {district}")),
            Some(district)
        );
        assert_eq!(District::parse(&fold_name(district.name())), Some(district));
    }
    for (text, district) in [
        ("okres Trutnov", District::Trutnov),
        ("(okres Praha)", District::Praha),
        ("Praha 10", District::Praha),
        ("Hlavní město Praha", District::Praha),
        ("BRNO - VENKOV", District::BrnoVenkov),
        ("Brno", District::BrnoMesto),
        ("okr. Frýdek - Místek", District::FrydekMistek),
    ] {
        assert_eq!(District::parse(text), Some(district), "{text}");
    }
    for text in ["", "okres", "Kocourkov", "Praha 100", "Praha x"] {
        assert_eq!(District::parse(text), None, "{text}");
    }
}

#[test]
fn a_town_without_a_namesake_determines_its_district() {
    assert_eq!(
        district_of_municipality("Ústí n. L."),
        Some(District::UstiNadLabem)
    );
    assert_eq!(
        district_of_municipality("Praha 5 - Smíchov"),
        Some(District::Praha)
    );
    assert_eq!(
        district_of_municipality("MODŘICE"),
        Some(District::BrnoVenkov)
    );
    assert_eq!(district_of_municipality("Jesenice"), None, "several");
    assert_eq!(district_of_municipality("Kocourkov"), None);
}

#[test]
fn a_position_decides_between_namesakes() {
    let near_prague = Location {
        lat: 49.97,
        lng: 14.51,
    };
    let near_rakovnik = Location {
        lat: 50.10,
        lng: 13.47,
    };
    assert_eq!(
        district_of_municipality_at("Jesenice", near_prague),
        Some(District::PrahaZapad)
    );
    assert_eq!(district_of_municipality_at("Jesenice", near_rakovnik), None);
}
