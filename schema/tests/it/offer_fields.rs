//! The table of an offer's fields.

use std::collections::BTreeSet;

use schema::Attributes;
use schema::offer_fields::{FIELDS, FieldKind};

use crate::samples::an_offer;

#[test]
fn field_names_differ() {
    let names: BTreeSet<&str> = FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(names.len(), FIELDS.len());
    assert_eq!(
        FIELDS.len(),
        45,
        "the spec lists 45 fields that portals publish"
    );
}

#[test]
fn what_is_unknown_is_left_out_except_the_position() {
    let json = serde_json::to_string(&Attributes::default()).unwrap();
    assert_eq!(json, r#"{"location":null}"#);
}

#[test]
fn every_field_is_written_in_the_order_of_the_table_and_read_back() {
    let mut attributes = an_offer("full").offer.attributes;
    for field in FIELDS {
        match &field.kind {
            FieldKind::Location(_) => {}
            FieldKind::Text { access, .. } => {
                *(access.get_mut)(&mut attributes) = Some(field.name.to_owned());
            }
            FieldKind::Number(access) => *(access.get_mut)(&mut attributes) = Some(54.0),
            FieldKind::WholeNumber(access) => *(access.get_mut)(&mut attributes) = Some(-1),
            FieldKind::Flag(access) => *(access.get_mut)(&mut attributes) = Some(false),
            FieldKind::Enumerated { access, .. } => {
                let texts = [
                    "apartment",
                    "other",
                    "sale",
                    "1+1",
                    "good",
                    "private",
                    "brick",
                    "full",
                ];
                assert!(
                    texts
                        .iter()
                        .any(|text| (access.set)(&mut attributes, text).is_ok())
                );
            }
        }
    }
    let json = serde_json::to_string(&attributes).unwrap();
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).unwrap();
    let names: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    assert_eq!(names, FIELDS.iter().map(|field| field.name).collect());
    let places: Vec<_> = FIELDS
        .iter()
        .map(|field| json.find(&format!("\"{}\":", field.name)).unwrap())
        .collect();
    assert!(places.is_sorted(), "{json}");
    assert!(
        json.contains(r#""livingArea":54,"#),
        "without a fraction: {json}"
    );
    assert_eq!(
        serde_json::from_str::<Attributes>(&json).unwrap(),
        attributes
    );
}
