//! A running feed, and records to store.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use api::{ApiConfig, ApiState, issue_token};
use feed::FeedConfig;
use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::{Client, RequestBuilder, Response};
use schema::store::offers::{self, OfferRow};
use schema::store::{Db, accounts, usage};
use schema::{AccountId, Month, Plan, Timestamp};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The time of every test.
pub const NOON: &str = "2026-07-15T12:00:00Z";

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A feed that serves one database until it is dropped.
pub struct TestFeed {
    pub db: Db,
    pub url: String,
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    pub serving: JoinHandle<std::io::Result<()>>,
}

/// An account with a token.
pub struct Account {
    pub id: AccountId,
    pub token: String,
}

/// Runs a test with a feed on each database.
pub async fn on_each(test: impl AsyncFn(TestFeed)) {
    support::on_each_database(async |db| test(TestFeed::start(db, |_| ()).await).await).await;
}

impl TestFeed {
    pub async fn start(db: Db, configure: impl FnOnce(&mut FeedConfig)) -> Self {
        let noon = at(NOON);
        let mut config = ApiConfig::new("http://api", Arc::new(move || noon));
        config.index_poll = Duration::from_hours(1);
        config.token_ttl = Duration::ZERO;
        let api = ApiState::start(db.clone(), config, [42; 32]).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let mut config = FeedConfig::new(&url);
        config.poll = Duration::from_millis(5);
        config.connections.grace = Duration::from_millis(20);
        configure(&mut config);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(feed::serve(
            listener,
            (api, db.clone()),
            config,
            Box::pin(async move { drop(stopped.await) }),
        ));
        Self {
            db,
            url,
            client: support::http_client(),
            stop: Some(stop),
            serving,
        }
    }

    /// Begins the shutdown.
    pub fn stop(&mut self) {
        self.stop = None;
    }

    pub async fn account(&self, plan: Plan) -> Account {
        static NUMBER: AtomicI64 = AtomicI64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{plan}-{number}");
        let limit = (plan == Plan::Custom).then_some(u32::MAX);
        let created = accounts::create(&self.db, &name, plan, limit, at(NOON)).await;
        let id = created.unwrap().id;
        let mut rng = StdRng::seed_from_u64(number.unsigned_abs());
        let issued = issue_token(&self.db, id, &mut rng, at(NOON)).await.unwrap();
        let token = issued.token.expose().to_owned();
        Account { id, token }
    }

    /// Requests counted for an account this month.
    pub async fn used(&self, account: &Account) -> u32 {
        usage::used(&self.db, account.id, Month::containing(at(NOON)))
            .await
            .unwrap()
    }

    pub fn request(&self, account: &Account, path: &str) -> RequestBuilder {
        self.client
            .get(format!("{}{path}", self.url))
            .bearer_auth(&account.token)
    }

    pub async fn get(&self, account: &Account, path: &str) -> Answer {
        Answer::read(self.request(account, path).send().await.unwrap()).await
    }

    /// A GET without a token.
    pub async fn get_public(&self, path: &str) -> Answer {
        let request = self.client.get(format!("{}{path}", self.url));
        Answer::read(request.send().await.unwrap()).await
    }
}

/// An answer, read completely.
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub headers: reqwest::header::HeaderMap,
}

impl Answer {
    pub async fn read(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default();
        Self {
            status,
            body,
            headers,
        }
    }

    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// The changes: record, kinds of events, and whether the record is shown.
    pub fn changes(&self) -> Vec<(String, Vec<String>, bool)> {
        assert_eq!(self.status, 200, "{}", self.body);
        let data = self.body["data"].as_array().unwrap();
        data.iter().map(summary).collect()
    }

    pub fn next_after(&self) -> i64 {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body["pagination"]["nextAfter"].as_i64().unwrap()
    }
}

/// A change: its record, the kinds of its events, and whether the record is shown.
pub fn summary(change: &Value) -> (String, Vec<String>, bool) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = change["events"].as_array().unwrap().iter();
    (
        text(&change["id"]),
        events.map(|event| text(&event["type"])).collect(),
        change["offer"].is_object(),
    )
}

pub fn shown(id: &str, events: &[&str]) -> (String, Vec<String>, bool) {
    let events = events.iter().map(|event| (*event).to_owned());
    (id.to_owned(), events.collect(), true)
}

pub fn hidden(id: &str, events: &[&str]) -> (String, Vec<String>, bool) {
    let (id, events, _) = shown(id, events);
    (id, events, false)
}

/// A live flat for sale in Prague at a price.
pub fn flat(id: &str, price: f64) -> OfferRow {
    let mut offer = support::flat(id);
    offer.attributes.price_total = Some(price);
    OfferRow {
        offer,
        portal_links: Vec::new(),
        price_history: Vec::new(),
        expired_at: None,
        issued_at: at("2026-05-01T06:00:00Z"),
        municipality: None,
    }
}

/// The flat, gone since an instant.
pub fn gone(mut row: OfferRow, since: &str) -> OfferRow {
    row.offer.is_live = false;
    row.expired_at = Some(at(since));
    row
}

/// Stores records as changes of one transaction. Returns the number of the last.
pub async fn save(db: &Db, rows: &[OfferRow]) -> i64 {
    let mut tx = db.begin().await.unwrap();
    let first = offers::next_change(&mut tx, rows.len() as u64)
        .await
        .unwrap();
    let saved: Vec<(&OfferRow, i64)> = rows.iter().zip(first..).collect();
    offers::save_all(&mut tx, &saved).await.unwrap();
    tx.commit().await.unwrap();
    first + i64::try_from(rows.len()).unwrap() - 1
}
