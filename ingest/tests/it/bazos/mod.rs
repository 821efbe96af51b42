//! The bazos adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{
    Arrangement, OfferType, Ownership, PinPrecision, PropertyState, PropertyType, Subtype, Taken,
};
use serde_json::{Value, json};

use crate::payloads::{CASES, any_json, dumped, fixture, mutated, read_payload};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("bazos", payload)
}

/// Fixtures of forms and answers that only this portal has.
const OWN_CASES: [&str; 3] = ["list-item", "sentinel", "wanted"];

fn reading(case: &str) -> Reading {
    read_advert(&fixture("bazos", case)).unwrap()
}

fn page(case: &str) -> Value {
    let path = format!(
        "{}/../fixtures/bazos/{case}.html",
        env!("CARGO_MANIFEST_DIR")
    );
    Value::from(std::fs::read_to_string(path).unwrap())
}

/// Reads a fixture with some fields changed.
fn with(case: &str, fields: &Value) -> Reading {
    let mut payload = fixture("bazos", case);
    for (name, value) in fields.as_object().unwrap() {
        payload[name] = value.clone();
    }
    read_advert(&payload).unwrap()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/bazos");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES.into_iter().chain(OWN_CASES) {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

#[test]
fn a_page_reads_like_the_interfaces_detail() {
    let of_interface = reading("flat-sale");
    let mut of_page = read_advert(&page("detail-page")).unwrap();
    let description = of_page.listing.attributes.description.take().unwrap();
    of_page.listing.attributes.description = Some(description.replace('\n', "\r\n"));
    assert_eq!(of_page, of_interface);
    let html = page("detail-page");
    let elsewhere =
        read_advert(&json!({"url": "https://reality.bazos.cz/x", "html": html})).unwrap();
    assert_eq!(elsewhere.url.as_deref(), Some("https://reality.bazos.cz/x"));
}

#[test]
fn similar_adverts_below_the_page_are_not_read() {
    let attributes = read_advert(&page("detail-page"))
        .unwrap()
        .listing
        .attributes;
    assert_eq!(attributes.street.as_deref(), Some("Vodárenská"));
    assert_eq!(
        (attributes.floor, attributes.price_total),
        (Some(3), Some(4_390_000.0))
    );
}

#[test]
fn every_section_has_its_type() {
    use PropertyType::{Apartment, Commercial, House, Land, Other};
    for (section, property_type, subtype) in [
        ("byt", Apartment, None),
        ("podnajem", Apartment, None),
        ("projekty", Apartment, None),
        ("dum", House, None),
        ("chata", House, Some(Subtype::Holiday)),
        ("pozemek", Land, None),
        ("zahrada", Land, Some(Subtype::Garden)),
        ("garaz", Other, Some(Subtype::GarageFull)),
        ("kancelar", Commercial, Some(Subtype::Office)),
        ("sklad", Commercial, Some(Subtype::Warehouse)),
        ("prostory", Commercial, Some(Subtype::ShoppingSpace)),
        ("restaurace", Commercial, Some(Subtype::Restaurant)),
        ("ostatni", Other, Some(Subtype::Other)),
    ] {
        let attributes = with(
            "flat-sale",
            &json!({"title": "Na prodej", "category": {"url": section}}),
        )
        .listing
        .attributes;
        assert_eq!(
            (attributes.property_type, attributes.subtype),
            (Some(property_type), subtype),
            "{section}"
        );
    }
}

#[test]
fn the_title_refines_a_section() {
    for (section, title, subtype) in [
        ("chata", "Chalupa v Jizerkách", Subtype::Cottage),
        ("garaz", "Garážové stání", Subtype::GarageSpace),
        ("restaurace", "Penzion na horách", Subtype::Accommodation),
        ("dum", "Vila u parku", Subtype::Villa),
        ("pozemek", "Louka u potoka", Subtype::Meadow),
        ("ostatni", "Mobilní dům 8x4", Subtype::MobileHome),
    ] {
        let attributes = with(
            "flat-sale",
            &json!({"title": title, "category": {"url": section}}),
        )
        .listing
        .attributes;
        assert_eq!(attributes.subtype, Some(subtype), "{title}");
    }
}

#[test]
fn a_room_does_not_have_the_layout_of_its_flat() {
    let room =
        json!({"title": "Pokoj v bytě 3+kk", "category": {"url": "podnajem"}, "type": "rent"});
    assert_eq!(
        with("flat-sale", &room).listing.attributes.arrangement,
        Some(Arrangement::Other)
    );
    let project = with("flat-sale", &json!({"category": {"url": "projekty"}}))
        .listing
        .attributes;
    assert_eq!(
        project.property_state,
        Some(PropertyState::DevelopmentProject)
    );
}

#[test]
fn the_title_says_that_it_is_an_exchange_or_auction() {
    for (title, offer) in [
        ("Vyměním byt 2+1 za větší", OfferType::Exchange),
        ("Dražba bytu 2+1", OfferType::Auction),
        ("Prodám byt, dražba nehrozí", OfferType::Sale),
    ] {
        assert_eq!(
            with("flat-sale", &json!({"title": title}))
                .listing
                .attributes
                .offer_type,
            Some(offer)
        );
    }
}

#[test]
fn an_advert_that_seeks_has_no_kind_of_offer() {
    let reading = reading("wanted");
    assert_eq!(reading.listing.attributes.offer_type, None);
    assert_eq!(
        reading.unread[0].reason,
        "the advert seeks and does not offer"
    );
}

#[test]
fn the_price_type_decides_how_a_price_is_read() {
    for (code, text, expected) in [
        ("EXACT", "4 390 000 Kč", Some(4_390_000.0)),
        ("NEGOTIATED", "Dohodou", None),
        ("OFFERED", "Nabídněte", None),
        ("FREE", "Zdarma", None),
        ("ANY", "Nerozhoduje", None),
        ("EXACT", "1 Kč", None),
        ("EXACT", "19 Kč", None),
        ("EXACT", "98 000 EUR", None),
    ] {
        let reading = with(
            "flat-sale",
            &json!({"price_type": code, "price_formatted": text}),
        );
        assert_eq!(
            reading.listing.attributes.price_total, expected,
            "{code} {text}"
        );
    }
}

#[test]
fn a_price_in_the_text_counts_if_it_has_a_label() {
    assert_eq!(
        reading("blurred-pin").listing.attributes.price_total,
        Some(4_190_000.0)
    );
    assert_eq!(reading("ground-floor").listing.attributes.price_total, None);
}

#[test]
fn a_rent_may_be_low_but_a_sale_may_not() {
    let garage = json!({"price_formatted": "900 Kč", "type": "rent"});
    assert_eq!(
        with("garage", &garage).listing.attributes.price_total,
        Some(900.0)
    );
    let sale = with("garage", &json!({"price_formatted": "900 Kč"}));
    assert_eq!(sale.listing.attributes.price_total, None);
    assert_eq!(sale.unread[0].field, "priceTotal");
}

#[test]
fn the_town_of_the_postal_code_is_neither_municipality_nor_district() {
    let attributes = reading("price-on-request").listing.attributes;
    assert_eq!(
        (attributes.city, attributes.district, attributes.region),
        (None, None, None)
    );
    assert_eq!(attributes.address.as_deref(), Some("257 44 Benešov"));
    assert_eq!(attributes.postal_code.as_deref(), Some("257 44"));
}

#[test]
fn a_postal_code_of_the_three_cities_names_the_municipality() {
    for (code, city) in [
        ("170 00", Some("Praha")),
        ("60200", Some("Brno")),
        ("644 00", Some("Brno")),
        ("66442", None),
        ("700 30", Some("Ostrava")),
        ("738 01", None),
    ] {
        let attributes = with("flat-sale", &json!({"zip_code": code}))
            .listing
            .attributes;
        assert_eq!(attributes.city.as_deref(), city, "{code}");
    }
}

#[test]
fn the_pin_marks_the_middle_of_a_postal_code() {
    for case in CASES
        .into_iter()
        .filter(|case| !["foreign", "unknown-codes", "minimal"].contains(case))
    {
        assert_eq!(
            reading(case).listing.evidence.pin,
            Some(PinPrecision::Municipality),
            "{case}"
        );
    }
}

#[test]
fn postal_codes_and_positions_that_mean_abroad_are_left_out() {
    let reading = reading("sentinel");
    let attributes = &reading.listing.attributes;
    assert_eq!(
        (attributes.location, &attributes.postal_code),
        (None, &None)
    );
    assert_eq!(attributes.address.as_deref(), Some("Zahraničí"));
    assert_eq!(reading.listing.evidence.pin, None);
    let slovak = with(
        "sentinel",
        &json!({"zip_code": "987 65", "locality": "Slovensko"}),
    );
    assert_eq!(
        slovak.listing.attributes.address.as_deref(),
        Some("Slovensko")
    );
}

#[test]
fn property_abroad_under_a_home_address_has_no_place() {
    let reading = reading("foreign");
    let attributes = &reading.listing.attributes;
    assert_eq!(
        (
            attributes.location,
            &attributes.postal_code,
            &attributes.address
        ),
        (None, &None, &None)
    );
    assert_eq!(reading.unread[0].field, "postalCode");
}

#[test]
fn a_cooperative_flat_that_may_be_transferred_is_cooperative() {
    assert_eq!(
        reading("ground-floor").listing.attributes.ownership,
        Some(Ownership::Communal)
    );
    let attributes = with(
        "flat-sale",
        &json!({"title": "Byt 2+1", "description": "Byt v DV, po splacení lze v OV"}),
    );
    assert_eq!(attributes.listing.attributes.ownership, None);
}

#[test]
fn a_nearby_street_is_not_the_street() {
    assert_eq!(reading("blurred-pin").listing.attributes.street, None);
    assert_eq!(
        reading("list-item").listing.attributes.street.as_deref(),
        Some("Koterovská")
    );
    assert_eq!(
        reading("flat-sale")
            .listing
            .evidence
            .house_number
            .as_deref(),
        Some("1204")
    );
}

#[test]
fn shares_order_numbers_and_reservations_are_read_from_words() {
    assert_eq!(
        reading("share").listing.evidence.share.as_deref(),
        Some("1/2")
    );
    assert_eq!(reading("flat-sale").listing.evidence.share, None);
    assert_eq!(
        reading("office-rent")
            .listing
            .evidence
            .order_code
            .as_deref(),
        Some("PB-9103")
    );
    assert_eq!(
        reading("reserved").listing.evidence.taken,
        Some(Taken::Reserved)
    );
}

#[test]
fn the_floor_of_a_flat_or_office_is_read_from_words() {
    assert_eq!(reading("office-rent").listing.attributes.floor, Some(2));
    assert_eq!(reading("flat-rent").listing.attributes.floor, Some(2));
    assert_eq!(reading("house-sale").listing.attributes.floor, None);
}

#[test]
fn a_fitted_kitchen_does_not_furnish_a_flat() {
    for text in [
        "Byt je vybaven podlahovým vytápěním.",
        "Byt s plně vybavenou kuchyní.",
    ] {
        let attributes = with("flat-sale", &json!({"description": text}))
            .listing
            .attributes;
        assert_eq!(attributes.equipment, None, "{text}");
    }
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    let fields: Vec<&str> = reading
        .unread
        .iter()
        .map(|reject| reject.field.as_str())
        .collect();
    assert_eq!(
        fields,
        [
            "offerType",
            "type",
            "priceTotal",
            "priceTotal",
            "location",
            "postalCode"
        ]
    );
    assert_eq!(
        reading.listing.attributes.address.as_deref(),
        Some("Třebíč")
    );
}

#[test]
fn a_deleted_advert_is_gone() {
    for payload in [json!({"status": "deleted"}), page("deleted-page")] {
        assert!(
            matches!(read_advert(&payload), Err(PayloadError::Gone { .. })),
            "{payload}"
        );
    }
}

#[test]
fn a_payload_that_is_not_an_advert_is_refused() {
    assert!(matches!(
        read_advert(&json!([])),
        Err(PayloadError::Shape {
            found: "an array",
            ..
        })
    ));
    let nameless = read_advert(&json!({"id": "1"})).unwrap_err();
    assert_eq!(
        nameless.to_string(),
        "the payload has no title, which every bazos advert carries"
    );
    let blocked =
        read_advert(&json!("<html><body>Příliš mnoho požadavků</body></html>")).unwrap_err();
    assert!(matches!(
        blocked,
        PayloadError::Missing {
            part: "h1.nadpisdetail",
            ..
        }
    ));
}

#[test]
fn the_demo_dumps_name_their_pages_and_kinds() {
    for (url, payload) in dumped("bazos") {
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert!(reading.listing.attributes.offer_type.is_some(), "{url}");
    }
}

proptest! {
    #[test]
    fn any_json_and_any_text_read_without_panic(payload in any_json(), text in "\\PC{0,300}") {
        let _ = read_advert(&payload);
        let _ = read_advert(&Value::from(text.as_str()));
        let _ = read_advert(&json!({"title": text, "description": text, "category": {"url": "byt"}, "zip_code": text}));
    }

    #[test]
    fn a_mutated_advert_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().chain(OWN_CASES).map(|case| fixture("bazos", case)).collect())
    ) {
        if let Ok(mut reading) = read_advert(&payload) {
            prop_assert!(ingest::value_bounds::remove_implausible_values(&mut reading.listing).is_empty());
        }
    }
}
