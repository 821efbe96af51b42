//! GET /v1/me.

use schema::Plan;
use schema::store::accounts;
use serde_json::json;

use crate::support::on_each;

/// Spec, me 1: it reports the token, its plan and this month's quota.
/// Spec, Me 2: token.prefix is the leading characters of the token.
/// Spec, Me 4: usage.month is the calendar month, YYYY-MM.
/// Spec, Me 5: requestsUsed and requestsRemaining are the quota's state.
/// Spec, Me 6: resetsAt is the start of the next month, UTC.
/// Spec, Limits 5: /v1/me reports the remaining quota.
#[tokio::test]
async fn it_reports_the_token_the_plan_and_the_quota() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for _ in 0..3 {
            api.get_as(&account, "/v1/offers").await;
        }
        let me = api.get_as(&account, "/v1/me").await;
        assert_eq!(
            me.body,
            json!({
                "token": { "id": account.token_id, "prefix": &account.token[..10] },
                "plan": { "id": "proV2", "name": "Pro", "requestsPerMonth": 500, "historyMonths": 3 },
                "usage": {
                    "month": "2026-07",
                    "requestsUsed": 3,
                    "requestsRemaining": 497,
                    "resetsAt": "2026-08-01T00:00:00Z",
                },
            })
        );
        assert_eq!(me.rate_limit(), (500, 497, 1_785_542_400));
    })
    .await;
}

/// Spec, Purpose 6: access needs a token; each plan has a quota and a depth of history.
/// Spec, Me 3: plan.id, requestsPerMonth and historyMonths are those of the plan.
/// Spec, Limits 0: the plans have the ids, requests and histories of the table.
#[tokio::test]
async fn every_plan_has_its_limits() {
    on_each(async |api| {
        for (plan, id, name, requests, months) in [
            (Plan::Free, "free", "Free", 10, 0),
            (Plan::Basic, "basicV2", "Basic", 100, 0),
            (Plan::Pro, "proV2", "Pro", 500, 3),
            (Plan::Investor, "investor", "Investor", 1000, 6),
            (Plan::Custom, "customV2", "Custom", 1000, 6),
        ] {
            let account = api.account(plan).await;
            let me = api.get_as(&account, "/v1/me").await;
            let expected =
                json!({ "id": id, "name": name, "requestsPerMonth": requests, "historyMonths": months });
            assert_eq!(me.body["plan"], expected);
        }
    })
    .await;
}

#[tokio::test]
async fn an_agreed_number_of_requests_overrides_the_plan() {
    on_each(async |api| {
        let created = accounts::create(&api.db, "agreed", Plan::Custom, Some(25_000), api.now())
            .await
            .unwrap();
        let account = api.token_for(created.id, "agreed").await;
        let me = api.get_as(&account, "/v1/me").await;
        assert_eq!(me.body["plan"]["requestsPerMonth"], 25_000);
        assert_eq!(me.rate_limit().0, 25_000);
    })
    .await;
}

/// Spec, me 3: its statuses are 200, 400 and 401: never 429.
/// Spec, Silent 4: /v1/me is free of charge.
#[tokio::test]
async fn it_is_not_counted_and_never_429() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        for _ in 0..12 {
            api.get_as(&account, "/v1/offers").await;
        }
        assert_eq!(api.get_as(&account, "/v1/offers").await.status, 429);
        let me = api.get_as(&account, "/v1/me").await;
        assert_eq!(me.status, 200);
        assert_eq!(me.body["usage"]["requestsUsed"], 10);
        assert_eq!(me.body["usage"]["requestsRemaining"], 0);
    })
    .await;
}

/// Spec, me 2: any query parameter gives 400.
/// Spec, Silent 4: /v1/me is free of charge.
#[tokio::test]
async fn it_takes_no_parameters_and_errors_are_not_counted() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/v1/me?limit=5&x=").await;
        assert_eq!((answer.status, answer.code()), (400, "invalid-request"));
        assert_eq!(answer.faulty(), ["limit", "x"]);
        assert_eq!(api.used(&account).await, 0);
    })
    .await;
}
