//! Real pages, and the values of a census of 751 real adverts.

use schema::{
    Arrangement, Attributes, BuildingType, Evidence, Location, OfferType, Ownership, PropertyState,
    PropertyType,
};
use serde_json::Value;

use crate::payloads::{page, read_page, real, some};

const SITE: &str = "ceskereality";

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_flat_reads_field_by_field() {
    let Some(html) = real("ceskereality/detail_a1.html") else {
        return;
    };
    let reading = read_page(SITE, &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(description.starts_with("Mezonetový apartmán 4+kk v projektu Slunečný svah"));
    assert!(description.contains("ihned k nastěhování.\n\nČtyřpokojová jednotka"));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.727_776_839_866,
                lng: 15.597_127_147_728
            }),
            title: some("Prodej bytu 4+kk 71 m²"),
            city: some("Špindlerův Mlýn"),
            neighborhood: some("Bedřichov"),
            district: some("Trutnov"),
            address: some("Špindlerův Mlýn Bedřichov"),
            property_type: Some(PropertyType::Apartment),
            offer_type: Some(OfferType::Sale),
            arrangement: Some(Arrangement::R4Kk),
            property_state: Some(PropertyState::AfterRenovation),
            building_type: Some(BuildingType::Brick),
            ownership: Some(Ownership::Private),
            price_total: Some(13_900_000.0),
            living_area: Some(71.0),
            floor: Some(2),
            energy_class: some("D - Méně úsporná"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            order_code: some("SM34"),
            ..Evidence::default()
        }
    );
    assert_eq!(
        reading.url.as_deref(),
        Some(
            "https://vychodo.ceskereality.cz/prodej/byty/byty-4-kk/spindleruv-mlyn/prodej-bytu-4-kk-71-m2-3680359.html"
        )
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

#[test]
fn two_downloads_of_a_real_page_read_alike() {
    let pages = ["a1", "a2"].map(|visit| real(&format!("ceskereality/detail_{visit}.html")));
    if let [Some(first), Some(second)] = pages {
        assert_ne!(first, second);
        assert_eq!(read_page(SITE, &first), read_page(SITE, &second));
    }
}

/// Returns every field of the census whose name has this beginning, with all of its values.
fn census(fields: &str) -> Vec<(String, String)> {
    let Some(census) = real("ceskereality/detail_field_census_751_2026-02-27.json") else {
        return Vec::new();
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    let mut rows = Vec::new();
    for (name, field) in census["detail_fields"].as_object().unwrap() {
        let Some(label) = name.strip_prefix(fields) else {
            continue;
        };
        for value in field["all_distinct_values"]
            .as_array()
            .into_iter()
            .flatten()
        {
            rows.push((label.to_owned(), value.as_str().unwrap().to_owned()));
        }
    }
    rows
}

/// Reads a page with one attribute of this label and value.
fn attributes_with(label: &str, value: &str) -> ingest::reading::Reading {
    let row = format!(
        "<dl class=\"g-info\"><div class=\"i-info\"><span class=\"i-info__title\">{label}</span>\
         <span class=\"i-info__value\">\n{value}\n</span></div></dl></body>"
    );
    read_page(SITE, &page(SITE, "minimal").replace("</body>", &row))
}

#[test]
fn every_label_and_value_of_the_census_is_understood_or_known_to_be_irrelevant() {
    let census = census("attributes.");
    for (label, value) in &census {
        let reading = attributes_with(label, value);
        assert!(
            reading.unread.is_empty(),
            "{label}: {value}: {:?}",
            reading.unread
        );
    }
    assert!([0, 494].contains(&census.len()), "{}", census.len());
}

#[test]
fn every_title_of_the_census_names_a_layout_or_a_kind_of_land() {
    for (_, title) in census("jsonLd.name") {
        let html = page(SITE, "minimal").replace(">Prodej bytu<", &format!(">{title}<"));
        let flat = read_page(SITE, &html).listing.attributes;
        let land = read_page(SITE, &html.replace("/byty/", "/pozemky/"))
            .listing
            .attributes;
        assert!(
            flat.arrangement.is_some() || land.subtype.is_some(),
            "{title}"
        );
        assert!(
            flat.living_area.is_some() && land.land_area.is_some(),
            "{title}"
        );
    }
}

/// Tells whether a row has filled its field.
type Filled = fn(&Attributes) -> bool;

#[test]
fn rows_of_the_census_fill_their_fields() {
    let fields: [(&str, Filled); 9] = [
        ("Cena", |attributes| attributes.price_total.is_some()),
        ("Patro", |attributes| attributes.floor.is_some()),
        ("Plocha užitná", |attributes| {
            attributes.living_area.is_some()
        }),
        ("Stav nemovitosti", |attributes| {
            attributes.property_state.is_some()
        }),
        ("Vlastnictví", |attributes| attributes.ownership.is_some()),
        ("Kanalizace", |attributes| attributes.sewerage.is_some()),
        ("Způsoby vytápění", |attributes| {
            attributes.heating_source.is_some()
        }),
        ("Energetická náročnost", |attributes| {
            attributes.energy_class.is_some()
        }),
        ("Balkóny", |attributes| {
            [attributes.balcony, attributes.loggia, attributes.terrace].contains(&Some(true))
        }),
    ];
    let census = census("attributes.");
    for (wanted, filled) in fields {
        for (label, value) in census.iter().filter(|(label, _)| label == wanted) {
            assert!(
                filled(&attributes_with(label, value).listing.attributes),
                "{label}: {value}"
            );
        }
    }
}
