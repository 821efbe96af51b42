//! Real adverts and censuses of their values, on machines that have them.

use ingest::reading::Reading;
use schema::{
    Arrangement, BuildingType, Equipment, Location, OfferType, Ownership, PinPrecision,
    PropertyState, PropertyType,
};
use serde_json::{Value, json};

use super::v2::v2;
use crate::payloads::real;

use super::read_advert;

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_real_detail_reads_field_by_field() {
    let Some(text) = real("sreality/v1_detail_3292504140_2026-05.json") else {
        return;
    };
    let reading = read_advert(&serde_json::from_str(&text).unwrap()).unwrap();
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
        location: Some(Location {
            lat: 49.872_680_439_044_9,
            lng: 18.255_214_171_504_3,
        }),
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
        (
            &evidence.house_number,
            &evidence.share,
            evidence.taken,
            evidence.total_area
        ),
        (&None, &None, None, None)
    );
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_real_list_items_read_field_by_field() {
    let Some(text) = real("sreality/v1_search_byt_prodej_limit3_2026-05.json") else {
        return;
    };
    let page: Value = serde_json::from_str(&text).unwrap();
    let read: Vec<Reading> = page["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| read_advert(item).unwrap())
        .collect();
    assert_eq!(read.len(), 3);
    assert!(read.iter().all(|reading| reading.unread.is_empty()));

    let troja = &read[1].listing;
    assert_eq!(
        troja.attributes.address.as_deref(),
        Some("Na Šutce 398/2, Praha 8 - Troja")
    );
    assert_eq!(troja.attributes.street.as_deref(), Some("Na Šutce"));
    assert_eq!(troja.attributes.district.as_deref(), Some("Praha"));
    assert_eq!(
        troja.attributes.region.as_deref(),
        Some("Hlavní město Praha")
    );
    assert_eq!(troja.attributes.price_total, Some(7_990_000.0));
    assert_eq!(troja.attributes.living_area, Some(71.0));
    assert_eq!(
        troja.attributes.location,
        Some(Location {
            lat: 50.123_757_160_984_3,
            lng: 14.440_739_160_306_6
        })
    );
    assert_eq!(troja.evidence.house_number.as_deref(), Some("398/2"));
    assert_eq!(troja.evidence.pin, Some(PinPrecision::Exact));
    assert_eq!(
        read[1].url.as_deref(),
        Some("https://www.sreality.cz/detail/prodej/byt/3+kk/praha-troja-na-sutce/3853889612")
    );

    let milin = &read[2].listing;
    assert_eq!(
        milin.attributes.address.as_deref(),
        Some("Milín - Stěžov, okres Příbram")
    );
    assert_eq!(milin.attributes.arrangement, Some(Arrangement::R5P1));
    assert_eq!(milin.attributes.living_area, Some(120.0));
    assert_eq!(
        (milin.attributes.street.as_deref(), milin.evidence.pin),
        (None, Some(PinPrecision::Quarter))
    );
    assert_eq!(read[0].listing.attributes.price_total, None, "on request");
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_real_v2_detail_reads_field_by_field() {
    let Some(text) = real("sreality/v2_detail_2022-11.json.gz") else {
        return;
    };
    let reading = read_advert(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(reading.unread, []);
    assert_eq!(
        reading.url.as_deref(),
        Some(
            "https://www.sreality.cz/detail/prodej/byt/2+kk/praha-nove-mesto-opatovicka/4065768524"
        )
    );
    let description = reading.listing.attributes.description.clone().unwrap();
    assert!(description.starts_with("Byt o výměře 44.90 m2"));
    let expected = schema::Attributes {
        title: Some("Prodej bytu 2+kk 64\u{a0}m²".to_owned()),
        description: Some(description),
        location: Some(Location {
            lat: 50.065_236_940_450_056,
            lng: 14.431_991_366_653_245,
        }),
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
    assert_eq!(
        evidence.pin,
        Some(PinPrecision::Municipality),
        "the box is all of Prague"
    );
    assert_eq!(evidence.order_code.as_deref(), Some("OPA022"));
    assert_eq!(evidence.total_area, Some(64.0));
}

/// Builds the rows of v2 from a scraper's table of 2022, which has no units and writes yes and no as words.
fn items(features: &serde_json::Map<String, Value>) -> Vec<Value> {
    let line = |(name, value): (&String, &Value)| {
        let text = value.as_str().unwrap();
        let value = match text {
            "Yes" => json!(true),
            "No" => json!(false),
            set if matches!(name.as_str(), "Topení" | "Odpad") => set
                .split(", ")
                .map(|value| json!({"name": name, "value": value}))
                .collect(),
            text => json!(text.trim_end_matches(" m2")),
        };
        let letter = text.strip_prefix("Třída ").and_then(|label| label.get(..1));
        json!({"name": name, "value": value, "value_type": letter})
    };
    features.iter().map(line).collect()
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_tables_of_544_real_houses_are_understood() {
    let Some(text) = real("sreality/houses_rent_544_2022-07-10.json.gz") else {
        return;
    };
    let houses: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut filled = [0; 6];
    for house in &houses {
        let reading = read_advert(&v2(&items(house["features"].as_object().unwrap()))).unwrap();
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
        filled
            .iter_mut()
            .zip(has)
            .for_each(|(count, has)| *count += usize::from(has));
    }
    assert_eq!(houses.len(), 544);
    assert_eq!(
        filled,
        [544, 543, 544, 544, 417, 377],
        "living and land area, building, state, position, storeys"
    );
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_codes_of_a_census_of_400_are_understood() {
    let Some(text) = real("sreality/v2_field_census_400_2026-02-27.json.gz") else {
        return;
    };
    let census: Value = serde_json::from_str(&text).unwrap();
    let counts = |field: &str| {
        census["detail_fields"][field]["value_counts"]
            .as_object()
            .unwrap()
            .clone()
    };
    for field in ["category_main_cb", "category_sub_cb", "category_type_cb"] {
        for value in counts(&format!("seo.{field}")).keys() {
            let number: i64 = value.parse().unwrap();
            let mut seo =
                json!({"category_main_cb": 1, "category_sub_cb": 6, "category_type_cb": 1});
            seo[field] = json!(number);
            let reading = read_advert(&json!({"name": {"value": "x"}, "seo": seo})).unwrap();
            assert_eq!(reading.unread, [], "{field} {value}");
        }
    }
    for letter in counts("items[].value_type").keys() {
        let line =
            json!({"name": "Energetická náročnost budovy", "value": "", "value_type": letter});
        assert!(
            read_advert(&v2(&[line]))
                .unwrap()
                .listing
                .attributes
                .energy_class
                .unwrap()
                .starts_with(letter)
        );
    }
    let is_heating = |name: &&String| {
        ["Lokální", "Ústřední", "Podlahové"]
            .iter()
            .any(|word| name.starts_with(word))
    };
    for name in counts("items[].value[].value").keys().filter(is_heating) {
        let line = json!({"name": "Topení", "value": [{"name": "Topení", "value": name}]});
        assert_eq!(read_advert(&v2(&[line])).unwrap().unread, [], "{name}");
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn the_names_of_2154_real_flats_of_2023_are_understood() {
    let Some(text) = real("sreality/prague_flats_sale_2023-01-07.csv") else {
        return;
    };
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut flats = 0;
    for flat in lines.map(|line| line.split(',').collect::<Vec<&str>>()) {
        let cell = |name: &str| flat[head.iter().position(|column| *column == name).unwrap()];
        let truth = |name: &str| match cell(name) {
            "True" => json!(true),
            "False" => json!(false),
            other => json!(other),
        };
        let lines = [
            json!({"name": "Stavba", "value": cell("building")}),
            json!({"name": "Stav objektu", "value": cell("condition")}),
            json!({"name": "Vlastnictví", "value": cell("ownership")}),
            json!({"name": "Vybavení", "value": truth("equipped")}),
            json!({"name": "Výtah", "value": truth("elevator")}),
            json!({"name": "Užitná plocha", "value": cell("area")}),
            json!({"name": "Energetická náročnost budovy", "value": "", "value_type": cell("energy_type")}),
        ];
        let reading = read_advert(&v2(&lines)).unwrap();
        assert_eq!(reading.unread, [], "{}", cell("id"));
        let attributes = &reading.listing.attributes;
        assert!(attributes.building_type.is_some() && attributes.property_state.is_some());
        assert!(attributes.ownership.is_some() && attributes.living_area.is_some());
        flats += 1;
    }
    assert_eq!(flats, 2154);
}
