//! Fields of listings that overlap, contradict each other or contain more than their name says.

use gazetteer::{Address, AddressParts, District, NumberAgreement, Region};

fn parts() -> AddressParts<'static> {
    AddressParts::default()
}

fn city_district(address: &Address) -> Option<String> {
    address.city_district.map(|district| district.to_string())
}

#[test]
fn the_city_district_in_the_district_field_is_prague() {
    let parts = AddressParts {
        city: Some("Praha"),
        district: Some("Praha 10"),
        region: Some("Hlavní město Praha"),
        neighborhood: Some("Záběhlice"),
        street: Some("Božkovská"),
        line: Some("Božkovská 2967/4, Praha 10 - Záběhlice"),
        ..parts()
    };
    let address = Address::from_parts(&parts);
    assert_eq!(address.district, Some(District::Praha));
    assert_eq!(city_district(&address).as_deref(), Some("Praha 10"));
    assert_eq!(address.street_key(), Some("bozkovska"));
    assert_eq!(address.number.building, Some(2967));
    assert_eq!(address.quarter_key(), Some("zabehlice"));
    assert_eq!(address.region, Some(Region::Praha));
}

#[test]
fn fields_take_precedence_and_the_line_fills_the_gaps() {
    let parts = AddressParts {
        city: Some("Olomouc"),
        street: Some("Táboritů"),
        district: Some("okres Olomouc"),
        line: Some("Táboritů 5, Olomouc - Bělidla, okres Olomouc"),
        ..parts()
    };
    let address = Address::from_parts(&parts);
    assert_eq!(address.quarter_key(), Some("belidla"));
    assert_eq!(address.number.lone.map(|number| number.number), Some(5));
    let other = AddressParts {
        street: Some("Jiná"),
        ..parts
    };
    let address = Address::from_parts(&other);
    assert_eq!(address.street_key(), Some("jina"));
    assert!(
        address.number.lone.is_none(),
        "the number of another street"
    );
}

#[test]
fn a_street_field_may_hold_the_house_number() {
    let address = Address::from_parts(&AddressParts {
        street: Some("ul. Roháčova 1523/12a"),
        city: Some("Praha 3"),
        ..parts()
    });
    assert_eq!(
        address
            .street
            .as_ref()
            .map(|street| street.written.as_str()),
        Some("Roháčova")
    );
    assert_eq!(address.number.building, Some(1523));
    assert_eq!(
        address.number.orientation.and_then(|number| number.letter),
        Some('a')
    );
}

#[test]
fn a_town_a_sentinel_or_a_district_in_the_street_field_is_not_a_street() {
    for street in [
        "Brno",
        "-1",
        "0",
        "okres Břeclav",
        "Praha 5",
        "Jihomoravský kraj",
        "k.ú. Brno",
    ] {
        let address = Address::from_parts(&AddressParts {
            street: Some(street),
            city: Some("Brno"),
            ..parts()
        });
        assert_eq!(address.street_key(), None, "{street}");
    }
}

#[test]
fn a_street_named_after_a_town_is_kept() {
    let address = Address::from_parts(&AddressParts {
        street: Some("Plzeňská"),
        city: Some("Praha"),
        ..parts()
    });
    assert_eq!(address.street_key(), Some("plzenska"));
}

#[test]
fn a_city_field_may_hold_postal_code_part_or_district() {
    let read = |city| {
        Address::from_parts(&AddressParts {
            city: Some(city),
            ..parts()
        })
    };
    assert_eq!(read("397 01 Písek").municipality_key(), Some("pisek"));
    assert_eq!(
        read("Praha (okres Praha)").municipality_key(),
        Some("praha")
    );
    assert_eq!(read("Brno - město").municipality_key(), Some("brno"));
    assert_eq!(read("Brno venkov").municipality_key(), None);
    assert_eq!(read("Hranice Hranice I-Město").quarter_key(), Some("mesto"));
    assert_eq!(read("Vyškov Dědice").quarter_key(), Some("dedice"));
    let part = read("Praha 5 - Smíchov");
    assert_eq!(
        (part.municipality_key(), part.quarter_key()),
        (Some("praha"), Some("smichov"))
    );
}

#[test]
fn the_finer_of_two_parts_counts() {
    let read = |part| {
        Address::from_parts(&AddressParts {
            city: Some("Brno"),
            neighborhood: Some(part),
            ..parts()
        })
    };
    assert_eq!(
        read("Brno-Řečkovice a Mokrá Hora - Řečkovice").quarter_key(),
        Some("reckovice")
    );
    assert_eq!(read("Brno - Bystrc").quarter_key(), Some("bystrc"));
    assert_eq!(read("Brno").quarter_key(), None);
}

#[test]
fn two_portals_lines_of_one_flat_agree() {
    let line = |line| {
        Address::from_parts(&AddressParts {
            line: Some(line),
            ..parts()
        })
    };
    let (a, b) = (
        line("nám. Svobody 1376/9, Jihlava"),
        line("JIHLAVA, NAMESTI SVOBODY 1376"),
    );
    assert_eq!(a.street_key(), b.street_key());
    assert_eq!(a.municipality_key(), b.municipality_key());
    assert_eq!(a.number.compare(&b.number), NumberAgreement::Same);
}

#[test]
fn a_hyphenated_town_with_spaces_around_the_hyphen_is_one_town() {
    for line in ["Frýdek - Místek, 739 61", "739 61 Frýdek - Místek"] {
        let address = Address::from_parts(&AddressParts {
            city: Some("Frýdek - Místek"),
            line: Some(line),
            ..parts()
        });
        assert_eq!(address.municipality_key(), Some("frydek mistek"), "{line}");
        assert_eq!(address.quarter_key(), None, "{line}");
        assert_eq!(address.street_key(), None, "{line}");
    }
}

#[test]
fn a_city_field_with_a_part_is_split_where_the_line_names_the_municipality() {
    let read = |city, line| {
        let address = Address::from_parts(&AddressParts {
            city: Some(city),
            line: Some(line),
            ..parts()
        });
        let key = |key: Option<&str>| key.unwrap_or_default().to_owned();
        (key(address.municipality_key()), key(address.quarter_key()))
    };
    let split = |town: &str, part: &str| (town.to_owned(), part.to_owned());
    assert_eq!(
        read("Homole Černý Dub", "Homole, okres České Budějovice"),
        split("homole", "cerny dub")
    );
    assert_eq!(
        read("Velké Heraltice Sádek", "Velké Heraltice, okres Opava"),
        split("velke heraltice", "sadek")
    );
    assert_eq!(
        read("Nová Ves", "Nová 5, okres Znojmo"),
        split("nova ves", ""),
        "a street with a number is not the municipality"
    );
}

#[test]
fn a_street_with_a_typing_error_in_the_field_or_the_line_is_not_the_quarter() {
    let address = Address::from_parts(&AddressParts {
        street: Some("Václava Tlicha"),
        city: Some("Most"),
        line: Some("Václava Talicha 4, Most"),
        ..parts()
    });
    assert_eq!(address.quarter_key(), None);
    assert_eq!(address.number.lone.map(|number| number.number), Some(4));
}
