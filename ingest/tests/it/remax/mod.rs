//! The remax adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use schema::{Location, PropertyType, Subtype, Taken};
use serde_json::Value;

use crate::payloads::{page, page_with, read_page, read_payload, unread_fields};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("remax", payload)
}

const SITE: &str = "remax";

fn reading(case: &str) -> Reading {
    read_page(SITE, &page(SITE, case))
}

/// Reads the fixture with a piece of its HTML replaced.
#[track_caller]
fn with(case: &str, piece: &str, replacement: &str) -> Reading {
    page_with(SITE, case, piece, replacement)
}

#[test]
fn the_title_does_not_contain_the_order_number() {
    let listing = reading("flat-sale").listing;
    assert_eq!(
        listing.attributes.title.as_deref(),
        Some("Prodej bytu 3+1 v osobním vlastnictví 72 m², Hradec Králové")
    );
    assert_eq!(listing.evidence.order_code.as_deref(), Some("144-NP00417"));
}

#[test]
fn the_price_of_the_heading_is_read_if_the_table_is_missing() {
    let reading = with("flat-rent", "pd-table__value--price", "x");
    assert_eq!(reading.listing.attributes.price_total, Some(21_500.0));
}

#[test]
fn a_label_marks_a_property_as_reserved_unless_it_is_a_neighbours() {
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    assert_eq!(
        with("reserved", ">Rezervace<", ">Prodáno<")
            .listing
            .evidence
            .taken,
        Some(Taken::Sold)
    );
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
}

#[test]
fn floors_count_from_one_at_the_ground() {
    let value = |floor: &str| format!("<div class=\"pd-detail-info__value\">{floor}</div>");
    for (written, floor) in [("1", 0), ("0", 0), ("-1", -1), ("4", 3)] {
        let reading = with("ground-floor", &value("1"), &value(written));
        assert_eq!(reading.listing.attributes.floor, Some(floor), "{written}");
    }
    assert_eq!(
        reading("house-sale").listing.attributes.floor_count,
        Some(2)
    );
}

#[test]
fn the_listings_own_position_is_read() {
    let Location { lat, lng } = reading("flat-sale").listing.attributes.location.unwrap();
    assert!(
        (lat - 50.218_741).abs() < 2e-5 && (lng - 15.856_902).abs() < 2e-5,
        "{lat} {lng}"
    );
    assert_eq!(reading("flat-sale").listing.evidence.pin, None);
    assert_eq!(reading("blurred-pin").listing.attributes.location, None);
    let broken = with("flat-sale", "50°13&#039;", "50°");
    assert_eq!(broken.listing.attributes.location, None);
    assert_eq!(unread_fields(&broken), ["location"]);
}

#[test]
fn the_street_is_behind_its_word_or_on_the_listings_map() {
    let listing = reading("flat-sale").listing;
    assert_eq!(listing.attributes.street.as_deref(), Some("Severní"));
    assert_eq!(listing.evidence.house_number.as_deref(), Some("612"));
    assert_eq!(
        reading("flat-rent").listing.attributes.street.as_deref(),
        Some("Bořivojova")
    );
    for case in ["house-sale", "land-sale", "blurred-pin"] {
        assert_eq!(reading(case).listing.attributes.street, None, "{case}");
    }
}

#[test]
fn the_quarter_is_behind_a_dash_and_the_okres_in_the_breadcrumb() {
    let attributes = reading("house-sale").listing.attributes;
    assert_eq!(attributes.city.as_deref(), Some("Benecko"));
    assert_eq!(attributes.neighborhood.as_deref(), Some("Mrklov"));
    assert_eq!(attributes.district.as_deref(), Some("Semily"));
    assert_eq!(attributes.region.as_deref(), Some("Liberecký kraj"));
    let attributes = reading("flat-rent").listing.attributes;
    assert_eq!(attributes.city.as_deref(), Some("Praha"));
    assert_eq!(attributes.district.as_deref(), Some("Praha"));
    assert_eq!(attributes.region.as_deref(), Some("Hlavní město Praha"));
    assert_eq!(attributes.neighborhood.as_deref(), Some("Žižkov"));
}

#[test]
fn a_section_of_several_kinds_has_no_subtype() {
    let section = |name: &str, title: &str| {
        let html = page(SITE, "house-sale")
            .replace(">Domy a vily</div>", &format!(">{name}</div>"))
            .replace("Prodej domu 164 m²", title)
            .replace("Prodej rodinného domu 5+1 s bazénem, ", "");
        let attributes = read_page(SITE, &html).listing.attributes;
        (attributes.property_type, attributes.subtype)
    };
    let house = Some(PropertyType::House);
    let commercial = Some(PropertyType::Commercial);
    assert_eq!(section("Domy a vily", "Prodej domu 164 m²"), (house, None));
    assert_eq!(
        section("Chaty a rekreační objekty", "Prodej chaty / chalupy 38 m²"),
        (house, None)
    );
    let hotels = "Hotely, penziony a restaurace";
    assert_eq!(
        section(hotels, "Prodej restaurace 70 m²"),
        (commercial, Some(Subtype::Restaurant))
    );
    assert_eq!(
        section(hotels, "Prodej ubytovacího zařízení 48 m²"),
        (commercial, Some(Subtype::Accommodation))
    );
    assert_eq!(
        section("Nájemní domy", "Prodej nájemního domu 450 m²"),
        (commercial, Some(Subtype::Building))
    );
    assert_eq!(
        section("Zemědělské objekty", "Prodej zemědělského objektu"),
        (commercial, Some(Subtype::Agricultural))
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_eq!(
        unread_fields(&reading),
        [
            "Počet duchů",
            "buildingType",
            "energyClass",
            "equipment",
            "floor",
            "floorCount",
            "heatingSource",
            "housePosition",
            "livingArea",
            "ownership",
            "parking",
            "propertyState",
            "sewerage",
            "subtype",
        ]
    );
    assert_eq!(reading.listing.attributes.price_total, Some(1_890_000.0));
}

#[test]
fn a_payload_that_is_a_search_ends_the_listing() {
    let search = r#"<div class="pl-items__item" data-url="/reality/detail/480001/x"></div>"#;
    assert!(matches!(
        read_advert(&Value::from(search)),
        Err(PayloadError::Gone { .. })
    ));
}
