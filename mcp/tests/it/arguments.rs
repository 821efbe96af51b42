//! Wrong arguments.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use schema::Plan;
use serde_json::{Map, Value, json};

use crate::support::{TestServer, flat, on_each, save};

#[tokio::test]
async fn every_fault_of_a_call_is_named_with_what_is_accepted() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let wrong = json!({
            "offerType": "buy",
            "priceMin": 5, "priceMax": 3,
            "limit": 26,
            "detail": "long",
            "district": ["Praha"],
            "town": "Praha",
            "lat": 50
        });
        let text = server.refused(&account, "search_offers", wrong).await;
        for named in [
            "offerType",
            "sale",
            "priceMin",
            "priceMax",
            "limit: must be a whole number from 1 to 25",
            "detail: must be one of concise, detailed",
            "district",
            "town: is unknown",
            "lng",
        ] {
            assert!(text.contains(named), "{named}: {text}");
        }
        assert!(text.contains("not counted"), "{text}");
        assert!(!text.contains("token"), "{text}");
        assert_eq!(server.used(&account).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_null_counts_as_not_sent_and_a_number_may_be_a_text() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        let account = server.account(Plan::Free).await;
        let found = server
            .content(
                &account,
                "search_offers",
                json!({"district": null, "priceMax": "6000000", "limit": "5"}),
            )
            .await;
        assert_eq!(found["offers"].as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn figures_of_different_kinds_are_not_mixed() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let text = server
            .refused(&account, "price_statistics", json!({"type": "apartment"}))
            .await;
        assert!(text.contains("offerType: is missing"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_told_with_the_candidates() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let text = server
            .refused(&account, "search_offers", json!({"address": "Xyzwqk"}))
            .await;
        assert!(text.contains("address:"), "{text}");
    })
    .await;
}

/// Names that tools know, and others.
fn name() -> impl Strategy<Value = String> {
    let known = [
        "offerType",
        "type",
        "district",
        "priceMin",
        "priceMax",
        "lat",
        "lng",
        "address",
        "radiusMeters",
        "includeInactive",
        "limit",
        "cursor",
        "detail",
        "includeTexts",
        "id",
        "ids",
        "text",
        "groupBy",
        "after",
        "kinds",
    ];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let texts = [
        "a",
        "sale",
        "apartment",
        "Praha",
        "month",
        "c1t1",
        "c9223372036854775807t0",
        "",
        "%00",
        "new",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        (0_u64..60).prop_map(Value::from),
        prop::sample::select(texts.to_vec()).prop_map(Value::from),
        "\\PC{0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..7).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,5}", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

async fn no_arguments_break_a_tool(server: TestServer) {
    const TOOLS: [&str; 8] = [
        "search_offers",
        "get_offer",
        "compare_offers",
        "locate_place",
        "price_statistics",
        "recent_changes",
        "explain_offer",
        "get_usage",
    ];
    save(&server.db, flat("a")).await;
    let account = server.account(Plan::Investor).await;
    let mut runner = TestRunner::default();
    let strategy = prop::collection::hash_map(name(), value(), 0..6);
    let cases = runner.config().cases.clamp(64, 800);
    for case in 0..cases {
        let arguments = strategy.new_tree(&mut runner).unwrap().current();
        let arguments = Value::Object(arguments.into_iter().collect());
        let tool = TOOLS[case as usize % TOOLS.len()];
        let before = server.used(&account).await;
        // `call` fails on a protocol error.
        let called = server.call(&account, tool, arguments.clone()).await;
        assert!(
            !called.text.contains("internal-error"),
            "{tool} {arguments}: {}",
            called.text
        );
        let counts = tool != "get_usage" && !called.text.contains("not counted");
        let after = server.used(&account).await;
        assert_eq!(
            after - before,
            u32::from(counts),
            "{tool} {arguments}: {}",
            called.text
        );
    }
}

#[tokio::test]
async fn no_arguments_end_in_a_protocol_error_or_a_wrong_count() {
    let database = support::sqlite().await;
    no_arguments_break_a_tool(TestServer::start(database.db.clone()).await).await;
}
