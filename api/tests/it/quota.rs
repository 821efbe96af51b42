//! Quotas (spec, Limits).

use std::time::Duration;

use reqwest::Method;
use schema::Plan;
use schema::store::accounts;

use crate::support::{TestApi, TestOffer, on_each, save};

/// Spec, search 16: each page is one request of the quota.
/// Spec, Limits 4: every answer carries X-RateLimit-Limit, -Remaining and -Reset.
/// Spec, Silent 3: 429 has `Retry-After`; `RateLimit` and `RateLimit-Policy` are sent too.
#[tokio::test]
async fn every_answer_reports_the_remaining_requests() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        for left in (0..10).rev() {
            let answer = api.get_as(&account, "/v1/offers").await;
            assert_eq!(
                (answer.status, answer.rate_limit()),
                (200, (10, left, 1_785_542_400))
            );
            assert_eq!(
                answer.header("ratelimit-policy"),
                "\"month\";q=10;w=2678400"
            );
            assert_eq!(
                answer.header("ratelimit"),
                format!("\"month\";r={left};t=1425600")
            );
        }
    })
    .await;
}

/// Spec, Purpose 6: access needs a token; each plan has a quota and a depth of history.
/// Spec, Errors 13: quota-exceeded is 429.
/// Spec, Limits 1: every authenticated request counts; after the last one, 429 until renewal.
/// Spec, Limits 2: the quota resets at midnight UTC on the first of the month.
/// Spec, Silent 3: 429 has `Retry-After`; `RateLimit` and `RateLimit-Policy` are sent too.
#[tokio::test]
async fn an_exhausted_quota_is_429_on_every_counted_endpoint_until_it_renews() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        for _ in 0..10 {
            assert_eq!(api.get_as(&account, "/v1/offers").await.status, 200);
        }
        for path in [
            "/v1/offers",
            "/v1/offers/any",
            "/v1/offers?limit=0",
            "/v1/offers?includeInactive=true",
        ] {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (429, "quota-exceeded"),
                "{path}"
            );
            assert_eq!(answer.rate_limit(), (10, 0, 1_785_542_400));
            assert_eq!(answer.header("retry-after"), "1425600");
            assert!(
                answer.message().contains("2026-08-01"),
                "{}",
                answer.message()
            );
        }
        assert_eq!(api.used(&account).await, 10);
        api.set_clock("2026-07-31T23:59:59Z");
        assert_eq!(api.get_as(&account, "/v1/offers").await.status, 429);
        api.set_clock("2026-08-01T00:00:00Z");
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!((answer.status, answer.rate_limit().1), (200, 9));
    })
    .await;
}

/// Spec, Limits 1: every authenticated request counts; after the last one, 429 until renewal.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
#[tokio::test]
async fn every_request_with_a_valid_token_counts_unless_the_service_failed() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        save(&api.db, TestOffer::new("there")).await;
        let etag = api
            .get_as(&account, "/v1/offers/there")
            .await
            .header("etag")
            .to_owned();
        let mut counted = 1;
        for (path, status) in [
            ("/v1/offers", 200),
            ("/v1/offers/there", 200),
            ("/v1/offers?nonsense=1", 400),
            ("/v1/offers/there?limit=1", 400),
            ("/v1/offers?includeInactive=true", 403),
            ("/v1/offers/nowhere", 404),
            ("/v1/offers/%ff", 404),
        ] {
            let answer = api.get_as(&account, path).await;
            counted += 1;
            assert_eq!(
                (answer.status, api.used(&account).await),
                (status, counted),
                "{path}"
            );
            assert_eq!(answer.rate_limit().1, 10 - counted, "{path}");
        }
        let held = api
            .request(Method::GET, "/v1/offers/there")
            .bearer_auth(&account.token)
            .header("If-None-Match", etag);
        assert_eq!(api.send("/v1/offers/there", held).await.status, 304);
        assert_eq!(api.used(&account).await, counted + 1);
    })
    .await;
}

/// Spec, search 19: 504 if it ran too long, not counted; the message says how to narrow it.
/// Spec, Errors 3: message says in English what went wrong and how to fix it.
/// Spec, Errors 14: query-timeout is 504.
/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
#[tokio::test]
async fn a_search_that_times_out_is_given_back() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| config.search_timeout = Duration::ZERO).await;
        let account = api.account(Plan::Free).await;
        for _ in 0..12 {
            let answer = api.get_as(&account, "/v1/offers").await;
            assert_eq!((answer.status, answer.code()), (504, "query-timeout"));
            assert_eq!(answer.rate_limit(), (10, 10, 1_785_542_400));
            assert!(
                answer.message().contains("radiusMeters"),
                "{}",
                answer.message()
            );
        }
        assert_eq!(api.used(&account).await, 0);
    })
    .await;
}

/// If searches use a read replica, it may fail while tokens and quotas still work. Until something changes, the index
/// still answers.
/// Spec, Errors 15: internal-error is 500.
/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
/// Spec, Silent 5: 200, 304, 400, 403 and 404 count; 401, 405, 413, 414, 429, 431, 500 and 504 do not.
#[tokio::test]
async fn a_search_that_fails_is_given_back() {
    let mut primaries = support::databases().await;
    let mut replicas = support::databases().await;
    let (Some(primary), Some(replica)) = (primaries.pop(), replicas.pop()) else {
        return;
    };
    if primary.name != "PostgreSQL" {
        return;
    }
    let mut settings = schema::store::DatabaseSettings::new(&primary.url);
    settings.read_url = Some(replica.url.clone());
    let db = schema::store::Db::open(&settings).await.unwrap();
    let api = TestApi::start(db.clone(), |_| ()).await;
    let account = api.account(Plan::Free).await;
    assert_eq!(api.get_as(&account, "/v1/offers").await.status, 200);
    replica.db.close().await;
    // Stop the database even though clients are connected.
    drop(replica);
    assert_eq!(api.get_as(&account, "/v1/offers").await.status, 200);
    save(&db, TestOffer::new("a")).await;
    for _ in 0..12 {
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!((answer.status, answer.code()), (500, "internal-error"));
        assert_eq!(answer.rate_limit(), (10, 8, 1_785_542_400));
    }
    assert_eq!(api.used(&account).await, 2);
    db.close().await;
}

/// Spec, Authentication 6: all tokens of one account share one quota.
/// Spec, Limits 1: every authenticated request counts; after the last one, 429 until renewal.
#[tokio::test]
async fn all_tokens_of_an_account_share_one_quota() {
    on_each(async |api| {
        let first = api.account(Plan::Free).await;
        let second = api.token_for(first.id, &first.name).await;
        let stranger = api.account(Plan::Free).await;
        for _ in 0..5 {
            api.get_as(&first, "/v1/offers").await;
            api.get_as(&second, "/v1/offers").await;
        }
        assert_eq!(api.get_as(&first, "/v1/offers").await.status, 429);
        assert_eq!(api.get_as(&second, "/v1/offers").await.status, 429);
        assert_eq!(api.get_as(&stranger, "/v1/offers").await.status, 200);
    })
    .await;
}

/// Spec, Silent 27: the quota is exact over concurrent requests to several processes.
#[tokio::test]
async fn concurrent_requests_to_several_processes_never_pass_the_limit() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        let other = api.beside(|_| ()).await;
        let requests = (0..260).map(|number| {
            let api = if number % 2 == 0 { &api } else { &other };
            api.get_as(&account, "/v1/offers")
        });
        let answers = futures::future::join_all(requests).await;
        let served: Vec<u32> = answers
            .iter()
            .filter(|answer| answer.status == 200)
            .map(|answer| answer.rate_limit().1)
            .collect();
        assert_eq!(served.len(), 100);
        assert!(
            answers
                .iter()
                .all(|answer| [200, 429].contains(&answer.status))
        );
        // Each answer reports a different remaining number.
        let mut left = served.clone();
        left.sort_unstable();
        assert_eq!(left, (0..100).collect::<Vec<u32>>());
        assert_eq!(api.used(&account).await, 100);
    })
    .await;
}

#[tokio::test]
async fn a_plan_lowered_below_the_use_has_no_requests_left() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for _ in 0..12 {
            api.get_as(&account, "/v1/offers").await;
        }
        accounts::set_plan(&api.db, &account.name, Plan::Free)
            .await
            .unwrap();
        api.advance(60);
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!(
            (answer.status, answer.rate_limit().0, answer.rate_limit().1),
            (429, 10, 0)
        );
        let me = api.get_as(&account, "/v1/me").await;
        assert_eq!(
            (
                me.body["usage"]["requestsUsed"].as_u64(),
                me.body["usage"]["requestsRemaining"].as_u64()
            ),
            (Some(12), Some(0))
        );
    })
    .await;
}
