//! Cross-origin requests from browsers.

use reqwest::Method;
use schema::Plan;

use crate::support::{Answer, TestApi, on_each};

const ORIGIN: &str = "https://map.example";

#[tokio::test]
async fn a_configured_origin_may_send_requests_and_read_the_headers() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| config.cors_origins = vec![ORIGIN.to_owned()]).await;
        let account = api.account(Plan::Pro).await;
        for path in ["/v1/offers", "/v1/offers?x=1", "/health", "/nowhere"] {
            let request = api
                .request(Method::GET, path)
                .bearer_auth(&account.token)
                .header("Origin", ORIGIN);
            let answer = api.send(path, request).await;
            assert_eq!(
                answer.header("access-control-allow-origin"),
                ORIGIN,
                "{path}"
            );
            for header in [
                "X-RateLimit-Remaining",
                "X-Request-Id",
                "ETag",
                "Retry-After",
            ] {
                assert!(
                    answer
                        .header("access-control-expose-headers")
                        .contains(header),
                    "{path}: {header}"
                );
            }
        }
        let preflight = api
            .request(Method::OPTIONS, "/v1/offers")
            .header("Origin", ORIGIN)
            .header("Access-Control-Request-Method", "GET")
            .header("Access-Control-Request-Headers", "authorization");
        let answer = Answer::from_response(preflight.send().await.unwrap()).await;
        assert_eq!(
            (answer.status, answer.header("access-control-allow-methods")),
            (204, "GET, HEAD")
        );
        assert!(
            answer
                .header("access-control-allow-headers")
                .contains("X-Api-Key")
        );
        assert!(answer.headers.contains_key("x-ratelimit-limit"));
    })
    .await;
}

#[tokio::test]
async fn other_origins_are_not_allowed() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| config.cors_origins = vec![ORIGIN.to_owned()]).await;
        let request = api
            .request(Method::GET, "/health")
            .header("Origin", "https://evil.example");
        let answer = api.send("/health", request).await;
        assert_eq!(
            (answer.status, answer.header("access-control-allow-origin")),
            (200, "")
        );
        assert!(answer.header("vary").contains("Origin"));
        let options = api
            .request(Method::OPTIONS, "/v1/offers")
            .header("Origin", ORIGIN);
        assert_eq!(options.send().await.unwrap().status(), 405);
    })
    .await;
}

#[tokio::test]
async fn a_star_allows_every_origin() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| config.cors_origins = vec!["*".to_owned()]).await;
        let request = api
            .request(Method::GET, "/health")
            .header("Origin", "https://any.example");
        assert_eq!(
            api.send("/health", request)
                .await
                .header("access-control-allow-origin"),
            "*"
        );
    })
    .await;
}

#[tokio::test]
async fn cors_is_off_by_default() {
    on_each(async |api| {
        let request = api.request(Method::GET, "/health").header("Origin", ORIGIN);
        assert!(
            !api.send("/health", request)
                .await
                .headers
                .contains_key("access-control-allow-origin")
        );
    })
    .await;
}
