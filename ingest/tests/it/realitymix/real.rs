//! Real pages.

use schema::{
    Arrangement, Attributes, BuildingType, Evidence, Location, OfferType, Ownership, PropertyState,
    PropertyType, Subtype,
};

use crate::payloads::{read_page, real, some};

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_flat_in_prague_reads_field_by_field() {
    let Some(html) = real("realitymix/detail_a1.html") else {
        return;
    };
    let reading = read_page("realitymix", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(description.starts_with(
        "Prodej SPV byt 2+1 53m² s výtahem v atraktivní lokalitě Praha - Smíchov\n\nPražské zázemí pro firmu"
    ));
    assert!(
        description
            .contains("\n\nCo nabízí\ndispozici 2+1,\ndva samostatné pokoje,\nkuchyň oddělenou od")
    );
    assert!(description.ends_with("zodpovím všechny Vaše dotazy."));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.069_672_777_778,
                lng: 14.362_793_888_889
            }),
            title: some("Prodej bytu, 2+1, 53 m²"),
            city: some("Praha"),
            street: some("Plzeňská"),
            region: some("Hlavní město Praha"),
            district: some("Praha"),
            address: some("Plzeňská, Praha 5"),
            property_type: Some(PropertyType::Apartment),
            offer_type: Some(OfferType::Sale),
            arrangement: Some(Arrangement::R2P1),
            property_state: Some(PropertyState::VeryGood),
            ownership: Some(Ownership::Other),
            building_type: Some(BuildingType::Brick),
            price_total: Some(7_990_000.0),
            living_area: Some(53.0),
            elevator: Some(true),
            floor: Some(4),
            energy_class: some("G - Mimořádně nehospodárná"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            order_code: some("00046"),
            total_area: Some(53.0),
            ..Evidence::default()
        }
    );
    assert_eq!(
        reading.url.as_deref(),
        Some(
            "https://realitymix.cz/detail/praha/prodej-spv-byt-2-1-53m-s-vytahem-v-atraktivni-lokalite-praha-smichov-8650343.html"
        )
    );
    // The page gives one storey for the building and the fifth floor for the flat.
    assert_eq!(reading.unread.len(), 1, "{:?}", reading.unread);
    assert_eq!(
        (
            reading.unread[0].field.as_str(),
            reading.unread[0].value.as_str()
        ),
        ("floorCount", "1")
    );
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_house_for_rent_in_a_quarter_without_streets_reads_field_by_field() {
    let Some(html) = real("realitymix/detail_portal_html.html") else {
        return;
    };
    let reading = read_page("realitymix", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description
            .starts_with("Pronájem RD se dvěmi apartmány 2+kk se zahradou, terasami, saunou")
    );
    assert!(description.contains("Cena:\n10.000 Kč/měsíc za jeden apartmán + energie cca 5.000Kč"));
    assert!(
        description.ends_with("Ideální místo pro milovníky klidu a aktivního života v přírodě.")
    );
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.427_238,
                lng: 12.742_544
            }),
            title: some("Pronájem domu/vily, 120 m²"),
            city: some("Potůčky"),
            region: some("Karlovarský kraj"),
            neighborhood: some("Stráň"),
            district: some("Karlovy Vary"),
            address: some("Stráň, Potůčky, okr. Karlovy Vary"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Family),
            offer_type: Some(OfferType::Rent),
            property_state: Some(PropertyState::VeryGood),
            building_type: Some(BuildingType::Brick),
            price_total: Some(20_000.0),
            living_area: Some(120.0),
            land_area: Some(1200.0),
            garden: Some(true),
            terrace: Some(true),
            floor_count: Some(1),
            energy_class: some("G - Mimořádně nehospodárná"),
            sewerage: some("communal"),
            house_position: some("free_standing"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            order_code: some("N02161"),
            ..Evidence::default()
        }
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}
