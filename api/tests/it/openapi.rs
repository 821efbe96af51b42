//! GET /openapi.json.

use std::collections::BTreeSet;
use std::path::Path;

use api::params::SEARCH_PARAMS;
use schema::Plan;
use serde_json::Value;

use crate::support::on_each;

/// Spec, openapi 1: it is the machine-readable description of the interface.
/// Spec, openapi 2: its authentication (not shown): it is public, and not counted.
/// Spec, Versioning 1: data endpoints are under /v1; the description declares version 1.0.0.
#[tokio::test]
async fn it_is_public_and_not_counted_and_names_the_base_url() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/openapi.json").await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, "application/json")
        );
        assert_eq!(answer.body["openapi"], "3.1.0");
        assert_eq!(answer.body["info"]["version"], "1.0.0");
        assert_eq!(answer.body["servers"][0]["url"], api.url);
        assert_eq!(answer.rate_limit().0, 0);
        assert_eq!(api.used(&account).await, 0);
        assert_eq!(api.get("/openapi.json?pretty=1").await.status, 400);
    })
    .await;
}

#[test]
fn the_committed_description_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let fresh = api::openapi::rendered("http://127.0.0.1:8080", None);
    if std::env::var_os("JEDEN_WRITE_OPENAPI").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "api/openapi.json differs from what the code generates: run with JEDEN_WRITE_OPENAPI=1"
    );
}

#[test]
fn the_description_names_the_licence_and_the_operators_contact() {
    let info = |contact: Option<&str>| -> Value {
        let text = api::openapi::rendered("", contact);
        serde_json::from_slice::<Value>(&text).unwrap()["info"].take()
    };
    assert_eq!(info(None)["license"]["identifier"], "MIT OR Apache-2.0");
    assert!(info(None)["contact"]["name"].is_string());
    let page = info(Some("https://example.org/contact"));
    assert_eq!(page["contact"]["url"], "https://example.org/contact");
    let mail = info(Some("api@example.org"));
    assert_eq!(mail["contact"]["email"], "api@example.org");
}

/// Spec, search 3: the parameters are those of the table, each of its type.
/// Spec, openapi 1: it is the machine-readable description of the interface.
#[test]
fn the_described_query_parameters_are_the_accepted_ones() {
    let document = api::openapi::document("");
    let described = |path: &str| -> Vec<String> {
        let parameters = document["paths"][path]["get"]["parameters"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let in_query = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query");
        in_query
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        described("/v1/offers"),
        SEARCH_PARAMS.map(|param| param.name)
    );
    for path in ["/v1/offers/{offerId}", "/v1/me", "/health", "/openapi.json"] {
        assert_eq!(described(path), [""; 0], "{path}");
    }
}

#[test]
fn every_operation_with_a_304_describes_if_none_match() {
    let document = api::openapi::document("");
    for (path, item) in document["paths"].as_object().unwrap() {
        let parameters = item["get"]["parameters"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let conditional = parameters.iter().any(|parameter| {
            let described = parameter["$ref"]
                .as_str()
                .and_then(|to| document.pointer(to.trim_start_matches('#')));
            described.is_some_and(|described| described["name"] == "If-None-Match")
        });
        assert_eq!(
            conditional,
            !item["get"]["responses"]["304"].is_null(),
            "{path}"
        );
    }
}

/// Some generated clients send every default of a schema with every request.
#[tokio::test]
async fn sending_every_described_default_changes_nothing() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let document = api::openapi::document("");
        let parameters = document["paths"]["/v1/offers"]["get"]["parameters"]
            .as_array()
            .unwrap();
        let defaults = parameters
            .iter()
            .filter(|parameter| !parameter["schema"]["default"].is_null());
        let query: Vec<String> = defaults
            .map(|parameter| {
                format!(
                    "{}={}",
                    parameter["name"].as_str().unwrap(),
                    parameter["schema"]["default"]
                )
            })
            .collect();
        assert_eq!(query, ["includeInactive=false", "limit=25"]);
        let answer = api
            .get_as(&account, &format!("/v1/offers?{}", query.join("&")))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    })
    .await;
}

#[test]
fn every_reference_resolves_and_every_schema_is_closed() {
    fn walk(document: &Value, value: &Value) {
        if let Some(reference) = value["$ref"].as_str() {
            assert!(
                document
                    .pointer(reference.trim_start_matches('#'))
                    .is_some(),
                "{reference}"
            );
        }
        if value["properties"].is_object() && value["type"] == "object" {
            assert_eq!(value["additionalProperties"], false, "{value}");
        }
        match value {
            Value::Object(object) => object.values().for_each(|value| walk(document, value)),
            Value::Array(array) => array.iter().for_each(|value| walk(document, value)),
            _ => {}
        }
    }
    let document = api::openapi::document("");
    walk(&document, &document);
}

#[test]
fn every_example_conforms_to_its_shape() {
    let document: &'static Value = Box::leak(Box::new(api::openapi::document("")));
    let mut seen = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (status, response) in item["get"]["responses"].as_object().unwrap() {
            let response = match response["$ref"].as_str() {
                Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
                None => response,
            };
            let content = &response["content"]["application/json"];
            if !content["example"].is_null() {
                crate::support::conforms(
                    &content["example"],
                    &content["schema"],
                    &format!("{path} {status}"),
                );
                seen.insert(status.clone());
            }
        }
    }
    assert!(seen.len() >= 9, "{seen:?}");
}

/// Spec, Offer 4: no unknown fields appear.
/// Spec, Offer 5: each field has the name, type and presence of the table.
#[test]
fn a_fully_known_offer_has_exactly_the_described_properties() {
    let document = api::openapi::document("");
    let described: Vec<&String> = document["components"]["schemas"]["OfferDetail"]["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    let full = crate::support::fully_known();
    let written = serde_json::to_value(&full).unwrap();
    let written: BTreeSet<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(described.into_iter().collect::<BTreeSet<_>>(), written);
}
