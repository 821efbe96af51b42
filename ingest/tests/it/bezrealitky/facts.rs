//! Prices, areas, features, places and kinds of bezrealitky's adverts.

use ingest::reading::Reading;
use schema::{
    Arrangement, BuildingType, Location, Ownership, PinPrecision, PropertyState, PropertyType,
    Subtype, Taken,
};
use serde_json::{Value, json};

use super::{reading, reasons, with};

#[test]
fn a_price_of_zero_is_left_out_without_a_reject() {
    for price in [json!(0), json!(1), Value::Null] {
        let reading = with("flat-sale", &json!({"price": price}));
        assert_eq!(reading.listing.attributes.price_total, None);
        assert_eq!(reading.unread, []);
    }
}

#[test]
fn a_price_in_another_currency_is_rejected() {
    let reading = with("flat-sale", &json!({"currency": "EUR"}));
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(
        reasons(&reading),
        [("priceTotal", "a currency other than CZK")]
    );
}

#[test]
fn an_area_comes_before_its_flag() {
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!((flat.balcony, flat.balcony_area), (Some(true), Some(5.0)));
    assert_eq!((flat.storage, flat.storage_area), (Some(true), Some(2.5)));
    assert_eq!((flat.loggia, flat.terrace), (Some(false), Some(false)));
    let flagged = with("flat-sale", &json!({"terrace": true, "terraceSurface": 0}))
        .listing
        .attributes;
    assert_eq!((flagged.terrace, flagged.terrace_area), (Some(true), None));
}

#[test]
fn an_area_out_of_bounds_still_proves_the_feature() {
    let reserved = reading("reserved");
    assert_eq!(reserved.listing.attributes.balcony, Some(true));
    assert_eq!(reserved.listing.attributes.balcony_area, None);
    assert_eq!(
        reasons(&reserved),
        [("balconyArea", "an area outside 1 to 1 000 000 m²")]
    );
}

#[test]
fn land_has_no_features_and_its_area_is_the_plot() {
    let land = reading("land-sale").listing.attributes;
    assert_eq!((land.living_area, land.land_area), (None, Some(1204.0)));
    assert_eq!(
        (land.balcony, land.garage, land.parking, land.elevator),
        (None, None, None, None)
    );
    let in_surface = with("land-sale", &json!({"surface": 900, "surfaceLand": 0}))
        .listing
        .attributes;
    assert_eq!(
        (in_surface.living_area, in_surface.land_area),
        (None, Some(900.0))
    );
}

#[test]
fn storeys_count_from_the_ground() {
    let floor = |etage: Value| {
        with("flat-sale", &json!({"etage": etage}))
            .listing
            .attributes
            .floor
    };
    assert_eq!(floor(json!(1)), Some(0));
    assert_eq!(floor(json!("4")), Some(3));
    assert_eq!(floor(json!(-1)), Some(-1));
    assert_eq!(floor(json!(0)), None);
    assert_eq!(floor(Value::Null), None);
}

#[test]
fn the_house_number_is_evidence_and_not_part_of_the_street() {
    let flat = reading("flat-sale").listing;
    assert_eq!(flat.attributes.street.as_deref(), Some("Wolkerova"));
    assert_eq!(flat.evidence.house_number.as_deref(), Some("812/34"));
    assert_eq!(flat.evidence.address_point, Some(24_000_001));
    assert_eq!(flat.evidence.pin, Some(PinPrecision::Exact));
}

#[test]
fn the_precision_of_a_pin_without_an_address_point_is_unknown() {
    let garage = reading("garage").listing;
    assert_eq!(
        (garage.evidence.address_point, garage.evidence.pin),
        (None, None)
    );
    assert!(garage.attributes.location.is_some());
}

#[test]
fn coordinates_of_zero_are_not_a_position() {
    let reading = with("flat-sale", &json!({"gps": {"lat": 0, "lng": 0}}));
    assert_eq!(reading.listing.attributes.location, None);
    assert_eq!(reading.listing.evidence.pin, None);
    assert_eq!(reading.unread, []);
}

#[test]
fn region_and_district_are_found_in_address_lines_or_in_the_tree() {
    let units = |reading: Reading| {
        (
            reading.listing.attributes.region,
            reading.listing.attributes.district,
        )
    };
    let told = |region: &str, district: &str| (Some(region.to_owned()), Some(district.to_owned()));
    assert_eq!(
        units(reading("flat-sale")),
        told("Olomoucký kraj", "Olomouc")
    );
    assert_eq!(
        units(reading("flat-rent")),
        told("Hlavní město Praha", "Praha")
    );
    assert_eq!(
        units(reading("house-sale")),
        told("Liberecký kraj", "Jablonec nad Nisou")
    );
    let line = "21, Na Neklance, Smíchov, Praha, okres Hlavní město Praha, Hlavní město Praha, Praha, Česko";
    assert_eq!(
        units(with(
            "flat-sale",
            &json!({"address": "", "addressInput": line})
        )),
        told("Hlavní město Praha", "Praha")
    );
    let untold = with(
        "flat-sale",
        &json!({"address": "Wolkerova, Olomouc", "addressInput": null}),
    );
    assert_eq!(units(untold), (None, None));
}

#[test]
fn the_quarter_does_not_contain_its_city() {
    let bare = |city: &str, quarter: &str| {
        with("flat-sale", &json!({"city": city, "cityDistrict": quarter}))
            .listing
            .attributes
            .neighborhood
    };
    assert_eq!(
        bare("Praha", "Praha - Dolní Měcholupy").as_deref(),
        Some("Dolní Měcholupy")
    );
    assert_eq!(
        bare("Ostrava", "Poruba-sever").as_deref(),
        Some("Poruba-sever")
    );
    assert_eq!(bare("Praha", "Praha 8").as_deref(), Some("Praha 8"));
}

#[test]
fn a_reserved_advert_is_taken() {
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
    assert_eq!(reading("flat-sale").listing.evidence.taken, None);
}

#[test]
fn a_cooperative_share_is_the_sale_of_a_whole_flat() {
    let flat = reading("share").listing;
    assert_eq!(flat.evidence.share, None);
    assert_eq!(flat.attributes.ownership, Some(Ownership::Communal));
    assert_eq!(flat.attributes.floor, Some(-1));
    let part =
        json!({"description": "Předmětem prodeje je spoluvlastnický podíl o velikosti 1/2 bytu."});
    assert_eq!(
        with("share", &part).listing.evidence.share.as_deref(),
        Some("1/2")
    );
}

#[test]
fn property_abroad_is_kept_without_position() {
    let abroad = reading("foreign");
    assert_eq!(abroad.listing.attributes.location, None);
    assert_eq!(abroad.listing.attributes.city.as_deref(), Some("Zadar"));
    assert_eq!(
        reasons(&abroad),
        [
            ("priceTotal", "a currency other than CZK"),
            ("location", "outside the Czech Republic")
        ]
    );
}

#[test]
fn the_advertisers_code_comes_before_the_number_of_their_software() {
    assert_eq!(
        reading("flat-sale").listing.evidence.order_code.as_deref(),
        Some("byt_12_DV")
    );
    assert_eq!(
        reading("flat-rent").listing.evidence.order_code.as_deref(),
        Some("226")
    );
    assert_eq!(reading("garage").listing.evidence.order_code, None);
}

#[test]
fn new_and_low_energy_fill_only_empty_fields() {
    let flags = json!({"newBuilding": true, "lowEnergy": true, "condition": "UNDEFINED", "construction": "UNDEFINED"});
    let open = with("flat-sale", &flags).listing.attributes;
    assert_eq!(open.property_state, Some(PropertyState::NewlyConstructed));
    assert_eq!(open.building_type, Some(BuildingType::Eco));
    let told = with(
        "flat-sale",
        &json!({"newBuilding": true, "lowEnergy": true}),
    )
    .listing
    .attributes;
    assert_eq!(told.property_state, Some(PropertyState::AfterRenovation));
    assert_eq!(told.building_type, Some(BuildingType::Panel));
}

#[test]
fn the_text_requested_by_language_is_read() {
    let texts = json!({"description": null, "descriptionByLocale": "Světlý byt.", "title": null});
    let attributes = with("flat-sale", &texts).listing.attributes;
    assert_eq!(attributes.description.as_deref(), Some("Světlý byt."));
    assert_eq!(
        attributes.title.as_deref(),
        Some("Prodej bytu 3+1 72 m², Ulice, Obec")
    );
    let both = json!({"descriptionByLocale": "Jiný."});
    assert!(
        with("flat-sale", &both)
            .listing
            .attributes
            .description
            .unwrap()
            .starts_with("Prodám")
    );
}

#[test]
fn property_types_are_read() {
    let kind = |estate: &str| {
        let attributes = with("flat-sale", &json!({"estateType": estate}))
            .listing
            .attributes;
        (attributes.property_type.unwrap(), attributes.subtype)
    };
    assert_eq!(
        kind("GARAZ"),
        (PropertyType::Other, Some(Subtype::GarageFull))
    );
    assert_eq!(
        kind("KANCELAR"),
        (PropertyType::Commercial, Some(Subtype::Office))
    );
    assert_eq!(
        kind("NEBYTOVY_PROSTOR"),
        (PropertyType::Commercial, Some(Subtype::Other))
    );
    assert_eq!(
        kind("REKREACNI_OBJEKT"),
        (PropertyType::House, Some(Subtype::Holiday))
    );
    assert_eq!(kind("POZEMEK"), (PropertyType::Land, None));
    let studio = reading("ground-floor").listing.attributes;
    assert_eq!(
        (studio.arrangement, studio.floor),
        (Some(Arrangement::R1P0), Some(0))
    );
    assert_eq!(
        (studio.garden, studio.garden_area),
        (Some(true), Some(35.0))
    );
    assert_eq!(
        studio.location,
        Some(Location {
            lat: 49.587_12,
            lng: 17.234_89
        })
    );
}
