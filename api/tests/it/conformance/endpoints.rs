//! What each endpoint answers, accepts and counts.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use schema::{Plan, Timestamp};
use serde_json::Value;

use crate::support::{Answer, TestOffer, on_each, save, save_all};

const PATHS: [&str; 5] = [
    "/v1/offers",
    "/v1/offers/flat",
    "/v1/me",
    "/health",
    "/openapi.json",
];

/// Spec, Endpoints 5: the service has exactly these five endpoints.
/// Spec, Versioning 1: data endpoints are under /v1; the description declares version 1.0.0.
/// Spec, Versioning 2: /health and /openapi.json are unversioned.
#[tokio::test]
async fn the_described_endpoints_are_the_five_and_each_is_served() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save(&api.db, TestOffer::new("flat")).await;
        let description = api.get("/openapi.json").await.body;
        assert_eq!(description["info"]["version"], "1.0.0");
        let described: Vec<&String> = description["paths"].as_object().unwrap().keys().collect();
        assert_eq!(
            described,
            [
                "/v1/offers",
                "/v1/offers/{offerId}",
                "/v1/me",
                "/health",
                "/openapi.json"
            ]
        );
        for path in PATHS {
            assert_eq!(api.get_as(&account, path).await.status, 200, "{path}");
        }
        for path in ["/offers", "/me", "/v1/health", "/v1/openapi.json"] {
            assert_eq!(api.get_as(&account, path).await.status, 404, "{path}");
        }
    })
    .await;
}

/// Spec, Purpose 3: it is read-only: GET alone is accepted, and JSON comes back.
/// Spec, Endpoints 1: every endpoint accepts GET only and answers application/json.
#[tokio::test]
async fn every_endpoint_answers_only_get_and_only_with_json() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save(&api.db, TestOffer::new("flat")).await;
        for path in PATHS {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.header("content-type")),
                (200, "application/json"),
                "{path}"
            );
            assert!(answer.body.is_object(), "{path}");
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                let request = api
                    .request(method.clone(), path)
                    .bearer_auth(&account.token);
                let answer = Answer::from_response(request.send().await.unwrap()).await;
                assert_eq!(answer.status, 405, "{method} {path}");
                assert_eq!(
                    answer.header("content-type"),
                    "application/json",
                    "{method} {path}"
                );
            }
        }
    })
    .await;
}

/// Spec, Endpoints 2: every /v1 endpoint needs a token.
/// Spec, Authentication 1: every /v1 request needs a token, /health none.
#[tokio::test]
async fn v1_needs_a_token_and_nothing_else_does() {
    on_each(async |api| {
        for path in PATHS {
            let status = if path.starts_with("/v1") { 401 } else { 200 };
            assert_eq!(api.get(path).await.status, status, "{path}");
        }
    })
    .await;
}

/// Spec, Endpoints 3: unknown query parameters are rejected with 400, never ignored.
/// Spec, Endpoints 4: parameter names are case-sensitive.
/// Spec, detail 2: any query parameter gives 400.
/// Spec, me 2: any query parameter gives 400.
#[tokio::test]
async fn every_endpoint_refuses_unknown_parameters() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save(&api.db, TestOffer::new("flat")).await;
        for path in PATHS {
            for name in ["unknown", "Limit", "offertype", "TOKEN"] {
                let answer = api.get_as(&account, &format!("{path}?{name}=1")).await;
                assert_eq!(
                    (answer.status, answer.faulty()),
                    (400, vec![name]),
                    "{path}"
                );
            }
            let limit = api
                .get_as(&account, &format!("{path}?limit=1"))
                .await
                .status;
            assert_eq!(
                limit,
                if path == "/v1/offers" { 200 } else { 400 },
                "{path}"
            );
        }
    })
    .await;
}

/// Spec, Limits 4: every answer carries X-RateLimit-Limit, -Remaining and -Reset.
/// Spec, Silent 1: X-RateLimit-* are bare integers: the limit, what is left, the reset in Unix seconds.
/// Spec, Silent 2: where no account is known they are 0, 0 and the reset.
#[tokio::test]
async fn the_rate_limit_is_on_every_answer_whatever_its_status() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let reset = 1_785_542_400;
        for (path, limits) in [
            ("/v1/offers", (10, 9, reset)),
            ("/v1/offers?limit=0", (10, 8, reset)),
            ("/v1/offers/nowhere", (10, 7, reset)),
            ("/v1/offers?includeInactive=true", (10, 6, reset)),
            ("/v1/me", (10, 6, reset)),
            ("/v1/me?x=1", (10, 6, reset)),
            ("/health", (0, 0, reset)),
            ("/openapi.json", (0, 0, reset)),
            ("/nowhere", (0, 0, reset)),
        ] {
            assert_eq!(
                api.get_as(&account, path).await.rate_limit(),
                limits,
                "{path}"
            );
        }
    })
    .await;
}

/// Spec, search 16: each page is one request of the quota.
/// Spec, Pagination 2: count is the number of items on this page.
/// Spec, Pagination 3: hasMore is false on the last page.
#[tokio::test]
async fn three_pages_count_as_three_requests() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        save_all(&api.db, &["a", "b", "c", "d", "e"].map(TestOffer::new)).await;
        let (mut cursor, mut counts) = (String::new(), Vec::new());
        loop {
            let page = api
                .get_as(&account, &format!("/v1/offers?limit=2{cursor}"))
                .await;
            let pagination = &page.body["pagination"];
            assert_eq!(pagination["count"], page.ids().len());
            assert_eq!(pagination["hasMore"], page.next_cursor().is_some());
            counts.push(page.ids().len());
            match page.next_cursor() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!((counts, api.used(&account).await), (vec![2, 2, 1], 3));
    })
    .await;
}

/// Spec, Offer 6: id is stable, and opens the detail.
/// Spec, detail 1: offerId is the id from a search result.
#[tokio::test]
async fn every_id_of_a_search_opens_the_detail_even_after_a_change() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        save_all(&api.db, &["flat", "house_-9"].map(TestOffer::new)).await;
        for round in 0..2 {
            let page = api.get_as(&account, "/v1/offers").await;
            assert_eq!(page.ids().len(), 2);
            for id in page.ids() {
                let detail = api.get_as(&account, &format!("/v1/offers/{id}")).await;
                assert_eq!(
                    (detail.status, &detail.body["id"]),
                    (200, &Value::from(id)),
                    "{round}"
                );
            }
            save(
                &api.db,
                TestOffer::new("flat").with(|facts| facts.title = Some("Nově".to_owned())),
            )
            .await;
        }
    })
    .await;
}

/// Spec, Limits 8: a search is stopped after 10 seconds.
#[test]
fn the_default_search_timeout_is_ten_seconds() {
    let config = api::ApiConfig::new("http://here", Arc::new(|| Timestamp(0)));
    assert_eq!(config.search_timeout, Duration::from_secs(10));
}

/// Spec, Errors 16: the codes are these and no others.
#[test]
fn the_codes_are_the_nine_of_the_interface() {
    let document = api::openapi::document("");
    let error = &document["components"]["schemas"]["Error"]["properties"]["error"];
    let codes = serde_json::json!([
        "unauthorized",
        "forbidden",
        "plan-limit-exceeded",
        "not-found",
        "invalid-request",
        "payload-too-large",
        "quota-exceeded",
        "query-timeout",
        "internal-error",
    ]);
    assert_eq!(error["properties"]["code"]["enum"], codes);
}
