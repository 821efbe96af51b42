//! Many requests without a valid token slow down their sender and do not affect other clients.

use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::Method;
use schema::Plan;
use schema::store::{accounts, tokens};

use crate::support::{Answer, TestApi, on_each};

/// A well-formed token that belongs to no account.
fn invented(seed: u64) -> String {
    api::auth::Token::generate(&mut StdRng::seed_from_u64(1_000_000 + seed))
        .expose()
        .to_owned()
}

async fn me(api: &TestApi, token: &str) -> Answer {
    api.send(
        "/v1/me",
        api.request(Method::GET, "/v1/me").bearer_auth(token),
    )
    .await
}

/// Sends as many attempts as are allowed per minute.
async fn exhaust(api: &TestApi) {
    for seed in 0..3 {
        let answer = me(api, &invented(seed)).await;
        assert_eq!(
            (answer.status, answer.code(), answer.header("retry-after")),
            (401, "unauthorized", "")
        );
    }
}

async fn strict(db: schema::store::Db) -> TestApi {
    TestApi::start(db, |config| config.failed_attempts = 3).await
}

/// Spec, Authentication 4: a missing, unknown or revoked token is 401 unauthorized.
/// Spec, Silent 29: too many requests without a valid token get `Retry-After`; requests with one are still answered.
#[tokio::test]
async fn too_many_requests_without_a_token_get_retry_after() {
    support::on_each_database(async |db| {
        let api = strict(db).await;
        exhaust(&api).await;
        for request in [
            api.request(Method::GET, "/v1/me"),
            api.request(Method::GET, "/v1/me")
                .header("X-Api-Key", "nonsense"),
            api.request(Method::GET, "/v1/me").bearer_auth(invented(9)),
        ] {
            let answer = api.send("/v1/me", request).await;
            // It has nothing to do with the monthly quota, and /v1/me is never 429.
            assert_eq!((answer.status, answer.code()), (401, "unauthorized"));
            assert_eq!(answer.header("retry-after"), "20");
            assert!(
                answer.message().contains("wait 20 seconds"),
                "{}",
                answer.message()
            );
            assert!(answer.header("www-authenticate").starts_with("Bearer"));
        }
        api.advance(19);
        let soon = me(&api, &invented(9)).await;
        assert!(
            soon.message().contains("wait 1 second before"),
            "{}",
            soon.message()
        );
        api.advance(1);
        assert_eq!(me(&api, &invented(10)).await.header("retry-after"), "");
        assert_eq!(me(&api, &invented(11)).await.header("retry-after"), "20");
        api.advance(60);
        exhaust(&api).await;
    })
    .await;
}

/// Spec, Silent 29: too many requests without a valid token get `Retry-After`; requests with one are still answered.
#[tokio::test]
async fn a_valid_token_is_answered_whatever_others_send_from_its_address() {
    support::on_each_database(async |db| {
        let api = strict(db).await;
        let (seen, unseen) = (api.account(Plan::Free).await, api.account(Plan::Pro).await);
        let made = api.token_for(unseen.id, &unseen.name).await;
        assert_eq!(api.get_as(&seen, "/v1/me").await.status, 200);
        exhaust(&api).await;
        assert_eq!(me(&api, &invented(4)).await.header("retry-after"), "20");
        // One token that is cached, and two that this process has never seen.
        for account in [&seen, &unseen, &made] {
            assert_eq!(api.get_as(account, "/v1/me").await.status, 200);
            let in_query = api
                .get(&format!("/v1/offers?token={}", account.token))
                .await;
            assert_eq!(in_query.status, 200);
        }
        // The cached answer is looked up again when it has expired.
        api.advance(59);
        for seed in 20..24 {
            me(&api, &invented(seed)).await;
        }
        tokens::revoke(&api.db, &made.token_id, api.now())
            .await
            .unwrap();
        accounts::set_plan(&api.db, &seen.name, Plan::Pro)
            .await
            .unwrap();
        assert_eq!(
            api.get_as(&seen, "/v1/me").await.body["plan"]["id"],
            "proV2"
        );
        let revoked = api.get_as(&made, "/v1/me").await;
        assert_eq!((revoked.status, revoked.header("retry-after")), (401, "1"));
    })
    .await;
}

#[tokio::test]
async fn the_limit_can_be_switched_off() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| config.failed_attempts = 0).await;
        for _ in 0..100 {
            assert_eq!(api.get("/v1/me").await.header("retry-after"), "");
        }
    })
    .await;
}

#[tokio::test]
async fn a_normal_client_stays_far_below_the_limit() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        // Other errors of the client and failures of the service are not attempts.
        for path in [
            "/v1/offers?limit=0",
            "/v1/offers/none",
            "/v1/offers?includeInactive=true",
            "/nowhere",
        ] {
            for _ in 0..30 {
                assert_ne!(api.get_as(&account, path).await.status, 401, "{path}");
            }
        }
        // A wrong token every two seconds never reaches the limit.
        for _ in 0..100 {
            assert_eq!(me(&api, "nonsense").await.header("retry-after"), "");
            api.advance(2);
        }
    })
    .await;
}
