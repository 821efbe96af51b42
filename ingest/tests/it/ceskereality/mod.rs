//! The ceskereality adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use schema::{PropertyType, Subtype};
use serde_json::{Value, json};

use crate::payloads::{page, page_with, read_page, read_payload, some, unread_fields};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("ceskereality", payload)
}

const SITE: &str = "ceskereality";

fn reading(case: &str) -> Reading {
    read_page(SITE, &page(SITE, case))
}

/// Reads the fixture with a piece of its HTML replaced.
#[track_caller]
fn with(case: &str, piece: &str, replacement: &str) -> Reading {
    page_with(SITE, case, piece, replacement)
}

#[test]
fn a_page_requested_by_number_reads_like_the_page_alone() {
    let alone = reading("land-sale");
    let short = "https://www.ceskereality.cz/n/3900104";
    let asked = read_advert(&json!({"url": short, "html": page(SITE, "land-sale")})).unwrap();
    assert_eq!(asked.listing, alone.listing);
    assert_eq!(asked.url.as_deref(), Some(short));
}

#[test]
fn the_row_names_the_unit_of_the_price() {
    assert_eq!(
        reading("flat-rent").listing.attributes.price_total,
        Some(21_500.0)
    );
    assert_eq!(reading("office-rent").listing.attributes.price_total, None);
    let on_request = reading("price-on-request");
    assert_eq!(on_request.listing.attributes.price_total, None);
    assert!(on_request.unread.is_empty(), "{:?}", on_request.unread);
    let without_row = with("flat-sale", ">Cena<", ">Okna<");
    assert_eq!(
        without_row.listing.attributes.price_total,
        Some(5_290_000.0)
    );
}

#[test]
fn floors_count_from_zero_at_the_ground() {
    for (written, floor) in [("přízemí", 0), ("1.", 1), ("suterén", -1), ("11.", 11)] {
        let reading = with("ground-floor", "\npřízemí\n", &format!("\n{written}\n"));
        assert_eq!(reading.listing.attributes.floor, Some(floor), "{written}");
    }
}

#[test]
fn the_plot_of_a_flat_is_left_out_and_that_of_land_is_kept() {
    let flat = reading("flat-sale").listing;
    assert_eq!(
        (flat.attributes.land_area, flat.attributes.living_area),
        (None, Some(72.0))
    );
    assert_eq!(flat.evidence.total_area, Some(76.0));
    let land = reading("land-sale").listing;
    assert_eq!(
        (land.attributes.land_area, land.attributes.living_area),
        (Some(912.0), None)
    );
    assert_eq!(land.evidence.total_area, None);
}

#[test]
fn the_address_names_the_section_and_the_title_the_subtype() {
    let kind = |section: &str, finer: &str, title: &str| {
        let html = page(SITE, "land-sale")
            .replace(
                "/pozemky/stavebni-parcely/",
                &format!("/{section}/{finer}/"),
            )
            .replace("Prodej stavební parcely 912 m²", title);
        let attributes = read_page(SITE, &html).listing.attributes;
        (attributes.property_type, attributes.subtype)
    };
    let land = Some(PropertyType::Land);
    assert_eq!(
        kind("pozemky", "komercni", "Prodej komerčního pozemku 9 m²"),
        (land, Some(Subtype::Commercial))
    );
    assert_eq!(
        kind("pozemky", "orna-puda", "Prodej zemědělské půdy"),
        (land, Some(Subtype::Agricultural))
    );
    assert_eq!(
        kind("pozemky", "louky", "Prodej louky 3 562 m²"),
        (land, Some(Subtype::Meadow))
    );
    assert_eq!(
        kind("pozemky", "zahrady", "Prodej zahrady"),
        (land, Some(Subtype::Garden))
    );
    let house = Some(PropertyType::House);
    assert_eq!(
        kind("chaty-chalupy", "chaty", "Prodej chaty 40 m²"),
        (house, Some(Subtype::Holiday))
    );
    assert_eq!(
        kind("chaty-chalupy", "chalupy", "Prodej chalupy"),
        (house, Some(Subtype::Cottage))
    );
    let commercial = Some(PropertyType::Commercial);
    assert_eq!(
        kind("komercni-prostory", "sklady", "Prodej skladu"),
        (commercial, Some(Subtype::Warehouse))
    );
}

#[test]
fn the_street_is_before_or_after_the_town_and_in_the_browsers_title() {
    let flat = reading("flat-sale").listing;
    assert_eq!(flat.attributes.street, some("Severní"));
    assert_eq!(flat.attributes.neighborhood, some("Slezské Předměstí"));
    assert_eq!(flat.evidence.house_number, some("612"));
    let garage = reading("garage").listing.attributes;
    assert_eq!(
        [garage.street, garage.neighborhood],
        [some("Horní"), some("Hrabůvka")]
    );
    let titled = with("garage", "Ostrava Hrabůvka, Horní", "Ostrava Hrabůvka")
        .listing
        .attributes;
    assert_eq!(titled.street, some("Horní"));
    for case in ["house-sale", "land-sale", "blurred-pin"] {
        assert_eq!(reading(case).listing.attributes.street, None, "{case}");
    }
}

#[test]
fn the_okres_is_next_to_the_municipality_and_in_the_browsers_title() {
    assert_eq!(
        reading("house-sale").listing.attributes.district,
        some("Semily")
    );
    let titled = with(
        "house-sale",
        "data-city=\"Benecko (okres Semily)\"",
        "data-city=\"Benecko\"",
    );
    assert_eq!(titled.listing.attributes.district, some("Semily"));
    let prague = reading("flat-rent").listing.attributes;
    assert_eq!(
        [prague.city, prague.district],
        [some("Praha"), some("Praha")]
    );
    assert_eq!(
        [prague.region, prague.neighborhood],
        [some("Hlavní město Praha"), some("Žižkov")]
    );
}

#[test]
fn property_marked_as_abroad_has_no_position() {
    let reading = reading("foreign");
    assert_eq!(reading.listing.attributes.location, None);
    assert_eq!(reading.listing.attributes.city, some("Makarska"));
    let at_home = with(
        "foreign",
        "\"zahranicni_nemovitost\":1",
        "\"zahranicni_nemovitost\":0",
    );
    assert_eq!(
        unread_fields(&at_home),
        ["location", "priceTotal"],
        "the place is not in this country"
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_eq!(
        unread_fields(&reading),
        [
            "Balkóny",
            "Počet duchů",
            "buildingType",
            "energyClass",
            "floor",
            "heatingSource",
            "livingArea",
            "ownership",
            "parking",
            "propertyState",
            "sewerage",
        ]
    );
    assert_eq!(reading.listing.attributes.price_total, Some(1_890_000.0));
    let section = with("unknown-codes", "/prodej/byty/", "/prodej/hrady/");
    assert_eq!(
        section.unread.first().map(|reject| reject.field.as_str()),
        Some("type")
    );
}

#[test]
fn a_payload_that_is_a_list_ends_the_listing() {
    let list = r#"<article class="i-estate"><a class="i-estate__image-link" href="/prodej/x-1.html"></a></article>"#;
    assert!(matches!(
        read_advert(&Value::from(list)),
        Err(PayloadError::Gone { .. })
    ));
}
