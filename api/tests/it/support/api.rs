//! A running API with its own clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use api::cursor::CursorKey;
use api::{ApiConfig, ApiState, issue_token};
use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::{Client, Method, RequestBuilder};
use schema::store::{Db, accounts};
use schema::{AccountId, Plan, Timestamp};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::answer::Answer;
use super::description;

/// The time at which every test starts.
const NOON: &str = "2026-07-15T12:00:00Z";

/// Fixed bytes in place of random ones.
fn entropy() -> [u8; 32] {
    [42; 32]
}

/// The cursor key that the first process of a test gives to its database.
pub fn cursor_key() -> CursorKey {
    CursorKey::new(blake3::derive_key("jeden 2026 cursor key", &entropy()))
}

/// An account with a token.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: AccountId,
    pub name: String,
    pub token: String,
    pub token_id: String,
}

/// An API that serves one database until it is dropped.
pub struct TestApi {
    pub db: Db,
    pub url: String,
    clock: Arc<AtomicI64>,
    client: Client,
    shutdown: Option<oneshot::Sender<()>>,
    pub serving: Option<JoinHandle<std::io::Result<()>>>,
}

impl TestApi {
    pub async fn start(db: Db, configure: impl FnOnce(&mut ApiConfig)) -> Self {
        let noon: Timestamp = NOON.parse().unwrap();
        Self::start_at(
            (db, entropy()),
            Arc::new(AtomicI64::new(noon.millis())),
            configure,
        )
        .await
    }

    /// A process that drew different random bytes.
    pub async fn start_with(db: Db, entropy: [u8; 32]) -> Self {
        let noon: Timestamp = NOON.parse().unwrap();
        Self::start_at(
            (db, entropy),
            Arc::new(AtomicI64::new(noon.millis())),
            |_| (),
        )
        .await
    }

    /// Another process on the same database with the same clock.
    pub async fn beside(&self, configure: impl FnOnce(&mut ApiConfig)) -> Self {
        Self::start_at(
            (self.db.clone(), entropy()),
            Arc::clone(&self.clock),
            configure,
        )
        .await
    }

    async fn start_at(
        (db, entropy): (Db, [u8; 32]),
        clock: Arc<AtomicI64>,
        configure: impl FnOnce(&mut ApiConfig),
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let read = Arc::clone(&clock);
        let mut config = ApiConfig::new(
            &url,
            Arc::new(move || Timestamp(read.load(Ordering::SeqCst))),
        );
        // The index catches up only when a request needs it, so that a test controls when.
        config.index_poll = std::time::Duration::from_hours(1);
        // Tests should not wait for the grace period or get a cached health.
        config.connections.grace = std::time::Duration::from_millis(20);
        config.health_ttl = std::time::Duration::ZERO;
        configure(&mut config);
        let state = ApiState::start(db.clone(), config, entropy).await.unwrap();
        let (shutdown, stop) = oneshot::channel::<()>();
        let serving = tokio::spawn(api::serve(
            listener,
            state,
            Box::pin(async move { drop(stop.await) }),
        ));
        let client = support::http_client_builder()
            .no_gzip()
            .no_brotli()
            .build()
            .unwrap();
        Self {
            db,
            url,
            clock,
            client,
            shutdown: Some(shutdown),
            serving: Some(serving),
        }
    }

    pub fn now(&self) -> Timestamp {
        Timestamp(self.clock.load(Ordering::SeqCst))
    }

    pub fn set_clock(&self, text: &str) {
        let instant: Timestamp = text.parse().unwrap();
        self.clock.store(instant.millis(), Ordering::SeqCst);
    }

    pub fn advance(&self, seconds: i64) {
        self.clock.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    /// A new account with the plan.
    pub async fn account(&self, plan: Plan) -> Account {
        static NUMBER: AtomicI64 = AtomicI64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{plan}-{number}");
        let account = accounts::create(&self.db, &name, plan, None, self.now())
            .await
            .unwrap();
        self.token_for(account.id, &name).await
    }

    /// An account that never runs out of requests, with the longest history.
    pub async fn unlimited_account(&self) -> Account {
        let created = accounts::create(
            &self.db,
            "unlimited",
            Plan::Custom,
            Some(u32::MAX),
            self.now(),
        )
        .await;
        self.token_for(created.unwrap().id, "unlimited").await
    }

    /// Another token of an account.
    pub async fn token_for(&self, id: AccountId, name: &str) -> Account {
        static SEED: AtomicI64 = AtomicI64::new(0);
        let seed = SEED.fetch_add(1, Ordering::Relaxed).unsigned_abs();
        let issued = issue_token(&self.db, id, &mut StdRng::seed_from_u64(seed), self.now())
            .await
            .unwrap();
        let token = issued.token.expose().to_owned();
        Account {
            id,
            name: name.to_owned(),
            token,
            token_id: issued.record.id,
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// GET without a token.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(path, self.request(Method::GET, path)).await
    }

    /// GET with a token.
    pub async fn get_as(&self, account: &Account, path: &str) -> Answer {
        self.send(
            path,
            self.request(Method::GET, path).bearer_auth(&account.token),
        )
        .await
    }

    /// A GET with headers; the answer is compared with the description.
    pub async fn send(&self, path: &str, request: RequestBuilder) -> Answer {
        let answer = Answer::from_response(request.send().await.unwrap()).await;
        description::check(path, &answer);
        answer
    }

    /// Requests counted for an account this month.
    pub async fn used(&self, account: &Account) -> u32 {
        schema::store::usage::used(&self.db, account.id, schema::Month::containing(self.now()))
            .await
            .unwrap()
    }

    /// Begins the shutdown.
    pub fn stop(&mut self) {
        if let Some(shutdown) = self.shutdown.take() {
            shutdown.send(()).unwrap();
        }
    }
}
