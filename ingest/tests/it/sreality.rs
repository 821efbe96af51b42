//! The sreality adapter.

use ingest::portals::sreality::read;
use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{
    Arrangement, BuildingType, Equipment, Location, OfferType, Ownership, PinPrecision, PropertyState,
    PropertyType, Subtype, Taken,
};
use serde_json::{Value, json};

use crate::payloads::{CASES, any_json, fixture, mutated, real};

fn reading(case: &str) -> Reading {
    read(&fixture("sreality", case)).unwrap()
}

/// The advert of a fixture, out of its envelope, with some fields set anew.
fn with(case: &str, fields: &Value) -> Reading {
    let mut payload = fixture("sreality", case);
    let estate = if payload.get("result").is_some() { &mut payload["result"] } else { &mut payload };
    for (name, value) in fields.as_object().unwrap() {
        estate[name] = value.clone();
    }
    read(&payload).unwrap()
}

fn code(value: i64, name: &str) -> Value {
    json!({"name": name, "value": value})
}

fn reasons(reading: &Reading) -> Vec<(&str, &str)> {
    reading.unread.iter().map(|reject| (reject.field.as_str(), reject.reason.as_str())).collect()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/sreality");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES.into_iter().chain(["v2-flat-sale"]) {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

#[test]
fn an_envelope_and_the_bare_advert_read_alike() {
    let enveloped = fixture("sreality", "flat-sale");
    assert_eq!(read(&enveloped).unwrap(), read(&enveloped["result"]).unwrap());
}

#[test]
fn storeys_count_from_the_ground() {
    let floor = |number: Value| with("flat-sale", &json!({"floor_number": number})).listing.attributes.floor;
    assert_eq!(floor(json!(1)), Some(0));
    assert_eq!(floor(json!(4)), Some(3));
    assert_eq!(floor(json!(0)), Some(0));
    assert_eq!(floor(json!(-1)), Some(-1));
    assert_eq!(floor(Value::Null), None);
}

#[test]
fn an_impossible_storey_is_left_out_and_counted() {
    for number in [json!(900), json!(-40), json!(1e9), json!(1.5)] {
        let reading = with("flat-sale", &json!({"floor_number": number}));
        assert_eq!(reading.listing.attributes.floor, None);
        assert_eq!(reading.unread.len(), 1, "{number}");
        assert_eq!(reading.unread[0].field, "floor");
    }
}

#[test]
fn a_price_on_request_is_no_price_and_no_reject() {
    for price in [json!(0.0), json!(1), Value::Null] {
        let reading = with("flat-sale", &json!({"price_czk": price, "price_summary_czk": price}));
        assert_eq!(reading.listing.attributes.price_total, None);
        assert!(reading.unread.is_empty(), "{:?}", reading.unread);
    }
}

#[test]
fn the_price_of_a_square_metre_is_no_price() {
    let area = code(3, "za m2");
    let unsummed = with("land-sale", &json!({"price_summary_czk": 2350.0, "price_summary_unit_cb": area}));
    assert_eq!(unsummed.listing.attributes.price_total, None);
    assert_eq!(reasons(&unsummed), [("priceTotal", "a price per m²")]);

    let mislabelled = with("land-sale", &json!({"price_summary_czk": 2350.0}));
    assert_eq!(mislabelled.listing.attributes.price_total, None, "the summary only repeats it");

    let summed = reading("land-sale");
    assert_eq!(summed.listing.attributes.price_total, Some(2_829_400.0));
    assert!(summed.unread.is_empty());
}

#[test]
fn units_of_a_rent_become_months() {
    let rent = |amount: f64, unit: Value| {
        let fields = json!({"price_czk": amount, "price_summary_czk": amount, "price_unit_cb": unit,
            "price_summary_unit_cb": unit});
        with("flat-rent", &fields).listing.attributes.price_total
    };
    assert_eq!(rent(24_500.0, code(2, "za měsíc")), Some(24_500.0));
    assert_eq!(rent(24_500.0, code(1, "za nemovitost")), Some(24_500.0));
    assert_eq!(rent(100_000.0, code(6, "za rok")), Some(8_333.0));
    assert_eq!(rent(1_200.0, code(7, "za den")), None);
    assert_eq!(rent(1_200.0, code(8, "za hodinu")), None);
    assert_eq!(rent(1_200.0, code(77, "za slovo")), None);
}

#[test]
fn a_sale_by_the_month_is_no_price() {
    let unit = code(2, "za měsíc");
    let reading = with("flat-sale", &json!({"price_unit_cb": unit, "price_summary_unit_cb": unit}));
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(reasons(&reading), [("priceTotal", "a rent for something that is not let")]);
}

#[test]
fn another_currency_is_no_price() {
    let reading = with("flat-sale", &json!({"price_currency_cb": code(3, "EUR")}));
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(reasons(&reading), [("priceTotal", "a currency other than CZK")]);
}

#[test]
fn declared_blur_is_kept_beside_the_position() {
    for (declared, precision) in [
        ("gps", Some(PinPrecision::Exact)),
        ("address", Some(PinPrecision::Exact)),
        ("street", Some(PinPrecision::Street)),
        ("ward", Some(PinPrecision::Quarter)),
        ("quarter", Some(PinPrecision::Quarter)),
        ("municipality", Some(PinPrecision::Municipality)),
        ("galaxy", None),
    ] {
        let mut locality = fixture("sreality", "flat-sale")["result"]["locality"].clone();
        locality["inaccuracy_type"] = json!(declared);
        let reading = with("flat-sale", &json!({"locality": locality}));
        assert_eq!(reading.listing.evidence.pin, precision, "{declared}");
        assert!(reading.listing.attributes.location.is_some());
    }
}

#[test]
fn the_agency_office_is_never_the_place() {
    for case in CASES {
        let text = serde_json::to_string(&reading(case)).unwrap();
        assert!(
            !text.contains("Masarykovo") && !text.contains("49.3961") && !text.contains("Javor"),
            "{case}"
        );
    }
    let nowhere = with("flat-sale", &json!({"locality": null}));
    assert_eq!(nowhere.listing.attributes.city, None);
    assert_eq!(nowhere.listing.attributes.location, None);
}

#[test]
fn sentinels_of_the_place_are_nothing() {
    let place = reading("blurred-pin").listing;
    assert_eq!(place.attributes.postal_code, None);
    assert_eq!(place.attributes.street, None);
    assert_eq!(place.evidence.house_number, None);
    assert_eq!(place.attributes.address.as_deref(), Some("Milín, okres Příbram"));
}

#[test]
fn a_postal_district_of_prague_is_not_its_okres() {
    let place = reading("flat-rent").listing.attributes;
    assert_eq!(place.district.as_deref(), Some("Praha"));
    assert_eq!(place.city.as_deref(), Some("Praha"));
    assert_eq!(place.neighborhood.as_deref(), Some("Libeň"));
    assert_eq!(place.address.as_deref(), Some("Sokolovská 1230/180, Praha 8 - Libeň"));
}

#[test]
fn a_name_that_says_nothing_was_chosen_is_nothing() {
    let unset = json!({"building_condition": code(0, "- vyber stav"), "ownership": code(0, "- nezadáno"),
        "elevator": code(0, "- nezadáno"), "furnished": code(0, "- vyber vybavení")});
    let reading = with("flat-sale", &unset);
    let attributes = &reading.listing.attributes;
    assert_eq!((attributes.property_state, attributes.ownership, attributes.elevator), (None, None, None));
    assert_eq!(attributes.equipment, None);
    assert!(reading.unread.is_empty());
}

#[test]
fn reserved_and_sold_are_evidence_and_neither_condition_nor_construction() {
    let overlaid = reading("reserved");
    assert_eq!(overlaid.listing.evidence.taken, Some(Taken::Reserved));
    assert_eq!(overlaid.listing.attributes.property_state, None);
    assert_eq!(overlaid.listing.attributes.building_type, None);
    assert!(overlaid.unread.is_empty());

    let sold = with("flat-sale", &json!({"state_cb": code(2, "Prodáno")}));
    assert_eq!(sold.listing.evidence.taken, Some(Taken::Sold));
    assert_eq!(sold.listing.attributes.property_state, Some(PropertyState::AfterRenovation));
}

#[test]
fn a_share_is_a_sale_with_its_size_as_evidence() {
    let sixth = reading("share").listing;
    assert_eq!(sixth.attributes.offer_type, Some(OfferType::Sale));
    assert_eq!(sixth.evidence.share.as_deref(), Some("1/6"));

    let told = json!({"share_numerator": null, "share_denominator": null,
        "advert_description": "Nabízíme k prodeji spoluvlastnický podíl o velikosti id. 1/3 domu."});
    assert_eq!(with("share", &told).listing.evidence.share.as_deref(), Some("1/3"));

    let untold = json!({"share_numerator": 0, "advert_description": "Dům u lesa.", "advert_name": "Dům"});
    assert_eq!(with("share", &untold).listing.evidence.share.as_deref(), Some("podíl"));
    assert_eq!(reading("house-sale").listing.evidence.share, None);
}

#[test]
fn an_auction_is_an_offer_of_its_own_kind_at_its_opening_bid() {
    let auction = with("house-sale", &json!({"category_type_cb": code(3, "Dražby")}));
    assert_eq!(auction.listing.attributes.offer_type, Some(OfferType::Auction));
    assert_eq!(auction.listing.attributes.price_total, Some(7_850_000.0));
    let url = auction.url.unwrap();
    assert_eq!(url, "https://www.sreality.cz/detail/drazby/dum/rodinny/milin-stezov-/2710010003");
}

#[test]
fn property_abroad_is_kept_without_position_and_noted() {
    let abroad = reading("foreign");
    assert_eq!(abroad.listing.attributes.location, None);
    assert_eq!(abroad.listing.attributes.city.as_deref(), Some("Zadar"));
    assert_eq!(
        reasons(&abroad),
        [
            ("priceTotal", "a currency other than CZK"),
            ("country", "property abroad"),
            ("location", "outside the Czech Republic"),
        ]
    );
}

#[test]
fn a_no_counts_only_where_the_advertiser_had_to_answer() {
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!((flat.loggia, flat.terrace, flat.garage), (Some(false), Some(false), Some(false)));
    assert_eq!(flat.swimming_pool, None);
    let land = reading("land-sale").listing.attributes;
    assert_eq!((land.balcony, land.storage, land.garage, land.parking), (None, None, None, None));
    let garden = with("land-sale", &json!({"garage": true}));
    assert_eq!(garden.listing.attributes.garage, Some(true));
}

#[test]
fn an_area_proves_what_the_flag_denies() {
    let flat = with("flat-sale", &json!({"terrace": false, "terrace_area": 12, "cellar": false}));
    assert_eq!(flat.listing.attributes.terrace, Some(true));
    assert_eq!(flat.listing.attributes.terrace_area, Some(12.0));
    assert_eq!(flat.listing.attributes.storage, Some(true));
}

#[test]
fn ways_of_heating_are_told_apart() {
    let heated = |sources: Value, ways: Value| {
        let fields = json!({"heating_source_set": sources, "heating_set": ways});
        let attributes = with("flat-sale", &fields).listing.attributes;
        (attributes.heating_source, attributes.heating_type)
    };
    let told =
        |source: Option<&str>, kind: Option<&str>| (source.map(str::to_owned), kind.map(str::to_owned));
    assert_eq!(heated(json!([{"value": 3}]), json!([])), told(Some("gas"), None));
    assert_eq!(heated(json!([{"value": 5}]), json!([{"value": 4}])), told(Some("heat-pump"), None));
    assert_eq!(heated(json!([]), json!([{"value": 4}])), told(Some("gas"), Some("communal")));
    assert_eq!(heated(json!([]), json!([{"value": 2}, {"value": 5}])), told(Some("solid-fuel"), None));
    assert_eq!(
        heated(json!([{"value": 6}, {"value": 9}]), json!(null)),
        told(Some("combined"), Some("local"))
    );
    assert_eq!(heated(json!([]), json!([{"value": 9}])), told(None, None));
}

#[test]
fn the_public_sewer_goes_before_a_tank() {
    let drained = |set: Value| with("flat-sale", &json!({"gully_set": set})).listing.attributes.sewerage;
    assert_eq!(drained(json!([{"value": 4}, {"value": 1}])).as_deref(), Some("communal"));
    assert_eq!(drained(json!([{"value": 3}])).as_deref(), Some("septic-tank"));
    assert_eq!(drained(json!([{"value": 2}])), None);
}

#[test]
fn a_house_of_several_generations_is_a_family_house() {
    let house = with("house-sale", &json!({"category_sub_cb": code(54, "Vícegenerační dům")})).listing;
    assert_eq!(house.attributes.subtype, Some(Subtype::Family));
    assert_eq!(house.attributes.arrangement, None);
}

#[test]
fn a_subcategory_of_another_category_is_counted() {
    let reading = with("house-sale", &json!({"category_sub_cb": code(6, "3+kk")}));
    assert_eq!(reading.listing.attributes.property_type, Some(PropertyType::House));
    assert_eq!(reading.listing.attributes.arrangement, None);
    assert_eq!(reasons(&reading), [("subtype", "a subcategory of another category")]);
    assert_eq!(reading.url, None);
}

#[test]
fn low_energy_is_the_construction_only_where_none_is_given() {
    let built = |building: Value| {
        let fields = json!({"low_energy": true, "building_type": building});
        with("flat-sale", &fields).listing.attributes.building_type
    };
    assert_eq!(built(code(2, "Cihlová")), Some(BuildingType::Brick));
    assert_eq!(built(code(0, "- vyber stavbu")), Some(BuildingType::Eco));
}

#[test]
fn values_not_understood_are_counted_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    let fields: Vec<&str> = reading.unread.iter().map(|reject| reject.field.as_str()).collect();
    for field in [
        "subtype",
        "livingArea",
        "balcony",
        "elevator",
        "equipment",
        "buildingType",
        "propertyState",
        "ownership",
        "energyClass",
        "heatingSource",
        "sewerage",
        "pin",
        "postalCode",
        "floor",
    ] {
        assert_eq!(fields.iter().filter(|name| **name == field).count(), 1, "{field}: {fields:?}");
    }
    let attributes = &reading.listing.attributes;
    assert_eq!(attributes.price_total, Some(4_100_000.0));
    assert_eq!(attributes.heating_source.as_deref(), Some("gas"));
    assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
}

#[test]
fn a_list_item_states_its_areas_in_the_title_and_a_detail_does_not() {
    let titled = |kind: i64, title: &str| {
        let attributes = with(
            "minimal",
            &json!({"category_main_cb": code(kind, ""), "category_sub_cb": null,
            "advert_name": title}),
        )
        .listing
        .attributes;
        (attributes.living_area, attributes.land_area)
    };
    assert_eq!(titled(1, "Prodej bytu 3+1 174\u{a0}m²"), (Some(174.0), None));
    assert_eq!(titled(1, "Prodej bytu 3+kk 85\u{a0}m²"), (Some(85.0), None));
    let house = titled(2, "Prodej rodinného domu 145\u{a0}m², pozemek 1\u{a0}271\u{a0}m²");
    assert_eq!(house, (Some(145.0), Some(1271.0)));
    assert_eq!(titled(3, "Prodej pole 2\u{a0}403\u{a0}m²"), (None, Some(2403.0)));
    let detail = with("flat-sale", &json!({"usable_area": null}));
    assert_eq!(detail.listing.attributes.living_area, None);
}

#[test]
fn the_page_is_named_as_the_portal_names_it() {
    assert_eq!(
        reading("flat-sale").url.unwrap(),
        "https://www.sreality.cz/detail/prodej/byt/3+1/olomouc-nova-ulice-wolkerova/2710010001"
    );
    assert_eq!(
        reading("land-sale").url.unwrap(),
        "https://www.sreality.cz/detail/prodej/pozemek/bydleni/milin-milin-/2710010004"
    );
    assert_eq!(reading("unknown-codes").url, None);
}

#[test]
fn a_payload_that_is_no_advert_is_refused_by_name() {
    assert!(matches!(read(&json!([])), Err(PayloadError::Shape { found: "an array", .. })));
    assert!(matches!(read(&json!("<html>")), Err(PayloadError::Shape { found: "a text", .. })));
    assert!(matches!(read(&json!({"a": 1})), Err(PayloadError::Shape { .. })));
    let nameless = read(&json!({"advert_name": "Prodej bytu"})).unwrap_err();
    assert_eq!(nameless.to_string(), "the payload has no hash_id, which every advert of API v1 carries");
}

#[test]
fn a_removed_advert_is_gone() {
    for answer in [
        json!({"logged_in": false}),
        json!({"result": null, "status_code": 404, "status_message": "Not found"}),
        json!({"status_code": 410}),
    ] {
        assert!(matches!(read(&answer), Err(PayloadError::Gone { .. })), "{answer}");
    }
}

proptest! {
    #[test]
    fn any_json_reads_without_panic(payload in any_json()) {
        let _ = read(&payload);
    }

    #[test]
    fn a_mutated_advert_reads_without_panic_and_stays_in_sense(
        payload in mutated(CASES.into_iter().chain(["v2-flat-sale"]).map(|case| fixture("sreality", case)).collect())
    ) {
        if let Ok(mut reading) = read(&payload) {
            prop_assert!(ingest::sense::keep_sense(&mut reading.listing).is_empty());
            prop_assert!(reading.url.is_none_or(|url| url.starts_with("https://www.sreality.cz/detail/")));
        }
    }
}

#[test]
fn the_real_detail_reads_field_by_field() {
    let Some(text) = real("sreality/v1_detail_3292504140_2026-05.json") else { return };
    let reading = read(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(reading.unread, []);
    assert_eq!(
        reading.url.as_deref(),
        Some("https://www.sreality.cz/detail/prodej/byt/3+kk/ostrava-petrkovice-/3292504140")
    );
    let description = reading.listing.attributes.description.clone().unwrap();
    assert!(description.starts_with("Prodej samostatné bytové jednotky"));
    let mut expected = schema::Attributes {
        title: Some("Prodej bytu 3+kk 85\u{a0}m²".to_owned()),
        description: Some(description),
        location: Some(Location { lat: 49.872_680_439_044_9, lng: 18.255_214_171_504_3 }),
        city: Some("Ostrava".to_owned()),
        region: Some("Moravskoslezský kraj".to_owned()),
        district: Some("Ostrava-město".to_owned()),
        neighborhood: Some("Petřkovice".to_owned()),
        postal_code: Some("725 29".to_owned()),
        address: Some("Ostrava - Petřkovice, okres Ostrava-město".to_owned()),
        property_type: Some(PropertyType::Apartment),
        offer_type: Some(OfferType::Sale),
        arrangement: Some(Arrangement::R3Kk),
        property_state: Some(PropertyState::VeryGood),
        ownership: Some(Ownership::Private),
        building_type: Some(BuildingType::Mix),
        equipment: Some(Equipment::Partial),
        living_area: Some(85.0),
        garden_area: Some(174.0),
        garden: Some(true),
        floor: Some(0),
        floor_count: Some(2),
        energy_class: Some("F - Velmi nehospodárná".to_owned()),
        sewerage: Some("communal".to_owned()),
        ..Default::default()
    };
    for answered in [
        &mut expected.balcony,
        &mut expected.loggia,
        &mut expected.terrace,
        &mut expected.storage,
        &mut expected.garage,
        &mut expected.parking,
    ] {
        *answered = Some(false);
    }
    assert_eq!(reading.listing.attributes, expected);
    let evidence = &reading.listing.evidence;
    assert_eq!(evidence.pin, Some(PinPrecision::Quarter));
    assert_eq!(evidence.order_code.as_deref(), Some("N2617152"));
    assert_eq!(
        (&evidence.house_number, &evidence.share, evidence.taken, evidence.total_area),
        (&None, &None, None, None)
    );
}

#[test]
fn the_real_list_items_read_field_by_field() {
    let Some(text) = real("sreality/v1_search_byt_prodej_limit3_2026-05.json") else { return };
    let page: Value = serde_json::from_str(&text).unwrap();
    let read: Vec<Reading> =
        page["results"].as_array().unwrap().iter().map(|item| read(item).unwrap()).collect();
    assert_eq!(read.len(), 3);
    assert!(read.iter().all(|reading| reading.unread.is_empty()));

    let troja = &read[1].listing;
    assert_eq!(troja.attributes.address.as_deref(), Some("Na Šutce 398/2, Praha 8 - Troja"));
    assert_eq!(troja.attributes.street.as_deref(), Some("Na Šutce"));
    assert_eq!(troja.attributes.district.as_deref(), Some("Praha"));
    assert_eq!(troja.attributes.region.as_deref(), Some("Hlavní město Praha"));
    assert_eq!(troja.attributes.price_total, Some(7_990_000.0));
    assert_eq!(troja.attributes.living_area, Some(71.0));
    assert_eq!(
        troja.attributes.location,
        Some(Location { lat: 50.123_757_160_984_3, lng: 14.440_739_160_306_6 })
    );
    assert_eq!(troja.evidence.house_number.as_deref(), Some("398/2"));
    assert_eq!(troja.evidence.pin, Some(PinPrecision::Exact));
    assert_eq!(
        read[1].url.as_deref(),
        Some("https://www.sreality.cz/detail/prodej/byt/3+kk/praha-troja-na-sutce/3853889612")
    );

    let milin = &read[2].listing;
    assert_eq!(milin.attributes.address.as_deref(), Some("Milín - Stěžov, okres Příbram"));
    assert_eq!(milin.attributes.arrangement, Some(Arrangement::R5P1));
    assert_eq!(milin.attributes.living_area, Some(120.0));
    assert_eq!((milin.attributes.street.as_deref(), milin.evidence.pin), (None, Some(PinPrecision::Quarter)));
    assert_eq!(read[0].listing.attributes.price_total, None, "on request");
}

#[test]
fn the_real_v2_detail_reads_field_by_field() {
    let Some(text) = real("sreality/v2_detail_2022-11.json.gz") else { return };
    let reading = read(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(reading.unread, []);
    assert_eq!(
        reading.url.as_deref(),
        Some("https://www.sreality.cz/detail/prodej/byt/2+kk/praha-nove-mesto-opatovicka/4065768524")
    );
    let description = reading.listing.attributes.description.clone().unwrap();
    assert!(description.starts_with("Byt o výměře 44.90 m2"));
    let expected = schema::Attributes {
        title: Some("Prodej bytu 2+kk 64\u{a0}m²".to_owned()),
        description: Some(description),
        location: Some(Location { lat: 50.065_236_940_450_056, lng: 14.431_991_366_653_245 }),
        city: Some("Praha".to_owned()),
        district: Some("Praha".to_owned()),
        neighborhood: Some("Nové Město".to_owned()),
        address: Some("Praha 1 - Nové Město".to_owned()),
        property_type: Some(PropertyType::Apartment),
        offer_type: Some(OfferType::Sale),
        arrangement: Some(Arrangement::R2Kk),
        property_state: Some(PropertyState::AfterRenovation),
        ownership: Some(Ownership::Private),
        building_type: Some(BuildingType::Brick),
        equipment: Some(Equipment::Full),
        price_total: Some(11_425_000.0),
        living_area: Some(64.0),
        floor: Some(3),
        loggia: Some(true),
        elevator: Some(true),
        energy_class: Some("D - Méně úsporná".to_owned()),
        heating_source: Some("gas".to_owned()),
        heating_type: Some("local".to_owned()),
        ..Default::default()
    };
    assert_eq!(reading.listing.attributes, expected);
    let evidence = &reading.listing.evidence;
    assert_eq!(evidence.pin, Some(PinPrecision::Municipality), "the box is all of Prague");
    assert_eq!(evidence.order_code.as_deref(), Some("OPA022"));
    assert_eq!(evidence.total_area, Some(64.0));
}

/// An advert of API v2 with these lines.
fn v2(items: &[Value]) -> Value {
    json!({"name": {"value": "x"}, "items": items,
        "seo": {"category_main_cb": 2, "category_sub_cb": 37, "category_type_cb": 2}})
}

#[test]
fn storeys_of_v2_are_told_from_the_total() {
    let storeys = |line: &str| {
        let attributes = read(&v2(&[json!({"name": "Podlaží", "value": line})])).unwrap().listing.attributes;
        (attributes.floor, attributes.floor_count)
    };
    assert_eq!(storeys("4. podlaží"), (Some(3), None));
    assert_eq!(storeys("6. podlaží z celkem 6"), (Some(5), Some(6)));
    assert_eq!(storeys("1. podlaží z celkem 4 včetně 1 podzemního"), (Some(0), Some(4)));
    assert_eq!(storeys("3 včetně 1 podzemního"), (None, Some(3)));
    assert_eq!(storeys("2"), (None, Some(2)));
    assert_eq!(storeys("-1. podlaží z celkem 5"), (Some(-1), Some(5)));
}

#[test]
fn a_hidden_price_of_v2_is_none() {
    let mut advert = fixture("sreality", "v2-flat-sale");
    for price in [json!({}), json!({"value_raw": 1}), Value::Null] {
        advert["price_czk"] = price;
        let reading = read(&advert).unwrap();
        assert_eq!(reading.listing.attributes.price_total, None);
        assert_eq!(reading.unread, []);
    }
}

#[test]
fn a_list_item_of_v2_reads_too() {
    let item = json!({"hash_id": 2_476_090_188_i64, "name": "Prodej bytu 3+kk 64\u{a0}m²", "price": 9_980_000,
        "locality": "U Silnice, Praha 6 - Ruzyně", "gps": {"lat": 50.090_469, "lon": 14.318_93},
        "price_czk": {"value_raw": 9_980_000, "unit": "", "name": "Celková cena"},
        "seo": {"category_main_cb": 1, "category_sub_cb": 6, "category_type_cb": 1,
            "locality": "praha-ruzyne-u-silnice"}});
    let reading = read(&item).unwrap();
    assert_eq!(reading.unread, []);
    let attributes = &reading.listing.attributes;
    assert_eq!((attributes.price_total, attributes.living_area), (Some(9_980_000.0), Some(64.0)));
    assert_eq!(
        (attributes.street.as_deref(), attributes.city.as_deref()),
        (Some("U Silnice"), Some("Praha"))
    );
    assert_eq!(reading.listing.evidence.pin, None);
    let url = reading.url.unwrap();
    assert_eq!(url, "https://www.sreality.cz/detail/prodej/byt/3+kk/praha-ruzyne-u-silnice/2476090188");
}

/// The lines of v2 from a table of features as a scraper of 2022 kept it: units dropped, yes and no as words.
fn items(features: &serde_json::Map<String, Value>) -> Vec<Value> {
    let line = |(name, value): (&String, &Value)| {
        let text = value.as_str().unwrap();
        let value = match text {
            "Yes" => json!(true),
            "No" => json!(false),
            set if matches!(name.as_str(), "Topení" | "Odpad") => {
                set.split(", ").map(|value| json!({"name": name, "value": value})).collect()
            }
            text => json!(text.trim_end_matches(" m2")),
        };
        let letter = text.strip_prefix("Třída ").and_then(|label| label.get(..1));
        json!({"name": name, "value": value, "value_type": letter})
    };
    features.iter().map(line).collect()
}

#[test]
fn the_tables_of_544_real_houses_are_understood() {
    let Some(text) = real("sreality/houses_rent_544_2022-07-10.json.gz") else { return };
    let houses: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut filled = [0; 6];
    for house in &houses {
        let reading = read(&v2(&items(house["features"].as_object().unwrap()))).unwrap();
        assert_eq!(reading.unread, [], "{}", house["id"]);
        let attributes = &reading.listing.attributes;
        let has = [
            attributes.living_area.is_some(),
            attributes.land_area.is_some(),
            attributes.building_type.is_some(),
            attributes.property_state.is_some(),
            attributes.house_position.is_some(),
            attributes.floor_count.is_some(),
        ];
        filled.iter_mut().zip(has).for_each(|(count, has)| *count += usize::from(has));
    }
    assert_eq!(houses.len(), 544);
    assert_eq!(
        filled,
        [544, 543, 544, 544, 417, 377],
        "living and land area, building, state, position, storeys"
    );
}

#[test]
fn the_codes_of_a_census_of_400_are_understood() {
    let Some(text) = real("sreality/v2_field_census_400_2026-02-27.json.gz") else { return };
    let census: Value = serde_json::from_str(&text).unwrap();
    let counts = |field: &str| census["detail_fields"][field]["value_counts"].as_object().unwrap().clone();
    for field in ["category_main_cb", "category_sub_cb", "category_type_cb"] {
        for value in counts(&format!("seo.{field}")).keys() {
            let number: i64 = value.parse().unwrap();
            let mut seo = json!({"category_main_cb": 1, "category_sub_cb": 6, "category_type_cb": 1});
            seo[field] = json!(number);
            let reading = read(&json!({"name": {"value": "x"}, "seo": seo})).unwrap();
            assert_eq!(reading.unread, [], "{field} {value}");
        }
    }
    for letter in counts("items[].value_type").keys() {
        let line = json!({"name": "Energetická náročnost budovy", "value": "", "value_type": letter});
        assert!(read(&v2(&[line])).unwrap().listing.attributes.energy_class.unwrap().starts_with(letter));
    }
    let is_heating =
        |name: &&String| ["Lokální", "Ústřední", "Podlahové"].iter().any(|word| name.starts_with(word));
    for name in counts("items[].value[].value").keys().filter(is_heating) {
        let line = json!({"name": "Topení", "value": [{"name": "Topení", "value": name}]});
        assert_eq!(read(&v2(&[line])).unwrap().unread, [], "{name}");
    }
}
