//! The realitymix adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use schema::{Arrangement, Location, OfferType, PropertyType, Subtype, Taken};
use serde_json::Value;

use crate::payloads::{page, page_with, read_page, read_payload, unread_fields};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("realitymix", payload)
}

const SITE: &str = "realitymix";

fn reading(case: &str) -> Reading {
    read_page(SITE, &page(SITE, case))
}

/// Reads the fixture with a piece of its HTML replaced.
#[track_caller]
fn with(case: &str, piece: &str, replacement: &str) -> Reading {
    page_with(SITE, case, piece, replacement)
}

#[test]
fn only_a_price_of_the_whole_is_a_price() {
    assert_eq!(
        reading("flat-rent").listing.attributes.price_total,
        Some(21_500.0)
    );
    assert_eq!(reading("office-rent").listing.attributes.price_total, None);
    for words in ["Cena na vyžádání", "info v RK", "1&nbsp;Kč"] {
        let reading = with("price-on-request", "Cena na vyžádání", words);
        assert_eq!(reading.listing.attributes.price_total, None, "{words}");
        assert!(reading.unread.is_empty(), "{words}: {:?}", reading.unread);
    }
}

#[test]
fn the_price_row_is_read_if_the_heading_is_missing() {
    let reading = with("flat-rent", "advert-detail-heading__price-value", "x");
    assert_eq!(reading.listing.attributes.price_total, Some(21_500.0));
}

#[test]
fn the_price_may_mark_a_property_as_reserved() {
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    assert_eq!(
        with("reserved", "Rezervováno", "Prodáno")
            .listing
            .evidence
            .taken,
        Some(Taken::Sold)
    );
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
}

#[test]
fn floors_count_from_one_at_the_ground() {
    for (written, floor) in [("1", 0), ("4", 3), ("0", 0), ("-1", -1), ("přízemí", 0)] {
        let replacement = format!("<span>{written}</span>");
        let html = page(SITE, "ground-floor").replacen("<span>1</span>", &replacement, 1);
        assert_eq!(
            read_page(SITE, &html).listing.attributes.floor,
            Some(floor),
            "{written}"
        );
    }
}

#[test]
fn a_quarter_before_the_municipality_is_not_a_street() {
    for case in ["house-sale", "land-sale", "blurred-pin"] {
        let attributes = reading(case).listing.attributes;
        assert_eq!(attributes.street, None, "{case}");
        assert!(attributes.neighborhood.is_some(), "{case}");
    }
    let attributes = reading("garage").listing.attributes;
    assert_eq!(
        (
            attributes.street.as_deref(),
            attributes.neighborhood.as_deref()
        ),
        (Some("Horní"), Some("Hrabůvka"))
    );
}

#[test]
fn parts_of_prague_are_neither_its_district_nor_a_quarter() {
    let attributes = reading("flat-rent").listing.attributes;
    assert_eq!(attributes.region.as_deref(), Some("Hlavní město Praha"));
    assert_eq!(
        (attributes.district.as_deref(), attributes.city.as_deref()),
        (Some("Praha"), Some("Praha"))
    );
    assert_eq!(attributes.neighborhood.as_deref(), Some("Žižkov"));
    assert_eq!(attributes.street.as_deref(), Some("Bořivojova"));
}

#[test]
fn a_house_number_is_evidence() {
    let listing = reading("office-rent").listing;
    assert_eq!(
        listing.attributes.street.as_deref(),
        Some("Klatovská třída")
    );
    assert_eq!(listing.evidence.house_number.as_deref(), Some("1290/16"));
}

#[test]
fn a_page_without_a_map_has_no_position() {
    assert_eq!(reading("blurred-pin").listing.attributes.location, None);
    let listing = reading("flat-sale").listing;
    assert_eq!(
        listing.attributes.location,
        Some(Location {
            lat: 50.218_741_388_889,
            lng: 15.856_902_777_778
        })
    );
    assert_eq!(listing.evidence.pin, None);
}

#[test]
fn the_portals_prefix_of_order_numbers_is_removed() {
    assert_eq!(
        reading("flat-sale").listing.evidence.order_code.as_deref(),
        Some("N04417")
    );
    assert_eq!(
        reading("blurred-pin")
            .listing
            .evidence
            .order_code
            .as_deref(),
        Some("2026/114")
    );
}

#[test]
fn kinds_of_land_and_premises_come_from_their_rows() {
    assert_eq!(
        reading("land-sale").listing.attributes.subtype,
        Some(Subtype::Housing)
    );
    assert_eq!(
        reading("office-rent").listing.attributes.subtype,
        Some(Subtype::Office)
    );
    for (kind, subtype) in [
        ("les", Subtype::Forest),
        ("trvalý travní porost", Subtype::Meadow),
        ("zemědělská", Subtype::Agricultural),
    ] {
        let reading = with("land-sale", "pro bydlení", kind);
        assert_eq!(reading.listing.attributes.subtype, Some(subtype), "{kind}");
    }
}

#[test]
fn the_size_of_a_flat_is_in_the_title_if_no_usable_area_is_given() {
    let listing = reading("flat-rent").listing;
    assert_eq!(
        (listing.attributes.living_area, listing.evidence.total_area),
        (Some(48.0), Some(48.0))
    );
    let listing = reading("flat-sale").listing;
    assert_eq!(
        (listing.attributes.living_area, listing.evidence.total_area),
        (Some(72.4), Some(76.0))
    );
}

#[test]
fn kinds_are_read_from_the_title_if_the_breadcrumb_is_cut_short() {
    let html = page(SITE, "flat-sale").replace("BreadcrumbList", "Thing");
    let attributes = read_page(SITE, &html).listing.attributes;
    assert_eq!(attributes.offer_type, Some(OfferType::Sale));
    assert_eq!(attributes.property_type, Some(PropertyType::Apartment));
    assert_eq!(attributes.arrangement, Some(Arrangement::R3P1));
    assert_eq!(attributes.city.as_deref(), Some("Hradec Králové"));
    assert_eq!(
        attributes.neighborhood.as_deref(),
        Some("Slezské Předměstí")
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_eq!(
        unread_fields(&reading),
        [
            "Ostatní",
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
            "propertyState",
            "sewerage",
            "subtype",
        ]
    );
    assert_eq!(reading.listing.attributes.price_total, Some(1_890_000.0));
}

#[test]
fn a_payload_that_is_a_list_ends_the_listing() {
    let list = r#"<ul><li class="w-full advert-item"><a href="/detail/praha/prodej-bytu-1234567.html">x</a></li></ul>"#;
    assert!(matches!(
        read_advert(&Value::from(list)),
        Err(PayloadError::Gone { .. })
    ));
}

#[test]
fn a_page_without_a_gallery_has_its_coordinates_in_the_other_map() {
    let listing = with("flat-rent", "id=\"print-map\"", "id=\"map\"").listing;
    assert_eq!(listing, reading("flat-rent").listing);
    assert!(listing.attributes.location.is_some());
}
