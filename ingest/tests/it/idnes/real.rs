//! Real pages and the census of real values.

use schema::{
    Arrangement, Attributes, BuildingType, Equipment, Evidence, Location, OfferType, Ownership,
    PinPrecision, PropertyState, PropertyType, Subtype,
};
use serde_json::Value;

use crate::payloads::{real, some};

use super::{page, read_page};

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_flat_on_a_highlighted_street_reads_field_by_field() {
    let Some(html) = real("idnes/detail_a1.html") else {
        return;
    };
    let reading = read_page(&html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(description.starts_with(
        "Prodej bytu 3+kk, 71 m² Králův Dvůr, Nad Stadionem\n\nHledáte rodinné bydlení"
    ));
    assert!(description.ends_with("sjednání prohlídky mě neváhejte kontaktovat."));
    assert_eq!(
        (
            description.chars().count(),
            description.matches("\n\n").count()
        ),
        (2408, 5)
    );
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 49.946_620_595_580_605,
                lng: 14.027_019_106_514_263
            }),
            title: some("Prodej bytu 3+kk 67 m²"),
            city: some("Králův Dvůr"),
            street: some("Nad Stadionem"),
            region: some("Středočeský kraj"),
            neighborhood: some("Králův Dvůr"),
            district: some("Beroun"),
            address: some("Nad Stadionem, Králův Dvůr, okres Beroun"),
            property_type: Some(PropertyType::Apartment),
            offer_type: Some(OfferType::Sale),
            arrangement: Some(Arrangement::R3Kk),
            property_state: Some(PropertyState::VeryGood),
            ownership: Some(Ownership::Private),
            building_type: Some(BuildingType::Panel),
            price_total: Some(6_390_000.0),
            living_area: Some(67.0),
            floor: Some(1),
            equipment: Some(Equipment::None),
            energy_class: some("C"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            pin: Some(PinPrecision::Street),
            order_code: some("6438"),
            former_price: Some(6_590_000.0),
            note_on_price: some("včetně provize RK"),
            ..Evidence::default()
        }
    );
    assert_eq!(
        reading.url.as_deref(),
        Some(
            "https://reality.idnes.cz/detail/prodej/byt/kraluv-dvur-nad-stadionem/6a304242115442e33b0dbd24/"
        )
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_house_among_broken_neighbours_reads_field_by_field() {
    let Some(html) = real("idnes/detail_portal_html.html") else {
        return;
    };
    let reading = read_page(&html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(description.starts_with(
        "Řadový dům po kompletní rekonstrukci s garáží, fotovoltaikou a krásným výhledem\n\n"
    ));
    assert!(
        description.contains(
            "\n- kompletní výměnu oken, vnitřních příček vč.. nových obložkových dveří\n"
        )
    );
    assert!(description.ends_with("Těším se na prohlídku s vámi."));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.744_372_14,
                lng: 15.313_316_32
            }),
            title: some("Prodej domu 210 m² s pozemkem 80 m²"),
            city: some("Tanvald"),
            street: some("Na Balkáně"),
            region: some("Liberecký kraj"),
            neighborhood: some("Šumburk nad Desnou"),
            district: some("Jablonec nad Nisou"),
            address: some("Na Balkáně, Tanvald - Šumburk nad Desnou, okres Jablonec nad Nisou"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Family),
            offer_type: Some(OfferType::Sale),
            property_state: Some(PropertyState::VeryGood),
            ownership: Some(Ownership::Private),
            building_type: Some(BuildingType::Mix),
            price_total: Some(7_900_000.0),
            living_area: Some(210.0),
            land_area: Some(80.0),
            floor_count: Some(3),
            equipment: Some(Equipment::None),
            storage: Some(true),
            garage: Some(true),
            loggia: Some(true),
            energy_class: some("G"),
            house_position: some("terraced"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            pin: Some(PinPrecision::Exact),
            order_code: some("762"),
            note_on_price: some("vč. provize a právního servisu"),
            ..Evidence::default()
        }
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

/// Reads a page with one attribute of this label and value.
fn page_with(label: &str, value: &str) -> String {
    let row = format!(
        "<div class=\"b-definition-columns\"><dl><dt>{label}</dt><dd>{value}</dd></dl></div>"
    );
    page("minimal").replace("</body>", &format!("{row}</body>"))
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_label_and_value_of_the_census_is_understood_or_known_to_be_irrelevant() {
    let Some(census) = real("idnes/detail_field_census_1243_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    let mut seen = 0;
    for (name, field) in census["detail_fields"].as_object().unwrap() {
        let Some(label) = name.strip_prefix("attributes.") else {
            continue;
        };
        let counted = field["value_counts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(value, _)| value.as_str());
        let sampled = field["sample_values"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for value in counted.chain(sampled) {
            let reading = read_page(&page_with(label, value));
            assert!(
                reading.unread.is_empty(),
                "{label}: {value}: {:?}",
                reading.unread
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 701);
}

/// Tells whether a row has filled its field.
type Filled = fn(&Attributes) -> bool;

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn rows_of_the_census_fill_their_fields() {
    let Some(census) = real("idnes/detail_field_census_1243_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    let fields: [(&str, Filled); 12] = [
        ("Podlaží", |attributes| attributes.floor.is_some()),
        ("Počet podlaží budovy", |attributes| {
            attributes.floor_count.is_some()
        }),
        ("Užitná plocha", |attributes| {
            attributes.living_area.is_some()
        }),
        ("Plocha pozemku", |attributes| {
            attributes.land_area.is_some()
        }),
        ("Konstrukce budovy", |attributes| {
            attributes.building_type.is_some()
        }),
        ("Stav budovy", |attributes| {
            attributes.property_state.is_some()
        }),
        ("Vlastnictví", |attributes| attributes.ownership.is_some()),
        ("Poloha domu", |attributes| {
            attributes.house_position.is_some()
        }),
        ("Vybavení", |attributes| attributes.equipment.is_some()),
        ("Topení", |attributes| attributes.heating_source.is_some()),
        ("PENB", |attributes| attributes.energy_class.is_some()),
        ("Terasa", |attributes| attributes.terrace == Some(true)),
    ];
    for (label, filled) in fields {
        let field = &census["detail_fields"][format!("attributes.{label}")];
        let counted = field["value_counts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(value, _)| value.as_str());
        let sampled = field["sample_values"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for value in counted.chain(sampled) {
            let attributes = read_page(&page_with(label, value)).listing.attributes;
            assert!(filled(&attributes), "{label}: {value}");
        }
    }
}
