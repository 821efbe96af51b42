//! The bezrealitky adapter.

use ingest::portals::bezrealitky::read;
use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{
    Arrangement, BuildingType, Location, OfferType, Ownership, PinPrecision, PropertyState, PropertyType,
    Subtype, Taken,
};
use serde_json::{Value, json};

use crate::payloads::{CASES, any_json, fixture, mutated, real};

fn reading(case: &str) -> Reading {
    read(&fixture("bezrealitky", case)).unwrap()
}

/// The bare advert of a fixture, with some fields set anew.
fn with(case: &str, fields: &Value) -> Reading {
    let payload = fixture("bezrealitky", case);
    let mut advert = payload.pointer("/data/advert").unwrap_or(&payload).clone();
    for (name, value) in fields.as_object().unwrap() {
        advert[name] = value.clone();
    }
    read(&advert).unwrap()
}

fn reasons(reading: &Reading) -> Vec<(&str, &str)> {
    reading.unread.iter().map(|reject| (reject.field.as_str(), reject.reason.as_str())).collect()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/bezrealitky");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

#[test]
fn an_answer_its_advert_and_a_page_read_alike() {
    let answer = fixture("bezrealitky", "flat-sale");
    let advert = &answer["data"]["advert"];
    let expected = read(&answer).unwrap();
    assert_eq!(read(advert).unwrap(), expected);
    assert_eq!(read(&json!({"advert": advert})).unwrap(), expected);
    let data = json!({"props": {"pageProps": {"advert": advert}}});
    assert_eq!(read(&data).unwrap(), expected);
    let page = format!(
        "<html><body><p>x</p><script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></body></html>"
    );
    assert_eq!(read(&json!(page)).unwrap(), expected);
}

#[test]
fn the_fullest_advert_of_a_page_is_its_own_and_read_in_czech() {
    let page = reading("flat-rent");
    assert_eq!(
        page.url.as_deref(),
        Some("https://www.bezrealitky.cz/nemovitosti-byty-domy/990002-nabidka-vzorova")
    );
    assert_eq!(page.listing.attributes.title.as_deref(), Some("Pronájem bytu 2+kk 54 m²"));
    assert_eq!(page.listing.attributes.address.as_deref(), Some("Klapkova, Praha - Kobylisy"));
}

#[test]
fn a_price_of_nothing_is_no_price_and_no_reject() {
    for price in [json!(0), json!(1), Value::Null] {
        let reading = with("flat-sale", &json!({"price": price}));
        assert_eq!(reading.listing.attributes.price_total, None);
        assert_eq!(reading.unread, []);
    }
}

#[test]
fn another_currency_is_no_price() {
    let reading = with("flat-sale", &json!({"currency": "EUR"}));
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(reasons(&reading), [("priceTotal", "a currency other than CZK")]);
}

#[test]
fn an_area_goes_before_its_flag() {
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!((flat.balcony, flat.balcony_area), (Some(true), Some(5.0)));
    assert_eq!((flat.storage, flat.storage_area), (Some(true), Some(2.5)));
    assert_eq!((flat.loggia, flat.terrace), (Some(false), Some(false)));
    let flagged = with("flat-sale", &json!({"terrace": true, "terraceSurface": 0})).listing.attributes;
    assert_eq!((flagged.terrace, flagged.terrace_area), (Some(true), None));
}

#[test]
fn an_area_outside_sense_leaves_the_feature() {
    let reserved = reading("reserved");
    assert_eq!(reserved.listing.attributes.balcony, Some(true));
    assert_eq!(reserved.listing.attributes.balcony_area, None);
    assert_eq!(reasons(&reserved), [("balconyArea", "an area outside 1 to 1 000 000 m²")]);
}

#[test]
fn land_has_no_features_and_its_area_is_the_plot() {
    let land = reading("land-sale").listing.attributes;
    assert_eq!((land.living_area, land.land_area), (None, Some(1204.0)));
    assert_eq!((land.balcony, land.garage, land.parking, land.elevator), (None, None, None, None));
    let in_surface = with("land-sale", &json!({"surface": 900, "surfaceLand": 0})).listing.attributes;
    assert_eq!((in_surface.living_area, in_surface.land_area), (None, Some(900.0)));
}

#[test]
fn storeys_count_from_the_ground() {
    let floor = |etage: Value| with("flat-sale", &json!({"etage": etage})).listing.attributes.floor;
    assert_eq!(floor(json!(1)), Some(0));
    assert_eq!(floor(json!("4")), Some(3));
    assert_eq!(floor(json!(-1)), Some(-1));
    assert_eq!(floor(json!(0)), None);
    assert_eq!(floor(Value::Null), None);
}

#[test]
fn the_house_number_is_evidence_and_the_street_is_without_it() {
    let flat = reading("flat-sale").listing;
    assert_eq!(flat.attributes.street.as_deref(), Some("Wolkerova"));
    assert_eq!(flat.evidence.house_number.as_deref(), Some("812/34"));
    assert_eq!(flat.evidence.address_point, Some(24_000_001));
    assert_eq!(flat.evidence.pin, Some(PinPrecision::Exact));
}

#[test]
fn a_pin_without_an_address_point_says_nothing_of_itself() {
    let garage = reading("garage").listing;
    assert_eq!((garage.evidence.address_point, garage.evidence.pin), (None, None));
    assert!(garage.attributes.location.is_some());
}

#[test]
fn coordinates_of_zero_are_none() {
    let reading = with("flat-sale", &json!({"gps": {"lat": 0, "lng": 0}}));
    assert_eq!(reading.listing.attributes.location, None);
    assert_eq!(reading.listing.evidence.pin, None);
    assert_eq!(reading.unread, []);
}

#[test]
fn region_and_district_are_found_in_the_lines_or_the_tree() {
    let units = |reading: Reading| (reading.listing.attributes.region, reading.listing.attributes.district);
    let told = |region: &str, district: &str| (Some(region.to_owned()), Some(district.to_owned()));
    assert_eq!(units(reading("flat-sale")), told("Olomoucký kraj", "Olomouc"));
    assert_eq!(units(reading("flat-rent")), told("Hlavní město Praha", "Praha"));
    assert_eq!(units(reading("house-sale")), told("Liberecký kraj", "Jablonec nad Nisou"));
    let line = "21, Na Neklance, Smíchov, Praha, okres Hlavní město Praha, Hlavní město Praha, Praha, Česko";
    assert_eq!(
        units(with("flat-sale", &json!({"address": "", "addressInput": line}))),
        told("Hlavní město Praha", "Praha")
    );
    let untold = with("flat-sale", &json!({"address": "Wolkerova, Olomouc", "addressInput": null}));
    assert_eq!(units(untold), (None, None));
}

#[test]
fn the_quarter_stands_without_its_city() {
    let bare = |city: &str, quarter: &str| {
        with("flat-sale", &json!({"city": city, "cityDistrict": quarter})).listing.attributes.neighborhood
    };
    assert_eq!(bare("Praha", "Praha - Dolní Měcholupy").as_deref(), Some("Dolní Měcholupy"));
    assert_eq!(bare("Ostrava", "Poruba-sever").as_deref(), Some("Poruba-sever"));
    assert_eq!(bare("Praha", "Praha 8").as_deref(), Some("Praha 8"));
}

#[test]
fn a_reserved_advert_is_taken() {
    assert_eq!(reading("reserved").listing.evidence.taken, Some(Taken::Reserved));
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
}

#[test]
fn a_cooperative_share_is_the_sale_of_a_whole_flat() {
    let flat = reading("share").listing;
    assert_eq!(flat.evidence.share, None);
    assert_eq!(flat.attributes.ownership, Some(Ownership::Communal));
    assert_eq!(flat.attributes.floor, Some(-1));
    let part = json!({"description": "Předmětem prodeje je spoluvlastnický podíl o velikosti 1/2 bytu."});
    assert_eq!(with("share", &part).listing.evidence.share.as_deref(), Some("1/2"));
}

#[test]
fn property_abroad_is_kept_without_position() {
    let abroad = reading("foreign");
    assert_eq!(abroad.listing.attributes.location, None);
    assert_eq!(abroad.listing.attributes.city.as_deref(), Some("Zadar"));
    assert_eq!(
        reasons(&abroad),
        [("priceTotal", "a currency other than CZK"), ("location", "outside the Czech Republic")]
    );
}

#[test]
fn the_advertisers_code_goes_before_the_number_of_his_software() {
    assert_eq!(reading("flat-sale").listing.evidence.order_code.as_deref(), Some("byt_12_DV"));
    assert_eq!(reading("flat-rent").listing.evidence.order_code.as_deref(), Some("226"));
    assert_eq!(reading("garage").listing.evidence.order_code, None);
}

#[test]
fn values_not_understood_are_counted_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    let fields: Vec<&str> = reading.unread.iter().map(|reject| reject.field.as_str()).collect();
    for field in [
        "subtype",
        "arrangement",
        "priceTotal",
        "livingArea",
        "elevator",
        "equipment",
        "floor",
        "buildingType",
        "propertyState",
        "ownership",
        "energyClass",
        "heatingSource",
        "sewerage",
        "housePosition",
        "addressPoint",
    ] {
        assert_eq!(fields.iter().filter(|name| **name == field).count(), 1, "{field}: {fields:?}");
    }
    assert_eq!(reading.listing.attributes.property_type, Some(PropertyType::Apartment));
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
}

#[test]
fn a_new_or_frugal_building_fills_only_what_is_open() {
    let flags = json!({"newBuilding": true, "lowEnergy": true, "condition": "UNDEFINED", "construction": "UNDEFINED"});
    let open = with("flat-sale", &flags).listing.attributes;
    assert_eq!(open.property_state, Some(PropertyState::NewlyConstructed));
    assert_eq!(open.building_type, Some(BuildingType::Eco));
    let told = with("flat-sale", &json!({"newBuilding": true, "lowEnergy": true})).listing.attributes;
    assert_eq!(told.property_state, Some(PropertyState::AfterRenovation));
    assert_eq!(told.building_type, Some(BuildingType::Panel));
}

#[test]
fn the_text_asked_for_by_language_is_read() {
    let texts = json!({"description": null, "descriptionByLocale": "Světlý byt.", "title": null});
    let attributes = with("flat-sale", &texts).listing.attributes;
    assert_eq!(attributes.description.as_deref(), Some("Světlý byt."));
    assert_eq!(attributes.title.as_deref(), Some("Prodej bytu 3+1 72 m², Ulice, Obec"));
    let both = json!({"descriptionByLocale": "Jiný."});
    assert!(with("flat-sale", &both).listing.attributes.description.unwrap().starts_with("Prodám"));
}

#[test]
fn a_removed_advert_is_gone() {
    let mut paused = fixture("bezrealitky", "garage");
    for answer in [json!({"data": {"advert": null}}), json!({"advert": null})] {
        assert!(matches!(read(&answer), Err(PayloadError::Gone { said: "advert is null" })), "{answer}");
    }
    paused["active"] = json!(false);
    assert!(matches!(read(&paused), Err(PayloadError::Gone { said: "active is false" })));
    paused["active"] = json!(true);
    paused["archived"] = json!(true);
    assert!(matches!(read(&paused), Err(PayloadError::Gone { said: "archived is true" })));
}

#[test]
fn a_payload_that_is_no_advert_is_refused_by_name() {
    assert!(matches!(read(&json!(7)), Err(PayloadError::Shape { found: "a number", .. })));
    assert!(matches!(read(&json!({"id": "1"})), Err(PayloadError::Shape { .. })));
    let page = read(&json!("<html></html>")).unwrap_err();
    assert_eq!(
        page.to_string(),
        "the payload has no script element __NEXT_DATA__, which every bezrealitky page carries"
    );
}

proptest! {
    #[test]
    fn any_json_reads_without_panic(payload in any_json()) {
        let _ = read(&payload);
    }

    #[test]
    fn a_mutated_advert_reads_without_panic_and_stays_in_sense(
        payload in mutated(CASES.into_iter().map(|case| fixture("bezrealitky", case)).collect())
    ) {
        if let Ok(mut reading) = read(&payload) {
            prop_assert!(ingest::sense::keep_sense(&mut reading.listing).is_empty());
            let page = "https://www.bezrealitky.cz/nemovitosti-byty-domy/";
            prop_assert!(reading.url.is_none_or(|url| url.starts_with(page)));
        }
    }
}

#[test]
fn every_value_of_a_census_of_1599_is_understood() {
    let Some(text) = real("bezrealitky/graphql_field_census_1599_2026-02-27.json") else { return };
    let census: Value = serde_json::from_str(&text).unwrap();
    let mut understood = [0, 0];
    for field in [
        "offerType",
        "estateType",
        "disposition",
        "landType",
        "condition",
        "construction",
        "ownership",
        "equipped",
        "penb",
        "currency",
        "position",
    ] {
        let counts = census["listing_fields"][field]["value_counts"].as_object().unwrap();
        for (value, count) in counts {
            let mut advert =
                json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT", "price": 5_000_000});
            advert[field] = json!(value);
            let is_read = read(&advert).unwrap().unread.is_empty();
            understood[usize::from(is_read)] += count.as_u64().unwrap();
            assert_eq!(is_read, value != "EUR", "{field} {value}");
        }
    }
    eprintln!("understood {} of {} values", understood[1], understood[0] + understood[1]);
    assert_eq!(understood[0], 5, "the five prices in euro");
}

#[test]
fn real_sample_values_of_the_place_are_understood() {
    let Some(text) = real("bezrealitky/graphql_field_census_1599_2026-02-27.json") else { return };
    let census: Value = serde_json::from_str(&text).unwrap();
    let samples = |field: &str| census["listing_fields"][field]["sample_values"].as_array().unwrap().clone();
    let lines = samples("addressInput");
    let placed = |line: &Value| {
        let advert = json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT", "addressInput": line});
        let attributes = read(&advert).unwrap().listing.attributes;
        (attributes.region, attributes.district)
    };
    let regions = lines.iter().filter(|line| placed(line).0.is_some()).count();
    let districts = lines.iter().filter(|line| placed(line).1.is_some()).count();
    assert_eq!((lines.len(), regions, districts), (10, 9, 9), "one line of Prague names neither");
    for field in ["ruianId", "houseNumber", "zip", "uri", "code", "externalId"] {
        for value in samples(field) {
            let mut advert = json!({"id": "1", "offerType": "PRODEJ", "estateType": "BYT"});
            advert[field] = value.clone();
            assert_eq!(read(&advert).unwrap().unread, [], "{field} {value}");
        }
    }
}

/// The rows of a CSV file, quoted fields with doubled quotes included.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let row = rows.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                row.last_mut().unwrap().push(letters.next().unwrap());
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            '\r' if !quoted => {}
            letter => row.last_mut().unwrap().push(letter),
        }
    }
    rows.retain(|row| row.len() > 1);
    rows
}

#[test]
fn all_914_real_rents_of_2023_read_whole() {
    let Some(text) = real("bezrealitky/graphql_rent_prague_914_2023-07.csv.gz") else { return };
    let table = rows(&text);
    let (head, rents) = table.split_first().unwrap();
    let mut taken = 0;
    for rent in rents {
        let cell = |name: &str| rent[head.iter().position(|column| column == name).unwrap()].as_str();
        let figure = |name: &str| cell(name).parse::<f64>().ok();
        let payload = json!({"id": cell("id"), "uri": cell("uri"), "offerType": cell("offerType"),
            "estateType": cell("estateType"), "disposition": cell("disposition"), "address": cell("address"),
            "imageAltText": cell("imageAltText"), "surface": figure("surface"), "surfaceLand": figure("surfaceLand"),
            "price": figure("price"), "currency": cell("currency"), "reserved": cell("reserved") == "True",
            "gps": {"lat": figure("gps.lat"), "lng": figure("gps.lng")}});
        let reading = read(&payload).unwrap();
        assert_eq!(reading.unread, [], "{}", cell("id"));
        let attributes = &reading.listing.attributes;
        assert_eq!(attributes.offer_type, Some(OfferType::Rent));
        assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
        assert!(attributes.arrangement.is_some() && attributes.price_total == figure("price"));
        assert!(
            attributes.living_area.is_some()
                && attributes.land_area.is_none()
                && attributes.location.is_some()
        );
        assert!(reading.url.unwrap().ends_with(cell("uri")));
        taken += usize::from(reading.listing.evidence.taken.is_some());
    }
    assert_eq!((rents.len(), taken), (914, 84));
}

#[test]
fn kinds_are_those_of_the_interface() {
    let kind = |estate: &str| {
        let attributes = with("flat-sale", &json!({"estateType": estate})).listing.attributes;
        (attributes.property_type.unwrap(), attributes.subtype)
    };
    assert_eq!(kind("GARAZ"), (PropertyType::Other, Some(Subtype::GarageFull)));
    assert_eq!(kind("KANCELAR"), (PropertyType::Commercial, Some(Subtype::Office)));
    assert_eq!(kind("NEBYTOVY_PROSTOR"), (PropertyType::Commercial, Some(Subtype::Other)));
    assert_eq!(kind("REKREACNI_OBJEKT"), (PropertyType::House, Some(Subtype::Holiday)));
    assert_eq!(kind("POZEMEK"), (PropertyType::Land, None));
    let studio = reading("ground-floor").listing.attributes;
    assert_eq!((studio.arrangement, studio.floor), (Some(Arrangement::R1P0), Some(0)));
    assert_eq!((studio.garden, studio.garden_area), (Some(true), Some(35.0)));
    assert_eq!(studio.location, Some(Location { lat: 49.587_12, lng: 17.234_89 }));
}
