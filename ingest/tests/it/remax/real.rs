//! Real pages.

use schema::{
    Arrangement, Attributes, BuildingType, Evidence, Location, OfferType, PropertyState,
    PropertyType, Subtype,
};

use crate::payloads::{read_page, real, some};

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_plot_reads_field_by_field() {
    let Some(html) = real("remax/detail_a1.html") else {
        return;
    };
    let reading = read_page("remax", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(description.starts_with(
        "Nabízíme ke koupi stavební pozemek o výměře 4127m2, Horní Tošanovice\n\nNabízíme ke koupi stavební"
    ));
    assert!(description.ends_with("na základě jím zvolených kritérií."));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 49.678_639,
                lng: 18.504_417
            }),
            title: some("Prodej pozemku 4127 m², Horní Tošanovice"),
            city: some("Horní Tošanovice"),
            region: some("Moravskoslezský kraj"),
            district: some("Frýdek-Místek"),
            address: some("Horní Tošanovice, okres Frýdek-Místek"),
            property_type: Some(PropertyType::Land),
            subtype: Some(Subtype::Housing),
            offer_type: Some(OfferType::Sale),
            price_total: Some(4_127_000.0),
            land_area: Some(4127.0),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            order_code: some("130-NP03617"),
            ..Evidence::default()
        }
    );
    assert_eq!(
        reading.url.as_deref(),
        Some(
            "https://www.remax-czech.cz/reality/detail/445644/prodej-pozemku-4127-m2-horni-tosanovice"
        )
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_house_among_neighbours_reads_field_by_field() {
    let Some(html) = real("remax/detail_portal_html.html") else {
        return;
    };
    let reading = read_page("remax", &html);
    let mut attributes = reading.listing.attributes;
    let description = attributes.description.take().unwrap();
    assert!(
        description
            .starts_with("Prodej rodinného domu 1+1, Úvaly, Pod Slovany\n\nNabízíme k prodeji")
    );
    assert!(description.contains("s krytou verandou.\n\nJedná se o původní rekreační objekt"));
    assert_eq!(
        attributes,
        Attributes {
            location: Some(Location {
                lat: 50.062_972,
                lng: 14.728_194
            }),
            title: some("Prodej domu 60 m², Úvaly"),
            city: some("Úvaly"),
            street: some("Pod Slovany"),
            region: some("Středočeský kraj"),
            district: some("Praha-východ"),
            address: some("ulice Pod Slovany, Úvaly"),
            property_type: Some(PropertyType::House),
            subtype: Some(Subtype::Family),
            offer_type: Some(OfferType::Sale),
            arrangement: Some(Arrangement::R1P1),
            property_state: Some(PropertyState::BeforeRenovation),
            building_type: Some(BuildingType::Brick),
            price_total: Some(7_800_000.0),
            living_area: Some(60.0),
            land_area: Some(1063.0),
            energy_class: some("G"),
            house_position: some("free_standing"),
            ..Attributes::default()
        }
    );
    assert_eq!(
        reading.listing.evidence,
        Evidence {
            order_code: some("096-NP06026"),
            note_on_price: some("Cena včetně právního servisu a provize RK"),
            ..Evidence::default()
        }
    );
    assert!(reading.unread.is_empty(), "{:?}", reading.unread);
}
