//! `jeden webhook`: changes of records are sent to receivers that fail, hang and vanish.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use hmac::{Hmac, KeyInit, Mac};
use schema::store::{Db, record_events, webhooks};
use serde_json::{Value, json};
use sha2::Sha256;
use support::{TestDatabase, databases, sqlite};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::dumps;
use super::jeden::Jeden;
use super::working::{Process, poll};

const SECRET: &str = "a secret of the test";
/// How long a test waits before it fails.
const TIMEOUT: Duration = Duration::from_mins(4);

/// What a receiver does with the message of this number that it gets for this time (the first is 1).
type Conduct = fn(i64, usize) -> Reaction;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Reaction {
    Accept,
    Refuse,
    Hang,
}

/// Every message as it arrived, and whether it was accepted.
#[derive(Debug, Default)]
struct Log {
    arrived: Vec<i64>,
    accepted: Vec<(i64, Value)>,
}

#[derive(Clone)]
struct Receiver {
    log: Arc<Mutex<Log>>,
    conduct: Arc<Mutex<Conduct>>,
}

async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> StatusCode {
    check_signature(headers["x-jeden-signature"].to_str().unwrap(), &body);
    let change: Value = serde_json::from_str(&body).unwrap();
    let seq = change["seq"].as_i64().unwrap();
    let reaction = {
        let mut log = receiver.log.lock().unwrap();
        log.arrived.push(seq);
        let times = log.arrived.iter().filter(|one| **one == seq).count();
        let reaction = receiver.conduct.lock().unwrap()(seq, times);
        if reaction == Reaction::Accept {
            log.accepted.push((seq, change));
        }
        reaction
    };
    match reaction {
        Reaction::Accept => StatusCode::NO_CONTENT,
        Reaction::Refuse => StatusCode::BAD_GATEWAY,
        Reaction::Hang => {
            tokio::time::sleep(TIMEOUT).await;
            StatusCode::NO_CONTENT
        }
    }
}

fn check_signature(signature: &str, body: &str) {
    let digits = signature.strip_prefix("sha256=").unwrap().as_bytes();
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    let mut key = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    key.update(body.as_bytes());
    key.verify_slice(&bytes).unwrap();
}

impl Receiver {
    fn new(conduct: Conduct) -> Self {
        Self {
            log: Arc::default(),
            conduct: Arc::new(Mutex::new(conduct)),
        }
    }

    /// Listens on an address; it vanishes when the task is aborted.
    async fn listen(&self, address: &str) -> (SocketAddr, JoinHandle<()>) {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(receive).with_state(self.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (address, serving)
    }

    /// Waits until this many different messages were accepted, and returns their numbers as they first arrived.
    async fn accepted(&self, count: usize) -> Vec<i64> {
        let began = Instant::now();
        loop {
            let firsts = self.firsts();
            if firsts.len() >= count {
                return firsts;
            }
            assert!(
                began.elapsed() < TIMEOUT,
                "{} of {count}: {:?}",
                firsts.len(),
                self.log.lock().unwrap().arrived
            );
            poll().await;
        }
    }

    /// The numbers that were accepted, without repetitions.
    fn firsts(&self) -> Vec<i64> {
        let log = self.log.lock().unwrap();
        let mut known = BTreeSet::new();
        let numbers = log.accepted.iter().map(|(seq, _)| *seq);
        numbers.filter(|seq| known.insert(*seq)).collect()
    }
}

/// A worker that waits for this long before it sends a message for the second time.
fn work(jeden: &Jeden, retry: &str) -> Process {
    let quick = ["work", "--poll", "20ms", "--retry", retry];
    let mut command = jeden.command(&quick);
    Process::new(
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    )
}

fn add(jeden: &Jeden, address: SocketAddr, filter: &str) {
    let url = format!("http://{address}/hook");
    let printed = jeden
        .run(&[
            "webhook", "add", &url, "--filter", filter, "--secret", SECRET,
        ])
        .done();
    assert_eq!(printed.trim_end(), SECRET);
}

/// Replays some lines.
fn write(jeden: &Jeden, lines: &[String]) {
    jeden.run_with(&["replay", "-"], &lines.join("\n")).done();
}

/// The numbers of all changes.
async fn all_changes(db: &Db) -> Vec<i64> {
    let mut tx = record_events::begin(db).await.unwrap();
    let all = record_events::after(&mut tx, 0, 100_000).await.unwrap();
    tx.rollback().await.unwrap();
    all.into_iter().map(|one| one.change).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_the_order_is_kept_by_receivers_that_fail_hang_and_vanish() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let receiver = Receiver::new(|seq, times| match (seq % 5, times) {
            (0, 1 | 2) => Reaction::Refuse,
            (_, 1) if seq == 13 => Reaction::Hang,
            _ => Reaction::Accept,
        });
        let (address, serving) = receiver.listen("127.0.0.1:0").await;
        add(&jeden, address, "includeInactive=true");
        let lines = dumps::invented(25, 5);
        let (before, after) = lines.split_at(lines.len() / 2);
        write(&jeden, before);
        let worker = work(&jeden, "20ms");
        receiver.accepted(10).await;
        worker.kill();
        let worker = work(&jeden, "20ms");
        receiver.accepted(15).await;
        // The receiver vanishes with its connections, and comes back at the same address.
        serving.abort();
        drop(serving.await);
        write(&jeden, after);
        until_it_fails(&database).await;
        let status = status(&jeden);
        let webhook = &status["found"]["webhooks"][0];
        assert!(webhook["behindChanges"].as_i64() > Some(0), "{webhook}");
        assert!(webhook["failingSince"].is_string(), "{webhook}");
        let (_, serving) = receiver.listen(&address.to_string()).await;
        let all = all_changes(&database.db).await;
        let accepted = receiver.accepted(all.len()).await;
        assert_eq!(accepted, all, "in order on {}", database.name);
        serving.abort();
        assert_eq!(worker.stop(), Some(0));
        let listed = jeden.run(&["webhook", "list", "--json"]).done();
        let listed: Value = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed[0]["deadLetters"], json!([]), "{listed}");
        let status = self::status(&jeden);
        let expected = json!({
            "id": 1, "behindChanges": 0, "behindSeconds": 0, "failingSince": null, "failure": null, "deadLetters": 0,
        });
        assert_eq!(status["found"]["webhooks"], json!([expected]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_never_accepted_is_set_aside_and_sent_again_when_asked() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let receiver = Receiver::new(|seq, _| match seq {
            3 => Reaction::Refuse,
            _ => Reaction::Accept,
        });
        let (address, _serving) = receiver.listen("127.0.0.1:0").await;
        add(&jeden, address, "includeInactive=true");
        write(&jeden, &dumps::invented(4, 5));
        let all = all_changes(&database.db).await;
        let worker = work(&jeden, "1ms");
        let others = receiver.accepted(all.len() - 1).await;
        assert!(!others.contains(&3) && others.is_sorted(), "{others:?}");
        let attempts = receiver.log.lock().unwrap().arrived.clone();
        assert_eq!(attempts.iter().filter(|seq| **seq == 3).count(), 12);
        let listed = jeden.run(&["webhook", "list"]).done();
        assert!(listed.contains("change 3 was given up"), "{listed}");
        assert!(listed.contains("502"), "{listed}");
        let told = status(&jeden);
        assert_eq!(told["found"]["webhooks"][0]["deadLetters"], 1);
        let concern = &told["concerns"][0];
        assert_eq!(concern["about"], "webhooks");
        let todo = concern["todo"].as_str().unwrap();
        assert!(todo.contains("jeden webhook retry 1"), "{todo}");
        *receiver.conduct.lock().unwrap() = |_, _| Reaction::Accept;
        jeden.run(&["webhook", "retry", "1"]).done();
        let again = receiver.accepted(all.len()).await;
        assert_eq!(again.last(), Some(&3));
        until_no_letter(&database).await;
        drop(worker);
        jeden.run(&["webhook", "remove", "1"]).done();
        assert_eq!(jeden.run(&["webhook", "retry", "1"]).code, 1);
    }
}

/// What `jeden status` says.
fn status(jeden: &Jeden) -> Value {
    let told = jeden.run(&["status", "--json"]);
    serde_json::from_str(&told.stdout).unwrap()
}

async fn until_it_fails(database: &TestDatabase) {
    let began = Instant::now();
    while webhooks::list(&database.db).await.unwrap()[0]
        .failing_since
        .is_none()
    {
        assert!(began.elapsed() < TIMEOUT);
        poll().await;
    }
}

async fn until_no_letter(database: &TestDatabase) {
    let began = Instant::now();
    while !webhooks::dead_letters(&database.db, 1)
        .await
        .unwrap()
        .is_empty()
    {
        assert!(began.elapsed() < TIMEOUT);
        poll().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_search_rings_for_its_records_only() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let receiver = Receiver::new(|_, _| Reaction::Accept);
    let (address, _serving) = receiver.listen("127.0.0.1:0").await;
    write(&jeden, &dumps::invented(2, 9));
    add(&jeden, address, "priceMax=5000000");
    let lines = dumps::invented(30, 5);
    write(&jeden, &lines);
    let worker = work(&jeden, "1ms");
    let began = Instant::now();
    while webhooks::list(&database.db).await.unwrap()[0].position
        < schema::store::offers::last_change(&database.db)
            .await
            .unwrap()
    {
        assert!(began.elapsed() < TIMEOUT);
        poll().await;
    }
    drop(worker);
    let log = receiver.log.lock().unwrap();
    assert!(!log.accepted.is_empty());
    for (_, change) in &log.accepted {
        let price = &change["offer"]["priceTotal"];
        assert!(
            price.as_i64().is_none_or(|price| price <= 5_000_000),
            "{change}"
        );
    }
    assert!(
        log.accepted
            .iter()
            .any(|(_, change)| change["offer"].is_object())
    );
}

#[tokio::test]
async fn a_webhook_that_cannot_work_is_refused() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    for (url, filter, named) in [
        ("ftp://example.org/", "", "http or https"),
        ("http://example.org/", "prize=7", "prize"),
        ("http://example.org/", "address=Brno", "lat and lng"),
        ("http://example.org/", "limit=5", "of a page"),
    ] {
        let refused = jeden.run(&["webhook", "add", url, "--filter", filter]);
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains(named), "{}", refused.stderr);
    }
    assert_eq!(jeden.run(&["webhook", "remove", "7"]).code, 1);
}
