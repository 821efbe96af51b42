//! The error envelope (spec, Errors).

use reqwest::Method;
use schema::Plan;

use crate::support::{Answer, on_each};

/// Spec, Endpoints 5: the service has exactly these five endpoints.
/// Spec, Errors 1: every error body is JSON: error with code and message, and requestId.
/// Spec, Silent 2: where no account is known they are 0, 0 and the reset.
/// Spec, Silent 21: an unknown path is 404 not-found.
#[tokio::test]
async fn an_unknown_path_is_404_with_the_envelope() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for path in [
            "/",
            "/v1",
            "/v1/",
            "/v1/offer",
            "/v1/offers/",
            "/v1/offers/a/b",
            "/V1/offers",
            "/v2/offers",
            "/openapi",
            "/health/",
            "/v1/%zz",
            "/%ff",
            "//v1/offers",
            "/metrics",
        ] {
            for answer in [api.get(path).await, api.get_as(&account, path).await] {
                assert_eq!((answer.status, answer.code()), (404, "not-found"), "{path}");
                assert_eq!(answer.rate_limit(), (0, 0, 1_785_542_400), "{path}");
                assert!(answer.message().contains("/v1/offers"), "{path}");
            }
        }
        assert_eq!(api.used(&account).await, 0);
    })
    .await;
}

/// Spec, Purpose 3: it is read-only: GET alone is accepted, and JSON comes back.
/// Spec, Endpoints 1: every endpoint accepts GET only and answers application/json.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
/// Spec, Silent 19: another method is 405 invalid-request with Allow: GET, HEAD.
#[tokio::test]
async fn another_method_is_405_and_not_counted() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for path in [
            "/v1/offers",
            "/v1/offers/any",
            "/v1/me",
            "/health",
            "/openapi.json",
        ] {
            for method in [
                Method::POST,
                Method::PUT,
                Method::PATCH,
                Method::DELETE,
                Method::OPTIONS,
                Method::TRACE,
            ] {
                let request = api.request(method.clone(), path);
                let answer = Answer::from_response(request.send().await.unwrap()).await;
                assert_eq!(
                    (answer.status, answer.code()),
                    (405, "invalid-request"),
                    "{method} {path}"
                );
                assert_eq!(answer.header("allow"), "GET, HEAD", "{method} {path}");
                assert_eq!(answer.body["requestId"], answer.header("x-request-id"));
                assert_eq!(answer.rate_limit().0, 0);
            }
        }
        let request = api
            .request(Method::POST, "/v1/offers")
            .bearer_auth(&account.token);
        let answer = Answer::from_response(request.send().await.unwrap()).await;
        assert_eq!(
            (answer.status, answer.rate_limit().0, answer.rate_limit().1),
            (405, 500, 500)
        );
        assert_eq!(api.used(&account).await, 0);
    })
    .await;
}

/// Spec, Silent 20: HEAD is answered like GET without a body.
#[tokio::test]
async fn head_is_answered_like_get_without_a_body() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for path in [
            "/v1/offers",
            "/v1/offers/nothing",
            "/v1/me",
            "/health",
            "/openapi.json",
            "/nowhere",
            "/v1/offers?limit=0",
        ] {
            let get = api.get_as(&account, path).await;
            let request = api.request(Method::HEAD, path).bearer_auth(&account.token);
            let head = Answer::from_response(request.send().await.unwrap()).await;
            assert_eq!(head.status, get.status, "{path}");
            assert!(head.bytes.is_empty(), "{path}");
            for header in [
                "content-type",
                "content-length",
                "etag",
                "cache-control",
                "vary",
            ] {
                assert_eq!(
                    head.header(header),
                    get.header(header),
                    "{header} of {path}"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn head_has_no_length_if_get_would_be_compressed() {
    on_each(async |api| {
        let headers = async |method| {
            let request = api
                .request(method, "/openapi.json")
                .header("Accept-Encoding", "gzip");
            Answer::from_response(request.send().await.unwrap()).await
        };
        let (get, head) = (headers(Method::GET).await, headers(Method::HEAD).await);
        assert!(head.bytes.is_empty());
        for header in ["content-encoding", "content-length", "etag", "vary"] {
            assert_eq!(head.header(header), get.header(header), "{header}");
        }
        assert_eq!(head.header("content-encoding"), "gzip");
    })
    .await;
}

#[tokio::test]
async fn head_of_a_body_that_the_client_has_has_no_length() {
    on_each(async |api| {
        let etag = api.get("/openapi.json").await.header("etag").to_owned();
        let request = api
            .request(Method::HEAD, "/openapi.json")
            .header("If-None-Match", etag);
        let head = Answer::from_response(request.send().await.unwrap()).await;
        assert_eq!((head.status, head.header("content-length")), (304, ""));
    })
    .await;
}

#[tokio::test]
async fn a_head_request_counts_like_a_get() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let request = api
            .request(Method::HEAD, "/v1/offers")
            .bearer_auth(&account.token);
        assert_eq!(
            request.send().await.unwrap().headers()["x-ratelimit-remaining"],
            "499"
        );
        assert_eq!(api.used(&account).await, 1);
    })
    .await;
}

/// Spec, Errors 2: requestId is in the header X-Request-Id too.
#[tokio::test]
async fn every_answer_has_its_own_id_whatever_the_client_sends() {
    on_each(async |api| {
        let sent = || {
            api.request(Method::GET, "/nowhere")
                .header("X-Request-Id", "mine")
        };
        let (first, second) = (
            api.send("/nowhere", sent()).await,
            api.send("/nowhere", sent()).await,
        );
        assert_ne!(first.header("x-request-id"), "mine");
        assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
        assert_eq!(first.body["requestId"], first.header("x-request-id"));
    })
    .await;
}

/// Spec, Errors 12: payload-too-large is 413.
#[tokio::test]
async fn a_large_body_is_413_and_a_small_one_is_ignored() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let large = api
            .request(Method::GET, "/v1/me")
            .bearer_auth(&account.token)
            .body(vec![b'x'; 20_000]);
        let answer = api.send("/v1/me", large).await;
        assert_eq!((answer.status, answer.code()), (413, "payload-too-large"));
        let small = api
            .request(Method::GET, "/v1/me")
            .bearer_auth(&account.token)
            .body("{}");
        assert_eq!(api.send("/v1/me", small).await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn an_overlong_query_is_414_with_the_envelope() {
    on_each(async |api| {
        let path = format!("/v1/offers?address={}", "x".repeat(9000));
        let answer = api.get(&path).await;
        assert_eq!((answer.status, answer.code()), (414, "invalid-request"));
    })
    .await;
}

/// Spec, Limits 4: every answer carries X-RateLimit-Limit, -Remaining and -Reset.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
#[tokio::test]
async fn an_oversized_request_with_a_valid_token_is_told_its_quota_and_not_counted() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        assert_eq!(api.get_as(&account, "/v1/offers").await.status, 200);
        let request = |path: &str| {
            api.request(Method::GET, path)
                .header("X-Api-Key", &account.token)
        };
        let long = format!("/v1/offers?address={}", "x".repeat(9000));
        for (status, path, sent) in [
            (
                413,
                "/v1/offers",
                request("/v1/offers").body(vec![b'x'; 20_000]),
            ),
            (414, long.as_str(), request(&long)),
            (
                431,
                "/v1/me",
                request("/v1/me").header("X-A", "b".repeat(40_000)),
            ),
        ] {
            let answer = api.send(path, sent).await;
            assert_eq!(answer.status, status);
            assert_eq!(answer.rate_limit(), (500, 499, 1_785_542_400), "{status}");
            assert!(answer.header("ratelimit").contains("r=499"), "{status}");
        }
        let public = api
            .request(Method::GET, "/health")
            .header("X-Api-Key", &account.token)
            .header("X-A", "b".repeat(40_000));
        let answer = api.send("/health", public).await;
        assert_eq!((answer.status, answer.rate_limit().0), (431, 0));
        assert_eq!(api.used(&account).await, 1);
    })
    .await;
}

/// Spec, Errors 15: internal-error is 500.
#[tokio::test]
async fn a_failure_of_the_service_is_500_without_its_cause() {
    for database in support::databases().await {
        let api = crate::support::TestApi::start(database.db.clone(), |_| ()).await;
        let account = api.account(Plan::Pro).await;
        assert_eq!(api.get_as(&account, "/v1/me").await.status, 200);
        database.db.close().await;
        for path in ["/v1/offers", "/v1/me"] {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (500, "internal-error"),
                "{}: {path}",
                database.name
            );
            assert!(
                !answer.message().to_lowercase().contains("sql"),
                "{}",
                answer.message()
            );
            assert!(answer.body["error"].get("details").is_none());
        }
    }
}
