//! The specification of the interface, on machines that have it: every code that it lists must be understood.

use std::collections::BTreeMap;

use ingest::portals::read_feed_advert;
use serde_json::{Value, json};

use crate::payloads::real;

/// An attribute of an advert: its type, and its codes with their names.
#[derive(Default)]
struct Attribute {
    kind: String,
    codes: Vec<(i64, String)>,
}

/// The table of an advert's attributes.
fn attributes() -> Option<BTreeMap<String, Attribute>> {
    const TYPES: [&str; 11] = [
        "codebook",
        "multiselect",
        "int",
        "double",
        "float",
        "bool",
        "string",
        "date",
        "datetime",
        "base64",
        "list(string)",
    ];
    let text = real("standards/sreality_import_specification_4.0.0.txt")?;
    let (_, from_table) = text
        .rsplit_once("\n3.1 Atributy a číselníky inzerátu\n")
        .unwrap();
    let (table, _) = from_table.split_once("\n3.2 Atributy").unwrap();
    let mut attributes: BTreeMap<String, Attribute> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in table.lines() {
        let mut words = line.split(' ');
        let (first, second) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        if let (Ok(code), Some(name)) = (first.parse(), &current) {
            let (_, label) = line.split_once(' ').unwrap();
            attributes
                .entry(name.clone())
                .or_default()
                .codes
                .push((code, label.to_owned()));
        } else if TYPES.contains(&second) {
            current = Some(first.to_owned());
            attributes.insert(
                first.to_owned(),
                Attribute {
                    kind: second.to_owned(),
                    codes: Vec::new(),
                },
            );
        }
    }
    Some(attributes)
}

/// A small advert with one field set.
fn with(name: &str, value: Value) -> Vec<String> {
    let mut advert = json!({"advert_function": 1, "advert_type": 1, "advert_rkid": "1"});
    advert[name] = value;
    let reading = read_feed_advert(&advert).unwrap();
    reading
        .unread
        .iter()
        .map(|reject| format!("{name} {}: {}", reject.value, reject.reason))
        .collect()
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_code_of_the_specification_is_understood() {
    let Some(attributes) = attributes() else {
        return;
    };
    let mut read = 0;
    for name in [
        "advert_function",
        "advert_type",
        "building_condition",
        "building_type",
        "easy_access",
        "elevator",
        "energy_efficiency_rating",
        "extra_info",
        "furnished",
        "gully",
        "heating",
        "heating_source",
        "object_kind",
        "ownership",
    ] {
        let Attribute { kind, codes } = &attributes[name];
        assert!(
            kind == "codebook" || kind == "multiselect",
            "{name}: {kind}"
        );
        for (code, _) in codes {
            let value = if kind == "multiselect" {
                json!([code])
            } else {
                json!(code)
            };
            assert_eq!(with(name, value), Vec::<String>::new(), "{name} {code}");
            read += 1;
        }
    }
    assert_eq!(read, 80);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_subtype_belongs_to_the_type_that_the_specification_says() {
    let Some(attributes) = attributes() else {
        return;
    };
    let types = ["Byty", "Domy", "Pozemky", "Komerční", "Ostatní"];
    let subtypes = &attributes["advert_subtype"].codes;
    for (code, label) in subtypes {
        let of = types.iter().position(|name| label.ends_with(name)).unwrap() + 1;
        let advert = json!({"advert_function": 1, "advert_type": of, "advert_subtype": code});
        let reading = read_feed_advert(&advert).unwrap();
        assert_eq!(reading.unread, [], "{code} {label}");
        let attributes = &reading.listing.attributes;
        assert!(
            attributes.arrangement.is_some() || attributes.subtype.is_some(),
            "{code} {label}"
        );
    }
    assert_eq!(subtypes.len(), 48);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn only_prices_per_area_and_in_other_currencies_are_left_out() {
    let Some(attributes) = attributes() else {
        return;
    };
    let priced = |name: &str, code: i64| {
        let mut advert = json!({"advert_function": 2, "advert_type": 1, "advert_price": 12_000});
        advert[name] = json!(code);
        read_feed_advert(&advert)
            .unwrap()
            .listing
            .attributes
            .price_total
    };
    let units = attributes["advert_price_unit"].codes.iter();
    let whole: Vec<i64> = units
        .map(|(code, _)| *code)
        .filter(|code| priced("advert_price_unit", *code).is_some())
        .collect();
    assert_eq!(
        whole,
        [1, 2, 6],
        "the price is for the property, a month or a year"
    );
    let currencies = attributes["advert_price_currency"].codes.iter();
    let crowns: Vec<i64> = currencies
        .map(|(code, _)| *code)
        .filter(|code| priced("advert_price_currency", *code).is_some())
        .collect();
    assert_eq!(crowns, [1]);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_field_that_is_read_is_in_the_specification() {
    let Some(attributes) = attributes() else {
        return;
    };
    for case in [
        "flat-sale",
        "flat-rent",
        "house-sale",
        "office-rent",
        "share",
        "reserved",
        "ground-floor",
    ] {
        for name in super::advert(case).as_object().unwrap().keys() {
            assert!(attributes.contains_key(name), "{case}: {name}");
        }
    }
    assert_eq!(attributes.len(), 144);
}
