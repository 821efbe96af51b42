//! The mmreality adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use schema::{PinPrecision, PropertyType, Subtype, Taken};
use serde_json::{Value, json};

use crate::payloads::{page, page_with, read_page, read_payload, some, unread_fields};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("mmreality", payload)
}

const SITE: &str = "mmreality";

fn reading(case: &str) -> Reading {
    read_page(SITE, &page(SITE, case))
}

/// Reads the fixture with a piece of its record replaced.
#[track_caller]
fn with(case: &str, piece: &str, replacement: &str) -> Reading {
    let encoded = |json: &str| json.replace('"', "&quot;");
    page_with(SITE, case, &encoded(piece), &encoded(replacement))
}

#[test]
fn the_record_with_the_pages_number_is_read() {
    let neighbours = page(SITE, "flat-sale").replacen(
        "<vue-property-detail",
        "<vue-x :property=\"{&quot;id&quot;:940001}\"></vue-x><vue-property-detail",
        1,
    );
    assert_eq!(read_page(SITE, &neighbours), reading("flat-sale"));
    let asked = json!({"url": "https://www.mmreality.cz/nemovitosti/940001/", "html": page(SITE, "flat-sale")});
    assert_eq!(
        read_advert(&asked).unwrap().listing.attributes.city,
        some("Beroun")
    );
    let other =
        json!({"url": "https://www.mmreality.cz/nemovitosti/1/", "html": page(SITE, "flat-sale")});
    assert!(matches!(
        read_advert(&other),
        Err(PayloadError::Missing { .. })
    ));
}

#[test]
fn only_a_price_of_the_whole_is_a_price() {
    assert_eq!(
        reading("flat-rent").listing.attributes.price_total,
        Some(21_500.0)
    );
    assert_eq!(reading("office-rent").listing.attributes.price_total, None);
    let yearly = with(
        "flat-rent",
        r#""pricePeriod":"month""#,
        r#""pricePeriod":"year""#,
    );
    assert_eq!(yearly.listing.attributes.price_total, None);
    assert_eq!(unread_fields(&yearly), ["priceTotal"]);
    let on_request = reading("price-on-request");
    assert_eq!(on_request.listing.attributes.price_total, None);
    assert!(on_request.unread.is_empty(), "{:?}", on_request.unread);
    let placeholder = with("flat-sale", r#""price":5290000"#, r#""price":1"#);
    assert_eq!(placeholder.listing.attributes.price_total, None);
}

#[test]
fn a_label_or_the_note_to_the_price_marks_a_property_as_reserved() {
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
    let noted = with("flat-rent", "+ z\\u00e1lohy 4 200 K\\u010d", "pronajato");
    assert_eq!(noted.listing.evidence.taken, Some(Taken::Sold));
}

#[test]
fn floors_count_from_one_at_the_ground() {
    for (written, floor) in [("1", 0), ("0", 0), ("-1", -1), ("4", 3)] {
        let reading = with(
            "ground-floor",
            r#""floor":1,"#,
            &format!("\"floor\":{written},"),
        );
        assert_eq!(reading.listing.attributes.floor, Some(floor), "{written}");
    }
    let above = with("ground-floor", r#""floor":1,"#, r#""floor":9,"#);
    assert_eq!(above.listing.attributes.floor_count, None);
    assert_eq!(unread_fields(&above), ["floorCount"]);
}

#[test]
fn the_pin_marks_the_property_or_the_municipality() {
    assert_eq!(
        reading("flat-sale").listing.evidence.pin,
        Some(PinPrecision::Exact)
    );
    let blurred = reading("blurred-pin").listing;
    assert!(blurred.attributes.location.is_some());
    assert_eq!(blurred.evidence.pin, Some(PinPrecision::Municipality));
    assert_eq!(reading("minimal").listing.evidence.pin, None);
}

#[test]
fn the_house_number_is_behind_the_street() {
    let listing = reading("flat-sale").listing;
    assert_eq!(listing.attributes.street, some("Severní"));
    assert_eq!(listing.evidence.house_number, some("612"));
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
fn the_total_area_of_a_house_is_not_a_floor_area() {
    let total = |case: &str| reading(case).listing.evidence.total_area;
    assert_eq!(
        ["flat-sale", "house-sale", "land-sale"].map(total),
        [Some(76.0), None, None]
    );
    assert_eq!(
        reading("land-sale").listing.attributes.land_area,
        Some(912.0)
    );
}

#[test]
fn a_no_counts_only_if_the_form_requires_an_answer() {
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!(
        [flat.elevator, flat.balcony, flat.loggia],
        [Some(true), Some(false), Some(true)]
    );
    assert_eq!(
        [flat.barrier_free, flat.swimming_pool, flat.terrace],
        [Some(true), None, None]
    );
    assert_eq!(flat.equipment, None, "no page explains the number");
    assert_eq!(reading("reserved").listing.attributes.garage, None);
}

#[test]
fn ticked_words_are_read_by_their_label() {
    let house = reading("house-sale").listing.attributes;
    assert_eq!([house.garage, house.parking, house.garden], [Some(true); 3]);
    assert_eq!(house.garden_area, Some(1200.0));
    assert_eq!(house.heating_source, some("combined"));
    assert_eq!(house.sewerage, some("septic-tank"));
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!(
        [flat.garage, flat.parking],
        [None, None],
        "the street is not specific to this property"
    );
    assert_eq!(
        [flat.heating_type, flat.sewerage],
        [some("communal"), some("communal")]
    );
}

#[test]
fn sections_and_kinds_are_read_by_name() {
    let kind = |group: &str, kind: &str| {
        let html = page(SITE, "share")
            .replace("D\\u016fm", group)
            .replace("Rodinn\\u00fd d\\u016fm", kind)
            .replace("Prodej rodinn\\u00e9ho domu", "Prodej");
        let attributes = read_page(SITE, &html).listing.attributes;
        (attributes.property_type, attributes.subtype)
    };
    let house = Some(PropertyType::House);
    assert_eq!(kind("Dům", "Chata"), (house, Some(Subtype::Holiday)));
    assert_eq!(kind("Dům", "Chalupa"), (house, Some(Subtype::Cottage)));
    let commercial = Some(PropertyType::Commercial);
    assert_eq!(
        kind("Komerční objekt", "Sklad"),
        (commercial, Some(Subtype::Warehouse))
    );
    assert_eq!(
        kind("Pozemek", "Louka"),
        (Some(PropertyType::Land), Some(Subtype::Meadow))
    );
    assert_eq!(
        kind("Ostatní", "Garáž"),
        (Some(PropertyType::Other), Some(Subtype::GarageFull))
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_eq!(
        unread_fields(&reading),
        [
            "Počet duchů",
            "Vedlejší prostory a stavby",
            "buildingType",
            "elevator",
            "energyClass",
            "floor",
            "floorCount",
            "heatingSource",
            "housePosition",
            "livingArea",
            "ownership",
            "parking",
            "parking",
            "propertyState",
            "sewerage",
            "subtype",
        ]
    );
    assert_eq!(reading.listing.attributes.price_total, Some(1_890_000.0));
}

#[test]
fn an_inactive_record_or_a_list_ends_the_listing() {
    let list =
        r#"<a data-card-id="960101" data-realty-price="5290000" href="/nemovitosti/960101/"></a>"#;
    let inactive =
        page(SITE, "flat-sale").replace("&quot;active&quot;:true", "&quot;active&quot;:false");
    for html in [list.to_owned(), inactive] {
        assert!(matches!(
            read_advert(&Value::from(html)),
            Err(PayloadError::Gone { .. })
        ));
    }
}
