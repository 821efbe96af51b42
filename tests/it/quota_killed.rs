//! The quota stays exact even if the processes that count are killed.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::Client;
use support::{databases, http_client};

use super::jeden::{Jeden, Server};

/// The monthly quota of the account.
const LIMIT: u32 = 900;
/// How often a server is killed before the quota is used up.
const KILLS: u32 = 6;
const CLIENTS: u64 = 8;
/// Searches, details and errors: all of them count.
const PATHS: [&str; 3] = ["/v1/offers", "/v1/offers/none", "/v1/offers?limit=0"];
/// Two normal servers, and one on which every search times out and is given back.
const SERVERS: [&[&str]; 3] = [
    &["serve"],
    &["serve"],
    &["serve", "--search-timeout", "0ms"],
];

/// What the clients have observed.
#[derive(Default)]
struct Seen {
    /// Complete answers that count.
    answered: AtomicU32,
    /// Timeouts.
    given_back: AtomicU32,
    /// Refusals because the quota is used up.
    refused: AtomicU32,
    /// Requests in flight when their server was killed; some of them were counted.
    lost: AtomicU32,
}

impl Seen {
    fn note(&self, outcome: reqwest::Result<u16>) {
        let counter = match outcome {
            Ok(200 | 400 | 404) => &self.answered,
            Ok(504) => &self.given_back,
            Ok(429) => &self.refused,
            Ok(status) => panic!("{status}"),
            // The request was never sent.
            Err(error) if error.is_connect() => return,
            Err(_) => &self.lost,
        };
        counter.fetch_add(1, Ordering::SeqCst);
    }

    fn answered(&self) -> u32 {
        self.answered.load(Ordering::SeqCst)
    }
}

/// What the servers and clients share.
struct Service {
    token: String,
    bases: Mutex<[String; 3]>,
    seen: Seen,
    is_over: AtomicBool,
}

impl Service {
    fn base(&self, place: usize) -> String {
        self.bases.lock().unwrap()[place].clone()
    }

    async fn ask(&self, client: &Client, url: &str) -> reqwest::Result<u16> {
        let response = client.get(url).bearer_auth(&self.token).send().await?;
        let status = response.status().as_u16();
        // An answer has arrived when it is complete.
        response.bytes().await?;
        Ok(status)
    }

    /// Sends random requests to random servers until the test is over.
    async fn keep_asking(self: Arc<Self>, seed: u64) {
        let (client, mut rng) = (http_client(), StdRng::seed_from_u64(seed));
        while !self.is_over.load(Ordering::SeqCst) {
            let url = format!(
                "{}{}",
                self.base(rng.random_range(0..3)),
                PATHS[rng.random_range(0..3)]
            );
            self.seen.note(self.ask(&client, &url).await);
        }
    }

    /// The month and the counted requests, according to a server.
    async fn usage(&self, place: usize) -> (String, u32) {
        let request = http_client()
            .get(format!("{}/v1/me", self.base(place)))
            .bearer_auth(&self.token);
        let me: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        let used = u32::try_from(me["usage"]["requestsUsed"].as_u64().unwrap()).unwrap();
        (me["usage"]["month"].as_str().unwrap().to_owned(), used)
    }

    async fn until(&self, holds: impl Fn(&Seen) -> bool) {
        while !holds(&self.seen) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Kills random servers, each after some more answers, and replaces each.
    async fn kill_and_restart(&self, jeden: &Jeden, servers: &mut [Server], rng: &mut StdRng) {
        for kill in 1..=KILLS {
            self.until(|seen| seen.answered() >= kill * LIMIT / (KILLS + 2))
                .await;
            let place = rng.random_range(0..servers.len());
            // Dropping a server sends SIGKILL.
            servers[place] = tokio::task::block_in_place(|| {
                servers[place].kill();
                jeden.serve(SERVERS[place])
            });
            self.bases.lock().unwrap()[place].clone_from(&servers[place].base);
            let answered = self.seen.answered();
            let (_, used) = self.usage(place).await;
            assert!(
                answered <= used && used <= LIMIT,
                "{answered} answered, {used} counted"
            );
        }
    }
}

/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
/// Spec, Silent 27: the quota is exact over concurrent requests to several processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn killed_servers_lose_no_count_and_give_away_no_request() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let limit = LIMIT.to_string();
        jeden
            .run(&[
                "account",
                "create",
                "acme",
                "--plan",
                "customV2",
                "--requests-per-month",
                &limit,
            ])
            .done();
        let token = jeden
            .run(&["token", "create", "acme"])
            .done()
            .trim_end()
            .to_owned();
        let mut servers: Vec<Server> = SERVERS
            .iter()
            .map(|arguments| jeden.serve(arguments))
            .collect();
        let service = Arc::new(Service {
            token,
            bases: Mutex::new([0, 1, 2].map(|place: usize| servers[place].base.clone())),
            seen: Seen::default(),
            is_over: AtomicBool::new(false),
        });
        let (month, _) = service.usage(0).await;
        let clients: Vec<_> = (0..CLIENTS)
            .map(|seed| tokio::spawn(Arc::clone(&service).keep_asking(seed)))
            .collect();
        service
            .kill_and_restart(&jeden, &mut servers, &mut StdRng::seed_from_u64(7))
            .await;
        service
            .until(|seen| seen.refused.load(Ordering::SeqCst) > 20)
            .await;
        service.is_over.store(true, Ordering::SeqCst);
        for client in clients {
            client.await.unwrap();
        }
        // Requests that were given back at the end may still be used.
        let (client, counted) = (http_client(), format!("{}/v1/offers/none", service.base(0)));
        while let Ok(status @ 404) = service.ask(&client, &counted).await {
            service.seen.note(Ok(status));
        }
        for place in 0..3 {
            let url = format!("{}/v1/offers", service.base(place));
            assert_eq!(
                service.ask(&client, &url).await.unwrap(),
                429,
                "{}",
                database.name
            );
        }
        let (month_after, used) = service.usage(1).await;
        if month != month_after {
            return; // The quota renewed during the test.
        }
        let seen = &service.seen;
        let lost = seen.lost.load(Ordering::SeqCst);
        let what = format!(
            "{} answered, {lost} lost, {used} counted on {}",
            seen.answered(),
            database.name
        );
        assert_eq!(used, LIMIT, "{what}");
        assert!(
            seen.answered() <= LIMIT && LIMIT - seen.answered() <= lost,
            "{what}"
        );
        assert!(seen.given_back.load(Ordering::SeqCst) > 0, "{what}");
    }
}
