//! The OpenAPI description.

use std::collections::BTreeSet;
use std::path::Path;

use schema::Plan;
use serde_json::Value;

use crate::running::{flat, on_each, save};

/// All references in a part of the description.
fn references(part: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(object) => {
            found.extend(
                object
                    .get("$ref")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(all) => all.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn the_description_is_the_one_in_the_repository() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let rendered = feed::openapi::rendered("http://127.0.0.1:8091");
    if std::env::var_os("JEDEN_WRITE_OPENAPI").is_some() {
        std::fs::write(&path, &rendered).unwrap();
    }
    let kept = std::fs::read(&path).unwrap();
    assert!(
        kept == rendered,
        "run JEDEN_WRITE_OPENAPI=1 cargo test -p feed --test it description"
    );
}

#[test]
fn every_reference_leads_somewhere_and_nothing_is_left_over() {
    let document = feed::openapi::document("http://here");
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    let mut defined = BTreeSet::new();
    for (kind, definitions) in document["components"].as_object().unwrap() {
        if kind != "securitySchemes" {
            let names = definitions.as_object().unwrap().keys();
            defined.extend(names.map(|name| format!("#/components/{kind}/{name}")));
        }
    }
    assert_eq!(found, defined);
    let codes = document.pointer("/components/schemas/Error").unwrap();
    assert!(codes.to_string().contains("changes-expired"));
    let parameters = document["paths"]["/changes"]["get"]["parameters"].as_array();
    let names: Vec<&str> = parameters
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    for name in ["after", "limit", "wait", "district", "Last-Event-ID"] {
        assert!(names.contains(&name), "{name}");
    }
    assert!(!names.contains(&"cursor"));
}

#[tokio::test]
async fn answers_have_the_described_members() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        save(&feed.db, &[flat("a", 5e6), flat("b", 5e6)]).await;
        support::retire(&feed.db, "b", "a").await;
        let served = feed.get_public("/openapi.json").await;
        assert_eq!(served.status, 200);
        let answer = feed.get(&account, "/changes?after=0").await;
        let schemas = &served.body["components"]["schemas"];
        let members = |value: &Value| -> BTreeSet<String> {
            value.as_object().unwrap().keys().cloned().collect()
        };
        let required = |name: &str| -> BTreeSet<String> {
            let names = schemas[name]["required"].as_array().unwrap().iter();
            names
                .map(|name| name.as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(members(&answer.body), required("ChangesResponse"));
        assert_eq!(members(&answer.body["data"][0]), required("Change"));
        assert_eq!(
            members(&answer.body["pagination"]),
            required("ChangesPagination")
        );
        assert_eq!(
            members(&answer.body["data"][2]["events"][0]),
            required("PartingEvent")
        );
        assert_eq!(answer.headers["cache-control"], "private, no-cache");
        assert!(answer.headers.contains_key("x-ratelimit-remaining"));
    })
    .await;
}
