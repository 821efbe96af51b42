//! Months: when they end, what happens to requests in flight then, and how far the history window reaches.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use schema::store::{accounts, usage};
use schema::{Location, Month, Plan, Timestamp};
use tokio::sync::{Notify, mpsc};

use crate::support::{Account, TestApi, TestOffer, on_each, save};

const JULY: Month = Month {
    year: 2026,
    month: 7,
};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An account with one request per month.
async fn with_one_request(api: &TestApi) -> Account {
    let created = accounts::create(&api.db, "one", Plan::Custom, Some(1), api.now())
        .await
        .unwrap();
    api.token_for(created.id, "one").await
}

/// Spec, Limits 2: the quota resets at midnight UTC on the first of the month.
/// Spec, Me 4: usage.month is the calendar month, YYYY-MM.
/// Spec, Me 6: resetsAt is the start of the next month, UTC.
#[expect(
    clippy::too_many_lines,
    reason = "one scenario over the turn of a month"
)]
#[tokio::test]
async fn a_quota_renews_with_the_first_instant_of_the_next_month_and_not_before() {
    on_each(async |api| {
        let account = with_one_request(&api).await;
        for (now, seconds, window, last, reset) in [
            (
                "2026-01-31T23:59:00Z",
                60,
                31,
                "2026-01-31T23:59:59.999Z",
                "2026-02-01T00:00:00Z",
            ),
            (
                "2026-04-30T00:00:00Z",
                86_400,
                30,
                "2026-04-30T23:59:59.999Z",
                "2026-05-01T00:00:00Z",
            ),
            (
                "2026-12-31T23:59:58.500Z",
                2,
                31,
                "2026-12-31T23:59:59.999Z",
                "2027-01-01T00:00:00Z",
            ),
            (
                "2027-02-28T23:59:59.999Z",
                1,
                28,
                "2027-02-28T23:59:59.999Z",
                "2027-03-01T00:00:00Z",
            ),
            (
                "2028-02-28T23:59:59Z",
                86_401,
                29,
                "2028-02-29T23:59:59.999Z",
                "2028-03-01T00:00:00Z",
            ),
            (
                "2100-02-28T23:59:59Z",
                1,
                28,
                "2100-02-28T23:59:59.999Z",
                "2100-03-01T00:00:00Z",
            ),
        ] {
            api.set_clock(now);
            let reset_seconds = at(reset).millis() / 1000;
            assert_eq!(
                api.get_as(&account, "/v1/offers").await.status,
                200,
                "{now}"
            );
            let refused = api.get_as(&account, "/v1/offers").await;
            assert_eq!(
                (refused.status, refused.rate_limit()),
                (429, (1, 0, reset_seconds)),
                "{now}"
            );
            assert_eq!(refused.header("retry-after"), seconds.to_string(), "{now}");
            assert_eq!(
                refused.header("ratelimit"),
                format!("\"month\";r=0;t={seconds}"),
                "{now}"
            );
            let policy = format!("\"month\";q=1;w={}", window * 86_400);
            assert_eq!(refused.header("ratelimit-policy"), policy, "{now}");
            assert!(refused.message().contains(reset), "{}", refused.message());
            let usage = api.get_as(&account, "/v1/me").await.body["usage"].clone();
            assert_eq!(
                (usage["month"].as_str(), usage["resetsAt"].as_str()),
                (now.get(..7), Some(reset))
            );
            api.set_clock(last);
            assert_eq!(
                api.get_as(&account, "/v1/offers").await.status,
                429,
                "{last}"
            );
            api.set_clock(reset);
            assert_eq!(
                api.get_as(&account, "/v1/offers/none").await.status,
                404,
                "{reset}"
            );
        }
    })
    .await;
}

/// What the outside geocoder does with a request that waits for it.
#[derive(Clone, Copy)]
enum Then {
    Finds,
    Panics,
    Hangs,
}

/// Starts a search in the last second of July and ends it in August. Returns the status and the rest of July's quota.
async fn over_midnight(
    api: &TestApi,
    account: &Account,
    gate: (&mut mpsc::UnboundedReceiver<()>, &Notify),
) -> (u16, u32) {
    api.set_clock("2026-07-31T23:59:59.900Z");
    let request = api
        .request(Method::GET, "/v1/offers?address=Qwxzkj")
        .bearer_auth(&account.token);
    let in_flight = tokio::spawn(request.send());
    gate.0.recv().await.unwrap();
    assert_eq!(
        usage::used(&api.db, account.id, JULY).await.unwrap(),
        1,
        "counted before any work is done"
    );
    api.set_clock("2026-08-01T00:00:00.100Z");
    gate.1.notify_one();
    let answer = in_flight.await.unwrap().unwrap();
    // The answer reports the quota of July.
    assert_eq!(answer.headers()["x-ratelimit-reset"], "1785542400");
    let left = answer.headers()["x-ratelimit-remaining"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    (answer.status().as_u16(), left)
}

/// Spec, Limits 2: the quota resets at midnight UTC on the first of the month.
/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
#[tokio::test]
async fn a_request_in_flight_at_midnight_counts_in_the_month_of_its_arrival() {
    for (then, status, counted) in [
        (Then::Finds, 200, 1),
        (Then::Panics, 500, 0),
        (Then::Hangs, 504, 0),
    ] {
        support::on_each_database(async |db| {
            let (asked, mut was_asked) = mpsc::unbounded_channel();
            let answer = Arc::new(Notify::new());
            let api = TestApi::start(db, |config| {
                let answer = Arc::clone(&answer);
                if matches!(then, Then::Hangs) {
                    config.search_timeout = Duration::from_millis(300);
                }
                config.outside_geocoder = Some(Arc::new(move |_| {
                    asked.send(()).unwrap();
                    let answer = Arc::clone(&answer);
                    Box::pin(async move {
                        answer.notified().await;
                        match then {
                            Then::Finds => Some(Location {
                                lat: 50.0,
                                lng: 14.0,
                            }),
                            Then::Panics => panic!("the geocoder is broken"),
                            Then::Hangs => std::future::pending().await,
                        }
                    })
                }));
            })
            .await;
            let account = with_one_request(&api).await;
            let (answered, left) = over_midnight(&api, &account, (&mut was_asked, &answer)).await;
            assert_eq!((answered, left), (status, 1 - counted));
            assert_eq!(
                usage::used(&api.db, account.id, JULY).await.unwrap(),
                counted,
                "{status}"
            );
            assert_eq!(
                usage::used(&api.db, account.id, JULY.next()).await.unwrap(),
                0,
                "{status}"
            );
            // Nothing is counted in August.
            let answer = api.get_as(&account, "/v1/offers").await;
            assert_eq!(
                (answer.status, answer.rate_limit()),
                (200, (1, 0, 1_788_220_800))
            );
        })
        .await;
    }
}

/// Spec, Limits 2: the quota resets at midnight UTC on the first of the month.
/// Spec, Silent 27: the quota is exact over concurrent requests to several processes.
#[tokio::test(flavor = "multi_thread")]
async fn counts_are_exact_while_the_month_changes_under_load() {
    for database in support::databases().await {
        let api = TestApi::start(database.db.clone(), |_| ()).await;
        let other = api.beside(|_| ()).await;
        let account = api.account(Plan::Free).await;
        api.set_clock("2026-07-31T23:59:59.999Z");
        let requests = (0..120).map(|number| {
            let (api, account) = (if number % 2 == 0 { &api } else { &other }, &account);
            async move {
                if number == 60 {
                    api.set_clock("2026-08-01T00:00:00Z");
                }
                api.get_as(account, "/v1/offers").await
            }
        });
        let answers = futures::future::join_all(requests).await;
        for (month, reset) in [(JULY, 1_785_542_400), (JULY.next(), 1_788_220_800)] {
            let of_month = answers
                .iter()
                .filter(|answer| answer.rate_limit().2 == reset);
            let (served, refused): (Vec<_>, Vec<_>) =
                of_month.partition(|answer| answer.status == 200);
            assert!(refused.iter().all(|answer| answer.status == 429));
            assert!(
                served.len() == 10 || refused.is_empty(),
                "{month}: {}",
                served.len()
            );
            let used = usage::used(&api.db, account.id, month).await.unwrap();
            assert_eq!(used as usize, served.len(), "{month} on {}", database.name);
        }
    }
}

/// Spec, Limits 9: includeInactive reaches 3 or 6 months back by plan, and so does the detail.
/// Spec, Silent 25: months of history are calendar months; a record expires with its last live link.
#[tokio::test]
async fn the_window_starts_on_the_same_day_or_the_last_of_a_shorter_month() {
    let cases = [
        (Plan::Pro, "2026-05-31T12:30:00Z", "2026-02-28T12:30:00Z"),
        (Plan::Pro, "2028-05-31T00:00:00Z", "2028-02-29T00:00:00Z"),
        (Plan::Pro, "2028-05-29T23:59:59Z", "2028-02-29T23:59:59Z"),
        (Plan::Pro, "2027-01-31T12:00:00Z", "2026-10-31T12:00:00Z"),
        (Plan::Pro, "2026-03-31T06:00:00Z", "2025-12-31T06:00:00Z"),
        (
            Plan::Investor,
            "2026-08-31T12:00:00Z",
            "2026-02-28T12:00:00Z",
        ),
        (Plan::Custom, "2026-03-31T12:00:00Z", "2025-09-30T12:00:00Z"),
        (
            Plan::Investor,
            "2028-08-29T12:00:00Z",
            "2028-02-29T12:00:00Z",
        ),
    ];
    on_each(async |api| {
        for (number, (plan, now, first)) in cases.into_iter().enumerate() {
            let account = api.account(plan).await;
            api.set_clock(now);
            let before = Timestamp(at(first).millis() - 1).to_string();
            for (id, expired_at) in [("inside", first), ("outside", &before)] {
                let offer = TestOffer::new(&format!("{id}-{number}")).expired_at(expired_at);
                save(
                    &api.db,
                    offer.with(|facts| facts.neighborhood = Some(number.to_string())),
                )
                .await;
            }
            let path = format!("/v1/offers?includeInactive=true&neighborhood={number}");
            let found = api.get_as(&account, &path).await;
            assert_eq!(found.ids(), [format!("inside-{number}")], "{now}");
            for (id, status) in [("inside", 200), ("outside", 404)] {
                let detail = api
                    .get_as(&account, &format!("/v1/offers/{id}-{number}"))
                    .await;
                assert_eq!(detail.status, status, "{now}: {id}");
            }
        }
    })
    .await;
}
