//! Real adverts and the census of real values.

use schema::{Arrangement, Attributes, Evidence, OfferType, PropertyState, PropertyType, Subtype};
use serde_json::{Value, json};

use crate::payloads::real;

use super::read_advert;

#[expect(
    clippy::unnecessary_wraps,
    reason = "the fields it is compared with are optional"
)]
fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_detail_reads_field_by_field() {
    let Some(payload) = real("bazos/api_ad_detail_214704842_2026-02-09.json") else {
        return;
    };
    let reading = read_advert(&serde_json::from_str(&payload).unwrap()).unwrap();
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description
            .starts_with("Nádherná vila s charakterem a obrovským potenciálem – 5 km od moře")
    );
    assert!(description.ends_with("Kontaktujte mě na WhatsApp: [tel]"));
    assert_eq!(
        attributes,
        Attributes {
            title: text("Vila u moře k rekonstrukci🇮🇹"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Holiday),
            offer_type: Some(OfferType::Sale),
            property_state: Some(PropertyState::BeforeRenovation),
            price_total: Some(2_200_000.0),
            land_area: Some(10_000.0),
            ..Attributes::default()
        }
    );
    assert_eq!(reading.listing.evidence, Evidence::default());
    assert_eq!(
        reading.url.as_deref(),
        Some("https://reality.bazos.cz/inzerat/214704842/vila-u-more-k-rekonstrukci.php")
    );
    let unread: Vec<(&str, &str)> = reading
        .unread
        .iter()
        .map(|reject| (reject.field.as_str(), reject.value.as_str()))
        .collect();
    assert_eq!(unread, [("postalCode", "738 01 Frýdek - Místek")]);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_reads_field_by_field() {
    let Some(html) = real("bazos/detail_page_214464437_2026-02-09.html") else {
        return;
    };
    let reading = read_advert(&Value::from(html)).unwrap();
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description.starts_with("Nabízíme k prodeji moderní apartmány s dispozicí 2+KK, od 57m2")
    );
    assert!(description.ends_with("https://www.seaparadise.apartments/cs"));
    assert_eq!(
        attributes,
        Attributes {
            title: text("Moderní apartmány 2KK v Sea Paradise Apartments"),
            address: text("Zahraničí"),
            property_type: Some(PropertyType::Apartment),
            offer_type: Some(OfferType::Sale),
            arrangement: Some(Arrangement::R2Kk),
            price_total: Some(2_457_000.0),
            ..Attributes::default()
        }
    );
    let evidence = Evidence {
        year_built: Some(2027),
        ..Evidence::default()
    };
    assert_eq!(reading.listing.evidence, evidence);
    assert!(reading.url.unwrap().ends_with(
        "/inzerat/214464437/moderni-apartman-s-dispozici-2kk-v-sea-paradise-apartments.php"
    ));
    assert!(reading.unread.is_empty());
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn real_list_items_read_field_by_field() {
    let Some(list) = real("bazos/api_ads_list_2026-02-09.json") else {
        return;
    };
    let list: Vec<Value> = serde_json::from_str(&list).unwrap();
    let read: Vec<_> = list
        .iter()
        .map(|item| {
            let listing = read_advert(item).unwrap().listing;
            let attributes = listing.attributes;
            (
                attributes.title.unwrap(),
                attributes.offer_type,
                attributes.price_total,
                attributes.address,
            )
        })
        .collect();
    assert_eq!(
        read,
        [
            (
                "Vila u moře k rekonstrukci🇮🇹".to_owned(),
                None,
                Some(2_200_000.0),
                None
            ),
            (
                ": Pronájem pozemku pro samoobslužnou myčku. Povolení ano".to_owned(),
                Some(OfferType::Rent),
                None,
                text("Teplice")
            ),
            (
                "Stavebni pozemek u moře🇮🇹".to_owned(),
                None,
                Some(1_100_000.0),
                None
            ),
            (
                "Moderní apartmány 2KK v Sea Paradise Apartments".to_owned(),
                None,
                Some(2_457_000.0),
                text("Zahraničí")
            ),
            (
                "EXKLUSIVNÍ APARTMÁN VE VELKÝCH KARLOVICÍCH".to_owned(),
                None,
                Some(7_390_000.0),
                text("Vsetín")
            ),
        ]
    );
}

/// Fields of the census that fill no field of the listing.
const BESIDE_THE_LISTING: [&str; 24] = [
    "action_possible",
    "category.id",
    "category.title",
    "currency",
    "email_id",
    "favourite",
    "from",
    "image_thumbnail",
    "image_thumbnail_height",
    "image_thumbnail_width",
    "images",
    "images[]",
    "name",
    "phone",
    "phone_id",
    "price",
    "section.id",
    "section.image",
    "section.title",
    "section.url",
    "top_limit",
    "top_possible",
    "top_total",
    "topped",
];
const MORE_BESIDE: [&str; 4] = [
    "topped_for_days",
    "user_ads_count",
    "user_reviews_count",
    "views",
];
/// Fields whose values other tests read.
const READ_ELSEWHERE: [&str; 6] = ["description", "id", "latitude", "longitude", "title", "url"];

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_field_and_value_of_the_census_is_understood_or_known_to_be_irrelevant() {
    let Some(census) = real("bazos/api_field_census_200_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    for (name, field) in census["detail_fields"].as_object().unwrap() {
        if BESIDE_THE_LISTING.contains(&name.as_str())
            || MORE_BESIDE.contains(&name.as_str())
            || READ_ELSEWHERE.contains(&name.as_str())
        {
            continue;
        }
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
            let mut payload =
                json!({"title": "Nabídka", "type": "sell", "category": {"url": "byt"}});
            match name.as_str() {
                "category.url" => payload["category"]["url"] = json!(value),
                "locality" | "price_formatted" | "price_type" | "status" | "type" | "zip_code" => {
                    payload[name] = json!(value);
                }
                other => panic!("a field the adapter does not know: {other}"),
            }
            let reading = read_advert(&payload).unwrap();
            assert!(
                reading.unread.is_empty(),
                "{name}: {value}: {:?}",
                reading.unread
            );
        }
    }
}

#[test]
fn real_titles_are_read_as_expected() {
    let sell = |section: &str, title: &str| {
        let payload = json!({"title": title, "type": "sell", "category": {"url": section}});
        read_advert(&payload).unwrap().listing.attributes
    };
    assert_eq!(
        sell("dum", "Dům 2ķk, 40m2, nový").arrangement,
        Some(Arrangement::R2Kk)
    );
    assert_eq!(
        sell("pozemek", "České Libchavy, 874 m2 Komplet zasíťovány").land_area,
        Some(874.0)
    );
    assert_eq!(
        sell(
            "dum",
            "--RD Beskydy Trojanovice + pozemek 28000m2 2x rybník --"
        )
        .land_area,
        Some(28_000.0)
    );
    let flat = sell("byt", "BYT-TOP-EXLUZIVNÍ 2+KK+ZAHRADA 82,85m2 věž A");
    assert_eq!(
        (flat.arrangement, flat.living_area),
        (Some(Arrangement::R2Kk), None)
    );
    assert_eq!(
        sell("dum", "---- Bytový dům 6 bytu 3 garáže Ostrava ----").arrangement,
        None
    );
}
