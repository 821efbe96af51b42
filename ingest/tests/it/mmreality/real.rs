//! Real pages.

use schema::{
    Attributes, BuildingType, Evidence, Location, OfferType, Ownership, PinPrecision,
    PropertyState, PropertyType, Subtype,
};

use crate::payloads::{read_page, real, some};

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_weekend_house_reads_field_by_field() {
    let Some(html) = real("mmreality/detail_a1.html") else {
        return;
    };
    let reading = read_page("mmreality", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description.starts_with("Prodej nemovitosti v původním stavu na návsi části obce Bělčice")
    );
    assert!(description.ends_with("Více informací rádi poskytneme v RK."));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 49.500_513_957,
                lng: 13.832_868_034
            }),
            title: some("Prodej chaty, 140 m², Bělčice, Újezdec"),
            city: some("Bělčice"),
            neighborhood: some("Újezdec"),
            district: some("Strakonice"),
            address: some("Bělčice, Újezdec"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Holiday),
            offer_type: Some(OfferType::Sale),
            property_state: Some(PropertyState::BeforeRenovation),
            ownership: Some(Ownership::Private),
            building_type: Some(BuildingType::Mix),
            price_total: Some(870_000.0),
            living_area: Some(140.0),
            land_area: Some(279.0),
            floor_count: Some(1),
            storage: Some(true),
            storage_area: Some(4.0),
            garden: Some(true),
            parking: Some(true),
            energy_class: some("G"),
            house_position: some("free_standing"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            pin: Some(PinPrecision::Exact),
            order_code: some("951726"),
            municipality_code: Some(550_817),
            ..Evidence::default()
        }
    );
    assert_eq!(
        reading.url.as_deref(),
        Some("https://www.mmreality.cz/nemovitosti/951726/")
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_house_next_to_a_larger_record_reads_field_by_field() {
    let Some(html) = real("mmreality/detail_portal_html.html") else {
        return;
    };
    let reading = read_page("mmreality", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description.starts_with("Zděný měšťanský dům z II. poloviny 18. století v Andělské Hoře")
    );
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.060_813_844,
                lng: 17.389_086_312
            }),
            title: some("Prodej rodinného domu, 200 m², Andělská Hora"),
            city: some("Andělská Hora"),
            neighborhood: some("Andělská Hora"),
            district: some("Bruntál"),
            address: some("Andělská Hora"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Family),
            offer_type: Some(OfferType::Sale),
            property_state: Some(PropertyState::BeforeRenovation),
            ownership: Some(Ownership::Private),
            building_type: Some(BuildingType::Brick),
            price_total: Some(690_000.0),
            living_area: Some(200.0),
            land_area: Some(450.0),
            floor_count: Some(2),
            garden: Some(true),
            garden_area: Some(300.0),
            energy_class: some("G"),
            house_position: some("terraced"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            pin: Some(PinPrecision::Exact),
            order_code: some("951845"),
            municipality_code: Some(551_929),
            ..Evidence::default()
        }
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}
