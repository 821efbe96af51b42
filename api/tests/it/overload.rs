//! More requests than the service can handle.

use std::sync::Arc;
use std::time::Duration;

use api::ApiConfig;
use reqwest::Method;
use schema::store::Db;
use schema::{Location, Plan};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};

use crate::support::{Answer, TestApi};

/// A search for an address that is located only when the test allows it.
const HELD_UP: &str = "/v1/offers?address=Qwxzkj";

/// An API that works on one request at a time. A search for an address blocks it until the test releases the search. The
/// API signals when a search has started.
async fn narrow(
    db: Db,
    configure: impl FnOnce(&mut ApiConfig),
) -> (TestApi, Arc<Notify>, Arc<Semaphore>) {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(0)));
    let (tell, wait) = (Arc::clone(&begun), Arc::clone(&go_on));
    let api = TestApi::start(db, |config| {
        config.work.at_once = 1;
        config.outside_geocoder = Some(Arc::new(move |_| {
            let (tell, wait) = (Arc::clone(&tell), Arc::clone(&wait));
            Box::pin(async move {
                tell.notify_one();
                wait.acquire().await.unwrap().forget();
                Some(Location {
                    lat: 50.0755,
                    lng: 14.4378,
                })
            })
        }));
        configure(config);
    })
    .await;
    (api, begun, go_on)
}

fn assert_is_turned_away(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.code()),
        (500, "internal-error"),
        "{}",
        answer.body
    );
    assert_eq!(answer.header("retry-after"), "1");
}

#[tokio::test]
async fn waiting_requests_are_answered_and_a_full_queue_refuses_without_counting() {
    support::on_each_database(async |db| {
        let (api, begun, go_on) = narrow(db, |config| config.work.waiting = 1).await;
        let account = api.account(Plan::Pro).await;
        let held_up = || {
            api.request(Method::GET, HELD_UP)
                .bearer_auth(&account.token)
                .send()
        };
        let worked_on = tokio::spawn(held_up());
        begun.notified().await;
        let waiting = tokio::spawn(held_up());
        // The second request is waiting as soon as the third one is refused.
        loop {
            let timeout = Duration::from_millis(200);
            let third = api
                .request(Method::GET, "/v1/me")
                .bearer_auth(&account.token)
                .timeout(timeout);
            if let Ok(response) = third.send().await {
                assert_is_turned_away(&Answer::from_response(response).await);
                break;
            }
        }
        for path in ["/v1/offers", "/v1/offers/some", "/v1/me"] {
            assert_is_turned_away(&api.get_as(&account, path).await);
        }
        assert_eq!(api.get("/health").await.status, 200);
        assert_eq!(api.get("/openapi.json").await.status, 200);
        go_on.add_permits(2);
        for answered in [worked_on, waiting] {
            assert_eq!(answered.await.unwrap().unwrap().status().as_u16(), 200);
        }
        assert_eq!(api.used(&account).await, 2);
    })
    .await;
}

#[tokio::test]
async fn a_request_that_waits_too_long_is_refused_without_counting() {
    support::on_each_database(async |db| {
        let (api, begun, go_on) = narrow(db, |config| {
            config.work.longest_wait = Duration::from_millis(50);
        })
        .await;
        let account = api.account(Plan::Pro).await;
        let request = api
            .request(Method::GET, HELD_UP)
            .bearer_auth(&account.token);
        let worked_on = tokio::spawn(request.send());
        begun.notified().await;
        assert_is_turned_away(&api.get_as(&account, "/v1/offers").await);
        go_on.add_permits(1);
        assert_eq!(worked_on.await.unwrap().unwrap().status().as_u16(), 200);
        assert_eq!(api.used(&account).await, 1);
        assert_eq!(
            api.get_as(&account, "/v1/offers").await.status,
            200,
            "the permit is free again"
        );
    })
    .await;
}

#[tokio::test]
async fn two_thousand_connections_are_all_answered() {
    const CONNECTIONS: usize = 2_000;
    // Both ends of each connection are in this process.
    let (files, needed) = (open_files(), 2 * CONNECTIONS as u64 + 200);
    if files < needed {
        eprintln!(
            "2,000 connections: skipped, {files} files may be open, {needed} are needed (ulimit -n)"
        );
        return;
    }
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| {
            // The test must pass on slow machines too.
            config.work.longest_wait = Duration::from_hours(1);
            config.store_timeout = Duration::from_hours(1);
            config.connections.head_timeout = Duration::from_hours(1);
        })
        .await;
        let account = api.account(Plan::Custom).await;
        let request = format!(
            "GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Api-Key: {}\r\n\r\n",
            account.token
        );
        let (half, other_half) = request.split_at(request.len() / 2);
        let mut streams = Vec::new();
        for _ in 0..CONNECTIONS {
            streams.push(
                TcpStream::connect(api.url.trim_start_matches("http://"))
                    .await
                    .unwrap(),
            );
        }
        // All requests have started before the first is answered.
        for half in [half, other_half] {
            for stream in &mut streams {
                stream.write_all(half.as_bytes()).await.unwrap();
            }
        }
        for stream in &mut streams {
            let mut line = [0; 12];
            stream.read_exact(&mut line).await.unwrap();
            assert_eq!(&line, b"HTTP/1.1 200");
        }
    })
    .await;
}

/// The number of files that this process may open.
fn open_files() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    soft.unwrap_or_default()
}

/// Sends requests on one connection, one after the other, until an answer says that it is the last.
async fn ask_until_the_end(address: &str, token: &str) -> usize {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Api-Key: {token}\r\n\r\n");
    let mut answered = 0;
    loop {
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("every request is answered"));
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).await.unwrap();
        answered += 1;
        if head.contains("connection: close") {
            return answered;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_under_load_answers_every_request_and_marks_the_last_answer() {
    support::on_each_database(async |db| {
        let mut api = TestApi::start(db, |config| {
            config.connections.grace = Duration::from_secs(10);
        })
        .await;
        let account = api.account(Plan::Custom).await;
        let address = api.url.trim_start_matches("http://").to_owned();
        let clients: Vec<_> = (0..50)
            .map(|_| {
                let (address, token) = (address.clone(), account.token.clone());
                tokio::spawn(async move { ask_until_the_end(&address, &token).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        api.stop();
        for client in clients {
            assert!(client.await.unwrap() > 0);
        }
        api.serving.take().unwrap().await.unwrap().unwrap();
    })
    .await;
}
