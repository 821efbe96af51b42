//! The place of a merged record: its fields describe one place, and names are official.

use dedup::addresses::Addresses;
use dedup::evaluation::place_report;
use dedup::merging::{self, Merged, PlaceRule};
use gazetteer::{Area, District};
use proptest::prelude::*;
use schema::{Attributes, Location, OfferId, StoredListing};
use serde_json::{Value, json};

use super::engine::listings_of_lines;
use super::feeding::seen;

/// The cluster of these listings, which portals published in this order.
fn cluster(listings: &[(&str, Value)]) -> Vec<StoredListing> {
    let line = |(hour, (site, place)): (i64, &(&str, Value))| {
        let mut facts = json!({"offerType": "sale", "type": "house", "title": "Dům"});
        facts
            .as_object_mut()
            .unwrap()
            .extend(place.as_object().unwrap().clone());
        seen(site, "1", hour, &facts)
    };
    let lines: Vec<String> = (0..).zip(listings).map(line).collect();
    listings_of_lines(&lines)
}

fn merged(listings: &[(&str, Value)]) -> Merged {
    merging::merge(&cluster(listings), &Addresses::default(), |_| None)
}

/// The only listing of a record.
fn alone(site: &str, place: Value) -> Merged {
    merged(&[(site, place)])
}

fn rule(record: &Merged, field: &str) -> Option<(PlaceRule, String)> {
    let applied = record.applied_rules.get(field)?;
    Some((applied.rule, applied.published.clone()))
}

/// The middle of Ústí nad Orlicí, of the village Výprachtice, and of Praha.
const USTI: (f64, f64) = (49.974, 16.394);
const VYPRACHTICE: (f64, f64) = (49.988, 16.666);
const PRAHA: (f64, f64) = (50.08, 14.43);

fn at((lat, lng): (f64, f64)) -> Value {
    json!({"lat": lat, "lng": lng})
}

#[test]
fn the_town_of_the_post_office_does_not_win_against_the_municipality() {
    let village =
        json!({"city": "Výprachtice", "district": "Ústí nad Orlicí", "location": at(VYPRACHTICE)});
    let post_office = json!({"city": "Ústí nad Orlicí", "postalCode": "561 34", "address": "561 34 Ústí nad Orlicí"});
    // One old listing names the municipality, and newer ones only the post office.
    let record = merged(&[
        ("sreality", village),
        ("bazos", post_office.clone()),
        ("annonce", post_office),
    ]);
    let facts = &record.attributes;
    assert_eq!(facts.city.as_deref(), Some("Výprachtice"));
    assert_eq!(facts.district.as_deref(), Some("Ústí nad Orlicí"));
    assert_eq!(facts.region.as_deref(), Some("Pardubický kraj"));
    assert_eq!(facts.address, None, "the only line names the post office");
    assert_eq!(
        rule(&record, "address"),
        Some((PlaceRule::LeftOut, "561 34 Ústí nad Orlicí".to_owned()))
    );
}

#[test]
fn most_of_the_evidence_decides_the_municipality_and_with_it_every_field() {
    let brno = |street: &str| {
        json!({"city": "Brno", "neighborhood": "Veveří", "street": street, "district": "Brno-město",
            "postalCode": "602 00", "address": format!("{street}, Brno - Veveří")})
    };
    let elsewhere = json!({"city": "Praha", "neighborhood": "Vinohrady", "street": "Mánesova", "postalCode": "120 00",
        "district": "Praha 2", "address": "Mánesova 5, Praha 2 - Vinohrady", "location": at(PRAHA)});
    let record = merged(&[
        ("sreality", brno("Údolní")),
        ("idnes", brno("Údolní")),
        ("remax", elsewhere),
    ]);
    let facts = record.attributes;
    assert_eq!(facts.city.as_deref(), Some("Brno"));
    assert_eq!(facts.neighborhood.as_deref(), Some("Veveří"));
    assert_eq!(facts.street.as_deref(), Some("Údolní"));
    assert_eq!(facts.postal_code.as_deref(), Some("602 00"));
    assert_eq!(facts.district.as_deref(), Some("Brno-město"));
    assert_eq!(facts.address.as_deref(), Some("Údolní, Brno - Veveří"));
    assert_eq!(facts.location, None, "the only pin is in Praha");
}

#[test]
fn a_pin_outside_the_municipality_does_not_win_and_is_left_out_if_it_is_the_only_one() {
    let (wrong, right) = (at((49.2, 16.6)), at(PRAHA));
    let exact = json!({"city": "Praha", "street": "Mánesova", "location": wrong});
    let vague = json!({"city": "Praha", "location": right});
    let record = merged(&[("sreality", vague), ("idnes", exact.clone())]);
    let lat = record.attributes.location.map(|location| location.lat);
    assert_eq!(lat, Some(PRAHA.0));
    let record = alone("idnes", exact);
    assert_eq!(record.attributes.location, None);
    assert_eq!(
        rule(&record, "location"),
        Some((PlaceRule::LeftOut, "49.2 16.6".to_owned()))
    );
}

#[test]
fn a_numbered_district_or_a_quarter_in_the_place_of_the_city_becomes_the_city() {
    for (written, rest) in [
        ("Praha 5", None),
        ("Praha Nusle", Some("Nusle")),
        ("PRAHA 5 - SMÍCHOV", Some("Smíchov")),
    ] {
        let record = alone("idnes", json!({"city": written, "district": "Praha"}));
        assert_eq!(
            record.attributes.city.as_deref(),
            Some("Praha"),
            "{written}"
        );
        assert_eq!(record.attributes.neighborhood.as_deref(), rest, "{written}");
        assert_eq!(
            rule(&record, "city"),
            Some((PlaceRule::NamedPlace, written.to_owned()))
        );
    }
    let record = alone(
        "bazos",
        json!({"city": "Brno - město", "postalCode": "602 00"}),
    );
    assert_eq!(record.attributes.city.as_deref(), Some("Brno"));
    assert_eq!(record.attributes.district.as_deref(), Some("Brno-město"));
}

#[test]
fn a_district_in_the_place_of_the_city_becomes_the_district() {
    // A pin in a village of the district, 12 km from the town.
    let record = alone(
        "bazos",
        json!({"city": "Rakovník", "postalCode": "270 51", "location": at((50.19, 13.87))}),
    );
    assert_eq!(record.attributes.city, None);
    assert_eq!(record.attributes.district.as_deref(), Some("Rakovník"));
    assert_eq!(
        rule(&record, "district"),
        Some((PlaceRule::OtherField, "Rakovník".to_owned()))
    );
    assert!(record.attributes.location.is_some());
    // A pin in the town.
    let record = alone(
        "bazos",
        json!({"city": "Rakovník", "postalCode": "269 01", "location": at((50.1, 13.73))}),
    );
    assert_eq!(record.attributes.city.as_deref(), Some("Rakovník"));
    let record = alone(
        "bazos",
        json!({"city": "Praha-západ", "postalCode": "252 42"}),
    );
    assert_eq!(record.attributes.city, None);
    assert_eq!(record.attributes.district.as_deref(), Some("Praha-západ"));
}

#[test]
fn one_quarter_has_one_name() {
    for (written, official) in [
        ("Zabehlice", "Záběhlice"),
        ("ZÁBĚHLICE", "Záběhlice"),
        ("Praha 5 - Smíchov", "Smíchov"),
        ("Praha - Smichov", "Smíchov"),
        ("Smíchov", "Smíchov"),
        ("Ujezd nad Lesy", "Újezd nad Lesy"),
        ("Praha 5", "Praha 5"),
        ("Za humny", "Za humny"),
    ] {
        let record = alone("idnes", json!({"city": "Praha", "neighborhood": written}));
        assert_eq!(record.attributes.neighborhood.as_deref(), Some(official));
        assert_eq!(
            record.applied_rules.contains_key("neighborhood"),
            written != official
        );
    }
    // A quarter is more precise than a numbered district.
    let record = merged(&[
        ("idnes", json!({"city": "Praha", "neighborhood": "Smichov"})),
        ("remax", json!({"city": "Praha", "neighborhood": "Praha 5"})),
    ]);
    assert_eq!(record.attributes.neighborhood.as_deref(), Some("Smíchov"));
    // The address line names it.
    let record = alone(
        "realitymix",
        json!({"city": "Praha 9", "address": "Praha 9 - Vysočany"}),
    );
    assert_eq!(record.attributes.neighborhood.as_deref(), Some("Vysočany"));
    assert_eq!(
        rule(&record, "neighborhood").map(|(rule, _)| rule),
        Some(PlaceRule::OtherField)
    );
}

#[test]
fn streets_lose_the_word_street_and_postal_codes_get_their_space() {
    for (written, street) in [
        ("ulice  U Jezerky", "U Jezerky"),
        ("ul. Bělčická", "Bělčická"),
        ("náměstí Míru", "náměstí Míru"),
    ] {
        let place = json!({"city": "Praha", "street": written, "postalCode": "14000"});
        let record = alone("ulovdomov", place);
        assert_eq!(record.attributes.street.as_deref(), Some(street));
        assert_eq!(record.attributes.postal_code.as_deref(), Some("140 00"));
        assert_eq!(
            rule(&record, "postalCode"),
            Some((PlaceRule::UsualForm, "14000".to_owned()))
        );
    }
    // The carefully written name wins among equals.
    let record = merged(&[
        ("idnes", json!({"city": "Praha", "street": "Bělčická"})),
        ("remax", json!({"city": "Praha", "street": "BELCICKA"})),
    ]);
    assert_eq!(record.attributes.street.as_deref(), Some("Bělčická"));
}

#[test]
fn a_municipality_with_namesakes_is_the_one_that_region_district_or_pin_point_to() {
    // Benešov is a town near Praha and a village near Blansko.
    let record = alone(
        "idnes",
        json!({"city": "Benešov", "district": "okres Blansko"}),
    );
    assert_eq!(record.attributes.district.as_deref(), Some("Blansko"));
    assert_eq!(
        record.attributes.region.as_deref(),
        Some("Jihomoravský kraj")
    );
    let record = alone(
        "idnes",
        json!({"city": "Benešov", "location": at((49.78, 14.69))}),
    );
    assert_eq!(record.attributes.district.as_deref(), Some("Benešov"));
    // Without anything else, the name of a district means its town, and a far pin is wrong.
    let record = alone(
        "idnes",
        json!({"city": "Benešov", "location": at(VYPRACHTICE)}),
    );
    assert_eq!(record.attributes.district.as_deref(), Some("Benešov"));
    assert_eq!(record.attributes.location, None);
}

#[test]
fn a_district_that_is_far_from_the_pin_is_not_filled_in() {
    let place = json!({"city": "Voděrady", "location": at((49.48, 16.56))});
    let by_name_or_pin = |facts: &Attributes| {
        let district = match facts.city {
            Some(_) => District::RychnovNadKneznou,
            None => District::Blansko,
        };
        Some(Area::District(district))
    };
    let members = cluster(&[("idnes", place)]);
    let record = merging::merge(&members, &Addresses::default(), by_name_or_pin);
    assert_eq!(record.attributes.district.as_deref(), Some("Blansko"));
    assert_eq!(
        record.attributes.region.as_deref(),
        Some("Jihomoravský kraj")
    );
}

/// Any listing, out of the few places that contradict each other most.
fn place() -> impl Strategy<Value = Value> {
    let city = prop::sample::select(vec![
        "Praha",
        "Praha 5",
        "Brno",
        "Brno-město",
        "Výprachtice",
        "Ústí nad Orlicí",
        "Benešov",
        "Lhota",
    ]);
    let quarter = prop::option::of(prop::sample::select(vec![
        "Smichov", "Smíchov", "Veveří", "Praha 5",
    ]));
    let street = prop::option::of(prop::sample::select(vec![
        "ul. Údolní",
        "Údolní",
        "UDOLNI",
        "Mánesova",
    ]));
    let code = prop::option::of(prop::sample::select(vec!["60200", "602 00", "150 00", "x"]));
    let district = prop::option::of(prop::sample::select(vec![
        "Praha 5",
        "okres Blansko",
        "Brno-město",
    ]));
    let pin = prop::option::of(prop::sample::select(vec![
        USTI,
        VYPRACHTICE,
        PRAHA,
        (49.2, 16.6),
    ]));
    (city, quarter, street, code, district, pin).prop_map(
        |(city, quarter, street, code, district, pin)| {
            let mut place = json!({"city": city});
            for (field, value) in [
                ("neighborhood", quarter),
                ("street", street),
                ("postalCode", code),
                ("district", district),
            ] {
                if let Some(value) = value {
                    place[field] = value.into();
                }
            }
            if let Some(pin) = pin {
                place["location"] = at(pin);
            }
            place
        },
    )
}

proptest! {
    #[test]
    fn the_order_does_not_matter_and_the_fields_never_contradict_one_another(
        places in prop::collection::vec(place(), 1..6),
        turn in 0_usize..6,
    ) {
        let sites = ["sreality", "idnes", "bazos", "remax", "realitymix", "ulovdomov"];
        let listings: Vec<(&str, Value)> = sites.into_iter().zip(places).collect();
        let mut members = cluster(&listings);
        let merge = |members: &[StoredListing]| {
            merging::merge(members, &Addresses::default(), |_| None)
        };
        let record = merge(&members);
        members.reverse();
        let turn = turn % members.len();
        members.rotate_left(turn);
        prop_assert_eq!(&merge(&members), &record);

        let id = OfferId::parse("record").unwrap();
        let place = (id, record.attributes);
        let report = place_report(&[place], Addresses::default().gazetteer(), 1);
        prop_assert_eq!(report.contradictory.records, 0, "{:?}", report);
        prop_assert_eq!(report.pin_outside.records, 0, "{:?}", report);
    }
}

#[test]
fn the_report_counts_each_fault() {
    let record = |id: &str, city: &str, district: &str, change: fn(&mut Attributes)| {
        let mut facts = Attributes {
            city: Some(city.to_owned()),
            district: Some(district.to_owned()),
            ..Attributes::default()
        };
        change(&mut facts);
        (OfferId::parse(id).unwrap(), facts)
    };
    let prague = |id: &str, change: fn(&mut Attributes)| record(id, "Praha", "Praha", change);
    let records = [
        record("a", "Praha 5", "Praha", |_| ()),
        record("b", "Praha", "Kladno", |_| ()),
        prague("c", |facts| facts.region = Some("Zlínský kraj".to_owned())),
        prague("d", |facts| facts.postal_code = Some("602 00".to_owned())),
        prague("e", |facts| {
            facts.location = Some(Location {
                lat: 49.2,
                lng: 16.6,
            });
        }),
        record("f", "Brno", "okres Brno-město", |_| ()),
        record("g", "Brno", "Brno-město", |_| ()),
        record("h", "Brno", "Brno-město", |_| ()),
        prague("i", |facts| facts.neighborhood = Some("Smíchov".to_owned())),
        prague("j", |facts| facts.neighborhood = Some("Smíchov".to_owned())),
        prague("k", |facts| facts.neighborhood = Some("Smichov".to_owned())),
        prague("l", |facts| {
            facts.neighborhood = Some("Praha 5 - Smíchov".to_owned());
        }),
    ];
    let report = place_report(&records, Addresses::default().gazetteer(), 9);
    let ids = |fault: &dedup::evaluation::PlaceFault| {
        fault
            .examples
            .iter()
            .map(|(id, _)| id.as_str())
            .collect::<String>()
    };
    assert_eq!(ids(&report.contradictory), "abcd");
    assert_eq!(ids(&report.pin_outside), "e");
    assert_eq!(ids(&report.district_spellings), "f");
    assert_eq!(ids(&report.quarter_spellings), "kl");
    assert_eq!(
        (
            report.quarter_spellings.records,
            report.quarter_spellings.of
        ),
        (2, 4)
    );
}
