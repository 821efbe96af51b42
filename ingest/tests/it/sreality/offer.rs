//! The kind of offer and the price.

use schema::{OfferType, PropertyState, PropertyType, Subtype, Taken};
use serde_json::{Value, json};

use super::{code, reading, reasons, with};

#[test]
fn a_price_on_request_is_left_out_without_a_reject() {
    for price in [json!(0.0), json!(1), Value::Null] {
        let reading = with(
            "flat-sale",
            &json!({"price_czk": price, "price_summary_czk": price}),
        );
        assert_eq!(reading.listing.attributes.price_total, None);
        assert!(reading.unread.is_empty(), "{:?}", reading.unread);
    }
}

#[test]
fn a_price_per_square_metre_is_rejected() {
    let area = code(3, "za m2");
    let unsummed = with(
        "land-sale",
        &json!({"price_summary_czk": 2350.0, "price_summary_unit_cb": area}),
    );
    assert_eq!(unsummed.listing.attributes.price_total, None);
    assert_eq!(reasons(&unsummed), [("priceTotal", "a price per m²")]);

    let mislabelled = with("land-sale", &json!({"price_summary_czk": 2350.0}));
    assert_eq!(
        mislabelled.listing.attributes.price_total, None,
        "the summary only repeats it"
    );

    let summed = reading("land-sale");
    assert_eq!(summed.listing.attributes.price_total, Some(2_829_400.0));
    assert!(summed.unread.is_empty());
}

#[test]
fn rents_are_converted_to_monthly_rents() {
    let rent = |amount: f64, unit: Value| {
        let fields = json!({"price_czk": amount, "price_summary_czk": amount, "price_unit_cb": unit,
            "price_summary_unit_cb": unit});
        with("flat-rent", &fields).listing.attributes.price_total
    };
    assert_eq!(rent(24_500.0, code(2, "za měsíc")), Some(24_500.0));
    assert_eq!(rent(24_500.0, code(1, "za nemovitost")), Some(24_500.0));
    assert_eq!(rent(100_000.0, code(6, "za rok")), Some(8_333.0));
    assert_eq!(rent(1_200.0, code(7, "za den")), None);
    assert_eq!(rent(1_200.0, code(8, "za hodinu")), None);
    assert_eq!(rent(1_200.0, code(77, "za slovo")), None);
}

#[test]
fn a_monthly_price_of_a_sale_is_rejected() {
    let unit = code(2, "za měsíc");
    let reading = with(
        "flat-sale",
        &json!({"price_unit_cb": unit, "price_summary_unit_cb": unit}),
    );
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(
        reasons(&reading),
        [("priceTotal", "a rent for something that is not let")]
    );
}

#[test]
fn a_price_in_another_currency_is_rejected() {
    let reading = with("flat-sale", &json!({"price_currency_cb": code(3, "EUR")}));
    assert_eq!(reading.listing.attributes.price_total, None);
    assert_eq!(
        reasons(&reading),
        [("priceTotal", "a currency other than CZK")]
    );
}

#[test]
fn reserved_and_sold_are_evidence_and_neither_condition_nor_construction() {
    let overlaid = reading("reserved");
    assert_eq!(overlaid.listing.evidence.taken, Some(Taken::Reserved));
    assert_eq!(overlaid.listing.attributes.property_state, None);
    assert_eq!(overlaid.listing.attributes.building_type, None);
    assert!(overlaid.unread.is_empty());

    let sold = with("flat-sale", &json!({"state_cb": code(2, "Prodáno")}));
    assert_eq!(sold.listing.evidence.taken, Some(Taken::Sold));
    assert_eq!(
        sold.listing.attributes.property_state,
        Some(PropertyState::AfterRenovation)
    );
}

#[test]
fn a_share_is_a_sale_with_its_size_as_evidence() {
    let sixth = reading("share").listing;
    assert_eq!(sixth.attributes.offer_type, Some(OfferType::Sale));
    assert_eq!(sixth.evidence.share.as_deref(), Some("1/6"));

    let told = json!({"share_numerator": null, "share_denominator": null,
        "advert_description": "Nabízíme k prodeji spoluvlastnický podíl o velikosti id. 1/3 domu."});
    assert_eq!(
        with("share", &told).listing.evidence.share.as_deref(),
        Some("1/3")
    );

    let untold =
        json!({"share_numerator": 0, "advert_description": "Dům u lesa.", "advert_name": "Dům"});
    assert_eq!(
        with("share", &untold).listing.evidence.share.as_deref(),
        Some("podíl")
    );
    assert_eq!(reading("house-sale").listing.evidence.share, None);
}

#[test]
fn an_auction_has_its_own_kind_of_offer_and_its_opening_bid() {
    let auction = with(
        "house-sale",
        &json!({"category_type_cb": code(3, "Dražby")}),
    );
    assert_eq!(
        auction.listing.attributes.offer_type,
        Some(OfferType::Auction)
    );
    assert_eq!(auction.listing.attributes.price_total, Some(7_850_000.0));
    let url = auction.url.unwrap();
    assert_eq!(
        url,
        "https://www.sreality.cz/detail/drazby/dum/rodinny/milin-stezov-/2710010003"
    );
}

#[test]
fn property_abroad_is_kept_without_position_and_reported() {
    let abroad = reading("foreign");
    assert_eq!(abroad.listing.attributes.location, None);
    assert_eq!(abroad.listing.attributes.city.as_deref(), Some("Zadar"));
    assert_eq!(
        reasons(&abroad),
        [
            ("priceTotal", "a currency other than CZK"),
            ("country", "property abroad"),
            ("location", "outside the Czech Republic"),
        ]
    );
}

#[test]
fn a_house_for_several_generations_is_a_family_house() {
    let house = with(
        "house-sale",
        &json!({"category_sub_cb": code(54, "Vícegenerační dům")}),
    )
    .listing;
    assert_eq!(house.attributes.subtype, Some(Subtype::Family));
    assert_eq!(house.attributes.arrangement, None);
}

#[test]
fn a_subcategory_of_another_category_is_rejected() {
    let reading = with("house-sale", &json!({"category_sub_cb": code(6, "3+kk")}));
    assert_eq!(
        reading.listing.attributes.property_type,
        Some(PropertyType::House)
    );
    assert_eq!(reading.listing.attributes.arrangement, None);
    assert_eq!(
        reasons(&reading),
        [("subtype", "a subcategory of another category")]
    );
    assert_eq!(reading.url, None);
}

#[test]
fn a_list_item_states_its_areas_in_the_title_and_a_detail_does_not() {
    let titled = |kind: i64, title: &str| {
        let attributes = with(
            "minimal",
            &json!({"category_main_cb": code(kind, ""), "category_sub_cb": null,
            "advert_name": title}),
        )
        .listing
        .attributes;
        (attributes.living_area, attributes.land_area)
    };
    assert_eq!(
        titled(1, "Prodej bytu 3+1 174\u{a0}m²"),
        (Some(174.0), None)
    );
    assert_eq!(titled(1, "Prodej bytu 3+kk 85\u{a0}m²"), (Some(85.0), None));
    let house = titled(
        2,
        "Prodej rodinného domu 145\u{a0}m², pozemek 1\u{a0}271\u{a0}m²",
    );
    assert_eq!(house, (Some(145.0), Some(1271.0)));
    assert_eq!(
        titled(3, "Prodej pole 2\u{a0}403\u{a0}m²"),
        (None, Some(2403.0))
    );
    let detail = with("flat-sale", &json!({"usable_area": null}));
    assert_eq!(detail.listing.attributes.living_area, None);
}

#[test]
fn the_address_of_the_page_is_the_portals() {
    assert_eq!(
        reading("flat-sale").url.unwrap(),
        "https://www.sreality.cz/detail/prodej/byt/3+1/olomouc-nova-ulice-wolkerova/2710010001"
    );
    assert_eq!(
        reading("land-sale").url.unwrap(),
        "https://www.sreality.cz/detail/prodej/pozemek/bydleni/milin-milin-/2710010004"
    );
    assert_eq!(reading("unknown-codes").url, None);
}
