//! Tokens, plans, history windows and the quota.

use reqwest::StatusCode;
use schema::Plan;
use serde_json::json;

use crate::support::{flat, on_each, save, save_expired};

#[tokio::test]
async fn a_request_without_a_valid_token_is_401() {
    on_each(async |server| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let without = server.post(&body).send().await.unwrap();
        assert_eq!(without.status(), StatusCode::UNAUTHORIZED);
        assert!(
            without.headers()["www-authenticate"]
                .to_str()
                .unwrap()
                .starts_with("Bearer")
        );
        let wrong = server
            .post(&body)
            .bearer_auth("jdn_wrong")
            .send()
            .await
            .unwrap();
        assert_eq!(wrong.status(), StatusCode::UNAUTHORIZED);
    })
    .await;
}

#[tokio::test]
async fn an_answered_call_counts_one_request_and_lists_usage_and_faults_none() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        save(&server.db, flat("b")).await;
        let account = server.account(Plan::Pro).await;
        for method in [
            "tools/list",
            "resources/list",
            "prompts/list",
            "resources/templates/list",
        ] {
            server.ask(&account, method, json!({})).await;
        }
        server.content(&account, "get_usage", json!({})).await;
        server
            .refused(&account, "search_offers", json!({"priceMin": "cheap"}))
            .await;
        server.refused(&account, "get_offer", json!({})).await;
        assert_eq!(server.used(&account).await, 0);
        let mut used = 0;
        for (tool, arguments) in [
            ("search_offers", json!({})),
            ("get_offer", json!({"id": "a"})),
            ("compare_offers", json!({"ids": ["a", "b"]})),
            ("locate_place", json!({"text": "Praha"})),
            (
                "price_statistics",
                json!({"offerType": "sale", "type": "apartment"}),
            ),
            ("recent_changes", json!({})),
            ("explain_offer", json!({"id": "a"})),
        ] {
            server.content(&account, tool, arguments).await;
            used += 1;
            assert_eq!(server.used(&account).await, used, "{tool}");
        }
        // As in the API, what is not there is an answer too.
        server
            .refused(&account, "get_offer", json!({"id": "nothing"}))
            .await;
        assert_eq!(server.used(&account).await, used + 1);
        let usage = server.content(&account, "get_usage", json!({})).await;
        assert_eq!(usage["usage"]["requestsUsed"], used + 1);
        assert_eq!(usage["plan"]["id"], "proV2");
    })
    .await;
}

#[tokio::test]
async fn concurrent_calls_never_pass_the_quota() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        let account = server.account(Plan::Free).await;
        let calls = (0..25).map(|_| server.call(&account, "get_offer", json!({"id": "a"})));
        let called = futures::future::join_all(calls).await;
        let answered = called.iter().filter(|called| !called.is_error).count();
        assert_eq!(answered, 10);
        assert_eq!(server.used(&account).await, 10);
        let refused = called.iter().find(|called| called.is_error).unwrap();
        assert!(refused.text.contains("quota-exceeded"), "{}", refused.text);
        // What is free stays free.
        let usage = server.content(&account, "get_usage", json!({})).await;
        assert_eq!(usage["usage"]["requestsRemaining"], 0);
    })
    .await;
}

#[tokio::test]
async fn an_answer_tells_the_quota_as_it_is_after_the_call() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let params = json!({"name": "search_offers", "arguments": {}});
        let response = server.send(&account, "tools/call", params).await;
        assert_eq!(response.headers()["x-ratelimit-remaining"], "9");
        assert_eq!(response.headers()["cache-control"], "no-store");
    })
    .await;
}

#[tokio::test]
async fn a_plan_shows_gone_offers_as_far_back_as_it_reaches() {
    on_each(async |server| {
        save_expired(&server.db, flat("recent"), Some("2026-06-15T12:00:00Z")).await;
        save_expired(&server.db, flat("old"), Some("2026-02-01T12:00:00Z")).await;
        let [free, pro] = [
            server.account(Plan::Free).await,
            server.account(Plan::Pro).await,
        ];
        let shown = server
            .content(&pro, "get_offer", json!({"id": "recent"}))
            .await;
        assert_eq!(shown["daysOnMarket"], 45);
        for (account, id) in [(&pro, "old"), (&free, "recent")] {
            for tool in ["get_offer", "explain_offer"] {
                let text = server.refused(account, tool, json!({"id": id})).await;
                assert!(text.contains("not-found"), "{text}");
            }
        }
        let missing = server
            .content(&free, "compare_offers", json!({"ids": ["recent", "old"]}))
            .await;
        assert_eq!(missing["notFound"], json!(["recent", "old"]));
        let text = server
            .refused(&free, "search_offers", json!({"includeInactive": true}))
            .await;
        assert!(text.contains("plan-limit-exceeded"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_record_as_a_resource_counts_and_the_vocabulary_does_not() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        let account = server.account(Plan::Free).await;
        let vocabulary = json!({"uri": "jeden://vocabulary"});
        server.ask(&account, "resources/read", vocabulary).await;
        assert_eq!(server.used(&account).await, 0);
        let read = json!({"uri": "jeden://offers/a"});
        let found = server.ask(&account, "resources/read", read).await;
        let text = found["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("\"id\":\"a\""), "{text}");
        assert_eq!(server.used(&account).await, 1);
    })
    .await;
}
