//! Every described status of every endpoint occurs, and no other.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use schema::Plan;
use support::TestDatabase;

use crate::support::{Account, TestApi, TestOffer, save};

/// The endpoints: a path to request, and the path in the description.
const ENDPOINTS: [(&str, &str); 5] = [
    ("/v1/offers", "/v1/offers"),
    ("/v1/offers/flat", "/v1/offers/{offerId}"),
    ("/v1/me", "/v1/me"),
    ("/health", "/health"),
    ("/openapi.json", "/openapi.json"),
];

/// The statuses seen so far, by the path in the description.
#[derive(Default)]
struct Met(BTreeMap<&'static str, Vec<u16>>);

impl Met {
    fn note(&mut self, endpoint: &'static str, status: u16) {
        let statuses = self.0.entry(endpoint).or_default();
        if let Err(place) = statuses.binary_search(&status) {
            statuses.insert(place, status);
        }
    }
}

/// The statuses of a healthy service: normal, not modified, invalid, unknown, too large.
async fn ask_a_healthy_service(api: &TestApi, account: &Account, met: &mut Met) {
    for (path, endpoint) in ENDPOINTS {
        let plain = api.get_as(account, path).await;
        met.note(endpoint, plain.status);
        met.note(endpoint, api.get(path).await.status);
        met.note(
            endpoint,
            api.get_as(account, &format!("{path}?unknown=1"))
                .await
                .status,
        );
        met.note(
            endpoint,
            api.get(&format!("{path}?long={}", "x".repeat(9000)))
                .await
                .status,
        );
        let large = api
            .request(Method::GET, path)
            .bearer_auth(&account.token)
            .body(vec![b'x'; 20_000]);
        met.note(endpoint, api.send(path, large).await.status);
        let many = (0..70).fold(api.request(Method::GET, path), |request, _| {
            request.header("X-Many", "x")
        });
        met.note(endpoint, api.send(path, many).await.status);
        let held = api.request(Method::GET, path).bearer_auth(&account.token);
        let held = held.header("If-None-Match", plain.header("etag"));
        met.note(endpoint, api.send(path, held).await.status);
    }
    met.note(
        "/v1/offers/{offerId}",
        api.get_as(account, "/v1/offers/nowhere").await.status,
    );
}

/// The statuses that only limits of a plan and failures of the service cause.
async fn ask_a_hindered_service(api: &TestApi, database: &TestDatabase, met: &mut Met) {
    let free = api.account(Plan::Free).await;
    met.note(
        "/v1/offers",
        api.get_as(&free, "/v1/offers?includeInactive=true")
            .await
            .status,
    );
    for _ in 0..10 {
        api.get_as(&free, "/v1/offers").await;
    }
    let impatient = api
        .beside(|config| config.search_timeout = Duration::ZERO)
        .await;
    let pro = api.account(Plan::Pro).await;
    met.note(
        "/v1/offers",
        impatient.get_as(&pro, "/v1/offers").await.status,
    );
    for (path, endpoint) in ENDPOINTS {
        met.note(endpoint, api.get_as(&free, path).await.status);
    }
    api.get_as(&pro, "/v1/me").await;
    database.db.close().await;
    for (path, endpoint) in ENDPOINTS {
        met.note(endpoint, api.get_as(&pro, path).await.status);
    }
}

/// Spec, search 22: its statuses are 200, 400, 401, 403, 429 and 504, beside those that any endpoint may have.
/// Spec, detail 6: its statuses are 200, 400, 401, 404 and 429, beside those that any endpoint may have.
/// Spec, me 3: its statuses are 200, 400 and 401: never 429.
/// Spec, openapi 1: it is the machine-readable description of the interface.
#[tokio::test]
async fn exactly_the_described_statuses_occur() {
    let description = api::openapi::document("");
    for database in support::databases().await {
        let api = TestApi::start(database.db.clone(), |_| ()).await;
        save(&api.db, TestOffer::new("flat")).await;
        let (account, mut met) = (api.account(Plan::Pro).await, Met::default());
        ask_a_healthy_service(&api, &account, &mut met).await;
        ask_a_hindered_service(&api, &database, &mut met).await;
        for (endpoint, statuses) in met.0 {
            let responses = description["paths"][endpoint]["get"]["responses"]
                .as_object()
                .unwrap();
            let described: Vec<u16> = responses
                .keys()
                .map(|status| status.parse().unwrap())
                .collect();
            // Only a panic makes a public endpoint fail.
            let met = statuses
                .into_iter()
                .chain((!endpoint.starts_with("/v1")).then_some(500));
            let mut met: Vec<u16> = met.collect();
            met.sort_unstable();
            assert_eq!(met, described, "{endpoint} on {}", database.name);
        }
    }
}
