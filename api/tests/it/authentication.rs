//! Authentication (spec, Authentication).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Method;
use schema::Plan;
use schema::store::{accounts, tokens};

use crate::support::{Account, Answer, TestApi, on_each};

async fn with_header(api: &TestApi, name: &str, value: &str) -> Answer {
    api.send(
        "/v1/me",
        api.request(Method::GET, "/v1/me").header(name, value),
    )
    .await
}

fn other_token(account: &Account) -> String {
    // A token with a valid checksum that belongs to no account.
    use rand::SeedableRng;
    let seed = account.token.bytes().map(u64::from).sum();
    api::auth::Token::generate(&mut rand::rngs::StdRng::seed_from_u64(seed))
        .expose()
        .to_owned()
}

/// Spec, Authentication 2: it is sent as Authorization: Bearer, as X-Api-Key, or as ?token=.
#[tokio::test]
async fn a_token_is_accepted_in_either_header_and_in_the_query() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        assert_eq!(
            with_header(&api, "Authorization", &format!("Bearer {}", account.token))
                .await
                .status,
            200
        );
        assert_eq!(
            with_header(
                &api,
                "authorization",
                &format!("bearer   {}", account.token)
            )
            .await
            .status,
            200
        );
        assert_eq!(
            with_header(&api, "X-Api-Key", &account.token).await.status,
            200
        );
        let answer = api.get(&format!("/v1/me?token={}", account.token)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("x-token-advice").contains("rotate"));
    })
    .await;
}

/// Spec, Authentication 2: it is sent as Authorization: Bearer, as X-Api-Key, or as ?token=.
/// Spec, Silent 8: token is accepted as a query parameter on every /v1 path.
#[tokio::test]
async fn every_v1_endpoint_takes_the_token_in_the_query() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for (path, status) in [
            ("/v1/offers", 200),
            ("/v1/me", 200),
            ("/v1/offers/nothing", 404),
        ] {
            assert_eq!(
                api.get(&format!("{path}?token={}", account.token))
                    .await
                    .status,
                status,
                "{path}"
            );
        }
    })
    .await;
}

/// Spec, Purpose 6: access needs a token; each plan has a quota and a depth of history.
/// Spec, Endpoints 2: every /v1 endpoint needs a token.
/// Spec, Authentication 4: a missing, unknown or revoked token is 401 unauthorized.
/// Spec, Errors 7: unauthorized is 401: the token is missing, unknown or revoked.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
#[tokio::test]
async fn a_missing_unknown_or_revoked_token_is_401_everywhere() {
    on_each(async |api| {
        let (account, revoked) = (api.account(Plan::Pro).await, api.account(Plan::Pro).await);
        tokens::revoke(&api.db, &revoked.token_id, api.now())
            .await
            .unwrap();
        let unknown = other_token(&account);
        for path in [
            "/v1/offers",
            "/v1/offers/any",
            "/v1/me",
            "/v1/offers?limit=0",
        ] {
            let answer = api.get(path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (401, "unauthorized"),
                "{path}"
            );
            assert_eq!(answer.rate_limit(), (0, 0, 1_785_542_400));
            assert!(answer.header("www-authenticate").starts_with("Bearer"));
            for token in ["nonsense", &unknown, &revoked.token, &account.token[..41]] {
                let answer = api
                    .send(path, api.request(Method::GET, path).bearer_auth(token))
                    .await;
                assert_eq!(
                    (answer.status, answer.code()),
                    (401, "unauthorized"),
                    "{path}"
                );
            }
        }
        assert_eq!(api.used(&account).await, 0);
        assert_eq!(api.used(&revoked).await, 0);
    })
    .await;
}

/// Spec, Authentication 3: X-Api-Key counts first, then ?token=, then Authorization.
#[tokio::test]
async fn the_api_key_comes_before_the_query_and_the_query_before_the_authorization() {
    on_each(async |api| {
        let (first, second) = (api.account(Plan::Pro).await, api.account(Plan::Free).await);
        let plan = |answer: &Answer| answer.body["plan"]["id"].as_str().map(str::to_owned);

        let path = format!("/v1/me?token={}", second.token);
        let both = api
            .request(Method::GET, &path)
            .header("X-Api-Key", &first.token)
            .bearer_auth("own sign-in");
        assert_eq!(
            plan(&api.send("/v1/me", both).await).as_deref(),
            Some("proV2")
        );
        let query = api.request(Method::GET, &path).bearer_auth(&first.token);
        assert_eq!(
            plan(&api.send("/v1/me", query).await).as_deref(),
            Some("free")
        );
    })
    .await;
}

/// Spec, Authentication 3: X-Api-Key counts first, then ?token=, then Authorization.
/// Spec, Silent 6: there is no falling back from a wrong token to a right one.
#[tokio::test]
async fn a_wrong_token_is_not_replaced_by_a_valid_one_sent_elsewhere() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let key = api
            .request(Method::GET, "/v1/me")
            .header("X-Api-Key", "wrong")
            .bearer_auth(&account.token);
        assert_eq!(api.send("/v1/me", key).await.status, 401);
        let query = api
            .request(Method::GET, "/v1/me?token=wrong")
            .bearer_auth(&account.token);
        assert_eq!(api.send("/v1/me", query).await.status, 401);
        let basic = api
            .request(Method::GET, "/v1/me")
            .header("Authorization", "Basic YTpi");
        assert_eq!(api.send("/v1/me", basic).await.status, 401);
    })
    .await;
}

/// Spec, Silent 7: an empty header counts as not sent.
#[tokio::test]
async fn an_empty_header_counts_as_not_sent() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let request = api
            .request(Method::GET, "/v1/me")
            .header("X-Api-Key", "")
            .bearer_auth(&account.token);
        assert_eq!(api.send("/v1/me", request).await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn an_empty_or_repeated_token_parameter_is_an_error_of_the_query() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let empty = api.get_as(&account, "/v1/offers?token=").await;
        assert_eq!((empty.status, empty.faulty()), (400, vec!["token"]));
        let twice = api
            .get(&format!("/v1/offers?token={}&token=x", account.token))
            .await;
        assert_eq!((twice.status, twice.faulty()), (400, vec!["token"]));
        assert!(!String::from_utf8_lossy(&twice.bytes).contains(&account.token));
    })
    .await;
}

/// Spec, Authentication 5: revoking a token and changing a plan take effect within 60 seconds.
/// Spec, Limits 10: revocation and plan changes take effect within 60 seconds.
#[tokio::test]
async fn a_revoked_token_and_a_changed_plan_are_noticed_within_a_minute() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let spare = api.token_for(account.id, &account.name).await;
        assert_eq!(
            api.get_as(&account, "/v1/me").await.body["plan"]["id"],
            "free"
        );
        assert_eq!(api.get_as(&spare, "/v1/me").await.status, 200);
        tokens::revoke(&api.db, &spare.token_id, api.now())
            .await
            .unwrap();
        accounts::set_plan(&api.db, &account.name, Plan::Investor)
            .await
            .unwrap();
        api.advance(59);
        assert_eq!(api.get_as(&spare, "/v1/me").await.status, 401);
        let me = api.get_as(&account, "/v1/me").await;
        assert_eq!(me.body["plan"]["id"], "investor");
        assert_eq!(me.rate_limit().0, 1000);
    })
    .await;
}

/// Spec, Authentication 5: revoking a token and changing a plan take effect within 60 seconds.
/// Spec, Limits 10: revocation and plan changes take effect within 60 seconds.
#[tokio::test]
async fn every_process_notices_a_revocation_within_a_minute() {
    on_each(async |api| {
        let servers = [
            api.beside(|_| ()).await,
            api.beside(|_| ()).await,
            api.beside(|_| ()).await,
        ];
        let raised = api.account(Plan::Free).await;
        let lowered = api.account(Plan::Investor).await;
        let revoked = api.token_for(lowered.id, &lowered.name).await;
        for _ in 0..10 {
            assert_eq!(api.get_as(&raised, "/v1/offers").await.status, 200);
        }
        // Each process last looked at a different time, the last one at the instant of the change.
        for server in &servers {
            for account in [&raised, &lowered, &revoked] {
                api.advance(7);
                let answer = server
                    .get_as(account, "/v1/offers?includeInactive=true")
                    .await;
                assert_eq!(
                    answer.status,
                    if account.id == raised.id { 429 } else { 200 }
                );
            }
        }
        accounts::set_plan(&api.db, &raised.name, Plan::Pro)
            .await
            .unwrap();
        accounts::set_plan(&api.db, &lowered.name, Plan::Free)
            .await
            .unwrap();
        tokens::revoke(&api.db, &revoked.token_id, api.now())
            .await
            .unwrap();
        api.advance(59);
        for server in &servers {
            let answer = server
                .get_as(&raised, "/v1/offers?includeInactive=true")
                .await;
            assert_eq!((answer.status, answer.rate_limit().0), (200, 500));
            let answer = server
                .get_as(&lowered, "/v1/offers?includeInactive=true")
                .await;
            assert_eq!((answer.status, answer.rate_limit().0), (403, 10));
            assert_eq!(server.get_as(&revoked, "/v1/me").await.status, 401);
        }
    })
    .await;
}

#[tokio::test]
async fn a_token_created_after_it_was_tried_works_within_a_minute() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let unknown = other_token(&account);
        let request = || api.request(Method::GET, "/v1/me").bearer_auth(&unknown);
        assert_eq!(api.send("/v1/me", request()).await.status, 401);
        let token = api::auth::Token::parse(&unknown).unwrap();
        let record = schema::TokenRecord {
            id: "tok_late".to_owned(),
            account_id: account.id,
            prefix: token.prefix().to_owned(),
            created_at: api.now(),
            revoked_at: None,
        };
        let key = api::auth::token_key(&api.db, [0; 32]).await.unwrap();
        tokens::create(&api.db, &record, &key.hash(&token))
            .await
            .unwrap();
        api.advance(59);
        assert_eq!(api.send("/v1/me", request()).await.status, 200);
    })
    .await;
}

/// With an outside geocoder that is asked for unknown addresses.
#[tokio::test]
async fn a_token_sent_as_an_address_is_not_passed_on_or_repeated() {
    support::on_each_database(async |db| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let api = TestApi::start(db, move |config| {
            config.outside_geocoder = Some(Arc::new(move |_| {
                counter.fetch_add(1, Ordering::SeqCst);
                Box::pin(async { None })
            }));
        })
        .await;
        let account = api.account(Plan::Pro).await;
        for address in [
            account.token.clone(),
            format!("Praha;token={}", account.token),
        ] {
            let answer = api
                .get_as(&account, &format!("/v1/offers?address={address}"))
                .await;
            assert_eq!((answer.status, answer.faulty()), (400, vec!["address"]));
            assert!(
                answer.fault("address").contains("Rotate"),
                "{}",
                answer.fault("address")
            );
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
        api.get_as(&account, "/v1/offers?address=Qwxzkj").await;
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    })
    .await;
}
