//! The operator's webhook is told what needs a person.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use hmac::{Hmac, KeyInit, Mac};
use schema::store::crawl_runs::RunOutcome;
use serde_json::Value;
use sha2::Sha256;
use support::simulator::Condition;
use support::{databases, sqlite};

use super::working::{SITE, Works, poll};

const SECRET: &str = "a secret of the test";

/// How long the test waits for a message before it fails.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A message with its signature.
#[derive(Debug, Clone)]
struct Received {
    signature: String,
    body: String,
}

type Log = Arc<Mutex<Vec<Received>>>;

/// A receiver that refuses the first message and accepts all others.
async fn receive(State(log): State<Log>, headers: HeaderMap, body: String) -> StatusCode {
    let signature = headers["x-jeden-signature"].to_str().unwrap().to_owned();
    let mut log = log.lock().unwrap();
    log.push(Received { signature, body });
    if log.len() == 1 {
        StatusCode::BAD_GATEWAY
    } else {
        StatusCode::NO_CONTENT
    }
}

async fn receiver() -> (SocketAddr, Log) {
    let log = Log::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(receive).with_state(Arc::clone(&log));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, log)
}

async fn messages(log: &Log, count: usize) -> Vec<Value> {
    let began = Instant::now();
    loop {
        let received = log.lock().unwrap().clone();
        if received.len() >= count {
            return received.iter().map(checked).collect();
        }
        assert!(began.elapsed() < TIMEOUT, "only {received:?} arrived");
        poll().await;
    }
}

/// The message, whose signature is checked.
fn checked(received: &Received) -> Value {
    let signature = received.signature.strip_prefix("sha256=").unwrap();
    let digits = signature.as_bytes().chunks(2);
    let digits = digits.map(|pair| std::str::from_utf8(pair).unwrap());
    let signature: Vec<u8> = digits
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect();
    let mut key = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    key.update(received.body.as_bytes());
    key.verify_slice(&signature).unwrap();
    serde_json::from_str(&received.body).unwrap()
}

#[tokio::test]
async fn an_alarm_is_told_once_and_again_only_if_it_was_not_accepted() {
    for database in databases().await {
        let works = Works::on(&database, 12, Duration::from_millis(1));
        let (address, log) = receiver().await;
        works.simulator.world().portal(SITE).condition = Condition::Redesigned;
        let url = format!("http://{address}/hook");
        let worker = works.work_with(&["--webhook-url", &url, "--webhook-secret", SECRET]);
        works.run(&["schedule", "run", SITE]).done();
        let first = works.until(|run| run.outcome == RunOutcome::Alarm).await;
        messages(&log, 2).await;
        works.until_idle().await;
        works.run(&["schedule", "run", SITE]).done();
        works
            .until(|run| run.outcome == RunOutcome::Alarm && run.id != first.id)
            .await;
        let messages = messages(&log, 3).await;
        drop(worker);
        let ids: Vec<i64> = messages
            .iter()
            .map(|one| one["id"].as_i64().unwrap())
            .collect();
        assert_eq!(ids[0], ids[1], "the refused message is sent again");
        assert_ne!(ids[1], ids[2], "the accepted one is not");
        assert_eq!(messages[0]["about"], SITE);
        let what = messages[0]["what"].as_str().unwrap();
        assert!(what.contains("was stopped by an alarm"), "{what}");
        let todo = messages[0]["todo"].as_str().unwrap();
        assert!(todo.contains("jeden schedule run sreality"), "{todo}");
    }
}

#[tokio::test]
async fn a_webhook_without_a_secret_is_reported_in_the_log() {
    let database = sqlite().await;
    let works = Works::on(&database, 1, Duration::from_millis(1));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let worker = works.work_logged(&["--webhook-url", "http://127.0.0.1:1/"], &file);
    let began = Instant::now();
    while !std::fs::read_to_string(&file)
        .unwrap()
        .contains("JEDEN_WEBHOOK_SECRET")
    {
        assert!(began.elapsed() < TIMEOUT);
        poll().await;
    }
    drop(worker);
}
