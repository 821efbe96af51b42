//! The realingo adapter.

mod real;

use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::{ListingKey, OfferType, PinPrecision, PropertyType, Subtype};
use serde_json::{Value, json};

use crate::payloads::{
    CASES, assert_reviewed, assert_unread_once, assert_within_bounds, dumped, fixture, mutated,
    read_payload, reasons,
};

/// Reads a payload of the portal.
fn read_advert(payload: &Value) -> Result<Reading, PayloadError> {
    read_payload("realingo", payload)
}

fn reading(case: &str) -> Reading {
    read_advert(&fixture("realingo", case)).unwrap()
}

/// The smallest offer, with some fields of it and of its detail set.
fn with(fields: &Value, detail: &Value) -> Reading {
    let mut offer = fixture("realingo", "minimal");
    for (name, value) in fields.as_object().unwrap() {
        offer[name] = value.clone();
    }
    offer["detail"] = detail.clone();
    read_advert(&offer).unwrap()
}

#[test]
fn every_fixture_reads_as_reviewed() {
    assert_reviewed("realingo", read_advert);
}

#[test]
fn an_answer_its_offer_and_a_page_read_alike() {
    let answer = fixture("realingo", "flat-sale");
    let offer = &answer["data"]["offer"];
    let expected = read_advert(&answer).unwrap();
    assert_eq!(read_advert(offer).unwrap(), expected);
    assert_eq!(
        read_advert(&json!({"data": {"o0": offer}})).unwrap(),
        expected
    );
    let data = json!({"props": {"pageProps": {"store": {"offer": {"details": {"99000001": {"offer": {
        "offer": offer, "detail": offer["detail"]}}}}}}}});
    assert_eq!(read_advert(&data).unwrap(), expected);
    let page = format!(
        "<html><script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></html>"
    );
    assert_eq!(read_advert(&json!(page)).unwrap(), expected);
    assert_eq!(
        read_advert(&json!({"url": "https://example.cz/1", "html": page})).unwrap(),
        expected
    );
}

#[test]
fn the_copied_page_is_evidence_of_the_other_listing() {
    for (case, listing) in [
        ("flat-sale", "ceskereality/9968813"),
        ("flat-rent", "sreality/990000002"),
        ("house-sale", "idnes/6aa7fde00ef4644db2b3f100"),
        ("land-sale", "remax/999345"),
        ("garage", "bazos/999401685"),
        ("ground-floor", "bezrealitky/991030"),
        ("reserved", "realitymix/9912345"),
        ("share", "mmreality/991845"),
        ("foreign", "ulovdomov/9950303"),
    ] {
        let same_as = reading(case).listing.evidence.same_as.unwrap();
        assert_eq!(same_as.to_string(), listing, "{case}");
    }
    assert_eq!(
        reading("office-rent").listing.evidence.same_as,
        None,
        "an agency's own site"
    );
    let itself = with(
        &json!({}),
        &json!({"externalUrl": "https://www.realingo.cz/prodej/byt/1"}),
    );
    assert_eq!(itself.listing.evidence.same_as, None);
    let named = with(
        &json!({}),
        &json!({"externalUrl": "https://www.sreality.cz/detail/a/b/c/d/5"}),
    );
    assert_eq!(
        named.listing.evidence.same_as,
        Some(ListingKey::new("sreality", "5"))
    );
}

#[test]
fn an_address_is_read_by_the_order_of_its_parts() {
    let placed = |line: &str| {
        let place = json!({"address": line, "latitude": 50.0, "longitude": 15.0});
        let listing = with(&json!({"location": place}), &json!(null)).listing;
        let a = listing.attributes;
        let words = [
            a.street,
            listing.evidence.house_number,
            a.neighborhood,
            a.city,
            a.postal_code,
        ];
        (
            words.map(Option::unwrap_or_default).join("|"),
            listing.evidence.pin,
        )
    };
    let nothing_said = |words: &str| (words.to_owned(), None);
    assert_eq!(placed("Nupacká, Nupaky"), nothing_said("Nupacká|||Nupaky|"));
    assert_eq!(
        placed("Jurkovičova 961, Praha"),
        nothing_said("Jurkovičova|961||Praha|")
    );
    assert_eq!(
        placed("Libušská, Praha 4"),
        nothing_said("Libušská|||Praha|")
    );
    assert_eq!(
        placed("17. listopadu, Pardubice"),
        nothing_said("17. listopadu|||Pardubice|")
    );
    assert_eq!(
        placed("Polní 12/3a, Veveří, Brno, 602 00"),
        nothing_said("Polní|12/3a|Veveří|Brno|602 00")
    );
    assert_eq!(
        placed("Volary, 384 51"),
        (
            "|||Volary|384 51".to_owned(),
            Some(PinPrecision::Municipality)
        )
    );
    assert_eq!(placed(" , "), nothing_said("||||"));
}

#[test]
fn the_category_decides_the_property_type() {
    let kind = |property: &str, category: &str| {
        let offer = with(
            &json!({"property": property, "category": category}),
            &json!(null),
        );
        (
            offer.listing.attributes.property_type,
            offer.listing.attributes.subtype,
        )
    };
    assert_eq!(
        kind("OTHERS", "OTHERS_FLAT"),
        (Some(PropertyType::Apartment), None)
    );
    assert_eq!(
        kind("OTHERS", "OTHERS_HUT"),
        (Some(PropertyType::House), Some(Subtype::Holiday))
    );
    assert_eq!(
        kind("OTHERS", "OTHERS_POND"),
        (Some(PropertyType::Land), Some(Subtype::Fishpond))
    );
    assert_eq!(
        kind("HOUSE", "HOUSE_APARTMENT"),
        (Some(PropertyType::Commercial), Some(Subtype::Building))
    );
    assert_eq!(
        kind("HOUSE", "HOUSE_NEW_ONE"),
        (Some(PropertyType::House), None)
    );
}

#[test]
fn an_auction_is_not_a_sale() {
    assert_eq!(
        reading("share").listing.attributes.offer_type,
        Some(OfferType::Auction)
    );
    assert_eq!(
        reading("reserved").listing.attributes.offer_type,
        Some(OfferType::Sale)
    );
}

#[test]
fn heating_is_read_as_type_and_source() {
    let heating = |values: Value| {
        let attributes = with(&json!({}), &json!({"heating": values}))
            .listing
            .attributes;
        (
            attributes.heating_source.unwrap_or_default(),
            attributes.heating_type.unwrap_or_default(),
        )
    };
    let said = |source: &str, kind: &str| (source.to_owned(), kind.to_owned());
    assert_eq!(
        heating(json!(["CENTRAL_DISTRICT"])),
        said("other", "communal")
    );
    assert_eq!(
        heating(json!(["CENTRAL_NATURAL_GAS"])),
        said("gas", "communal")
    );
    assert_eq!(heating(json!("HEAT_PUMP")), said("heat-pump", ""));
    assert_eq!(heating(json!(["LOCAL_GAS", "SOLID"])), said("combined", ""));
    assert_eq!(heating(json!([])), said("", ""));
}

#[test]
fn only_a_yes_counts_among_features() {
    let attributes = reading("house-sale").listing.attributes;
    assert_eq!(
        (attributes.storage, attributes.garage, attributes.parking),
        (None, Some(true), Some(true))
    );
    assert_eq!(
        (attributes.swimming_pool, attributes.garden),
        (Some(true), Some(true))
    );
    let flat = reading("flat-sale").listing.attributes;
    assert_eq!(
        (flat.garage, flat.parking, flat.elevator),
        (None, None, Some(true))
    );
}

#[test]
fn unknown_values_are_rejected_and_the_rest_is_kept() {
    let reading = reading("unknown-codes");
    assert_unread_once(
        &reading,
        &[
            "offerType",
            "type",
            "subtype",
            "priceTotal",
            "livingArea",
            "landArea",
            "location",
            "pin",
            "orderCode",
            "taken",
            "description",
            "buildingType",
            "propertyState",
            "housePosition",
            "ownership",
            "equipment",
            "floor",
            "floorCount",
            "parking",
            "garage",
            "elevator",
            "energyClass",
            "sewerage",
        ],
    );
    assert_eq!(
        reasons(&reading)
            .iter()
            .filter(|(field, _)| *field == "heatingSource")
            .count(),
        3
    );
    assert_eq!(reading.listing.attributes.city.as_deref(), Some("Olomouc"));
    assert_eq!(reading.url, None);
}

#[test]
fn a_price_in_euro_or_to_be_agreed_is_left_out() {
    let euro = reading("foreign");
    assert!(reasons(&euro).contains(&("priceTotal", "a currency other than CZK")));
    let negotiable =
        json!({"price": {"total": 5_000_000, "type": "NEGOTIABLE", "currency": "CZK"}});
    assert_eq!(
        with(&negotiable, &json!(null))
            .listing
            .attributes
            .price_total,
        None
    );
    let token = json!({"price": {"total": 1, "currency": "CZK"}});
    assert_eq!(
        with(&token, &json!(null)).listing.attributes.price_total,
        None
    );
}

#[test]
fn a_removed_offer_is_gone() {
    let mut deleted = fixture("realingo", "minimal");
    deleted["deletedAt"] = json!("2026-02-26T19:02:02.871Z");
    let mut marked = fixture("realingo", "minimal");
    marked["deleted"] = json!(true);
    for payload in [
        json!({"data": {"offer": null}}),
        json!({"data": {"o0": null}}),
        deleted,
        marked,
    ] {
        assert!(
            matches!(read_advert(&payload), Err(PayloadError::Gone { .. })),
            "{payload}"
        );
    }
}

#[test]
fn a_payload_without_exactly_one_offer_is_refused() {
    assert!(matches!(
        read_advert(&json!(7)),
        Err(PayloadError::Shape {
            found: "a number",
            ..
        })
    ));
    assert!(matches!(
        read_advert(&json!({"id": "1"})),
        Err(PayloadError::Shape { .. })
    ));
    assert!(matches!(
        read_advert(&json!({"data": {}})),
        Err(PayloadError::Shape { .. })
    ));
    let offer = fixture("realingo", "minimal");
    let search = json!({"data": {"searchOffer": {"total": 2, "items": [offer, offer]}}});
    assert!(matches!(
        read_advert(&search),
        Err(PayloadError::Shape { .. })
    ));
    let page = read_advert(&json!("<html></html>")).unwrap_err();
    assert_eq!(
        page.to_string(),
        "the payload has no script element __NEXT_DATA__, which every realingo page carries"
    );
}

#[test]
fn the_demo_dumps_name_the_pages_that_are_built() {
    for (url, payload) in dumped("realingo") {
        let reading = read_advert(&payload).unwrap();
        assert_eq!(reading.url.as_deref(), Some(url.as_str()));
        assert_eq!(reading.unread, []);
        assert!(reading.listing.attributes.offer_type.is_some());
    }
}

proptest! {
    #[test]
    fn a_mutated_offer_reads_without_panic_and_within_bounds(
        payload in mutated(CASES.into_iter().map(|case| fixture("realingo", case)).collect())
    ) {
        assert_within_bounds(read_advert, &payload, "https://www.realingo.cz/");
    }
}
